/**
 * Combines questions of concurrent requests into one statement.
 *
 * It does not know what the questions are. Questions of one turn of the event loop are sent together. At most
 * `flightMax` statements run at a time. Questions that arrive meanwhile wait for the first of them to end and are then
 * sent together. The more questions there are, the less each costs: one round trip, one plan and one snapshot for many.
 */
import {setImmediate as endOfTurn} from 'node:timers/promises'
import {Problem} from '../../base/problem.ts'
import {crowded} from '../connection/problem-of.ts'

export type BatchOptions = {
  readonly sizeMax: number // maximum of questions in one statement; each is answered when all are ready
  readonly flightMax: number // maximum of running statements
  readonly waitMax: number // maximum of waiting questions
}

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param ask  returns one answer per question, in their order
 * @returns    a function that asks one question. It throws Problem 503 `busy` if too many questions wait or if a
 *             statement gets no connection in time; in the second case all waiting questions fail. If a statement of
 *             several questions fails for another reason, each question is asked again on its own, so that one cannot
 *             fail another
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
      await endOfTurn()
      const batch = waiting.splice(0, sizeMax) // empty if the other flight took all
      const fault = batch.length === 0 ? undefined : await settle(batch, ask)
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

/** Asks the questions of a batch and settles each. Never rejects. @returns a 503 that no single question caused */
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
