/**
 * An attempt to sign in at the issuer: the values that tie its answer to the browser that began it.
 *
 * Pure. The browser keeps one random secret in a cookie, and everything else is derived from it. The service therefore
 * stores nothing until somebody has signed in, and any process can take the answer. Several attempts of a browser, in
 * several tabs, share the secret and differ in a random number. The state contains the page to return to, and a code
 * that only the holder of the secret can make.
 * Sources: OpenID Connect Core 1.0 §3.1.2.1 (state, nonce); RFC 7636 §4.1 (code verifier); RFC 9700 §4.7.
 */
import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto'

export type Attempt = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string // of PKCE
  readonly returnTo: string // path of a page of the service
}

/** Begins an attempt. `number` tells the attempts of a browser apart. */
export function createAttempt(
  secret: string,
  returnTo: string,
  number = randomBytes(16).toString('base64url'),
): Attempt {
  const derive = (what: string) => createHmac('sha256', secret).update(`${what} ${number}`).digest('base64url')
  const page = Buffer.from(returnTo).toString('base64url')
  return {
    state: `${number}.${page}.${derive(`state ${page}`)}`,
    nonce: derive('nonce'),
    verifier: derive('verifier'),
    returnTo,
  }
}

/** The attempt of a state; undefined if it was not begun with this secret. */
export function resumeAttempt(secret: string, state: string): Attempt | undefined {
  const [number = '', page = ''] = state.split('.')
  const attempt = createAttempt(secret, Buffer.from(page, 'base64url').toString(), number)
  const [own, given] = [attempt.state, state].map(text => Buffer.from(text))
  if (own === undefined || given === undefined || own.length !== given.length) return undefined
  return timingSafeEqual(own, given) ? attempt : undefined
}
