/**
 * The settings of spooled answers, which wait for slow readers: the directory and the limits in bytes.
 *
 * Part of the list in config.ts.
 */
import {tmpdir} from 'node:os'
import {setting, wholeNumber} from './setting.ts'

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

type SpoolName = keyof typeof spoolSettings
type ValueOf<Name extends SpoolName> = NonNullable<ReturnType<(typeof spoolSettings)[Name]['read']>>

export type SpoolConfig = {
  readonly directory: string
  readonly answerBytes: number
  readonly callerBytes: number
  readonly totalBytes: number
  readonly memoryBytes: number // of all answers; above it they go to files
}

type Get = <Name extends SpoolName>(name: Name) => ValueOf<Name> | undefined

export function readSpool(get: Get): SpoolConfig {
  return {
    directory: get('SPOOL_DIR') ?? tmpdir(),
    answerBytes: get('SPOOL_LIMIT_BYTES') ?? 0,
    callerBytes: get('SPOOL_LIMIT_CALLER_BYTES') ?? 0,
    totalBytes: get('SPOOL_LIMIT_TOTAL_BYTES') ?? 0,
    memoryBytes,
  }
}
