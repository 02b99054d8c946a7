/**
 * The settings of spooled answers, which wait for slow readers: the directory and the limits in bytes.
 *
 * Part of the list in config.ts.
 */
import {tmpdir} from 'node:os'
import {setting, type ValuesOf, wholeNumber} from './setting.ts'

const bytes = {expected: 'a whole number of bytes from 0 to 999999999999', read: wholeNumber(0, 999_999_999_999)}

export const spoolSettings = {
  SPOOL_DIR: setting({
    initial: '',
    about:
      'Folder of the temporary files in which answers wait for slow clients. When not given, that of the system; ' +
      'best on a disk, not in memory.',
    expected: 'a path',
    read: text => (text.includes('\0') ? undefined : text),
  }),
  SPOOL_LIMIT_BYTES: setting({
    initial: '268435456',
    about:
      'Bytes of one answer that may wait there. Beyond that it leaves the database as its client reads, and is cut ' +
      'off when it has waited for STATEMENT_TIMEOUT_MS in all.',
    ...bytes,
  }),
  SPOOL_LIMIT_CALLER_BYTES: setting({
    initial: '536870912',
    about: 'Likewise of all answers to one caller (see REQUEST_LIMIT).',
    ...bytes,
  }),
  SPOOL_LIMIT_TOTAL_BYTES: setting({
    initial: '2147483648',
    about: 'Likewise of all answers.',
    ...bytes,
  }),
} as const

const memoryBytes = 2 ** 24

export type SpoolConfig = {
  readonly directory: string
  readonly answerBytes: number
  readonly callerBytes: number
  readonly totalBytes: number
  readonly memoryBytes: number // of all answers; above it they go to files
}

type Values = ValuesOf<typeof spoolSettings>

export function readSpool(values: Values): SpoolConfig {
  return {
    directory: values.SPOOL_DIR ?? tmpdir(),
    answerBytes: values.SPOOL_LIMIT_BYTES,
    callerBytes: values.SPOOL_LIMIT_CALLER_BYTES,
    totalBytes: values.SPOOL_LIMIT_TOTAL_BYTES,
    memoryBytes,
  }
}
