/**
 * The settings of CORS, compression, logs and metrics.
 *
 * Part of the list in config.ts.
 */
import {type OriginRule, readOrigins} from '../http/origins.ts'
import {numberOrOff, oneOf, setting, type ValuesOf, wholeNumber} from './setting.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof levels)[number]

export const operationSettings = {
  CORS_ORIGINS: setting({
    initial: 'http://localhost:* http://127.0.0.1:*',
    about:
      'Whose web pages may use the service from a browser: origins, separated by blanks or commas; * as the port or ' +
      'as the first label of the host stands for any, * alone for every origin, none for nobody.',
    expected: 'origins such as https://app.example.org, https://*.example.org, http://localhost:*, or *, or none',
    read: readOrigins,
  }),
  CORS_CREDENTIALS: setting({
    initial: 'true',
    about: 'Whether those pages may send cookies and other credentials along, as existing clients do unasked.',
    expected: 'true or false',
    read: oneOf(['true', 'false']),
  }),
  COMPRESS_FROM_BYTES: setting({
    initial: '1400',
    about: 'Shortest body that is compressed for clients that accept it, in bytes; off: none ever is.',
    expected: 'a whole number of bytes from 0 to 1073741824, or off',
    read: numberOrOff(0, 2 ** 30),
  }),
  LOG_LEVEL: setting({
    initial: 'info',
    about:
      'From which level on is logged: requests and what is done are info, slow queries and statements warn, faults ' +
      'of ours error.',
    expected: `one of ${levels.join(', ')}`,
    read: oneOf(levels),
  }),
  LOG_FORMAT: setting({
    initial: 'auto',
    about: 'How: json lines, or text for people; auto: text when stderr is a terminal.',
    expected: 'auto, json or text',
    read: oneOf(['auto', 'json', 'text']),
  }),
  LOG_DESTINATION: setting({
    initial: 'stderr',
    about: 'Where to: stderr, stdout, or a file, which SIGHUP opens anew after it was moved away.',
    expected: 'stderr, stdout or a path',
    read: text => (text.includes('\0') ? undefined : text),
  }),
  LOG_REQUESTS: setting({
    initial: 'all',
    about: 'Which requests get a line: all, errors (5xx) or none.',
    expected: 'all, errors or none',
    read: oneOf(['all', 'errors', 'none']),
  }),
  LOG_QUERIES: setting({
    initial: 'true',
    about: 'Whether the line of a slow query shows its SPARQL, and the SQL, which holds none of its values.',
    expected: 'true or false',
    read: oneOf(['true', 'false']),
  }),
  SLOW_QUERY_MS: setting({
    initial: '1000',
    about:
      'How long a SPARQL query, to the end of its answer, or a statement that reads or writes documents may take ' +
      'before it is logged, in milliseconds.',
    expected: 'a whole number of milliseconds from 0 to 3600000, or off',
    read: numberOrOff(0, 3_600_000),
  }),
  DRAIN_DELAY_MS: setting({
    initial: '0',
    about:
      'How long requests are still taken after SIGTERM, while /ready is a 503 already, in milliseconds: as long as a ' +
      'load balancer needs to notice.',
    expected: 'a whole number of milliseconds from 0 to 600000',
    read: wholeNumber(0, 600_000),
  }),
  METRICS_PATH: setting({
    initial: '/metrics',
    about: 'Where Prometheus reads metrics; off: none are kept.',
    expected: 'a path that begins with / and does not end with one, or off',
    read: text => (text === 'off' || /^(\/[\w.~-]+)+$/.test(text) ? text : undefined),
  }),
  METRICS_PORT: setting({
    initial: '',
    about: 'A port of its own for the metrics, on the address of HOST. When not given, they are on PORT.',
    expected: 'a port number from 1 to 65535',
    read: wholeNumber(1, 65_535),
  }),
} as const

export type LogConfig = {
  readonly level: LogLevel
  readonly format: 'auto' | 'json' | 'text'
  readonly destination: string // 'stderr', 'stdout', or a path
  readonly requests: 'all' | 'errors' | 'none'
  readonly hasQueries: boolean
  readonly slowQueryMs: number // Infinity: log no slow queries
}

export type MetricsConfig = {readonly path: string; readonly port: number | undefined} // undefined: the service's

export type OperationConfig = {
  readonly cors: {readonly origins: readonly OriginRule[]; readonly hasCredentials: boolean}
  readonly compressFromBytes: number // Infinity: no compression
  readonly drainDelayMs: number
  readonly log: LogConfig
  readonly metrics: MetricsConfig | undefined // undefined: no metrics
}

type Values = ValuesOf<typeof operationSettings>

export function readOperation(values: Values): OperationConfig {
  return {
    cors: {origins: values.CORS_ORIGINS, hasCredentials: values.CORS_CREDENTIALS !== 'false'},
    compressFromBytes: values.COMPRESS_FROM_BYTES,
    drainDelayMs: values.DRAIN_DELAY_MS,
    log: {
      level: values.LOG_LEVEL,
      format: values.LOG_FORMAT,
      destination: values.LOG_DESTINATION,
      requests: values.LOG_REQUESTS,
      hasQueries: values.LOG_QUERIES !== 'false',
      slowQueryMs: values.SLOW_QUERY_MS,
    },
    metrics: readMetrics(values),
  }
}

function readMetrics(values: Values): MetricsConfig | undefined {
  const path = values.METRICS_PATH
  return path === undefined || path === 'off' ? undefined : {path, port: values.METRICS_PORT}
}
