/** Batches of concurrent calls: which calls wait, which share a statement, and how failures spread. */
import {setImmediate as endOfTurn} from 'node:timers/promises'
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {createBatch} from '../../../src/db/store/batch.ts'

/** Ends the turn of the event loop, and the next one, in which results lead to new calls. */
async function turn() {
  await endOfTurn()
  await endOfTurn()
}

/** Resolves when it is told to. */
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
  /** Answers the running statements, and those that follow, until there are none. */
  const answerAll = async () => {
    await turn()
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) {
      next()
      await turn()
    }
  }
  return {ask, asked, answerAll}
}

test('calls during a running statement share the next one, in portions', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 3, flightMax: 1, waitMax: 10}, ask)

  const first = together('a')
  await turn()
  const all = Promise.all([first, ...['b', 'c', 'd', 'e'].map(together)])
  await answerAll()

  t.deepEqual(await all, ['A', 'B', 'C', 'D', 'E'])
  t.deepEqual(asked, [['a'], ['b', 'c', 'd'], ['e']])
})

test('calls in one turn of the event loop are one statement', async t => {
  const {ask, asked, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 2, waitMax: 10}, ask)

  const all = Promise.all(['a', 'b', 'c'].map(together))
  t.deepEqual(asked, [])
  await answerAll()

  t.deepEqual(await all, ['A', 'B', 'C'])
  t.deepEqual(asked, [['a', 'b', 'c']])
})

test('the allowed number of statements is sent at once', async t => {
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

test('if a shared statement fails, each call is repeated alone, and only the invalid one fails', async t => {
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

test('it works after a failure', async t => {
  const {ask, answerAll} = createOracle()
  const together = createBatch({sizeMax: 10, flightMax: 1, waitMax: 10}, ask)

  const failing = t.throwsAsync(together('bad'))
  await answerAll()
  await failing
  const next = together('a')
  await answerAll()

  t.is(await next, 'A')
})

test('calls that are refused because all places are taken are not repeated, nor are waiting ones', async t => {
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

test('the number of waiting calls is limited', async t => {
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
