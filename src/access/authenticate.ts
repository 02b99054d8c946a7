/**
 * The Authorization header to a caller.
 *
 * Floor 4. Sources: RFC 9110 §11.6; RFC 6750 §2.1, §3.
 */
import type {Caller} from '../base/caller.ts'
import {isKey} from './keys.ts'
import {invalid} from './tokens.ts'

/** Problem 401 `credentials-valid`, 503 `authentication-available`. */
export type Authenticate = (authorization: string) => Promise<Caller>

export type Readers = {
  readonly readKey: (key: string) => Promise<Caller | undefined>
  readonly readToken: ((token: string) => Promise<Caller>) | undefined // undefined: no issuer is trusted
}

export function createAuthenticate({readKey, readToken}: Readers): Authenticate {
  return async authorization => {
    const [, credential] = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization) ?? []
    if (credential === undefined) throw invalid('only Bearer is understood')
    if (!isKey(credential)) {
      if (readToken === undefined) throw invalid('only API keys are known here')
      return readToken(credential)
    }
    const caller = await readKey(credential)
    if (caller === undefined) throw invalid('the key is not known, or has expired')
    return caller
  }
}
