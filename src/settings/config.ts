/**
 * Reads the environment variables into one frozen Config.
 *
 * `settings` is the only list of settings: their names, meanings, defaults and parsers.
 * `--help` prints it, and a test compares the README's table with it.
 */

import {Refusal} from '../base/refusal.ts'
import {type DatabaseAddress, parseDatabaseUrl} from '../db/connection/address.ts'
import type {ChangesKept} from '../db/store/changes.ts'
import type {HeldLimits} from '../query/held-limits.ts'
import type {Loading} from '../query/load.ts'
import type {Federation} from '../query/remote-endpoint.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import {type AccessConfig, accessSettings, readAccess} from './access.ts'
import {changeSettings} from './changes.ts'
import {type DatasetsConfig, datasetsSettings, readDatasets} from './datasets.ts'
import {type CallerLimits, limitSettings, readCallerLimits} from './limits.ts'
import {type OperationConfig, operationSettings, readOperation} from './operation.ts'
import {divide, type PoolConfig, poolSettings, readPool} from './pool.ts'
import {querySettings, readLoading, readQueryLimits} from './queries.ts'
import {replicaSettings} from './replicas.ts'
import {oneOf, readBase, readSchema, type Setting, setting, type ValuesOf, wholeNumber} from './setting.ts'
import {readSpool, type SpoolConfig, spoolSettings} from './spool.ts'
import {readWebhooks, type WebhookConfig, webhookSettings} from './webhooks.ts'

