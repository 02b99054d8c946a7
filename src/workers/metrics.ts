/**
 * Adds up the metrics of all processes of a service.
 *
 * The sum keeps the last known counters and histograms of workers that have ended, so it never decreases. The keeper
 * reads metrics for every page, and every ten seconds so that little is lost when a worker is killed.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {AggregatorRegistry} from 'prom-client'
import {lostWorkersMetric, type MetricValues} from '../telemetry/metrics.ts'

export type WorkerMetrics = {
  readonly add: (worker: number, read: () => Promise<MetricValues>) => void
  readonly remove: (worker: number) => void
  /** Counts a worker that ended without being told to. */
  readonly countLost: () => void
  readonly read: () => Promise<string>
  readonly close: () => void
}

type Source = {readonly read: () => Promise<MetricValues>; last: MetricValues}

const [everyMs, answerMs] = [10_000, 2000]

export function createWorkerMetrics(): WorkerMetrics {
  const sources = new Map<number, Source>()
  let ended: readonly MetricValues[] = []
  let lost = 0
  let reading: Promise<string> | undefined // shared by concurrent calls
  const timer = setInterval(() => void readOnce(), everyMs).unref()

  async function readAll(): Promise<string> {
    await Promise.all([...sources.values()].map(readAgain))
    const [known, live] = [ended, [...sources.values()].map(({last}) => last)]
    const text = await AggregatorRegistry.aggregate([...live, ...known, [lostWorkers(lost)]]).metrics()
    if (known.length > 1) {
      const sum = await AggregatorRegistry.aggregate([...known]).getMetricsAsJSON()
      ended = [sum, ...ended.slice(known.length)]
    }
    return text
  }
  function readOnce(): Promise<string> {
    reading ??= readAll().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    add(worker, read) {
      sources.set(worker, {read, last: []})
    },
    remove(worker) {
      const source = sources.get(worker)
      sources.delete(worker)
      if (source !== undefined) ended = [...ended, source.last.filter(isCumulative)]
    },
    countLost() {
      lost += 1
    },
    read: readOnce,
    close: () => clearInterval(timer),
  }
}

/** Reads the metrics of a worker. If it does not answer, its last metrics remain. */
async function readAgain(source: Source): Promise<void> {
  const waiting = new AbortController()
  const late = delay(answerMs, undefined, {signal: waiting.signal, ref: false}).catch(() => undefined)
  const values = await Promise.race([source.read().catch(() => undefined), late])
  waiting.abort()
  if (values !== undefined) source.last = values
}

function isCumulative({type}: MetricValues[number]): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

function lostWorkers(value: number): object {
  return {...lostWorkersMetric, type: 'counter', aggregator: 'sum', values: [{value, labels: {}}]}
}
