/**
 * The settings of a service with several datasets, and the settings that each dataset may have for itself.
 *
 * Part of the list in config.ts.
 */
import {numberOrOff, readSchema, setting, type ValuesOf, wholeNumber} from './setting.ts'

export const datasetsSettings = {
  DATASETS_SCHEMA: setting({
    initial: 'quadstead_datasets',
    about:
      'Schema of the registry of datasets, which "quadstead datasets" creates. If it exists, the service serves the ' +
      'datasets that it lists; otherwise the one of DATABASE_SCHEMA.',
    expected: 'a name of 1 to 63 bytes that does not start with pg_ and is not information_schema',
    read: readSchema,
  }),
  DATASETS_OPEN_MAX: setting({
    initial: '100',
    about:
      'Maximum number of datasets of the registry that a process keeps open. The one that was not used for the ' +
      'longest time is closed first; its next request opens it again.',
    expected: 'a whole number from 1 to 100000',
    read: wholeNumber(1, 100_000),
  }),
  DATASET_IDLE_MS: setting({
    initial: '600000',
    about: 'Time after which a dataset of the registry without requests is closed, in milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 86400000',
    read: wholeNumber(1000, 86_400_000),
  }),
  DATASET_REQUEST_LIMIT: setting({
    initial: 'off',
    about:
      'Maximum number of requests to one dataset of the registry in REQUEST_LIMIT_WINDOW_MS, of all its callers ' +
      'together. Further requests are a 429.',
    expected: 'a whole number from 1 to 100000000, or off',
    read: numberOrOff(1, 100_000_000),
  }),
} as const

export type DatasetsConfig = {
  readonly schema: string // of the registry
  readonly openMax: number
  readonly idleMs: number
  readonly requests: number // to one dataset in a window; Infinity: no limit
}

export function readDatasets(values: ValuesOf<typeof datasetsSettings>): DatasetsConfig {
  return {
    schema: values.DATASETS_SCHEMA,
    openMax: values.DATASETS_OPEN_MAX,
    idleMs: values.DATASET_IDLE_MS,
    requests: values.DATASET_REQUEST_LIMIT,
  }
}

/** The settings that a dataset may have for itself. The others apply to a process or to its connections. */
export const ownSettings = [
  'PLATFORM_NS',
  'BODY_LIMIT_BYTES',
  'PAGE_SIZE',
  'QUERY_LIMIT_LENGTH',
  'QUERY_LIMIT_TOKENS',
  'QUERY_LIMIT_PATTERNS',
  'QUERY_LIMIT_VALUES',
  'TEXT_INDEX',
  'SEARCH',
  'RESULT_LIMIT_BYTES',
  'RESULT_LIMIT_ITEMS',
  'SERVICE_ENDPOINTS',
  'SERVICE_LIMIT_BYTES',
  'SERVICE_LIMIT_ROWS',
  'LOAD_FROM',
  'REQUEST_LIMIT',
  'REQUEST_LIMIT_WINDOW_MS',
  'QUERY_LIMIT_AT_ONCE',
  'BATCH_LIMIT_REQUESTS',
  'BATCH_LIMIT_BYTES',
  'IDEMPOTENCY_KEPT_MS',
  'CHANGES',
  'CHANGES_LISTENERS',
  'REQUIRE_IF_MATCH',
  'MOVED_REDIRECTS_SECONDS',
  'EXPLAIN',
  'ACCESS',
  'ACCESS_REFUSAL',
  'ALLOWED_HOSTS',
  'QUERY_ACCESS',
  'AUDIT',
  'API_KEY_CACHE_MS',
  'JWT_ISSUER',
  'JWT_AUDIENCE',
  'JWT_JWKS_URL',
  'JWT_ALGORITHMS',
  'JWT_CLOCK_TOLERANCE_S',
  'JWT_AGENT_CLAIM',
  'JWT_GROUPS_CLAIM',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_SCOPE',
  'SESSION_IDLE_SECONDS',
  'SESSION_MAX_SECONDS',
  'CORS_ORIGINS',
  'CORS_CREDENTIALS',
  'COMPRESS_FROM_BYTES',
  'DATASET_REQUEST_LIMIT',
] as const