export const settings = {
  PORT: setting({
    initial: '8080',
    about: 'Port to listen on. If it is not given and 8080 is in use, the next free port up to 8099.',
    expected: 'a port number from 0 (any free one) to 65535',
    read: wholeNumber(0, 65_535),
  }),
  HOST: setting({
    initial: '127.0.0.1',
    about: 'Address to listen on; 0.0.0.0 or :: for all addresses of the machine.',
    expected: 'an address or host name',
    read: text => (/^[A-Za-z0-9.:_%-]+$/.test(text) ? text : undefined),
  }),
  BASE_URL: setting({
    initial: '',
    about:
      'URL of the root document, as clients see it. If it is not given, the base of the stored data, otherwise ' +
      'http://localhost:PORT/.',
    expected: 'an absolute http or https URL without user, query and fragment',
    read: readBase,
  }),
  DATABASE_URL: setting({
    initial: '',
    about:
      'PostgreSQL 15 or newer: postgres://user:password@host:port/database?sslmode=…. If it is not given, the ' +
      'service starts a PostgreSQL in DATA_DIR.',
    expected: 'postgres://user:password@host:port/database',
    read: parseDatabaseUrl,
    isSecret: true,
  }),
  ...replicaSettings,
  DATABASE_SCHEMA: setting({
    initial: 'quadstead',
    about: 'Schema of the dataset. A schema contains one dataset.',
    expected: 'a name of 1 to 63 bytes that does not start with pg_ and is not information_schema',
    read: readSchema,
  }),
  ...poolSettings,
  DATABASE_PREPARE: setting({
    initial: 'auto',
    about:
      'Whether statements stay prepared on a connection; auto: yes, unless a pooler in transaction mode is detected.',
    expected: 'auto, true or false',
    read: oneOf(['auto', 'true', 'false']),
  }),
  DATABASE_WAIT_MS: setting({
    initial: '30000',
    about: 'Maximum time to wait at start-up for the PostgreSQL of DATABASE_URL, in milliseconds.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
  DATA_DIR: setting({
    initial: './data',
    about: 'Folder of the PostgreSQL that the service starts if DATABASE_URL is not given.',
    expected: 'a path',
    read: text => (text.includes('\0') ? undefined : text),
  }),
  PLATFORM_NS: setting({
    initial: 'https://carbonldp.com/ns/v1/platform#',
    about: "Namespace of the service's own vocabulary (prefix c:).",
    expected: 'an absolute IRI that ends with # or /',
    read: text => (isAbsoluteIri(text) && /[#/]$/.test(text) ? text : undefined),
  }),
  BODY_LIMIT_BYTES: setting({
    initial: '10485760',
    about: 'Maximum length of a request body, in bytes, after decompression.',
    expected: 'a whole number of bytes from 1 to 1073741824',
    read: wholeNumber(1, 2 ** 30),
  }),
  BODY_LIMIT_TRIPLES: setting({
    initial: '500000',
    about: 'Maximum number of triples in a request body or a patch. A JSON-LD body may have four JSON values for each.',
    expected: 'a whole number from 1 to 100000000',
    read: wholeNumber(1, 100_000_000),
  }),
  BODY_TIMEOUT_MS: setting({
    initial: '30000',
    about:
      'Maximum time for a request to arrive, for reading a large body, and without progress of a client that reads a ' +
      'long answer, in milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 3600000',
    read: wholeNumber(1000, 3_600_000),
  }),
  STATEMENT_TIMEOUT_MS: setting({
    initial: '30000',
    about: 'Maximum time of a database statement, in milliseconds; 0: no limit.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
  READ_TIMEOUT_MS: setting({
    initial: '120000',
    about:
      'Maximum total time of all statements of a query or of a read of a large document, in milliseconds; 0: no ' +
      'limit.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
  DRAIN_TIMEOUT_MS: setting({
    initial: '20000',
    about: 'Maximum time for running requests to finish after SIGTERM, in milliseconds.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
  URI_LIMIT_BYTES: setting({
    initial: '8000',
    about: 'Maximum length of a request URI, in bytes.',
    expected: 'a whole number of bytes from 256 to 65536',
    read: wholeNumber(256, 65_536),
  }),
  HEADER_LIMIT_BYTES: setting({
    initial: '16384',
    about: 'Maximum length of the header section of a request, without its URI, in bytes.',
    expected: 'a whole number of bytes from 1024 to 1048576',
    read: wholeNumber(1024, 2 ** 20),
  }),
  PAGE_SIZE: setting({
    initial: '1000',
    about: 'Number of children or members on a page.',
    expected: 'a whole number from 1 to 100000',
    read: wholeNumber(1, 100_000),
  }),
  ...querySettings,
  ...limitSettings,
  ...spoolSettings,
  REQUIRE_IF_MATCH: setting({
    initial: 'put',
    about: 'Which writes need If-Match: put, or all (also PATCH, DELETE and changes of members).',
    expected: 'put or all',
    read: oneOf(['put', 'all']),
  }),
  MOVED_REDIRECTS_SECONDS: setting({
    initial: '0',
    about: 'How long requests for the old URLs of moved documents are redirected, in seconds; 0: they are a 404.',
    expected: 'a whole number of seconds from 0 to 315360000',
    read: wholeNumber(0, 315_360_000),
  }),
  ...changeSettings,
  EXPLAIN: setting({
    initial: 'on',
    about: 'Whether clients may request explanations of queries, which show SQL, plans and statistics.',
    expected: 'on or off',
    read: oneOf(['on', 'off']),
  }),
  ...webhookSettings,
  ...accessSettings,
  ...operationSettings,
  ...datasetsSettings,
} as const

export type SettingName = keyof typeof settings

export type Config = {
  readonly workers: number // processes
  readonly port: number
  readonly isPortGiven: boolean
  readonly host: string
  readonly base: Iri | undefined // as set
  readonly dataDirectory: string
  readonly platformNamespace: Iri
  readonly database: {
    readonly address: DatabaseAddress | undefined // undefined: the embedded server
    readonly replicas: readonly DatabaseAddress[]
    readonly lagLimitMs: number // greatest lag of a replica that may answer
    readonly schema: string
    readonly keepsSessions?: boolean // for a command that uses temporary tables
    readonly prepare: boolean | 'auto'
    readonly waitMs: number
    readonly statementTimeoutMs: number
    readonly totalTimeoutMs: number // sum for the statements of one long answer
  } & PoolConfig
  readonly limits: {
    readonly bodyBytes: number
    readonly bodyTriples: number
    readonly bodyTimeoutMs: number
    readonly drainTimeoutMs: number
    readonly uriBytes: number
    readonly headerBytes: number
    readonly pageSize: number
  }
  readonly callers: CallerLimits
  readonly spool: SpoolConfig
  readonly requireIfMatch: 'put' | 'all'
  readonly redirectSeconds: number // 0: no redirects
  readonly changesKept: ChangesKept
  readonly changeListeners: number // at a time
  readonly queryLimits: QueryLimits
  readonly textIndex: 'auto' | 'on' | 'off'
  readonly hasSearch: boolean
  readonly heldLimits: HeldLimits
  readonly federation: Federation | undefined // undefined: SERVICE is off
  readonly loading: Loading | undefined // undefined: LOAD is off
  readonly hasExplanations: boolean
  readonly webhooks: WebhookConfig
  readonly access: AccessConfig
  readonly operation: OperationConfig
  readonly datasets: DatasetsConfig
  readonly environment: Environment // the variables that were read, for the settings of datasets
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings. An empty variable counts as not set.
 *
 * @throws  Refusal 78 that lists all invalid settings, each with its value and the expected form
 */
export function readConfig(environment: Environment): Config {
  const faults: string[] = []
  const values = readValues(environment, faults)
  const prepare = values.DATABASE_PREPARE
  const endpoints = values.SERVICE_ENDPOINTS
  const service = {limitBytes: values.SERVICE_LIMIT_BYTES, limitRows: values.SERVICE_LIMIT_ROWS}
  const pool = readPool(values)
  const isPoolGiven = isGiven(environment.DATABASE_POOL_MAX)
  const {workers, connectionMax} = divide(values.WORKERS, {...pool, isPoolGiven}, faults)
  const config: Config = {
    workers,
    port: values.PORT,
    isPortGiven: isGiven(environment.PORT),
    host: values.HOST,
    base: values.BASE_URL,
    dataDirectory: values.DATA_DIR,
    platformNamespace: values.PLATFORM_NS,
    database: {
      address: values.DATABASE_URL,
      replicas: values.DATABASE_READ_URL ?? [],
      lagLimitMs: values.DATABASE_READ_LAG_MS,
      schema: values.DATABASE_SCHEMA,
      ...pool,
      connectionMax,
      prepare: prepare === 'auto' ? 'auto' : prepare === 'true',
      waitMs: values.DATABASE_WAIT_MS,
      statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
      totalTimeoutMs: values.READ_TIMEOUT_MS,
    },
    limits: {
      bodyBytes: values.BODY_LIMIT_BYTES,
      bodyTriples: values.BODY_LIMIT_TRIPLES,
      bodyTimeoutMs: values.BODY_TIMEOUT_MS,
      drainTimeoutMs: values.DRAIN_TIMEOUT_MS,
      uriBytes: values.URI_LIMIT_BYTES,
      headerBytes: values.HEADER_LIMIT_BYTES,
      pageSize: values.PAGE_SIZE,
    },
    callers: readCallerLimits(values),
    spool: readSpool(values),
    requireIfMatch: values.REQUIRE_IF_MATCH,
    redirectSeconds: values.MOVED_REDIRECTS_SECONDS,
    changesKept: values.CHANGES,
    changeListeners: values.CHANGES_LISTENERS,
    queryLimits: readQueryLimits(values),
    textIndex: values.TEXT_INDEX,
    hasSearch: values.SEARCH === 'on',
    heldLimits: {bytes: values.RESULT_LIMIT_BYTES, items: values.RESULT_LIMIT_ITEMS},
    federation: endpoints && Object.freeze({endpoints, ...service}),
    loading: readLoading(values, values),
    hasExplanations: values.EXPLAIN !== 'off',
    webhooks: readWebhooks(values),
    access: Object.freeze(readAccess(values, faults)),
    operation: readOperation(values),
    datasets: readDatasets(values),
    environment: onlySettings(environment),
  }
  if (faults.length > 0) throw badSettings(faults)
  return Object.freeze({...config, database: Object.freeze(config.database), limits: Object.freeze(config.limits)})
}

function onlySettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name, text]) => name in settings && isGiven(text)))
}

/** The values of all settings. A setting with an invalid value has its default, and a sentence in `faults`. */
function readValues(environment: Environment, faults: string[]): ValuesOf<typeof settings> {
  const values = Object.entries<Setting>(settings).map(([name, one]) => {
    const given = environment[name] ?? ''
    const value = given === '' ? undefined : readValue(name, given, one, faults)
    return [name, value ?? (one.initial === '' ? undefined : one.read(one.initial))]
  })
  return Object.fromEntries(values)
}

/** The value of a text; undefined if it is invalid, which is added to `faults`. */
function readValue(name: string, text: string, {expected, read, isSecret = false}: Setting, faults: string[]): unknown {
  const shown = isSecret ? name : `${name}=${JSON.stringify(text)}`
  try {
    const value = read(text)
    if (value === undefined) faults.push(`${shown}: expected ${expected}`)
    return value
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    faults.push(`${shown}: ${error.message}`)
    return undefined
  }
}

function badSettings(faults: readonly string[]): Refusal {
  const count = faults.length === 1 ? 'A setting' : `${faults.length} settings`
  const lines = faults.map(fault => `  ${fault}`)
  return new Refusal(`${count} cannot be used:\n${lines.join('\n')}`, {exitCode: 78})
}

function isGiven(text: string | undefined): boolean {
  return text !== undefined && text !== ''
}
