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
      'Origins whose web pages may use the service from a browser, separated by blanks or commas. * as the port or ' +
      'as the first label of the host matches any, * alone matches every origin; none allows no origin.',
    expected: 'origins such as https://app.example.org, https://*.example.org, http://localhost:*, or *, or none',
    read: readOrigins,
  }),
  CORS_CREDENTIALS: setting({
    initial: 'true',
    about: 'Whether these pages may send cookies and other credentials, as existing clients do by default.',
    expected: 'true or false',
    read: oneOf(['true', 'false']),
  }),
  COMPRESS_FROM_BYTES: setting({
    initial: '1400',
    about: 'Minimum length of a body that is compressed for clients that accept it, in bytes; off: no compression.',
    expected: 'a whole number of bytes from 0 to 1073741824, or off',
    read: numberOrOff(0, 2 ** 30),
  }),
  LOG_LEVEL: setting({
    initial: 'info',
    about:
      'Lowest level that is logged: requests and actions of the service are info, slow queries and statements warn, ' +
      'faults of the service error.',
    expected: `one of ${levels.join(', ')}`,
    read: oneOf(levels),
  }),
  LOG_FORMAT: setting({
    initial: 'auto',
    about: 'Format of the log: json lines, or text for people; auto: text if stderr is a terminal.',
    expected: 'auto, json or text',
    read: oneOf(['auto', 'json', 'text']),
  }),
  LOG_DESTINATION: setting({
    initial: 'stderr',
    about: 'Destination of the log: stderr, stdout, or a file. SIGHUP opens the file again after it has been moved.',
    expected: 'stderr, stdout or a path',
    read: text => (text.includes('\0') ? undefined : text),
  }),
  LOG_REQUESTS: setting({
    initial: 'all',
    about: 'Which requests are logged: all, errors (5xx) or none.',
    expected: 'all, errors or none',
    read: oneOf(['all', 'errors', 'none']),
  }),
  LOG_QUERIES: setting({
    initial: 'true',
    about: 'Whether the line of a slow query contains its SPARQL, and its SQL without values.',
    expected: 'true or false',
    read: oneOf(['true', 'false']),
  }),
  SLOW_QUERY_MS: setting({
    initial: '1000',
    about:
      'Duration from which a SPARQL query, to the end of its answer, or a statement that reads or writes documents ' +
      'is logged as slow, in milliseconds.',
    expected: 'a whole number of milliseconds from 0 to 3600000, or off',
    read: numberOrOff(0, 3_600_000),
  }),
  DRAIN_DELAY_MS: setting({
    initial: '0',
    about:
      'How long the service still accepts requests after SIGTERM, while /ready is already a 503, in milliseconds: ' +
      'the time that a load balancer needs to notice.',
    expected: 'a whole number of milliseconds from 0 to 600000',
    read: wholeNumber(0, 600_000),
  }),
  METRICS_PATH: setting({
    initial: '/metrics',
    about: 'Path at which Prometheus reads metrics; off: no metrics.',
    expected: 'a path that begins with / and does not end with one, or off',
    read: text => (text === 'off' || /^(\/[\w.~-]+)+$/.test(text) ? text : undefined),
  }),
  METRICS_PORT: setting({
    initial: '',
    about: 'Separate port for the metrics, on the address of HOST. If it is not given, they are on PORT.',
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
