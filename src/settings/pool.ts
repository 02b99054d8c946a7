/**
 * The settings of worker processes, and of the pool of connections to PostgreSQL that they divide.
 *
 * Part of the list in config.ts.
 */
import {availableParallelism} from 'node:os'
import {setting, type ValuesOf, wholeNumber} from './setting.ts'

export const poolSettings = {
  WORKERS: setting({
    initial: '1',
    about:
      'Number of processes that serve the port; auto: one for each processor, as far as DATABASE_POOL_MAX allows. ' +
      'Limits apply to the service as a whole.',
    expected: 'a whole number from 1 to 256, or auto',
    read: (text): number | 'auto' | undefined => (text === 'auto' ? text : wholeNumber(1, 256)(text)),
  }),
  DATABASE_POOL_MAX: setting({
    initial: '10',
    about:
      'Maximum number of connections to PostgreSQL, without one of each process for /ready. WORKERS share them, with ' +
      'at least three for each. If it is not given, there are at least four for each. A fifth is reserved for each ' +
      'of reads, writes and long answers (queries, large documents). Long answers use at most half.',
    expected: 'a whole number from 1 to 1000',
    read: wholeNumber(1, 1000),
  }),
  DATABASE_QUEUE_MAX: setting({
    initial: '1000',
    about:
      'Maximum number of requests that wait for a connection to PostgreSQL, for each of reads, writes and long ' +
      'answers. Further requests are a 503.',
    expected: 'a whole number from 0 to 100000',
    read: wholeNumber(0, 100_000),
  }),
  DATABASE_QUEUE_WAIT_MS: setting({
    initial: '15000',
    about: 'Maximum time that a request waits for a connection to PostgreSQL, in milliseconds. Then it is a 503.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
} as const

export type PoolConfig = {
  readonly connectionMax: number
  readonly queueMax: number // requests that wait for a connection
  readonly queueWaitMs: number
}

type Values = ValuesOf<typeof poolSettings>

export function readPool(values: Values): PoolConfig {
  return {
    connectionMax: values.DATABASE_POOL_MAX,
    queueMax: values.DATABASE_QUEUE_MAX,
    queueWaitMs: values.DATABASE_QUEUE_WAIT_MS,
  }
}

/** Connections per process: at least one for each of the three kinds of work, usually one more. */
const [leastConnections, usualConnections] = [3, 4]

export type Division = {readonly workers: number; readonly connectionMax: number}

/**
 * Computes the number of processes and the number of connections that they divide.
 *
 * @param isPoolGiven  whether DATABASE_POOL_MAX was set
 * @param faults       receives a sentence if there are too few connections
 */
export function divide(
  wanted: number | 'auto',
  {connectionMax, isPoolGiven}: {readonly connectionMax: number; readonly isPoolGiven: boolean},
  faults: string[],
): Division {
  const isBounded = wanted === 'auto' && isPoolGiven
  const processors = wanted === 'auto' ? availableParallelism() : wanted
  const workers = isBounded
    ? Math.max(1, Math.min(processors, Math.floor(connectionMax / leastConnections)))
    : processors
  if (!isPoolGiven) return {workers, connectionMax: Math.max(connectionMax, usualConnections * workers)}
  const least = leastConnections * workers
  if (workers > 1 && connectionMax < least)
    faults.push(
      `WORKERS="${workers}": expected DATABASE_POOL_MAX=${least} at least, three for each, not ${connectionMax}`,
    )
  return {workers, connectionMax}
}
