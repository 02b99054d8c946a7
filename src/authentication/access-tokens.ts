/**
 * Turns JSON Web Tokens into callers.
 *
 * Fetches the issuer's keys when the first token needs them and caches them. Fetches them again when a token names an
 * unknown key, so that an issuer may rotate its keys at any time.
 * Sources: RFC 7519 §4.1, §7.2; RFC 8725 (best practices: algorithms pinned, issuer and audience checked); OpenID
 * Connect Discovery 1.0 §4.
 */
import {createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify} from 'jose'
import type {Principal} from '../base/principal.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'

export type TokenOptions = {
  readonly issuer: string
  readonly audience: string
  readonly keysUrl: string | undefined // undefined: the `jwks_uri` of the issuer's metadata
  readonly algorithms: readonly string[]
  readonly clockToleranceSeconds: number
  readonly agentClaim: string
  readonly groupsClaim: string
}

const waitMs = 5000 // for the issuer's response
const keptKeysMs = 600_000 // a key that the issuer withdrew is accepted for at most this long
const cooldownMs = 30_000 // minimum time between two fetches caused by unknown keys
const agentLimit = 1900 // bytes; `agent <IRI>` must fit into a grantee, which has at most 2000
const groupsLimit = 200

/** Characters that JSON can express and PostgreSQL cannot store: U+0000 and lone surrogates. */
const unstorable = /[\0\p{Surrogate}]/u

/**
 * @returns  a function from a token to its caller, which throws Problem 401 `credentials-valid` · 503
 *           `authentication-available`
 */
export function createTokenReader(
  options: TokenOptions,
  {cooldownDuration = cooldownMs} = {},
): (token: string) => Promise<Principal> {
  const {issuer, audience, algorithms, clockToleranceSeconds} = options
  const keysAt = (url: string) =>
    createRemoteJWKSet(new URL(url), {timeoutDuration: waitMs, cacheMaxAge: keptKeysMs, cooldownDuration})
  let keys: Promise<JWTVerifyGetKey> | undefined
  const findKeys = () => {
    keys ??= (options.keysUrl === undefined ? discoverKeys(issuer) : Promise.resolve(options.keysUrl)).then(keysAt)
    keys.catch(() => {
      keys = undefined // the next token tries again
    })
    return keys
  }
  const rules = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp'],
  }
  return async token => {
    try {
      const {payload} = await jwtVerify(token, await findKeys(), rules)
      return principalOfClaims(payload, options)
    } catch (error) {
      throw problemFor(error)
    }
  }
}

/** The URL of the issuer's keys, from its metadata (OpenID Connect Discovery 1.0 §4). */
async function discoverKeys(issuer: string): Promise<string> {
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(place, {redirect: 'error', signal: AbortSignal.timeout(waitMs)})
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  const metadata = (await response.json()) as {readonly issuer?: unknown; readonly jwks_uri?: unknown}
  const {issuer: named, jwks_uri: url} = metadata
  if (named !== issuer || typeof url !== 'string') throw new Error(`${place} is not the metadata of ${issuer}`)
  return url
}

/**
 * The caller that the claims of a token identify. Its agent is the value of the agent claim, or else
 * `<issuer>#<subject>`.
 *
 * @throws  Problem 401 `credentials-valid`: there is neither, or a claim has characters that cannot be stored
 */
export function principalOfClaims(
  payload: JWTPayload,
  {issuer, agentClaim, groupsClaim}: Pick<TokenOptions, 'issuer' | 'agentClaim' | 'groupsClaim'>,
): Principal {
  const {[agentClaim]: claimed, [groupsClaim]: groups, sub} = payload as Readonly<Record<string, unknown>>
  const agent = claimed ?? subjectIri(issuer, sub)
  if (typeof agent !== 'string' || !isAbsoluteIri(agent) || /\s/.test(agent) || Buffer.byteLength(agent) > agentLimit)
    throw credentialsProblem('the token does not identify an agent')
  const names = (Array.isArray(groups) ? groups : [groups])
    .filter(name => typeof name === 'string')
    .filter(name => name !== '')
    .slice(0, groupsLimit)
  if (names.some(name => unstorable.test(name)))
    throw credentialsProblem('a group name has characters that cannot be stored')
  return {agent, groups: names, means: 'token'}
}

function subjectIri(issuer: string, subject: unknown): string | undefined {
  if (typeof subject !== 'string' || unstorable.test(subject)) return undefined
  return `${issuer}#${encodeURIComponent(subject)}`
}

/** @returns  Problem 401 `credentials-valid` with the challenge of RFC 6750 §3 */
export function credentialsProblem(reason: string, cause?: unknown): Problem {
  return new Problem(401, 'credentials-valid', `The credentials cannot be accepted: ${reason}.`, {
    headers: {'WWW-Authenticate': `Bearer realm="quadstead", error="invalid_token", error_description="${reason}"`},
    cause,
  })
}

/** Reasons for a refusal, by the error codes of `jose`. */
const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'the token is for another issuer, audience or time',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not match the token',
  ERR_JWKS_NO_MATCHING_KEY: 'the issuer has no key that matches the token',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token does not name the key that signed it',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the signature algorithm is not allowed',
  ERR_JOSE_NOT_SUPPORTED: 'the signature algorithm is not supported',
  ERR_JWS_INVALID: 'it is not a JSON Web Token',
  ERR_JWT_INVALID: 'it is not a JSON Web Token',
}

/** 401 if the token is at fault; 503 if the issuer's keys cannot be fetched. */
function problemFor(error: unknown): Problem {
  if (error instanceof Problem) return error
  const reason = error instanceof errors.JOSEError ? reasons[error.code] : undefined
  if (reason !== undefined) return credentialsProblem(reason, error)
  const message = "The issuer's keys cannot be fetched, so the token cannot be checked. Try again in a few seconds."
  return new Problem(503, 'authentication-available', message, {headers: {'Retry-After': '2'}, cause: error})
}
