/**
 * The dashboard and the alerts of deploy/, with the metrics of a service that was used.
 *
 * Each expression uses metrics and labels that exist, in a way that fits their type. Where Prometheus is installed, it
 * evaluates them, and each alert fires when its trouble occurs and not otherwise.
 */
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import ava, {type ExecutionContext} from 'ava'
import {parse, stringify} from 'yaml'
import {observe} from '../../src/base/observation.ts'
import {send} from '../support/client.ts'
import {c} from '../support/documents.ts'
import {canRun, freePort, until} from '../support/machine.ts'
import {createTestDatabase, schemaIdentifier, type TestDatabase} from '../support/postgres.ts'
import {projectDirectory} from '../support/program.ts'
import {
  type Matcher,
  needsRange,
  readExpression,
  readScrape,
  type Sample,
  type Scrape,
  type Selector,
  typeOf,
} from '../support/promql.ts'
import {startService, type TestService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

type Alert = {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook', string>>
}
type Panel = {
  readonly id: number
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly {readonly expr: string; readonly legendFormat: string}[]
}

const test = ava.serial
const run = promisify(execFile)
const read = (path: string) => readFile(join(projectDirectory, path), 'utf8')
const rules = parse(await read('deploy/prometheus/alerts.yml')) as {
  readonly groups: readonly {readonly rules: readonly Alert[]}[]
}
const alerts = rules.groups.flatMap(group => group.rules)
const dashboard = JSON.parse(await read('deploy/grafana/quadstead.json')) as {readonly panels: readonly Panel[]}
const targets = dashboard.panels.flatMap(({title, targets = []}) => targets.map(target => ({...target, title})))

const addedByPrometheus = {job: 'quadstead', instance: 'localhost:8080'}
const hasPromtool = canRun('promtool', ['--version'])
const hasPrometheus = canRun('prometheus', ['--version'])

let service: TestService
let noReplica: TestDatabase // of the same server, so it is never used as a replica
let scrape: Scrape

ava.before(async () => {
  noReplica = await createTestDatabase('template0')
  service = await startService({DATABASE_READ_URL: noReplica.url, DATABASE_POOL_MAX: '3'})
  await use(service)
  scrape = readScrape((await service.send({path: '/metrics'})).text)
})
ava.after.always(async () => {
  await service?.stop()
  await noReplica?.drop()
})

/** Sends requests that together produce every series that deploy/ uses. */
async function use({send: ask, database}: TestService): Promise<void> {
  await ask({method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'read'}})
  await Promise.all(Array.from({length: 40}, () => ask({path: '/read/'})))
  const queries = Array.from({length: 40}, (_, n) => encodeURIComponent(`select (${n} as ?n) { ?s ?p ?o }`))
  await Promise.all(queries.map(query => ask({path: `/sparql?query=${query}`}))) // some wait for a connection
  await ask({
    method: 'POST',
    headers: {
      'Content-Type': 'application/sparql-query',
      Prefer: [`include=${c}PreferDocumentChecksums`, `include=${c}PreferResultsContexts`],
    },
    body: `construct where { <${service.base}read/> a ?type }`,
  })
  await database.database.query(`alter table ${schemaIdentifier}.dataset rename to away`)
  await database.database.query(`alter table ${schemaIdentifier}.document rename to gone`)
  await ask({path: '/ready'})
  await ask({path: '/read/'})
  await database.database.query(`alter table ${schemaIdentifier}.gone rename to document`)
  await database.database.query(`alter table ${schemaIdentifier}.away rename to dataset`)
  // These two cannot be provoked at will: a conflict of two writes, a client that disconnects in time.
  observe({kind: 'transaction-repeated', code: '40001', attempt: 1})
  const request = {method: 'GET', path: '/read/', route: 'document', status: 200, ms: 1, bytes: 0, trace: undefined}
  observe({kind: 'request', id: 'cut-off', dataset: undefined, isWhole: false, ...request})
  observe({kind: 'webhook-attempt', webhook: '1', outcome: 'delivered', ms: 1})
  observe({kind: 'webhooks-counted', dataset: undefined, counts: {active: 1, dead: 0, gone: 0}})
  const source = 'http://source.test/'
  observe({kind: 'follow-progress', source, behind: 0, currentAt: undefined, applied: 1})
  const failed = {follow: '1', reason: 'fetch failed', failures: 1, waitMs: 500}
  observe({kind: 'follow-failed', source, ...failed})
  observe({kind: 'follow-progress', source, behind: 0, currentAt: undefined, applied: 1})
  // The metrics of datasets have series in services with a registry only.
  const dataset = 'alpha'
  observe({kind: 'request', id: 'named', dataset, isWhole: true, ...request})
  observe({kind: 'pool-waited', dataset, share: 'query', ms: 1, isServed: false})
  const query = {
    requestId: 'named',
    outcome: 'answered',
    ms: 1,
    stages: [],
    isPlanned: false,
    text: '',
    sql: '',
  } as const
  observe({kind: 'query', dataset, ...query})
  await until(async () => /route="health",status="503"/.test((await ask({path: '/metrics'})).text))
}

