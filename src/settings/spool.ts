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
      'Folder of the temporary files with answers for slow clients. If it is not given, the folder of the system. It ' +
      'should be on a disk, not in memory.',
    expected: 'a path',
    read: text => (text.includes('\0') ? undefined : text),
  }),
  SPOOL_LIMIT_BYTES: setting({
    initial: '268435456',
    about:
      'Maximum size of such files for one answer, in bytes. Above it, the answer leaves the database as fast as its ' +
      'client reads, and breaks off when it has waited for STATEMENT_TIMEOUT_MS in total.',
    ...bytes,
  }),
  SPOOL_LIMIT_CALLER_BYTES: setting({
    initial: '536870912',
    about: 'The same for all answers to one caller (see REQUEST_LIMIT).',
    ...bytes,
  }),
  SPOOL_LIMIT_TOTAL_BYTES: setting({
    initial: '2147483648',
    about: 'The same for all answers.',
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
