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
      'Processes that serve the port together; auto: one for each processor, as far as DATABASE_POOL_MAX allows. ' +
      'Limits are those of the whole service.',
    expected: 'a whole number from 1 to 256, or auto',
    read: (text): number | 'auto' | undefined => (text === 'auto' ? text : wholeNumber(1, 256)(text)),
  }),
  DATABASE_POOL_MAX: setting({
    initial: '10',
    about:
      'Connections to PostgreSQL at most, beside one of each process for /ready. WORKERS divide them, at least three ' +
      'for each; when not given, there are four for each, if that is more. Reads, writes and long answers (queries, ' +
      'documents read in batches) each keep a fifth of them; long answers take half at most.',
    expected: 'a whole number from 1 to 1000',
    read: wholeNumber(1, 1000),
  }),
  DATABASE_QUEUE_MAX: setting({
    initial: '1000',
    about:
      'Requests that may wait for a connection to PostgreSQL, of reads, of writes and of long answers each; more are ' +
      'a 503.',
    expected: 'a whole number from 0 to 100000',
    read: wholeNumber(0, 100_000),
  }),
  DATABASE_QUEUE_WAIT_MS: setting({
    initial: '15000',
    about: 'How long a request may wait for a connection to PostgreSQL before it is a 503, in milliseconds.',
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
