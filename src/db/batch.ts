/**
 * Questions that come together to one statement.
 *
 * Floor 3. Knows nothing of what is asked. A few statements are under way at a time; what is asked meanwhile waits for
 * the first of them to come back, and then goes together. So a question that comes alone is asked at once, and the more
 * there are the less each costs: one message each way, one plan, one snapshot for many.
 */
export type BatchOptions = {
  readonly sizeMax: number // questions of one statement; the last one waits for the first
  readonly flightMax: number // statements under way
}

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param ask  one answer a question, in their order
 * @returns    asks one question. Where several fail together each is asked again on its own, so that none suffers from
 *             another
 */
export function createBatch<Question, Answer>(
  {sizeMax, flightMax}: BatchOptions,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = []
  let flying = 0

  async function fly(): Promise<void> {
    flying += 1
    while (waiting.length > 0) await settle(waiting.splice(0, sizeMax), ask)
    flying -= 1
  }

  return question =>
    new Promise((resolve, reject) => {
      waiting.push({question, resolve, reject})
      if (flying < flightMax) void fly()
    })
}

/** Never rejects: what goes wrong goes to those who asked. */
async function settle<Question, Answer>(
  batch: readonly Waiting<Question, Answer>[],
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await ask(batch.map(({question}) => question))
    batch.forEach(({resolve, reject}, index) => {
      const answer = answers[index]
      if (answer === undefined) reject(new Error('a question got no answer'))
      else resolve(answer)
    })
  } catch (error) {
    if (batch.length > 1) await Promise.all(batch.map(one => settle([one], ask)))
    else for (const {reject} of batch) reject(error)
  }
}
