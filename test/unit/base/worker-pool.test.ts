/** Jobs in worker threads: results, errors, and all reasons to end a thread. */
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {fileBeside} from '../../../src/base/thread.ts'
import {createWorkerPool, type Job, type WorkerPoolOptions} from '../../../src/base/worker-pool.ts'
import type * as jobs from './worker-jobs.ts'

type Work = typeof jobs

function job<Name extends keyof Work>(name: Name, limitMs = 20_000): Job<Parameters<Work[Name]>[0], unknown> {
  return {
    module: fileBeside(import.meta.url, 'worker-jobs'),
    function: name,
    limitMs,
    problem: (reason, input) => new Problem(503, 'given-up', `${reason} ${String(input)}`),
  }
}

function poolFor(t: ExecutionContext, options: WorkerPoolOptions = {}) {
  const pool = createWorkerPool({threads: 1, ...options})
  t.teardown(pool.close)
  return pool
}

const givenUp = (message: string) => ({status: 'rejected', reason: {status: 503, rule: 'given-up', message}})

test('a thread runs one job after the other, and bytes are complete', async t => {
  const pool = poolFor(t)

  const answers = await Promise.all([pool.run(job('double'), 21), pool.run(job('bytesOf'), 'é')])

  t.deepEqual(answers, [42, new Uint8Array([0xc3, 0xa9])])
})

test('callers take turns for a thread', async t => {
  const pool = poolFor(t)
  const order: string[] = []
  const ask = async (caller: string) => {
    await pool.run(job('double'), 1, {caller})
    order.push(caller)
  }

  await Promise.all([...Array.from({length: 20}, () => ask('crowd')), ask('other')])

  t.true(order.indexOf('other') <= 2, order.join())
})

test('a Problem of the thread arrives with its members and headers', async t => {
  const pool = poolFor(t)

  const problem = await t.throwsAsync(pool.run(job('refuse'), 7), {instanceOf: Problem})

  t.like(problem, {
    status: 422,
    rule: 'too-odd',
    message: '7 is odd',
    members: {line: 3},
    headers: {'Retry-After': '1'},
  })
})

test('an exception in the thread, and an input that cannot be cloned, are errors, and the thread continues', async t => {
  const pool = poolFor(t)

  await t.throwsAsync(pool.run(job('fail'), undefined), {instanceOf: Error, message: /a fault of ours/})
  await t.throwsAsync(pool.run(job('double'), (() => 1) as unknown as number), {message: /could not be cloned/})

  t.is(await pool.run(job('double'), 1), 2)
})

test('a job that takes too long, uses too much memory or ends its thread fails, and the next gets a new thread', async t => {
  const pool = poolFor(t, {heapMb: 30})

  const outcomes = await Promise.allSettled([
    pool.run(job('spin', 200), undefined),
    pool.run(job('fill'), undefined),
    pool.run(job('exit'), undefined),
    pool.run(job('double'), 3),
  ])

  t.like(outcomes, [
    givenUp('time undefined'),
    givenUp('memory undefined'),
    givenUp('lost undefined'),
    {status: 'fulfilled', value: 6},
  ])
})

test('jobs beyond the length of the queue are refused at once', async t => {
  const pool = poolFor(t, {queueMax: 1})

  const outcomes = await Promise.allSettled([1, 2, 3].map(value => pool.run(job('double'), value)))

  t.like(outcomes, [{value: 2}, {value: 4}, givenUp('busy 3')])
})

test('the job of a client that has disconnected is ended, whether it waits or runs', async t => {
  const pool = poolFor(t)
  const [runs, waits] = [new AbortController(), new AbortController()]
  const gone = {status: 'rejected', reason: {status: 499, rule: 'client-gone'}}

  const outcomes = Promise.allSettled([
    pool.run(job('spin'), undefined, {signal: runs.signal}),
    pool.run(job('spin'), undefined, {signal: waits.signal}),
    pool.run(job('double'), 4),
    pool.run(job('double'), 5, {signal: AbortSignal.abort()}),
  ])
  waits.abort()
  runs.abort()

  t.like(await outcomes, [gone, gone, {value: 8}, gone])
})

test('a thread without work ends after a while, and the next job gets a new one', async t => {
  const pool = poolFor(t, {idleMs: 500})
  const threadOf = () => pool.run(job('thread'), undefined)

  const [first, second] = [await threadOf(), await threadOf()]
  await delay(1500)
  const third = await threadOf()

  t.is(second, first)
  t.not(third, first)
})

test('closing fails running, waiting and later jobs', async t => {
  const pool = createWorkerPool({threads: 1})
  const outcomes = Promise.allSettled([pool.run(job('spin'), undefined), pool.run(job('double'), 1)])

  await pool.close()

  t.like(await outcomes, [givenUp('closing undefined'), givenUp('closing 1')])
  await t.throwsAsync(pool.run(job('double'), 2), {message: 'closing 2'})
})
