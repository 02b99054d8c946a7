/**
 * Reads a DATABASE_URL: the addresses of the server, the user, and how its certificate is checked.
 *
 * Reads certificate files, opens no connection. The values of sslmode mean:
 *   disable          no TLS
 *   prefer           TLS where the server offers it, unverified (the default over TCP, as in libpq)
 *   require          TLS, unverified: no protection against impostors; with sslrootcert it is verify-ca, as in libpq
 *   verify-ca        TLS, and a certificate signed by sslrootcert (or, without it, by Node's certificate authorities)
 *   verify-full      verify-ca, and the certificate names the host
 * Source: PostgreSQL manual §34.1.1 (connection URIs), §34.19 (SSL support).
 */
import {readFileSync} from 'node:fs'
import {isIP} from 'node:net'
import {type ConnectionOptions, checkServerIdentity} from 'node:tls'
import {Refusal} from '../../base/refusal.ts'

export type Tls = false | 'prefer' | ConnectionOptions

export type DatabaseAddress = {
  readonly hosts: readonly {readonly host: string; readonly port: number}[] // tried in order
  readonly socketPath: string | undefined // a Unix socket, instead of hosts
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: Tls
  readonly targetSessionAttributes: string | undefined
  readonly connectTimeoutSeconds: number
  readonly parameters: Readonly<Record<string, string>> // sent when the session starts
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const sessionAttributes = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby']
const known = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'application_name',
  'connect_timeout',
  'target_session_attrs',
  'options',
])

/**
 * Reads a connection URI.
 *
 * @throws  Refusal: the text is not such a URI, or it has an unknown parameter. The message is the reason only; the
 *          caller puts the setting's name before it
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, authority = '', rest = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)([^#]*)$/.exec(text) ??
    refuse('it must start with postgres:// or postgresql:// and hold no "#" (write %23)')
  const {pathname, searchParams} = parseRest(rest)
  for (const name of searchParams.keys()) if (!known.has(name)) refuse(`its parameter ${name} is not known here`)
  const [userInfo, hostList] = splitAuthority(authority)
  const [user = '', password = ''] = splitOnce(userInfo, ':').map(decode)
  const given = searchParams.get('host') ?? decode(hostList)
  const port = readPort(searchParams.get('port') ?? '5432')
  const socketPath = given.startsWith('/') ? `${given}/.s.PGSQL.${port}` : undefined
  const hosts = socketPath === undefined ? given.split(',').map(entry => parseHost(entry, port)) : []
  const name = user || (process.env.PGUSER ?? 'postgres')
  return {
    hosts,
    socketPath,
    user: name,
    password: password || (process.env.PGPASSWORD ?? ''),
    database: decode(pathname.slice(1)) || name,
    tls:
      socketPath === undefined
        ? readTls(
            searchParams,
            hosts.map(({host}) => host),
          )
        : false,
    targetSessionAttributes: readSessionAttributes(searchParams),
    connectTimeoutSeconds: readTimeout(searchParams.get('connect_timeout')),
    parameters: readParameters(searchParams),
  }
}

/** The address of another server of a cluster, with the same user, password and TLS. */
export function atHost(address: DatabaseAddress, host: string, port: number): DatabaseAddress {
  const {tls} = address
  const isNameChecked =
    typeof tls === 'object' && tls.rejectUnauthorized === true && tls.checkServerIdentity !== anyName
  return {
    ...address,
    hosts: host.startsWith('/') ? [] : [{host, port}],
    socketPath: host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : undefined,
    targetSessionAttributes: undefined,
    tls: isNameChecked ? {...tls, checkServerIdentity: nameCheck([host])} : tls,
  }
}

/** The address for logs and messages, without the password. */
export function describeAddress({hosts, socketPath, database, user}: DatabaseAddress): string {
  const place = socketPath ?? hosts.map(({host, port}) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`).join(',')
  return `${place}, database ${database}, user ${user}`
}

function parseRest(rest: string): {readonly pathname: string; readonly searchParams: URLSearchParams} {
  const [pathname = '', query = ''] = splitOnce(rest, '?')
  return {pathname, searchParams: new URLSearchParams(query)}
}

function splitAuthority(authority: string): readonly [string, string] {
  const at = authority.lastIndexOf('@')
  return at < 0 ? ['', authority] : [authority.slice(0, at), authority.slice(at + 1)]
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function parseHost(entry: string, defaultPort: number): {readonly host: string; readonly port: number} {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*))(?::(\d+))?$/.exec(entry) ?? refuse(`its host "${entry}" cannot be read`)
  return {host: bracketed ?? (plain || 'localhost'), port: port === undefined ? defaultPort : readPort(port)}
}

function readPort(text: string): number {
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65536
    ? port
    : refuse(`its port "${text}" is not a number from 1 to 65535`)
}

function readTimeout(text: string | null): number {
  if (text === null) return 10
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : refuse(`its connect_timeout "${text}" is not a number of seconds`)
}

function readSessionAttributes(parameters: URLSearchParams): string | undefined {
  const value = parameters.get('target_session_attrs') ?? 'any'
  if (!sessionAttributes.includes(value))
    refuse(`its target_session_attrs "${value}" is none of ${sessionAttributes.join(', ')}`)
  return value === 'any' ? undefined : value
}

function readParameters(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    ['application_name', 'options'].flatMap(name => {
      const value = parameters.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function readTls(parameters: URLSearchParams, hosts: readonly string[]): Tls {
  const root = parameters.get('sslrootcert')
  const mode = parameters.get('sslmode') ?? (root === 'system' ? 'verify-full' : 'prefer')
  if (!sslModes.includes(mode)) refuse(`its sslmode "${mode}" is none of ${sslModes.join(', ')}`)
  if (mode === 'disable' || mode === 'allow') return false
  if (mode === 'prefer') return 'prefer'
  const own = {...readFile('cert', parameters.get('sslcert')), ...readFile('key', parameters.get('sslkey'))}
  if (mode === 'require' && root === null) return {...own, rejectUnauthorized: false}
  const authority = root === null || root === 'system' ? {} : readFile('ca', root)
  const isNameChecked = mode === 'verify-full' || root === 'system'
  return {
    ...own,
    ...authority,
    rejectUnauthorized: true,
    checkServerIdentity: isNameChecked ? nameCheck(hosts) : anyName,
  }
}

/** Accepts a certificate for any name. */
function anyName(): undefined {
  return undefined
}

/**
 * Node checks the requested server name, but requests none for an IP address. A single host is therefore checked
 * itself.
 */
function nameCheck(hosts: readonly string[]): NonNullable<ConnectionOptions['checkServerIdentity']> {
  const [only = ''] = hosts
  if (hosts.length > 1 && hosts.some(host => isIP(host) !== 0))
    refuse('sslmode=verify-full with several hosts needs names, not addresses')
  return (asked, certificate) => checkServerIdentity(hosts.length === 1 ? only : asked, certificate)
}

function readFile(option: 'ca' | 'cert' | 'key', path: string | null): ConnectionOptions {
  if (path === null) return {}
  try {
    return {[option]: readFileSync(path, 'utf8')}
  } catch (error) {
    return refuse(`its file ${path} cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('it holds a "%" that starts no escape')
  }
}

/** The message never contains the value, because a URL may contain a password. */
function refuse(reason: string): never {
  throw new Refusal(reason, {exitCode: 78})
}
