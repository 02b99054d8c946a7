/**
 * Questions that come together: who waits, who travels with whom, and who suffers from whom.
 */
import {setImmediate as endOfTurn} from 'node:timers/promises'
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {createBatch} from '../../../src/db/store/batch.ts'

/** Ends the turn of the event loop, and the next one, in which what was answered leads to new questions. */
async function turn() {
  await endOfTurn()
  await endOfTurn()
}

/** Answers when it is told to. */
function createOracle() {
  const asked: (readonly string[])[] = []
  const answers: (() => void)[] = []
  const ask = (questions: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      asked.push(questions)
      answers.push(() => {
        if (questions.includes('busy')) reject(new Problem(503, 'busy', 'no place'))
        else if (questions.includes('bad')) reject(new Error(`one of ${questions.join(', ')} is bad`))
        else resolve(questions.map(question => question.toUpperCase()))
      })
    })
  /** Answers what was asked, and what is asked then, until nothing is. */
  const answerAll = async () => {
    await turn()
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) {
      next()
      await turn()
    }
  }
  return {ask, asked, answerAll}
}

test('what is asked while a statement is under way goes with the next one, in portions', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 3, flightMax: 1, waitMax: 10}, ask)

  const first = together('a')
  await turn()
  const all = Promise.all([first, ...['b', 'c', 'd', 'e'].map(together)])
  await answerAll()

  t.deepEqual(await all, ['A', 'B', 'C', 'D', 'E'])
  t.deepEqual(asked, [['a'], ['b', 'c', 'd'], ['e']])
})

test('what is asked in one turn of the event loop is one statement', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 2, waitMax: 10}, ask)

  const all = Promise.all(['a', 'b', 'c'].map(together))
  t.deepEqual(asked, [])
  await answerAll()

  t.deepEqual(await all, ['A', 'B', 'C'])
  t.deepEqual(asked, [['a', 'b', 'c']])
})

test('as many statements as may fly are sent at once', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 2, waitMax: 10}, ask)

  const one = together('a')
  await turn()
  const two = together('b')
  await turn()
  const all = Promise.all([one, two, together('c'), together('d')])
  await turn()
  t.deepEqual(asked, [['a'], ['b']])
  await answerAll()

  t.deepEqual(await all, ['A', 'B', 'C', 'D'])
  t.deepEqual(asked, [['a'], ['b'], ['c', 'd']])
})

test('where several fail together each is asked again alone, and only the bad one fails', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 1, waitMax: 10}, ask)

  const first = together('a')
  await turn()
  const all = Promise.allSettled([first, ...['b', 'bad', 'c'].map(together)])
  await answerAll()

  t.deepEqual(
    (await all).map(result => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    ['A', 'B', 'one of bad is bad', 'C'],
  )
  t.deepEqual(asked, [['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
})

test('after a failure it goes on', async t => {
  const {ask, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 1, waitMax: 10}, ask)

  const failing = t.throwsAsync(together('bad'))
  await answerAll()
  await failing
  const next = together('a')
  await answerAll()

  t.is(await next, 'A')
})

test('who is told that all places are taken does not ask again, nor do those who wait', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 2, flightMax: 1, waitMax: 10}, ask)

  const first = together('a')
  await turn()
  const all = Promise.allSettled([first, ...['b', 'busy', 'c', 'd'].map(together)])
  await answerAll()

  t.deepEqual(
    (await all).map(result => (result.status === 'fulfilled' ? result.value : result.reason.rule)),
    ['A', 'busy', 'busy', 'busy', 'busy'],
  )
  t.deepEqual(asked, [['a'], ['b', 'busy']])
})

test('only so many wait', async t => {
  const {ask, answerAll} = createOracle()
  const together = createBatch({sizeMax: 2, flightMax: 1, waitMax: 2}, ask)

  const first = together('a')
  await turn()
  const all = Promise.allSettled([first, ...['b', 'c', 'd'].map(together)])
  await answerAll()

  t.deepEqual(
    (await all).map(result => (result.status === 'fulfilled' ? result.value : result.reason.rule)),
    ['A', 'B', 'C', 'busy'],
  )
})
