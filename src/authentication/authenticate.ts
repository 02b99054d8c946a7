/**
 * Turns the Authorization header into a caller: an API key or a JSON Web Token, sent as a Bearer credential.
 *
 * Sources: RFC 9110 §11.6; RFC 6750 §2.1, §3.
 */
import type {Principal} from '../base/principal.ts'
import {credentialsProblem} from './access-tokens.ts'
import {isKey} from './keys.ts'

/**
 * Identifies the caller.
 *
 * @param authorization  value of the Authorization header
 * @throws  Problem 401 `credentials-valid` · 503 `authentication-available`
 */
export type Authenticate = (authorization: string) => Promise<Principal>

export type Readers = {
  readonly readKey: (key: string) => Promise<Principal | undefined>
  readonly readToken: ((token: string) => Promise<Principal>) | undefined // undefined: no issuer is trusted
}

export function createAuthenticate({readKey, readToken}: Readers): Authenticate {
  return async authorization => {
    const [, credential] = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization) ?? []
    if (credential === undefined) throw credentialsProblem('only the Bearer scheme is supported')
    if (!isKey(credential)) {
      if (readToken === undefined) throw credentialsProblem('this service accepts API keys only')
      return readToken(credential)
    }
    const caller = await readKey(credential)
    if (caller === undefined) throw credentialsProblem('the key is unknown or has expired')
    return caller
  }
}
