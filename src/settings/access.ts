/**
 * The settings of access control and authentication.
 *
 * Part of the list in config.ts.
 */
import type {TokenOptions} from '../authentication/access-tokens.ts'
import type {ProviderOptions} from '../authentication/provider.ts'
import type {SessionTimes} from '../authentication/sessions.ts'
import {Refusal} from '../base/refusal.ts'
import {type HostList, isLoopback, readHosts} from '../http/host.ts'
import {oneOf, setting, type ValuesOf, wholeNumber} from './setting.ts'

/** Asymmetric signature algorithms only: with a shared secret, the service could sign tokens as well as verify them. */
const knownAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

export const accessSettings = {
  ACCESS: setting({
    initial: 'auto',
    about:
      'Access control. grants: callers may do what grants allow; open: everybody may do everything; auto: grants if ' +
      'JWT_ISSUER is given, otherwise open, but only on a loopback HOST.',
    expected: 'auto, grants or open',
    read: oneOf(['auto', 'grants', 'open']),
  }),
  ACCESS_REFUSAL: setting({
    initial: '403',
    about:
      'Status of documents that the caller may not read: 403 (401 without credentials), or 404, as for documents ' +
      'that do not exist.',
    expected: '403 or 404',
    read: oneOf(['403', '404']),
  }),
  ALLOWED_HOSTS: setting({
    initial: '',
    about:
      'Hosts that requests may name, in addition to the host of BASE_URL and those of this machine: names without ' +
      'ports, separated by blanks or commas; *.name for all below it, * for any. Others are a 421 if everybody may ' +
      'do everything, or if this is set.',
    expected: 'host names such as example.org or *.example.org, or *',
    read: readHosts,
  }),
  QUERY_ACCESS: setting({
    initial: 'readers',
    about:
      'Who may send SPARQL queries with access control: readers (everybody, about what they may read), or granted ' +
      '(only callers with the mode query).',
    expected: 'readers or granted',
    read: oneOf(['readers', 'granted']),
  }),
  AUDIT: setting({
    initial: 'auto',
    about: 'Whether the table audit records each change with agent and request; auto: with access control.',
    expected: 'auto, on or off',
    read: oneOf(['auto', 'on', 'off']),
  }),
  API_KEY_CACHE_MS: setting({
    initial: '10000',
    about: 'How long a verified API key is cached, in milliseconds. A removed key works until then.',
    expected: 'a whole number of milliseconds from 0 to 3600000',
    read: wholeNumber(0, 3_600_000),
  }),
  JWT_ISSUER: setting({
    initial: '',
    about: 'Issuer (iss) of accepted bearer tokens. Its keys are found by OpenID Connect Discovery.',
    expected: 'an https URL, or an http URL of this machine',
    read: readIssuer,
  }),
  JWT_AUDIENCE: setting({
    initial: '',
    about: 'Audience (aud) of accepted tokens. Required with JWT_ISSUER.',
    expected: 'a text without blanks',
    read: text => (/^\S+$/.test(text) ? text : undefined),
  }),
  JWT_JWKS_URL: setting({
    initial: '',
    about: "URL of the issuer's keys, if it has no discovery document.",
    expected: 'an https URL, or an http URL of this machine',
    read: readIssuer,
  }),
  JWT_ALGORITHMS: setting({
    initial: 'RS256,PS256,ES256,EdDSA',
    about: 'Accepted signature algorithms of tokens, separated by commas.',
    expected: `some of ${knownAlgorithms.join(', ')}`,
    read: readAlgorithms,
  }),
  JWT_CLOCK_TOLERANCE_S: setting({
    initial: '30',
    about: 'Tolerated difference between the clocks of issuer and service, in seconds.',
    expected: 'a whole number of seconds from 0 to 600',
    read: wholeNumber(0, 600),
  }),
  JWT_AGENT_CLAIM: setting({
    initial: 'webid',
    about: "Claim with the agent's IRI. Without this claim the agent is <issuer>#<sub>.",
    expected: 'the name of a claim',
    read: text => text,
  }),
  JWT_GROUPS_CLAIM: setting({
    initial: 'groups',
    about: "Claim with the agent's groups, an array of names.",
    expected: 'the name of a claim',
    read: text => text,
  }),
  OIDC_CLIENT_ID: setting({
    initial: '',
    about:
      'Client id of the service at JWT_ISSUER, with which people sign in by OpenID Connect. Without it they sign in ' +
      'with API keys.',
    expected: 'a text without blanks',
    read: text => (/^\S+$/.test(text) ? text : undefined),
  }),
  OIDC_CLIENT_SECRET: setting({
    initial: '',
    about: 'Secret of this client. Without it the client is a public one.',
    expected: 'a text',
    read: text => text,
    isSecret: true,
  }),
  OIDC_SCOPE: setting({
    initial: 'openid profile',
    about: 'Scopes to request when somebody signs in, separated by blanks. They decide which claims the issuer sends.',
    expected: 'names separated by blanks, of which one is openid',
    read: text => (text.split(' ').includes('openid') && /^[!-~]+(?: [!-~]+)*$/.test(text) ? text : undefined),
  }),
  SESSION_IDLE_SECONDS: setting({
    initial: '7200',
    about: 'Time without requests after which the session of a person in a browser ends, in seconds.',
    expected: 'a whole number of seconds from 60 to 31536000',
    read: wholeNumber(60, 31_536_000),
  }),
  SESSION_MAX_SECONDS: setting({
    initial: '43200',
    about: 'Time after which such a session ends in any case, in seconds.',
    expected: 'a whole number of seconds from 60 to 31536000',
    read: wholeNumber(60, 31_536_000),
  }),
} as const

