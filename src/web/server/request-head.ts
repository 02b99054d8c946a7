/**
 * What is asked of the head of every request, before anything looks at what it wants.
 *
 * Where everybody may do everything, the name that a request calls the service by is all that tells a client
 * of this machine from a web page of a stranger: such a page can have its own name resolved to our address (DNS
 * rebinding), and is then of our origin for the browser. So only known names are answered there.
 * Sources: RFC 9110 §5.3, §7.2, §7.4, §15.5.20 (421); RFC 9112 §3.2.
 */
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {type HostList, hostOfTarget, isAddress, isListedHost, isLoopbackHost, readHost} from '../../http/host.ts'
import {memoize} from '../../http/memo.ts'
import type {Iri} from '../../rdf/term.ts'

/**
 * Methods that are defined for every resource (RFC 9110 §9.3, RFC 5789): refused by a 405, all others by a 501. CONNECT
 * is defined for proxies, and never gets here.
 */
const knownMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'])

/** Fields with one value, of which Node silently takes the first: a proxy before us may have gone by another one. */
const singleFields = ['authorization', 'content-type', 'if-modified-since', 'if-unmodified-since']

const readHostOnce = memoize(readHost) // clients send the same again and again

/** Hosts that requests may be for. */
export type HostRule = {
  readonly listed: HostList
  readonly hasAddresses: boolean // any address: no DNS can make a page have one as its origin
}

export type HostOptions = {
  readonly base: Iri
  readonly isGuarded: boolean // grants count
  readonly isLocal: boolean // only this machine reaches the service
  readonly allowed: HostList | undefined // undefined: none was given
}

/** @returns  undefined: any host will do, for the caller must prove who it is and browsers do not do so unasked */
export function hostRule({base, isGuarded, isLocal, allowed}: HostOptions): HostRule | undefined {
  if (isGuarded && allowed === undefined) return undefined
  const own = readHost(new URL(base).host) ?? ''
  const {isAny = false, names = new Set<string>(), suffixes = []} = allowed ?? {}
  return {listed: {isAny, names: new Set([...names, own]), suffixes}, hasAddresses: !isLocal}
}

/** @throws  Problem 501 `method-known` · 400 `host-single`, `host-valid`, `field-single` · 421 `host-known` */
export function checkHead(rule: HostRule | undefined): Middleware {
  return (context, next) => {
    if (!knownMethods.has(context.method))
      throw new Problem(501, 'method-known', `${context.method} is no method that this service knows.`)
    const host = hostOf(context)
    checkSingle(context)
    if (rule !== undefined) checkHosts(rule, [host, hostOfTarget(context.req.url ?? '')])
    return next()
  }
}

/** @returns  undefined: HTTP/1.0 without the field */
function hostOf({req}: Context): string | undefined {
  const values = req.headersDistinct.host ?? []
  const [value] = values
  if (values.length > 1)
    throw new Problem(400, 'host-single', `A request has one Host; this one has ${values.length}: ${shown(values)}.`)
  if (value === undefined) {
    if (req.httpVersion === '1.0') return undefined
    throw new Problem(400, 'host-valid', 'A request of HTTP/1.1 needs a Host.')
  }
  const host = readHostOnce(value)
  if (host === undefined) throw new Problem(400, 'host-valid', `The Host "${excerpt(value)}" is no host.`)
  return host
}

function checkSingle({req}: Context): void {
  for (const name of singleFields) {
    const {length = 0} = req.headersDistinct[name] ?? []
    if (length > 1) throw new Problem(400, 'field-single', `${name} may come once, not ${length} times.`)
  }
}

/** @param hosts  undefined: nothing was said, which no browser does */
function checkHosts({listed, hasAddresses}: HostRule, hosts: readonly (string | undefined)[]): void {
  for (const host of hosts) {
    if (host === undefined || isLoopbackHost(host) || isListedHost(listed, host)) continue
    if (hasAddresses && isAddress(host)) continue
    const message =
      `The service is not known as "${excerpt(host)}". Use the host of BASE_URL; or let the operator name this one ` +
      'in ALLOWED_HOSTS.'
    throw new Problem(421, 'host-known', message)
  }
}

function shown(values: readonly string[]): string {
  return values.map(value => `"${excerpt(value)}"`).join(', ')
}
