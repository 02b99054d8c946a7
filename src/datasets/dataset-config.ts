/**
 * The settings of one dataset: those of the service, with its own ones in their place.
 */
import {Refusal} from '../base/refusal.ts'
import {type DatabaseAddress, parseDatabaseUrl} from '../db/connection/address.ts'
import type {DatasetEntry} from '../db/registry/registry.ts'
import {type Config, readConfig} from '../settings/config.ts'
import {ownSettings} from '../settings/datasets.ts'
import {readAddresses} from '../settings/replicas.ts'

const secretStart = 'QUADSTEAD_SECRET_'

/**
 * Derives the settings of a dataset.
 *
 * A body cannot be longer than the service allows, because the memory of its threads is sized for that.
 *
 * @throws  Refusal 78: a setting is unknown, cannot be set for a dataset, or is invalid
 */
export function configOfDataset(config: Config, dataset: Pick<DatasetEntry, 'schema' | 'base' | 'settings'>): Config {
  refuseForeign(dataset.settings)
  const {schema, base, settings} = dataset
  const place = {BASE_URL: base, DATABASE_SCHEMA: schema}
  const own = readConfig({...config.environment, ...settings, ...clientSecretOf(settings), ...place})
  const {database, limits} = config
  return {
    ...own,
    workers: config.workers,
    database: {...database, schema},
    limits: {...limits, pageSize: own.limits.pageSize, bodyBytes: Math.min(own.limits.bodyBytes, limits.bodyBytes)},
    spool: config.spool,
  }
}

/**
 * The secret of a dataset's own client at the issuer. The registry shows settings, so it contains only the name of the
 * variable that has the secret. Without one the client is public, whatever that of the service is.
 *
 * @throws  Refusal 78: it is not the name of a variable, or the variable is not set
 */
function clientSecretOf({OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret}: DatasetEntry['settings']) {
  if (secret === undefined) return id === undefined ? {} : {OIDC_CLIENT_SECRET: ''}
  if (!/^\$\{[^}]*\}$/.test(secret))
    throw new Refusal(`its OIDC_CLIENT_SECRET must be the name of a variable, such as \${${secretStart}CLIENT}`, {
      exitCode: 78,
    })
  return {OIDC_CLIENT_SECRET: withSecrets(secret, process.env, text => text)}
}

/** @throws  Refusal 78 */
function refuseForeign(settings: DatasetEntry['settings']): void {
  const known: readonly string[] = ownSettings
  const foreign = Object.keys(settings).filter(name => !known.includes(name))
  if (foreign.length === 0) return
  throw new Refusal(`${foreign.join(', ')} cannot be set for one dataset. These can: ${known.join(', ')}.`, {
    exitCode: 78,
  })
}

/**
 * The addresses of a dataset's own database and of its replicas.
 *
 * @throws  Refusal: one of them is no address, replicas are given without a database, or a secret is not set
 */
export function addressesOf(
  {databaseUrl, readUrl}: Pick<DatasetEntry, 'databaseUrl' | 'readUrl'>,
  environment: NodeJS.ProcessEnv,
): {readonly address: DatabaseAddress; readonly replicas: readonly DatabaseAddress[]} | undefined {
  if (databaseUrl === null) {
    if (readUrl === null) return undefined
    throw new Refusal('its replicas are those of the service unless it has a database of its own', {exitCode: 78})
  }
  return {
    address: parseDatabaseUrl(withSecrets(databaseUrl, environment)),
    replicas: readUrl === null ? [] : readAddresses(withSecrets(readUrl, environment)),
  }
}

/**
 * Puts secrets in place of `${QUADSTEAD_SECRET_NAME}`, by default in a connection URI. They are environment variables
 * of the service, so that the registry need not contain passwords.
 *
 * @throws  Refusal 78: the variable is not set, or has another name
 */
function withSecrets(
  text: string,
  environment: NodeJS.ProcessEnv,
  encode: (secret: string) => string = encodeURIComponent,
): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const value = name.startsWith(secretStart) ? environment[name] : undefined
    if (value !== undefined && value !== '') return encode(value)
    throw new Refusal(`its \${${name}} is no variable of the environment whose name begins with ${secretStart}`, {
      exitCode: 78,
    })
  })
}
