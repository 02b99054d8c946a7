/**
 * Questions that come together to one statement.
 *
 * Knows nothing of what is asked. A few statements are under way at a time; what is asked meanwhile waits for
 * the first of them to come back, and then goes together. So a question that comes alone is asked at once, and the more
 * there are the less each costs: one message each way, one plan, one snapshot for many.
 */
import {Problem} from '../../base/problem.ts'
import {crowded} from '../connection/problem-of.ts'

export type BatchOptions = {
  readonly sizeMax: number // questions of one statement; the last one waits for the first
  readonly flightMax: number // statements under way
  readonly waitMax: number // questions waiting
}

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param ask  one answer a question, in their order
 * @returns    asks one question; Problem 503 `busy` when too many wait, or when a statement found no place in time
 *             (then all who wait are told). Where several fail otherwise each is asked again on its own, so that none
 *             suffers from another
 */
export function createBatch<Question, Answer>(
  {sizeMax, flightMax, waitMax}: BatchOptions,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = []
  let flying = 0

  async function fly(): Promise<void> {
    flying += 1
    while (waiting.length > 0) {
      const fault = await settle(waiting.splice(0, sizeMax), ask)
      if (fault?.rule === 'busy') for (const {reject} of waiting.splice(0)) reject(fault)
    }
    flying -= 1
  }

  return question =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitMax) {
        reject(crowded())
        return
      }
      waiting.push({question, resolve, reject})
      if (flying < flightMax) void fly()
    })
}

/** Never rejects: what goes wrong goes to those who asked. @returns what no question is to blame for */
async function settle<Question, Answer>(
  batch: readonly Waiting<Question, Answer>[],
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Promise<Problem | undefined> {
  try {
    const answers = await ask(batch.map(({question}) => question))
    batch.forEach(({resolve, reject}, index) => {
      const answer = answers[index]
      if (answer === undefined) reject(new Error('a question got no answer'))
      else resolve(answer)
    })
  } catch (error) {
    const isCommon = error instanceof Problem && error.status === 503
    if (batch.length === 1 || isCommon) for (const {reject} of batch) reject(error)
    else await Promise.all(batch.map(one => settle([one], ask)))
    if (isCommon) return error
  }
  return undefined
}