/** Replaces the variables of the dashboard by values. */
function withValues(expr: string): string {
  return expr.replaceAll('$job', 'quadstead').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
}

/** The samples that a selector selects. Prometheus adds job and instance; `up` is its own. */
function selected({metric, matchers}: Selector): readonly Sample[] {
  const all = [...scrape.samples, {metric: 'up', labels: {}, value: 1}]
  return all
    .filter(sample => sample.metric === metric)
    .map(sample => ({...sample, labels: {...sample.labels, ...addedByPrometheus}}))
    .filter(({labels}) => matchers.every(matcher => isMatch(matcher, labels[matcher.label as 'job'] ?? '')))
}

function isMatch({operator, value}: Matcher, found: string): boolean {
  const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(found) : value === found
  return operator.startsWith('!') ? !isEqual : isEqual
}

/** What is wrong with an expression and the labels that its texts name; [] if nothing is. */
function faultsOf(expr: string, named: readonly string[]): readonly string[] {
  const {selectors, groupedBy, unknownWords} = readExpression(withValues(expr))
  const existing = selectors.flatMap(selector => selected(selector).flatMap(({labels}) => Object.keys(labels)))
  const labels = new Set(groupedBy ?? existing)
  return [
    ...unknownWords.map(word => `unknown word ${word}`),
    ...(selectors.length === 0 ? ['no metric'] : []),
    ...selectors.flatMap(faultsOfSelector),
    ...(groupedBy ?? []).filter(label => !existing.includes(label)).map(label => `groups by ${label}, which is absent`),
    ...named.filter(label => !labels.has(label)).map(label => `names ${label}, which the result does not have`),
  ]
}

function faultsOfSelector(selector: Selector): readonly string[] {
  const {metric, appliedFunction, isRange} = selector
  const type = metric === 'up' ? 'gauge' : typeOf(scrape, metric)
  const isCounted = type === 'counter' || type === 'histogram' || type === 'summary'
  return [
    ...(type === undefined ? [`${metric} does not exist`] : []),
    ...(selected(selector).length === 0 ? [`${metric} has no series like ${JSON.stringify(selector.matchers)}`] : []),
    ...(isCounted !== needsRange(appliedFunction)
      ? [`${metric} is a ${type} in ${appliedFunction ?? 'no function'}`]
      : []),
    ...(isRange !== needsRange(appliedFunction)
      ? [`${metric}: a range where none is taken, or none where one is`]
      : []),
  ]
}

test('every expression of the dashboard uses existing metrics and labels, as their types allow', t => {
  const faults = targets.flatMap(({title, expr, legendFormat}) => {
    const named = Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label)
    return faultsOf(expr, named).map(fault => `${title}: ${fault}`)
  })

  t.true(targets.length > 40)
  t.deepEqual(faults, [])
})

