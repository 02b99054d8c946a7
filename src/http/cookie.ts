/**
 * Cookies: reads the field Cookie and writes Set-Cookie.
 *
 * Pure. Source: RFC 6265 §4.1, §5.4; draft-ietf-httpbis-rfc6265bis §4.1.3 (prefixes of names).
 */

/** A cookie of the service: all that a browser must know to keep it or to delete it. */
export type CookiePlace = {readonly name: string; readonly path: string; readonly isSecure: boolean}

/** The value of a cookie. Of several with the same name the first counts, which has the longest path. */
export function readCookie(field: string | undefined, name: string): string | undefined {
  for (const pair of (field ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * The value of Set-Cookie for a cookie that no script can read. Requests of other sites do not send it, except when
 * somebody follows a link.
 *
 * @param seconds  how long the browser keeps it; 0: it deletes it
 */
export function formatCookie({name, path, isSecure}: CookiePlace, value: string, seconds: number): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * The place of a cookie for the service at a base URL.
 *
 * Browsers do not separate cookies by port, and give those of a path to the paths below it. The name therefore contains
 * a mark of the base. Browsers accept names that begin with `__Host-` and `__Secure-` over https only, and those with
 * `__Host-` for a whole host only.
 *
 * @param mark  a short text that no other base has
 */
export function cookieFor(base: string, what: string, mark: string): CookiePlace {
  const {protocol, pathname: path} = new URL(base)
  const isSecure = protocol === 'https:'
  const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : ''
  return {name: `${prefix}quadstead-${what}-${mark}`, path, isSecure}
}
