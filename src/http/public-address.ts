/**
 * Whether an address is one of the public Internet.
 *
 * Pure. Addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo) are not public, because they can lead to a
 * private one.
 * Sources: IANA, IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890); RFC 4291 §2.4.
 */
import {isIPv6} from 'node:net'
import {isIn, readNetworks} from './forwarded.ts'

const special = networks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ' +
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
)
const global6 = networks('2000::/3') // all other IPv6 addresses are local, reserved or translated

function networks(text: string) {
  const list = readNetworks(text)
  if (list === undefined) throw new Error(`no networks: ${text}`)
  return list
}

/** @param address  in textual form, without brackets and zone */
export function isPublicAddress(address: string): boolean {
  return !isIn(special, address) && (!isIPv6(address) || isIn(global6, address))
}
