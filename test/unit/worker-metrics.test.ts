/** The metrics of several processes as one page. */
import test, {type ExecutionContext} from 'ava'
import {Counter, Gauge, Histogram, Registry} from 'prom-client'
import {createWorkerMetrics} from '../../src/workers/metrics.ts'

function worker() {
  const registry = new Registry()
  const registers = [registry]
  return {
    requests: new Counter({name: 'requests_total', help: 'Requests.', labelNames: ['route'], registers}),
    running: new Gauge({name: 'running', help: 'Running.', registers}),
    oldest: new Gauge({name: 'oldest', help: 'Oldest.', registers, aggregator: 'min'}),
    times: new Histogram({name: 'times', help: 'Times.', buckets: [1, 2], registers}),
    read: () => registry.getMetricsAsJSON(),
  }
}

function create(t: ExecutionContext) {
  const metrics = createWorkerMetrics()
  t.teardown(metrics.close)
  const lines = async () => (await metrics.read()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return {metrics, lines}
}

test('counters, gauges and histograms add up, unless a metric says otherwise', async t => {
  const {metrics, lines} = create(t)
  const [one, other] = [worker(), worker()]
  metrics.add(1, one.read)
  metrics.add(2, other.read)
  one.requests.inc({route: 'a'}, 2)
  other.requests.inc({route: 'a'}, 3)
  other.requests.inc({route: 'b'})
  one.running.set(4)
  other.running.set(5)
  one.oldest.set(7)
  other.oldest.set(6)
  one.times.observe(0.5)
  other.times.observe(1.5)

  t.deepEqual(await lines(), [
    'requests_total{route="a"} 5',
    'requests_total{route="b"} 1',
    'running 9',
    'oldest 6',
    'times_bucket{le="1"} 1',
    'times_bucket{le="2"} 2',
    'times_bucket{le="+Inf"} 2',
    'times_sum 2',
    'times_count 2',
    'quadstead_workers_lost_total 0',
  ])
})

test('counters of a worker stay in the sum after it ends; gauges do not', async t => {
  const {metrics, lines} = create(t)
  for (const id of [1, 2, 3]) {
    const {requests, running, times, read} = worker()
    metrics.add(id, read)
    requests.inc({route: 'a'})
    running.set(1)
    times.observe(1.5)
    await lines()
    metrics.remove(id)
    metrics.countLost()
  }
  metrics.add(4, worker().read)

  for (const _ of ['as they were', 'as one sum']) {
    const found = await lines()
    t.true(found.includes('requests_total{route="a"} 3'))
    t.true(found.includes('times_bucket{le="2"} 3'))
    t.true(found.includes('running 0'))
    t.true(found.includes('quadstead_workers_lost_total 3'))
  }
})

test('a worker that does not respond keeps its last values', async t => {
  const {metrics, lines} = create(t)
  const {requests, read} = worker()
  let isStuck = false
  metrics.add(1, () => (isStuck ? Promise.reject(new Error('it ended')) : read()))
  requests.inc({route: 'a'}, 2)
  await lines()

  isStuck = true
  t.true((await lines()).includes('requests_total{route="a"} 2'))
})
