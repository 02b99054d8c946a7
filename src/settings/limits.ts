/**
 * The settings that limit the resources one client may use, so that the service stays available to others.
 *
 * Part of the list in config.ts.
 */
import {BlockList} from 'node:net'
import {type ForwardedHeader, forwardedHeaders, readNetworks} from '../http/forwarded.ts'
import {numberOrOff, oneOf, setting, type ValuesOf, wholeNumber} from './setting.ts'

export const limitSettings = {
  REQUEST_LIMIT: setting({
    initial: '10000',
    about:
      'Requests that one caller may send in the time of REQUEST_LIMIT_WINDOW_MS; more are a 429. A caller is an ' +
      'agent, or without credentials an address, also of this machine; credentials that prove nothing count by ' +
      'address, likewise.',
    expected: 'a whole number from 1 to 100000000, or off',
    read: numberOrOff(1, 100_000_000),
  }),
  REQUEST_LIMIT_WINDOW_MS: setting({
    initial: '10000',
    about: 'In which time, in milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 86400000',
    read: wholeNumber(1000, 86_400_000),
  }),
  QUERY_LIMIT_AT_ONCE: setting({
    initial: '5',
    about:
      'Queries of one caller (see REQUEST_LIMIT), and documents that are read in batches, that are answered at once, ' +
      'and never all that DATABASE_POOL_MAX has room for; more wait as long as for a connection, then are a 429. ' +
      'off: no limit, not even that.',
    expected: 'a whole number from 1 to 1000, or off',
    read: numberOrOff(1, 1000),
  }),
  BODY_LIMIT_HELD_BYTES: setting({
    initial: '268435456',
    about:
      'Bytes of all request bodies that are read or worked on at once, but for the first 32 KiB of each; one caller ' +
      '(see REQUEST_LIMIT) has half of them, and always enough for one body.',
    expected: 'a whole number of bytes from 1 to 999999999999',
    read: wholeNumber(1, 999_999_999_999),
  }),
  TRUSTED_PROXIES: setting({
    initial: '',
    about:
      'Proxies whose word for the address of a client is taken: addresses and networks, loopback, private, separated ' +
      'by blanks or commas. With loopback, requests of this machine that no proxy passes on are not counted.',
    expected: 'addresses such as 192.0.2.1, networks such as 10.0.0.0/8, loopback or private',
    read: readNetworks,
  }),
  FORWARDED_HEADER: setting({
    initial: 'x-forwarded-for',
    about: 'In which header they write it; another one is what anybody may have sent.',
    expected: 'x-forwarded-for or forwarded',
    read: oneOf<ForwardedHeader>(forwardedHeaders),
  }),
  CONNECTION_LIMIT: setting({
    initial: '5000',
    about: 'Connections of clients at most; more are closed at once.',
    expected: 'a whole number from 1 to 1000000',
    read: wholeNumber(1, 1_000_000),
  }),
  CONNECTION_LIMIT_PER_ADDRESS: setting({
    initial: '500',
    about:
      'Connections of one address at most (in IPv6 of its network of 64 bits), but for TRUSTED_PROXIES; more are ' +
      'closed at once.',
    expected: 'a whole number from 1 to 1000000, or off',
    read: numberOrOff(1, 1_000_000),
  }),
  ANSWER_TIMEOUT_MS: setting({
    initial: '600000',
    about:
      'How long an answer may take to its last byte, however slowly it is read, in milliseconds; then it is cut off.',
    expected: 'a whole number of milliseconds from 1000 to 86400000, or off',
    read: numberOrOff(1000, 86_400_000),
  }),
} as const

/** Limits of callers and connections. */
export type CallerLimits = {
  readonly requests: number // per windowMs; Infinity: no limit
  readonly windowMs: number
  readonly queriesAtOnce: number // Infinity: no limit
  readonly heldBodyBytes: number // of all callers together
  readonly proxies: BlockList
  readonly forwardedHeader: ForwardedHeader
  readonly connections: number
  readonly connectionsPerAddress: number // Infinity: no limit
  readonly answerMs: number // Infinity: no limit
}

type Values = ValuesOf<typeof limitSettings>

export function readCallerLimits(values: Values): CallerLimits {
  return {
    requests: values.REQUEST_LIMIT,
    windowMs: values.REQUEST_LIMIT_WINDOW_MS,
    queriesAtOnce: values.QUERY_LIMIT_AT_ONCE,
    heldBodyBytes: values.BODY_LIMIT_HELD_BYTES,
    proxies: values.TRUSTED_PROXIES ?? new BlockList(),
    forwardedHeader: values.FORWARDED_HEADER,
    connections: values.CONNECTION_LIMIT,
    connectionsPerAddress: values.CONNECTION_LIMIT_PER_ADDRESS,
    answerMs: values.ANSWER_TIMEOUT_MS,
  }
}
