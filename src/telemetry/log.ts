/**
 * Writes observations to a log, as JSON lines or as readable text, and decides their levels.
 *
 * The log never contains secrets. Of the data that clients send, it contains the path of a request and the text of a
 * slow query, unless LOG_QUERIES forbids the text. The logged SQL contains no values of the query. Long texts are cut,
 * so that a few requests cannot fill the disk.
 */
import {once} from 'node:events'
import {pino} from 'pino'
import {shortened} from '../base/excerpt.ts'
import type {Observation} from '../base/observation.ts'
import type {Stage} from '../base/stopwatch.ts'
import type {LogConfig, LogLevel} from '../settings/operation.ts'
import {sentenceOf} from './sentences.ts'

export type Log = {
  readonly hear: (observation: Observation) => void
  /** Reopens the log file after it was renamed (log rotation). */
  readonly reopen: () => void
  /** Writes the buffered lines. */
  readonly close: () => Promise<void>
}

type LogEntry = {readonly level: LogLevel; readonly fields: Readonly<Record<string, unknown>>}

const repeatMs = 5000
const bufferBytes = 3072 // about fifteen requests; other lines are written at once
const writeBytes = 4096 // PIPE_BUF: shorter writes of several processes to a pipe do not mix
const flushMs = 200 // the longest time that a line is buffered
const textLimit = 10_000 // characters of a query or its SQL

/**
 * Opens the log. LOG_FORMAT=auto means readable text if stderr is a terminal, otherwise JSON.
 *
 * @param worker  the number of this process, for each line; undefined: the service has one process
 */
export function openLog(config: LogConfig, worker?: number): Log {
  const isTerminal = config.destination === 'stderr' && process.stderr.isTTY === true
  const isText = config.format === 'text' || (config.format === 'auto' && isTerminal)
  const places: Readonly<Record<string, number>> = {stderr: 2, stdout: 1}
  const dest = places[config.destination] ?? config.destination
  const destination = pino.destination(
    isText
      ? {dest, sync: true, mkdir: true}
      : {dest, sync: false, mkdir: true, minLength: bufferBytes, maxWrite: writeBytes, periodicFlush: flushMs},
  )
  const logger = pino(
    {
      level: config.level,
      base: worker === undefined ? null : {worker},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {level: label => ({level: label})},
    },
    destination,
  )
  const isEnabled = (level: LogLevel): level is Exclude<LogLevel, 'silent'> =>
    level !== 'silent' && logger.isLevelEnabled(level)
  function write(level: Exclude<LogLevel, 'silent'>, fields: Readonly<Record<string, unknown>>, message: string): void {
    if (isText) destination.write(worker === undefined ? `${message}\n` : `worker ${worker}: ${message}\n`)
    else logger[level](fields, message)
  }
  const isNews = createFilter()
  return {
    hear(observation) {
      const entry = entryOf(observation, config)
      if (entry === undefined) return
      const {level} = entry
      if (!isEnabled(level) || !isNews(observation)) return
      write(level, entry.fields, textOf(observation, config, isText))
      if (!isText && observation.kind !== 'request') destination.flush()
    },
    reopen: () => {
      if (typeof dest === 'string') destination.reopen()
    },
    async close() {
      const closed = once(destination, 'close')
      destination.end()
      await closed
    },
  }
}

/** The level and the fields of an observation; undefined if it is not logged. */
function entryOf(observation: Observation, config: LogConfig): LogEntry | undefined {
  switch (observation.kind) {
    case 'request': {
      const level = observation.status >= 500 ? 'error' : 'info'
      return config.requests === 'all' || (config.requests === 'errors' && level === 'error')
        ? {level, fields: {...observation, ms: rounded(observation.ms), trace: undefined}}
        : undefined
    }
    case 'query': {
      if (observation.ms < config.slowQueryMs && config.level !== 'debug') return undefined // the usual case
      const {text, sql, stages, ms, ...fields} = observation
      const times = {ms: rounded(ms), stages: timesOf(stages)}
      const texts = config.hasQueries ? {query: logged(text), sql: sql && logged(sql)} : {}
      return {level: ms >= config.slowQueryMs ? 'warn' : 'debug', fields: {...fields, ...times, ...texts}}
    }
    case 'statement': {
      if (observation.ms < config.slowQueryMs && config.level !== 'debug') return undefined // the usual case
      const {stages, ms, ...fields} = observation
      const times = {ms: rounded(ms), stages: timesOf(stages)}
      return {level: ms >= config.slowQueryMs ? 'warn' : 'debug', fields: {...fields, ...times}}
    }
    case 'failure': {
      const {kind, error, requestId} = observation
      return {level: 'error', fields: {kind, requestId, error: errorFields(asError(error))}}
    }
    case 'pool-waited':
      return {level: observation.isServed ? 'debug' : 'warn', fields: {...observation, ms: rounded(observation.ms)}}
    case 'database-notice':
      return {level: observation.severity === 'WARNING' ? 'warn' : 'debug', fields: observation}
    default:
      return {level: levels[observation.kind], fields: observation}
  }
}

