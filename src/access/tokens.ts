/**
 * JSON Web Tokens to callers.
 *
 * Floor 4. The issuer's keys are fetched when a token needs them, kept, and fetched again when a token names one that
 * is not among them, so that an issuer may change its keys at any time.
 * Sources: RFC 7519 §4.1, §7.2; RFC 8725 (best practices: algorithms pinned, issuer and audience checked); OpenID
 * Connect Discovery 1.0 §4.
 */
import {createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify} from 'jose'
import type {Caller} from '../base/caller.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'

export type TokenOptions = {
  readonly issuer: string
  readonly audience: string
  readonly keysUrl: string | undefined // undefined: as the issuer's metadata says
  readonly algorithms: readonly string[]
  readonly clockToleranceSeconds: number
  readonly agentClaim: string
  readonly groupsClaim: string
}

const waitMs = 5000 // for the issuer's answer
const keptKeysMs = 600_000 // a key that the issuer withdrew is taken for so long at most
const cooldownMs = 30_000 // between two looks for an unknown key
const agentLimit = 1900 // bytes, so that a grant can name it
const groupsLimit = 200

/** What JSON may hold and PostgreSQL may not: U+0000, and halves of surrogate pairs, which UTF-8 does not have. */
const unstorable = /[\0\p{Surrogate}]/u

/** @returns  reads a token: Problem 401 `credentials-valid`, 503 `authentication-available` */
export function createTokenReader(
  options: TokenOptions,
  {cooldownDuration = cooldownMs} = {},
): (token: string) => Promise<Caller> {
  const {issuer, audience, algorithms, clockToleranceSeconds} = options
  const keysAt = (url: string) =>
    createRemoteJWKSet(new URL(url), {timeoutDuration: waitMs, cacheMaxAge: keptKeysMs, cooldownDuration})
  let keys: Promise<JWTVerifyGetKey> | undefined
  const findKeys = () => {
    keys ??= (options.keysUrl === undefined ? discoverKeys(issuer) : Promise.resolve(options.keysUrl)).then(keysAt)
    keys.catch(() => {
      keys = undefined // the next token asks again
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
      return callerOf(payload, options)
    } catch (error) {
      throw toldFailure(error)
    }
  }
}

/** Where the issuer says that its keys are. */
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
 * Whom a token speaks for: what the claim for agents says, or else the issuer with the subject as its fragment.
 *
 * @throws  Problem 401 `credentials-valid`: neither is there; a claim is no text that can be stored and compared
 */
function callerOf(payload: JWTPayload, {issuer, agentClaim, groupsClaim}: TokenOptions): Caller {
  const {[agentClaim]: claimed, [groupsClaim]: groups, sub} = payload as Readonly<Record<string, unknown>>
  const agent = claimed ?? subjectIri(issuer, sub)
  if (typeof agent !== 'string' || !isAbsoluteIri(agent) || /\s/.test(agent) || Buffer.byteLength(agent) > agentLimit)
    throw invalid('the token names no agent')
  const names = (Array.isArray(groups) ? groups : [groups])
    .filter(name => typeof name === 'string')
    .filter(name => name !== '')
    .slice(0, groupsLimit)
  if (names.some(name => unstorable.test(name))) throw invalid('the name of a group is no text')
  return {agent, groups: names, means: 'token'}
}

function subjectIri(issuer: string, subject: unknown): string | undefined {
  if (typeof subject !== 'string' || unstorable.test(subject)) return undefined
  return `${issuer}#${encodeURIComponent(subject)}`
}

/** 401: credentials that prove nothing. */
export function invalid(reason: string, cause?: unknown): Problem {
  return new Problem(401, 'credentials-valid', `The credentials cannot be accepted: ${reason}.`, {
    headers: {'WWW-Authenticate': `Bearer realm="quadstead", error="invalid_token", error_description="${reason}"`},
    cause,
  })
}

/** What the library says of a token, by its own code. */
const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'the token is for another issuer, audience or time',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature is not of the token',
  ERR_JWKS_NO_MATCHING_KEY: 'the issuer has no key of that name',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token does not say which of the keys signed it',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the algorithm of the signature is not allowed here',
  ERR_JOSE_NOT_SUPPORTED: 'the algorithm of the signature is not known',
  ERR_JWS_INVALID: 'it is no token',
  ERR_JWT_INVALID: 'it is no token',
}

/** What is the token's fault is a 401; that keys cannot be had is not. */
function toldFailure(error: unknown): Problem {
  if (error instanceof Problem) return error
  const reason = error instanceof errors.JOSEError ? reasons[error.code] : undefined
  if (reason !== undefined) return invalid(reason, error)
  const message = "The issuer's keys cannot be had, so nobody can be told apart; try again in a few seconds."
  return new Problem(503, 'authentication-available', message, {headers: {'Retry-After': '2'}, cause: error})
}