type Values = ValuesOf<typeof accessSettings>

export type AccessConfig = {
  readonly isGuarded: boolean // grants are enforced
  readonly isOpenGiven: boolean // ACCESS=open was set, which allows any address
  readonly isHidden: boolean // documents that the caller may not read answer 404
  readonly isAudited: boolean
  readonly allowed: HostList | undefined // hosts that requests may name; undefined: not set
  readonly hasQueryGrants: boolean // queries need a grant of the mode query
  readonly keptKeyMs: number
  readonly tokens: TokenOptions | undefined // undefined: tokens are not accepted
  readonly provider: ProviderOptions | undefined // undefined: people sign in with API keys
  readonly sessions: SessionTimes
}

/** @param faults  receives a sentence for each conflict between settings */
export function readAccess(values: Values, faults: string[]): AccessConfig {
  const [access, issuer, audience] = [values.ACCESS, values.JWT_ISSUER, values.JWT_AUDIENCE]
  if ((issuer === undefined) !== (audience === undefined))
    faults.push(`JWT_ISSUER and JWT_AUDIENCE: expected both, or neither`)
  const tokens = issuer === undefined || audience === undefined ? undefined : readTokens(values, issuer, audience)
  const isGuarded = access === 'grants' || (access === 'auto' && tokens !== undefined)
  const audit = values.AUDIT
  return {
    isGuarded,
    isOpenGiven: access === 'open',
    isHidden: values.ACCESS_REFUSAL === '404',
    isAudited: audit === 'on' || (audit === 'auto' && isGuarded),
    allowed: values.ALLOWED_HOSTS,
    hasQueryGrants: isGuarded && values.QUERY_ACCESS === 'granted',
    keptKeyMs: values.API_KEY_CACHE_MS,
    tokens,
    provider: readProvider(values, faults),
    sessions: {idleMs: 1000 * values.SESSION_IDLE_SECONDS, lastsMs: 1000 * values.SESSION_MAX_SECONDS},
  }
}

function readProvider(values: Values, faults: string[]): ProviderOptions | undefined {
  const [clientId, clientSecret] = [values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET]
  if (clientId !== undefined && values.JWT_ISSUER === undefined)
    faults.push(`OIDC_CLIENT_ID=${JSON.stringify(clientId)}: expected JWT_ISSUER too, where people sign in`)
  if (clientSecret !== undefined && clientId === undefined)
    faults.push('OIDC_CLIENT_SECRET: expected OIDC_CLIENT_ID too')
  return clientId === undefined ? undefined : {clientId, clientSecret, scope: values.OIDC_SCOPE}
}

function readTokens(values: Values, issuer: string, audience: string): TokenOptions {
  return {
    issuer,
    audience,
    keysUrl: values.JWT_JWKS_URL,
    algorithms: values.JWT_ALGORITHMS,
    clockToleranceSeconds: values.JWT_CLOCK_TOLERANCE_S,
    agentClaim: values.JWT_AGENT_CLAIM,
    groupsClaim: values.JWT_GROUPS_CLAIM,
  }
}

/** The issuer exactly as written, because the claim of a token must be the same string. */
function readIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const {protocol, hostname, hash} = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && hash === '' ? text : undefined
}

function readAlgorithms(text: string): readonly string[] | undefined {
  const names = text.split(',').map(name => name.trim())
  return names.every(name => knownAlgorithms.includes(name)) ? names : undefined
}

/** @throws  Refusal 78: the service would be open to the network without access control, and ACCESS=open is not set */
export function refuseUnguarded(host: string, {isGuarded, isOpenGiven}: AccessConfig): void {
  if (isGuarded || isOpenGiven || isLoopback(host)) return
  throw new Refusal(
    `On HOST=${host} others could read and change everything. Set JWT_ISSUER and JWT_AUDIENCE, or ACCESS=grants for ` +
      'API keys alone, to say who may do what; or ACCESS=open, if everybody may do everything.',
    {exitCode: 78},
  )
}