type Detailed = 'request' | 'query' | 'statement' | 'failure' | 'pool-waited' | 'database-notice'

/** The levels of observations that have one level, and are logged with all their fields. */
const levels: Readonly<Record<Exclude<Observation['kind'], Detailed>, LogLevel>> = {
  'database-awaited': 'warn',
  'database-unavailable': 'warn',
  'embedded-lost': 'warn',
  'embedded-untuned': 'warn',
  'origin-refused': 'warn',
  'replica-left': 'warn',
  'connection-refused': 'warn',
  'spool-failed': 'warn',
  'spool-full': 'warn',
  'answer-cut': 'warn',
  'address-refused': 'warn',
  'proxy-undeclared': 'warn',
  'traces-unavailable': 'warn',
  'worker-ended': 'warn',
  'webhook-stopped': 'warn',
  'webhook-attempt': 'debug',
  'follow-failed': 'warn',
  'follow-progress': 'debug',
  'follow-left': 'debug',
  'webhooks-counted': 'debug',
  'dataset-failed': 'warn',
  'registry-unreadable': 'warn',
  read: 'debug',
  checksums: 'debug',
  'listener-joined': 'debug',
  'listener-left': 'debug',
  'changes-sent': 'debug',
  'transaction-repeated': 'debug',
  'embedded-started': 'debug',
  'embedded-stopped': 'debug',
  'dataset-moved': 'info',
  'dataset-opened': 'debug',
  'dataset-closed': 'debug',
  migrated: 'info',
  'replica-joined': 'info',
  'embedded-created': 'info',
  'embedded-adopted': 'info',
  'worker-started': 'info',
  'datasets-migrated': 'info',
  draining: 'info',
}

/** The message. In readable text it includes details that JSON has in separate fields. */
function textOf(observation: Observation, {hasQueries}: LogConfig, isText: boolean): string {
  if (!isText && observation.kind === 'failure') return asError(observation.error).message
  if (!isText && observation.kind === 'request') return 'request'
  const sentence = sentenceOf(observation) ?? observation.kind
  if (!isText || observation.kind !== 'query' || !hasQueries) return sentence
  const {text, sql} = observation
  return [sentence, logged(text.trim()), ...(sql === undefined ? [] : [logged(sql)])].join('\n')
}

function logged(text: string): string {
  return shortened(text, textLimit)
}

/** Limits repeated observations that every request or connection would cause to one in a few seconds. */
export function createFilter(): (observation: Observation) => boolean {
  const quietUntil = new Map<string, number>()
  return observation => {
    const {kind} = observation
    const isRepeated =
      kind === 'database-unavailable' ||
      kind === 'connection-refused' ||
      kind === 'spool-failed' ||
      kind === 'spool-full' ||
      kind === 'answer-cut' ||
      kind === 'registry-unreadable' ||
      kind === 'address-refused' ||
      (kind === 'pool-waited' && !observation.isServed)
    if (!isRepeated) return true
    if (performance.now() < (quietUntil.get(kind) ?? 0)) return false
    quietUntil.set(kind, performance.now() + repeatMs)
    return true
  }
}

/** The fields of an error for the log. Omits the details of database errors, which may contain data of clients. */
function errorFields(error: Error) {
  const code = 'code' in error ? String(error.code) : undefined
  return {type: error.name, code, message: error.message, stack: error.stack}
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Milliseconds by stage, summed over repeated stages. */
function timesOf(stages: readonly Stage[]): Readonly<Record<string, number>> {
  const times: Record<string, number> = {}
  for (const {name, ms} of stages) times[name] = rounded((times[name] ?? 0) + ms)
  return times
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
