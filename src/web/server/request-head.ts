/**
 * Checks the head of every request before anything else: method, Host, and fields that may come only once.
 *
 * A foreign web page can let its own host name resolve to the address of this service (DNS rebinding). The browser
 * then treats the service as part of that page's origin. Without access control, such requests differ from others only
 * in their host, so the service answers requests for known hosts only.
 * Sources: RFC 9110 §5.3, §7.2, §7.4, §15.5.20 (421); RFC 9112 §3.2.
 */
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {type HostList, hostOfTarget, isAddress, isListedHost, isLoopbackHost, readHost} from '../../http/host.ts'
import {memoize} from '../../http/memo.ts'
import type {Iri} from '../../rdf/term.ts'

/**
 * Methods that RFC 9110 §9.3 and RFC 5789 define. If a resource does not support one, the answer is a 405. Any other
 * method is a 501. CONNECT never gets here (broken-request.ts).
 */
const knownMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'MOVE', 'COPY', 'TRACE'])

/** Fields with one value. Node silently takes the first of several; a proxy may have taken another one. */
const singleFields = ['authorization', 'content-type', 'if-modified-since', 'if-unmodified-since']

const readHostOnce = memoize(readHost) // clients send the same value with every request

/** The hosts that requests may name. */
export type HostRule = {
  readonly listed: HostList
  readonly hasAddresses: boolean // any IP address is accepted: DNS rebinding needs a name
}

export type HostOptions = {
  readonly base: Iri
  readonly isGuarded: boolean // access control is on
  readonly isLocal: boolean // the service listens on a loopback address only
  readonly allowed: HostList | undefined // undefined: not set
}

/** @returns  undefined: any host is accepted, because browsers do not send credentials for another host unasked */
export function hostRule({base, isGuarded, isLocal, allowed}: HostOptions): HostRule | undefined {
  if (isGuarded && allowed === undefined) return undefined
  const own = readHost(new URL(base).host) ?? ''
  const {isAny = false, names = new Set<string>(), suffixes = []} = allowed ?? {}
  return {listed: {isAny, names: new Set([...names, own]), suffixes}, hasAddresses: !isLocal}
}

/** @throws  Problem 501 `method-known` · 400 `host-single`, `host-valid`, `field-single` · 421 `host-known` */
export function checkHead(rule: HostRule | undefined): Middleware {
  return (context, next) => {
    requireKnownMethod(context)
    const isPlain = hasNoRepeatedField(context)
    const host = hostOf(context, isPlain)
    if (!isPlain) checkSingle(context)
    if (rule !== undefined) checkHosts(rule, [host, hostOfTarget(context.req.url ?? '')])
    return next()
  }
}

/** @throws  Problem 501 `method-known` */
export function requireKnownMethod({method}: Pick<Context, 'method'>): void {
  if (!knownMethods.has(method))
    throw new Problem(501, 'method-known', `${excerpt(method)} is no method that this service knows.`)
}

/** Whether no field comes twice, which is the usual case. Node's object of headers has one entry for each name. */
function hasNoRepeatedField({req: {headers, rawHeaders}}: Context): boolean {
  return Object.keys(headers).length * 2 === rawHeaders.length
}

/**
 * @param isPlain  no field comes twice
 * @returns  undefined: HTTP/1.0 without Host
 * @throws   Problem 400 `host-single`, `host-valid`
 */
function hostOf({req}: Context, isPlain: boolean): string | undefined {
  const values = isPlain ? [] : (req.headersDistinct.host ?? [])
  if (values.length > 1)
    throw new Problem(400, 'host-single', `A request has one Host; this one has ${values.length}: ${shown(values)}.`)
  const value = req.headers.host
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

/**
 * @param hosts  undefined: the request names no host, which no browser does
 * @throws       Problem 421 `host-known`
 */
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
