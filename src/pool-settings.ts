/**
 * The settings of the pool of connections: how many, and who waits for one.
 *
 * Floor 6. Part of the one list in config.ts.
 */
import {setting, wholeNumber} from './setting.ts'

export const poolSettings = {
  DATABASE_POOL_MAX: setting({
    initial: '10',
    about:
      'Connections to PostgreSQL at most, beside one for /ready. Reads, writes and long answers (queries, documents ' +
      'read in batches) each keep a fifth of them; long answers take half at most.',
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
