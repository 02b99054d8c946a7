/**
 * Queries do not block the event loop: each construct of the grammar is grown to the limits and beyond, and sent to a
 * service. Every query gets an answer or an error, and the loop is never delayed for long.
 *
 *   LOOP_TABLE=1 npm test -- --one-server test/fuzz/event-loop-queries.test.ts     prints the delay of each construct
 */
import test, {type ExecutionContext} from 'ava'
import {defaultLimits} from '../../src/sparql/parse/limits.ts'
import {growingQueries, grownTo, largeQueries} from '../support/growing-queries.ts'
import {type MeasuredService, startMeasuredService} from '../support/loop-delay.ts'

let service: MeasuredService

test.before(async () => {
  service = await startMeasuredService({STATEMENT_TIMEOUT_MS: '400', QUERY_LIMIT_AT_ONCE: '20'})
  await ask('ASK {}')
})
test.after.always(() => service.stop())

type Asked = {readonly name: string; readonly text: string; readonly headers?: Readonly<Record<string, string>>}

async function ask(text: string, headers: Asked['headers'] = {}) {
  const path = '/sparql'
  const {status, text: answer} = await service.send({
    method: 'POST',
    path,
    headers: {'Content-Type': 'application/sparql-query', Accept: 'text/csv, text/turtle', ...headers},
    body: text,
  })
  return {status, answer}
}

const expected = new Set([200, 400, 403, 422, 503])

/** Sends the queries one after the other. Returns the delay of the loop for each. */
async function delaysOf(queries: readonly Asked[]): Promise<ReadonlyMap<string, {delay: number; outcome: string}>> {
  const delays = new Map<string, {delay: number; outcome: string}>()
  for (const {name, text, headers} of queries) {
    let outcome = ''
    const delay = await service.longestDelay(async () => {
      const {status, answer} = await ask(text, headers)
      const rule = status === 200 ? '' : /errors#([a-z-]+)/.exec(answer)?.[1]
      outcome = `${status} ${rule ?? answer.slice(0, 200)}`
      if (!expected.has(status)) throw new Error(`${name}: ${outcome}`)
    })
    delays.set(name, {delay, outcome})
  }
  return delays
}

async function requireShort(t: ExecutionContext, queries: readonly Asked[]): Promise<void> {
  const limitBefore = await service.delayLimit()
  const delays = [...(await delaysOf(queries))].sort(([, left], [, right]) => right.delay - left.delay)
  const limit = Math.max(limitBefore, await service.delayLimit()) // the machine may have become busier
  const table = delays.map(([name, {delay, outcome}]) => `${delay.toFixed(0).padStart(6)} ms  ${name}: ${outcome}`)
  if (process.env.LOOP_TABLE !== undefined) process.stderr.write(`${table.join('\n')}\n`)
  t.deepEqual(
    delays.filter(([, {delay}]) => delay > limit).map(([name, {delay}]) => `${name}: ${delay} ms`),
    [],
  )
}

const chunk = 15 // constructs in one test, so that each test is short

for (let first = 0; first < Object.keys(growingQueries).length; first += chunk) {
  const some = Object.entries(growingQueries).slice(first, first + chunk)
  test.serial(`a text as long as texts may be: ${some.map(([name]) => name).join(', ')}`, t =>
    requireShort(
      t,
      some.map(([name, query]) => ({name, text: grownTo(query, defaultLimits.length)})),
    ),
  )
}

for (let first = 0; first < Object.keys(largeQueries).length; first += chunk) {
  const some = Object.entries(largeQueries).slice(first, first + chunk)
  test.serial(`just within the limits: ${some.map(([name]) => name).join(', ')}`, t =>
    requireShort(
      t,
      some.map(([name, text]) => ({name, text: text()})),
    ),
  )
}

const longForms: Readonly<Record<string, string>> = {
  'a form of escapes': `query=ASK{}${'%20'.repeat(3_000_000)}`,
  'a form of escapes and letters': `query=ASK{}${'%20a'.repeat(2_500_000)}`,
  'a form of parameters': `query=ASK{}${'&a'.repeat(4_900_000)}`,
  'a form of percent signs': `query=ASK{}${'%'.repeat(10_000_000)}`,
  'a form of graphs': `query=ASK{}${'&default-graph-uri=x:a'.repeat(9_000)}`,
}

test.serial('long forms', t =>
  requireShort(
    t,
    Object.entries(longForms).map(([name, text]) => ({
      name,
      text,
      headers: {'Content-Type': 'application/x-www-form-urlencoded'},
    })),
  ),
)

const explained = ['VALUES of strings', 'VALUES of rows', 'MINUS', 'OPTIONAL in CONSTRUCT', 'GRAPH', 'IN of IRIs']

test.serial('explanations of large queries', t =>
  requireShort(
    t,
    explained.map(name => ({
      name,
      text: largeQueries[name]?.() ?? '',
      headers: {Accept: 'text/vnd.quadstead.explain'},
    })),
  ),
)