test('so does every alert, and it says what to do and where to read on', async t => {
  const faults = alerts.flatMap(({alert, expr, annotations}) => {
    const texts = annotations.summary + annotations.description
    const named = Array.from(texts.matchAll(/\$labels\.(\w+)/g), ([, label = '']) => label)
    return faultsOf(expr, named).map(fault => `${alert}: ${fault}`)
  })
  const headings = new Map<string, readonly string[]>()
  for (const page of new Set(alerts.map(({annotations}) => annotations.runbook.split('#')[0] ?? ''))) {
    const lines = Array.from((await read(page)).matchAll(/^##+ (.+)$/gm), ([, heading = '']) => heading)
    headings.set(
      page,
      lines.map(line =>
        line
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
  }

  t.deepEqual(faults, [])
  t.is(new Set(alerts.map(({alert}) => alert)).size, alerts.length)
  for (const {alert, labels, annotations} of alerts) {
    const [page = '', heading = ''] = annotations.runbook.split('#')
    t.true(headings.get(page)?.includes(heading), `${alert}: ${annotations.runbook}`)
    t.deepEqual(Object.keys(annotations), ['summary', 'description', 'runbook'])
    t.true(labels.severity === 'page' || labels.severity === 'ticket')
  }
})

test('an expression with a fault is found', t => {
  const expressions = [
    'rate(quadstead_absent_total[5m])',
    'quadstead_failures_total > 0',
    'rate(quadstead_pool_waiting[5m])',
    'sum by (path) (quadstead_pool_waiting)',
    'rate(quadstead_queries_total{outcome="lost"}[5m])',
    'rate(quadstead_failures_total)',
    'rat(quadstead_failures_total[5m])',
  ]

  t.deepEqual(
    expressions.filter(expr => faultsOf(expr, []).length === 0),
    [],
  )
  t.deepEqual(faultsOf('sum by (share) (quadstead_pool_waiting)', ['instance']).length, 1)
})

test('the dashboard has a place for each panel, and the metrics of the page', async t => {
  const listed = Array.from(
    (await read('docs/operations.md')).matchAll(/^\| `(quadstead_\w+)`/gm),
    ([, name = '']) => name,
  )
  const shown = targets.flatMap(({expr}) => readExpression(expr).selectors.map(({metric}) => metric))
  const places = dashboard.panels.flatMap(({gridPos: {x, y, w, h}}) =>
    Array.from({length: w * h}, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  )

  t.deepEqual(
    listed.filter(name => !shown.some(each => each.replace(/_(?:bucket|count|sum)$/, '') === name)),
    [],
  )
  t.is(new Set(places).size, places.length)
  t.is(new Set(dashboard.panels.map(({id}) => id)).size, dashboard.panels.length)
})

/** Series of each alert while its trouble lasts, in promtool's notation. */
const troubles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  QuadsteadDown: {up: '0x80'},
  QuadsteadNotReady: {'quadstead_http_requests_total{method="GET",route="health",status="503"}': '1+12x80'},
  QuadsteadDatabaseUnavailable: {quadstead_database_unavailable_total: '0+1x80'},
  QuadsteadFaults: {quadstead_failures_total: '0x30 1x50'},
  QuadsteadErrorRate: {'quadstead_http_requests_total{method="GET",route="document",status="500"}': '0+10x80'},
  QuadsteadSlowReads: {
    'quadstead_http_request_duration_seconds_bucket{le="2.5",method="GET",route="document"}': '0+10x80',
    'quadstead_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="document"}': '0+10x80',
  },
  QuadsteadConnectionsBusy: {'quadstead_pool_waiting{share="query"}': '3x80'},
  QuadsteadConnectionsRefused: {'quadstead_pool_refused_total{share="query"}': '0x38 1x42'},
  QuadsteadQueriesTimeOut: {'quadstead_queries_total{outcome="timeout"}': '0+1x80'},
  QuadsteadQueriesFail: {'quadstead_queries_total{outcome="failed"}': '0x30 1x50'},
  QuadsteadEventLoopSlow: {nodejs_eventloop_lag_p99_seconds: '0.5x80'},
  QuadsteadWorkersLost: {quadstead_workers_lost_total: '0x30 1x50'},
  QuadsteadReplicaOut: {'quadstead_replica_up{replica="R"}': '0x80'},
  QuadsteadReplicaLags: {'quadstead_replica_lag_seconds{replica="R"}': '4x80'},
  QuadsteadSpoolFull: {'quadstead_spool_full_total{limit="folder"}': '0x30 1x50'},
  QuadsteadSpoolFails: {quadstead_spool_failures_total: '0x30 1x50'},
  QuadsteadClientsRefused: {'quadstead_connections_refused_total{limit="address"}': '0x38 1x42'},
  QuadsteadCopyLags: {'quadstead_follow_lag_seconds{source="http://source.test/"}': '900x80'},
  QuadsteadWebhookDead: {'quadstead_webhooks{state="dead"}': '1x80'},
  QuadsteadFilesNearLimit: {process_open_fds: '900x80', process_max_fds: '1000x80'},
}

testWhen(hasPromtool, 'no promtool here')(
  'each alert fires when its trouble occurs, and none fires otherwise',
  async t => {
    const directory = await mkdtemp(join(tmpdir(), 'quadstead-alerts-'))
    t.teardown(() => rm(directory, {recursive: true, force: true}))
    await cp(join(projectDirectory, 'deploy/prometheus'), directory, {recursive: true})
    const cases = [
      {name: 'healthy', trouble: {}, expr: 'count(ALERTS) or vector(0)', value: 0},
      ...alerts.map(({alert}) => {
        const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0 or vector(0)`
        return {name: alert, trouble: troubles[alert] ?? {}, expr, value: 1}
      }),
    ]
    const tests = cases.map(({name, trouble, expr, value}) => ({
      name,
      interval: '15s',
      input_series: seriesWith(t, trouble),
      promql_expr_test: [{expr, eval_time: '12m', exp_samples: [{labels: '{}', value}]}],
    }))
    const file = join(directory, 'alerts.test.yml')
    await writeFile(file, stringify({rule_files: ['alerts.yml'], evaluation_interval: '15s', tests}))

    await run('promtool', ['check', 'config', join(directory, 'prometheus.yml')])
    const {stdout} = await run('promtool', ['test', 'rules', file]).catch((error: {stdout: string; stderr: string}) => {
      throw new Error(error.stdout + error.stderr)
    })

    t.regex(stdout, /SUCCESS/)
  },
)

/**
 * The scraped series, each with one value throughout or with that of the trouble, and the labels of Prometheus.
 * Fails if the trouble names a series that was not scraped.
 */
function seriesWith(t: ExecutionContext, trouble: Readonly<Record<string, string>>) {
  const healthy: Readonly<Record<string, number>> = {
    quadstead_replica_up: 1,
    quadstead_replica_lag_seconds: 0,
    quadstead_replica_lag_bytes: 0,
    nodejs_eventloop_lag_p99_seconds: 0.01,
    process_open_fds: 50,
  }
  const scraped = [...scrape.samples, {metric: 'up', labels: {}, value: 1}].map(({metric, labels, value}) => ({
    plain: seriesOf(metric, {...labels, ...('replica' in labels ? {replica: 'R'} : {})}),
    full: seriesOf(metric, {...labels, ...addedByPrometheus}),
    values: `${healthy[metric] ?? (Number.isFinite(value) ? value : 0)}x80`,
  }))
  const names = new Set(scraped.map(({plain}) => plain))
  t.deepEqual(
    Object.keys(trouble).filter(series => !names.has(series)),
    [],
  )
  return scraped.map(({plain, full, values}) => ({series: full, values: trouble[plain] ?? values}))
}

function seriesOf(metric: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return pairs.length === 0 ? metric : `${metric}{${pairs.sort().join(',')}}`
}

testWhen(hasPrometheus, 'no Prometheus here')('Prometheus evaluates every expression to a result', async t => {
  const {query, rulesOf} = await startPrometheus(t)
  const expressions = targets.map(({title, expr}) => ({title, expr: withValues(expr)}))
  await until(async () => (await query('count_over_time(quadstead_build_info[1m]) > 4')).length > 0, 60_000)

  const without: string[] = []
  for (const {title, expr} of expressions) if ((await query(expr)).length === 0) without.push(`${title}: ${expr}`)

  t.deepEqual(without, [])
  t.deepEqual(
    (await rulesOf()).map(({name, health}) => [name, health]),
    alerts.map(({alert}) => [alert, 'ok']),
  )
})

/** Runs a Prometheus that reads the metrics of the service every second. */
async function startPrometheus(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-prometheus-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  await cp(join(projectDirectory, 'deploy/prometheus'), directory, {recursive: true})
  const config = parse(await read('deploy/prometheus/prometheus.yml'))
  config.global = {scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s'}
  config.scrape_configs[0].static_configs = [{targets: [new URL(service.url).host]}]
  await writeFile(join(directory, 'prometheus.yml'), stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    {stdio: 'ignore'},
  )
  const exit = once(prometheus, 'exit')
  t.teardown(async () => {
    prometheus.kill()
    await exit
  })
  const ask = async (path: string) => {
    const {status, text} = await send(`http://${address}${path}`)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text).data
  }
  await until(() =>
    send(`http://${address}/-/ready`).then(
      ({status}) => status === 200,
      () => false,
    ),
  )
  return {
    query: async (expr: string): Promise<readonly unknown[]> =>
      (await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)).result,
    rulesOf: async (): Promise<readonly {readonly name: string; readonly health: string}[]> =>
      (await ask('/api/v1/rules')).groups[0].rules,
  }
}
