/**
 * Signs people in at the issuer: OpenID Connect with the authorization code flow and PKCE.
 *
 * The library `openid-client` speaks the protocol. It checks state, nonce, the ID token and its signature. Here are the
 * choices of this service, and the errors in its terms.
 * Sources: OpenID Connect Core 1.0 §3.1; Discovery 1.0; RP-Initiated Logout 1.0; RFC 7636; RFC 9700.
 */
import {decodeProtectedHeader} from 'jose'
import * as client from 'openid-client'
import {excerpt} from '../base/excerpt.ts'
import type {Principal} from '../base/principal.ts'
import {Problem} from '../base/problem.ts'
import {principalOfClaims, type TokenOptions} from './access-tokens.ts'
import type {Attempt} from './attempt.ts'

export type ProviderOptions = {
  readonly clientId: string
  readonly clientSecret: string | undefined // undefined: a public client
  readonly scope: string
}

/** Somebody whom the issuer has identified. */
export type SignedIn = {
  readonly principal: Principal
  readonly name: string // for display; '' if the issuer gives none
  readonly idToken: string | undefined
}

export type Provider = {
  readonly host: string
  /** @returns  the URL at the issuer where the person signs in. @throws Problem 503 `authentication-available` */
  readonly begin: (attempt: Attempt, redirectUri: string) => Promise<URL>
  /**
   * Completes an attempt.
   *
   * @param answer  the redirect URI with the parameters that the issuer has added
   * @throws        Problem 403 `sign-in-refused` · 401 `credentials-valid` · 503 `authentication-available`
   */
  readonly finish: (attempt: Attempt, answer: URL) => Promise<SignedIn>
  /** @returns  the URL at the issuer where the person signs out; undefined: it has none, or cannot be reached */
  readonly endUrl: (idToken: string | undefined, returnTo: string) => Promise<URL | undefined>
}

const waitSeconds = 5 // for a response of the issuer
const keptMs = 3_600_000 // the metadata of the issuer
const nameLength = 200 // characters

export function createProvider(tokens: TokenOptions, options: ProviderOptions): Provider {
  const {issuer, algorithms} = tokens
  const {scope} = options
  let known: {readonly until: number; readonly configuration: Promise<client.Configuration>} | undefined

  function configure(): Promise<client.Configuration> {
    if (known !== undefined && known.until > performance.now()) return known.configuration
    const configuration = discover(tokens, options)
    const entry = {until: performance.now() + keptMs, configuration}
    known = entry
    configuration.catch(() => {
      if (known === entry) known = undefined // the next attempt tries again
    })
    return configuration
  }

  return {
    host: new URL(issuer).host,
    begin: ({state, nonce, verifier}, redirectUri) =>
      withProblems(async () =>
        client.buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      ),
    finish: ({state, nonce, verifier}, answer) =>
      withProblems(async () => {
        const configuration = await configure()
        const checks = {expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true}
        const tokenSet = await client.authorizationCodeGrant(configuration, answer, checks)
        const {id_token: idToken = '', access_token: accessToken} = tokenSet
        const {alg = ''} = decodeProtectedHeader(idToken)
        if (!algorithms.includes(alg)) throw refused(`its ID token is signed by ${excerpt(alg)}`)
        const own = tokenSet.claims()
        if (own === undefined) throw refused('it sent no ID token')
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        const more = hasMore ? await client.fetchUserInfo(configuration, accessToken, own.sub) : {}
        const claims = {...more, ...own}
        return {principal: principalOfClaims(claims, tokens), name: nameIn(claims), idToken}
      }),
    async endUrl(idToken, returnTo) {
      const configuration = await configure().catch(() => undefined) // the session here has ended already
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined
      const hint = idToken === undefined ? {} : {id_token_hint: idToken}
      return client.buildEndSessionUrl(configuration, {post_logout_redirect_uri: returnTo, ...hint})
    },
  }
}

/** Reads the metadata of the issuer. */
async function discover(
  {issuer, clockToleranceSeconds}: TokenOptions,
  {clientId, clientSecret}: ProviderOptions,
): Promise<client.Configuration> {
  const server = new URL(issuer)
  const execute = [client.enableNonRepudiationChecks]
  if (server.protocol === 'http:') execute.push(client.allowInsecureRequests) // settings allow it on this machine only
  const metadata = {[client.clockTolerance]: clockToleranceSeconds}
  const how = clientSecret === undefined ? client.None() : withSecret(clientSecret)
  const configuration = await client.discovery(server, clientId, metadata, how, {execute, timeout: waitSeconds})
  if (configuration.serverMetadata().issuer !== issuer) throw new Error(`the metadata is not that of ${issuer}`)
  return configuration
}

/** Sends the secret as the issuer wants it (OpenID Connect Discovery 1.0 §3: by default in Authorization). */
function withSecret(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** What people call the person. */
function nameIn({name, preferred_username: username, email}: Readonly<Record<string, unknown>>): string {
  const [given = ''] = [name, username, email].filter(one => typeof one === 'string').filter(one => one !== '')
  return [...given.replace(/[\0\p{Surrogate}]/gu, '')].slice(0, nameLength).join('')
}

/** Runs a step, and turns the errors of the library into Problems. */
async function withProblems<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw problemFor(error)
  }
}

function problemFor(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof client.AuthorizationResponseError) return refused(excerpt(error.error), error)
  if (error instanceof client.ResponseBodyError && error.status < 500) return refused(excerpt(error.error), error)
  const isAnswer =
    error instanceof client.ClientError && /^OAUTH_(?:INVALID|JWT|JSON|KEY|UNSUPPORTED)/.test(error.code ?? '')
  if (isAnswer) return refused(`its answer is not valid: ${error.message}`, error)
  const message = 'The issuer cannot be reached, so nobody can sign in there. Try again in a few seconds.'
  return new Problem(503, 'authentication-available', message, {headers: {'Retry-After': '2'}, cause: error})
}

function refused(reason: string, cause?: unknown): Problem {
  return new Problem(403, 'sign-in-refused', `The issuer did not sign you in: ${reason}.`, {cause})
}
