/**
 * Mixed load for a long time: memory does not grow, no response is a fault, and the store is sound at the end.
 *
 * SOAK_SECONDS and SOAK_CLIENTS are the options of `npm run soak`.
 */
import {Agent} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import test from 'ava'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {unlimited} from '../support/service.ts'
import {createLoad} from './load.ts'
import {judge, type Sample, takeSample} from './memory.ts'

const seconds = Number(process.env.SOAK_SECONDS ?? 10)
const clients = Number(process.env.SOAK_CLIENTS ?? 8)
const sampleMs = Math.max(250, (seconds * 1000) / 1000)
const shortSeconds = 300 // in shorter runs the caches are still filling

test(`${clients} clients send all kinds of requests for ${seconds} s: memory does not grow`, async t => {
  t.timeout((seconds + 120) * 1000)
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const settings = {PORT: '0', DATABASE_URL: database.url, DATABASE_POOL_MAX: '6', LOG_REQUESTS: 'errors'} as const
  const service = runProgram(t, {...unlimited, ...settings})
  const {url, base} = await service.ready()
  const agent = new Agent({keepAlive: true, maxSockets: clients})
  t.teardown(() => agent.destroy())
  const load = await createLoad(base, agent)
  const samples: Sample[] = []
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000

  const isOver = () => elapsed() > seconds
  const running = load.run(clients, isOver)
  for (; !isOver(); await delay(sampleMs)) samples.push(await takeSample(url, elapsed()))
  await running

  const {growing, line} = judge(samples, seconds < shortSeconds ? 1.5 : 0.1)
  const told = `${load.requests()} requests in ${Math.round(elapsed())} s; ${line}`
  t.log(told)
  if (process.env.SOAK_SECONDS !== undefined) process.stderr.write(`${told}\n`)
  t.log(
    [...load.statuses]
      .map(([answer, count]) => `${answer}: ${count}`)
      .sort()
      .join(', '),
  )
  t.deepEqual(growing, [])
  t.deepEqual(
    [...load.statuses.keys()].filter(answer => /\b5\d\d$/.test(answer) && !answer.endsWith(' 503')),
    [],
  )
  t.notRegex(service.complaints(), /"kind":"failure"/)
  const check = runProgram(t, settings, ['check'])
  t.is(await check.exit, 0, check.output())
})

const flat = (heapBytes: (index: number) => number): readonly Sample[] =>
  Array.from({length: 100}, (_, index) => ({
    seconds: index,
    heapBytes: heapBytes(index),
    residentBytes: 300e6,
    openFiles: 40,
  }))

test('a heap that rises and falls does not grow, one that only rises does', t => {
  t.deepEqual(
    judge(
      flat(index => 100e6 + (index % 10) * 10e6),
      0.1,
    ).growing,
    [],
  )
  t.deepEqual(
    judge(
      flat(index => 100e6 + (index % 10) * 10e6 + index * 2e6),
      0.1,
    ).growing,
    ['heap 190.7 then 248.0 MiB'],
  )
  t.is(judge([], 0.1).growing.length, 3, 'nothing measured is nothing proved')
})
