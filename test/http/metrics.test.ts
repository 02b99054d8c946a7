/** Metrics for Prometheus. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {send} from '../support/client.ts'
import {c, create} from '../support/documents.ts'
import {freePort, until} from '../support/machine.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

/** Samples by name and labels, as written. */
async function read(url: string): Promise<ReadonlyMap<string, number>> {
  const {status, headers, text} = await send(url)
  if (status !== 200 || !headers['content-type']?.startsWith('text/plain; version=0.0.4'))
    throw new Problem(status, 'metrics', text)
  const samples = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

test.serial('counters with few labels begin at zero, so that their first increase can be seen', async t => {
  const samples = await read(`${service.url}metrics`)
  const zeros = [...samples].filter(([key, value]) => value === 0 && /^quadstead_\w+_total\{/.test(key))

  t.deepEqual(zeros.map(([key]) => key).sort(), [
    'quadstead_checksums_total{cache="hit"}',
    'quadstead_checksums_total{cache="miss"}',
    'quadstead_connections_refused_total{limit="address"}',
    'quadstead_connections_refused_total{limit="all"}',
    'quadstead_pool_refused_total{share="long"}',
    'quadstead_pool_refused_total{share="query"}',
    'quadstead_pool_refused_total{share="read"}',
    'quadstead_pool_refused_total{share="write"}',
    'quadstead_queries_total{outcome="answered"}',
    'quadstead_queries_total{outcome="cancelled"}',
    'quadstead_queries_total{outcome="failed"}',
    'quadstead_queries_total{outcome="refused"}',
    'quadstead_queries_total{outcome="timeout"}',
    'quadstead_query_parses_total{cache="hit"}',
    'quadstead_query_parses_total{cache="miss"}',
    'quadstead_spool_full_total{limit="answer"}',
    'quadstead_spool_full_total{limit="caller"}',
    'quadstead_spool_full_total{limit="folder"}',
    'quadstead_spool_full_total{limit="total"}',
  ])
})

test.serial('requests are counted by method, route and status, with their times and bytes', async t => {
  const {path} = await create(t, service, {slug: 'counted'})
  await service.send({path})
  await service.send({path})
  await service.send({path: '/missing/'})
  const count = 'quadstead_http_requests_total{method="GET",route="document",status="200"}'

  await until(async () => ((await read(`${service.url}metrics`)).get(count) ?? 0) >= 2)

  const samples = await read(`${service.url}metrics`)
  t.is(samples.get('quadstead_http_requests_total{method="POST",route="document",status="201"}'), 1)
  t.is(samples.get('quadstead_http_requests_total{method="GET",route="document",status="404"}'), 1)
  t.is(samples.get('quadstead_http_request_duration_seconds_count{method="GET",route="document"}'), 3)
  t.true((samples.get('quadstead_http_response_bytes_total{route="document"}') ?? 0) > 500)
  t.is(samples.get('quadstead_statement_duration_seconds_count{statement="create_documents"}'), 1)
  t.is(samples.get('quadstead_statement_duration_seconds_count{statement="read_documents"}'), 3)
  t.is(samples.get('quadstead_http_requests_running'), 1)
  t.is(samples.get('quadstead_pool_connections_max'), 4)
  for (const share of ['read', 'write', 'long']) {
    t.is(samples.get(`quadstead_pool_connections_busy{share="${share}"}`), 0)
    t.is(samples.get(`quadstead_pool_waiting{share="${share}"}`), 0)
  }
  t.is(samples.get('quadstead_spool_files'), 0)
  for (const place of ['memory', 'file']) t.is(samples.get(`quadstead_spool_bytes{place="${place}"}`), 0)
  t.true((samples.get('process_resident_memory_bytes') ?? 0) > 1e6)
  t.true(samples.has('nodejs_eventloop_lag_p99_seconds'))
  t.true([...samples.keys()].some(key => /^quadstead_build_info\{version="\d+\.\d+\.\d+",build_date=".*"/.test(key)))
})

test.serial('queries are counted by outcome, with their stages and whether the text was known', async t => {
  const ask = (query: string) => service.send({path: `/sparql?query=${encodeURIComponent(query)}`})
  await ask('ask {}')
  await ask('ask {}')
  await ask('as {}')
  const name = 'quadstead_queries_total{outcome="refused"}'
  await until(async () => (await read(`${service.url}metrics`)).get(name) === 1)

  const samples = await read(`${service.url}metrics`)
  t.is(samples.get('quadstead_queries_total{outcome="answered"}'), 2)
  t.is(samples.get('quadstead_query_parses_total{cache="hit"}'), 1)
  t.is(samples.get('quadstead_query_parses_total{cache="miss"}'), 2)
  t.is(samples.get('quadstead_query_stage_duration_seconds_count{stage="sql"}'), 2)
})

test.serial('computed and cached checksums of documents are counted', async t => {
  const {iri} = await create(t, service, {slug: 'checked'})
  const ask = () =>
    service.send({
      method: 'POST',
      headers: {
        'Content-Type': 'application/sparql-query',
        Prefer: [`include=${c}PreferDocumentChecksums`, `include=${c}PreferResultsContexts`],
      },
      body: `construct where { <${iri}> a ?type }`,
    })
  await ask()
  await ask()

  const samples = await read(`${service.url}metrics`)
  t.is(samples.get('quadstead_checksums_total{cache="miss"}'), 1)
  t.is(samples.get('quadstead_checksums_total{cache="hit"}'), 1)
})

test('they can have a separate path and port, or be disabled', async t => {
  const port = await freePort()
  const apart = await useService(t, {METRICS_PATH: '/own', METRICS_PORT: String(port)})
  const none = await useService(t, {METRICS_PATH: 'off'})
  const own = `http://127.0.0.1:${port}`

  t.true((await read(`${own}/own`)).has('quadstead_pool_connections_max'))
  t.is((await send(`${own}/metrics`)).status, 404)
  for (const [method, expected] of [
    ['POST', 405],
    ['OPTIONS', 204],
  ] as const) {
    const {status, headers} = await send(`${own}/own`, {method})
    t.deepEqual([status, headers.allow], [expected, 'GET, HEAD, OPTIONS'])
  }
  t.is((await apart.send({path: '/own'})).status, 404)
  t.is((await none.send({path: '/metrics'})).status, 404)
  t.is((await service.send({method: 'DELETE', path: '/metrics'})).status, 405)
})

test('a port that is in use is an error at start-up', async t => {
  const {port} = new URL(service.url)

  await t.throwsAsync(useService(t, {METRICS_PORT: port}), {
    message: /^METRICS_PORT \d+ of 127\.0\.0\.1 cannot be opened/,
  })
})

test('docs/operations.md lists every metric of the service', async t => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const listed = Array.from(page.matchAll(/^\| `(quadstead_\w+)`/gm), ([, name]) => name).sort()

  const {text} = await service.send({path: '/metrics'})
  const kept = Array.from(text.matchAll(/^# TYPE (quadstead_\w+)/gm), ([, name]) => name).sort()

  t.deepEqual(listed, kept)
})
