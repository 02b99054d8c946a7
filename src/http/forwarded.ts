/**
 * The address of the client behind proxies: the nearest address that is not a trusted proxy.
 *
 * Pure. Every proxy appends the address that it sees to the list. Earlier entries came with the request and prove
 * nothing. The list is therefore read from its end, and only as long as the proxies are trusted.
 * Sources: RFC 7239 §4–7 (Forwarded); the de-facto X-Forwarded-For.
 */
import {BlockList, isIP, isIPv6} from 'node:net'
import {readParameter, splitList, splitOutsideQuotes} from './field.ts'

export const forwardedHeaders = ['x-forwarded-for', 'forwarded'] as const
export type ForwardedHeader = (typeof forwardedHeaders)[number]
export type ProxyRule = {readonly proxies: BlockList; readonly header: ForwardedHeader}

const hopMax = 32

const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10']],
])

/**
 * Reads addresses, networks (192.0.2.0/24) and the words `loopback` and `private`, separated by blanks or commas.
 *
 * @returns  undefined if an entry is none of these
 */
export function readNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  for (const entry of entries.flatMap(each => words.get(each) ?? [each])) {
    const [address = '', length] = entry.split('/')
    const family = familyOf(address)
    if (family === undefined) return undefined
    const longest = family === 'ipv6' ? 128 : 32
    const prefix = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (!(prefix <= longest)) return undefined
    list.addSubnet(address, prefix, family)
  }
  return list
}

export function isIn(list: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && list.check(address, family)
}

/**
 * The address of the client that sent a request.
 *
 * @param peer    address at the other end of the connection
 * @param values  field values of the header, in order
 * @returns       as sent; an IPv4-mapped IPv6 address as IPv4
 */
export function senderOf(peer: string, values: readonly string[], {proxies, header}: ProxyRule): string {
  const hops = values.flatMap(value => (header === 'forwarded' ? forwardedHops(value) : splitList(value)))
  let nearest = plainAddress(peer) ?? peer
  for (const hop of hops.slice(-hopMax).reverse()) {
    if (!isIn(proxies, nearest)) return nearest
    const next = plainAddress(hop)
    if (next === undefined) return nearest // unknown or obfuscated: the address of the proxy counts
    nearest = next
  }
  return nearest
}

/** The `for` parameter of each element; '' if an element has none. */
function forwardedHops(value: string): readonly string[] {
  return splitList(value).map(element => {
    const parameters = splitOutsideQuotes(element, ';').map(readParameter)
    return parameters.find(parameter => parameter?.name === 'for')?.value ?? ''
  })
}

/** An address without brackets, port and zone; undefined if the text is not an address. */
export function plainAddress(text: string): string | undefined {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  const address = (bracketed ?? dotted ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}

/** The /64 network of an IPv6 address, because one client usually has all of it. An IPv4 address is unchanged. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [parts(head), tail === undefined ? [] : parts(tail)]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array.from({length: Math.max(0, zeros)}, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map(part => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 6 ? 'ipv6' : 'ipv4'
}
