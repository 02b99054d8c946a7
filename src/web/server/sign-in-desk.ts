/**
 * Sessions of browsers in requests: finds the session of the cookie, and gives the browser its token.
 *
 * Source: docs/sign-in.md.
 */
import {createHash} from 'node:crypto'
import type {Context} from 'koa'
import type {Provider} from '../../authentication/provider.ts'
import type {FreshToken, Sessions} from '../../authentication/sessions.ts'
import {anonymous, type Principal} from '../../base/principal.ts'
import type {FoundKey} from '../../db/store/keys.ts'
import {cookieFor, formatCookie, readCookie} from '../../http/cookie.ts'
import type {Iri} from '../../rdf/term.ts'
import {prefersHtml} from '../pages/preference.ts'
import {mayUseCookie} from './own-page.ts'

/** What signs people in and out. */
export type SignInDesk = {
  readonly sessions: Sessions
  readonly provider: Provider | undefined // undefined: only API keys
  readonly findKey: (hash: Uint8Array) => Promise<FoundKey | undefined>
  /** The caller of the session that the request belongs to; undefined: the request has no cookie that counts. */
  readonly settle: (context: Context) => Promise<Principal | undefined>
  /** The token in the cookie. */
  readonly tokenOf: (context: Context) => string | undefined
  /** Gives the browser its token; undefined: takes it away. */
  readonly hand: (context: Context, fresh: FreshToken | undefined) => void
  /** The secret of attempts to sign in at the issuer that the browser has begun. */
  readonly attempts: {
    readonly secretOf: (context: Context) => string | undefined
    /** Gives the browser a secret; undefined: takes it away. */
    readonly hand: (context: Context, secret: string | undefined) => void
  }
}

const attemptSeconds = 600

export function createSignInDesk(base: Iri, parts: Pick<SignInDesk, 'sessions' | 'provider' | 'findKey'>): SignInDesk {
  const mark = createHash('sha256').update(base).digest('hex').slice(0, 8)
  const sessionCookie = cookieFor(base, 'session', mark)
  const attemptCookie = cookieFor(base, 'attempt', mark)
  const tokenOf = ({req}: Context) => readCookie(req.headers.cookie, sessionCookie.name)
  const hand = (context: Context, fresh: FreshToken | undefined) =>
    context.append('Set-Cookie', formatCookie(sessionCookie, fresh?.token ?? '', fresh?.seconds ?? 0))
  return {
    ...parts,
    tokenOf,
    hand,
    async settle(context) {
      const token = tokenOf(context)
      if (token === undefined || token === '' || !mayUseCookie(context, base)) return undefined
      const session = await parts.sessions.find(token)
      if (isForReading(context)) {
        const fresh = await session?.turn()
        if (fresh !== undefined || session === undefined) hand(context, fresh)
      }
      return session?.caller ?? anonymous
    },
    attempts: {
      secretOf: ({req}) => readCookie(req.headers.cookie, attemptCookie.name),
      hand: (context, secret) =>
        context.append(
          'Set-Cookie',
          formatCookie(attemptCookie, secret ?? '', secret === undefined ? 0 : attemptSeconds),
        ),
    },
  }
}

/** Whether somebody reads a page. Only such responses carry new tokens, because no shared cache keeps them. */
function isForReading({method, req}: Context): boolean {
  return method === 'GET' && prefersHtml(req.headers.accept)
}
