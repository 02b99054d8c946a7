/**
 * The Host of a request, and lists of hosts under which the service is known.
 *
 * Pure. Hosts are compared in the form of the WHATWG URL standard (lower case, addresses in canonical form), in which
 * browsers compare origins too. Ports are ignored.
 * Sources: RFC 9110 §7.2, RFC 9112 §3.2 (Host); RFC 3986 §3.2.2; RFC 6761 §6.3 (localhost).
 */
import {isIP} from 'node:net'

export type HostList = {
  readonly isAny: boolean
  readonly names: ReadonlySet<string>
  readonly suffixes: readonly string[] // each begins with a dot
}

const hostAndPort = /^[\x21-\x7e]*$/
const notInHost = /[/?#@\\]/
const portAtEnd = /:\d*$/

/**
 * Reads a Host field value, `name[:port]`.
 *
 * @returns  the name without port and final dot, or an IPv6 address in brackets; '' for an empty value, which RFC 9110
 *           allows; undefined if the value is not a host
 */
export function readHost(value: string): string | undefined {
  if (value === '') return ''
  if (!hostAndPort.test(value) || notInHost.test(value) || !URL.canParse(`http://${value}/`)) return undefined
  return new URL(`http://${value}/`).hostname.replace(/(?<=[^.])\.$/, '')
}

/** The host of a request target in absolute form; undefined for other targets and for an invalid URL. */
export function hostOfTarget(target: string): string | undefined {
  if (target.startsWith('/') || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  return readHost(new URL(target).host)
}

/**
 * Reads host names and addresses without ports, separated by blanks or commas. `*.` before a name stands for one or
 * more labels, `*` alone for every host.
 *
 * @returns  undefined if an entry is none of these, or there is no entry
 */
export function readHosts(text: string): HostList | undefined {
  const words = text.split(/[\s,]+/).filter(word => word !== '')
  const isAny = words.includes('*')
  const hosts = words.filter(word => word !== '*').map(readListedHost)
  if (words.length === 0 || hosts.includes(undefined)) return undefined
  const known = hosts.filter(host => host !== undefined)
  return {
    isAny,
    names: new Set(known.filter(host => !host.startsWith('.'))),
    suffixes: known.filter(host => host.startsWith('.')),
  }
}

/** Reads one entry. `*.name` becomes the suffix `.name`; undefined if the entry is invalid. */
function readListedHost(word: string): string | undefined {
  const isSuffix = word.startsWith('*.')
  const name = isSuffix ? word.slice(2) : word
  const bracketed = isIP(name) === 6 ? `[${name}]` : name
  if (portAtEnd.test(bracketed) || bracketed.includes('*')) return undefined
  const host = readHost(bracketed)
  return host === undefined || host === '' ? undefined : `${isSuffix ? '.' : ''}${host}`
}

export function isListedHost({isAny, names, suffixes}: HostList, host: string): boolean {
  return isAny || names.has(host) || suffixes.some(suffix => host.endsWith(suffix))
}

/** Whether a host is `localhost` or a loopback address. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/** Whether clients resolve a host to their own machine without the DNS: loopback addresses and names of localhost. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost')
}

/** Whether a host is an IP address, not a name. */
export function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0
}
