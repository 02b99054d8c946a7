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
      'Maximum number of requests of one caller in REQUEST_LIMIT_WINDOW_MS. Further requests are a 429. A caller is ' +
      'an agent, or without credentials an address, including those of this machine. Requests with invalid ' +
      'credentials are counted by address, with the same limit.',
    expected: 'a whole number from 1 to 100000000, or off',
    read: numberOrOff(1, 100_000_000),
  }),
  REQUEST_LIMIT_WINDOW_MS: setting({
    initial: '10000',
    about: 'Period of REQUEST_LIMIT, in milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 86400000',
    read: wholeNumber(1000, 86_400_000),
  }),
  QUERY_LIMIT_AT_ONCE: setting({
    initial: '5',
    about:
      'Maximum number of concurrent queries, updates, batches and reads of large documents of one caller (see ' +
      'REQUEST_LIMIT). It is always less than DATABASE_POOL_MAX has room for. Further ones wait as long as for a ' +
      'connection, then they are a 429. off: neither limit.',
    expected: 'a whole number from 1 to 1000, or off',
    read: numberOrOff(1, 1000),
  }),
  BODY_LIMIT_HELD_BYTES: setting({
    initial: '268435456',
    about:
      'Maximum size of all request bodies that are being received or processed, in bytes, without the first 32 KiB ' +
      'of each. One caller (see REQUEST_LIMIT) may use half of it, and always enough for one body.',
    expected: 'a whole number of bytes from 1 to 999999999999',
    read: wholeNumber(1, 999_999_999_999),
  }),
  BATCH_LIMIT_REQUESTS: setting({
    initial: '100',
    about: 'Maximum number of requests in a batch.',
    expected: 'a whole number from 1 to 10000',
    read: wholeNumber(1, 10_000),
  }),
  BATCH_LIMIT_BYTES: setting({
    initial: '10485760',
    about:
      'Maximum length of a batch, and of the bodies of all responses to it, in bytes. BODY_LIMIT_BYTES applies too.',
    expected: 'a whole number of bytes from 1024 to 1073741824',
    read: wholeNumber(1024, 2 ** 30),
  }),
  IDEMPOTENCY_KEPT_MS: setting({
    initial: '86400000',
    about:
      'How long the response to a request with an Idempotency-Key is kept for requests that repeat it, in ' +
      'milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 2592000000',
    read: wholeNumber(1000, 2_592_000_000),
  }),
  TRUSTED_PROXIES: setting({
    initial: '',
    about:
      'Proxies that may state the address of a client: addresses and networks, loopback, private, separated by ' +
      'blanks or commas. With loopback, requests from this machine that no proxy has forwarded are not counted.',
    expected: 'addresses such as 192.0.2.1, networks such as 10.0.0.0/8, loopback or private',
    read: readNetworks,
  }),
  FORWARDED_HEADER: setting({
    initial: 'x-forwarded-for',
    about: 'Header field in which these proxies state the address. Any client can send the other one.',
    expected: 'x-forwarded-for or forwarded',
    read: oneOf<ForwardedHeader>(forwardedHeaders),
  }),
  CONNECTION_LIMIT: setting({
    initial: '5000',
    about: 'Maximum number of client connections. Further ones are closed at once.',
    expected: 'a whole number from 1 to 1000000',
    read: wholeNumber(1, 1_000_000),
  }),
  CONNECTION_LIMIT_PER_ADDRESS: setting({
    initial: '500',
    about:
      'Maximum number of connections from one address (in IPv6 from its network of 64 bits), except from ' +
      'TRUSTED_PROXIES. Further ones are closed at once.',
    expected: 'a whole number from 1 to 1000000, or off',
    read: numberOrOff(1, 1_000_000),
  }),
  ANSWER_TIMEOUT_MS: setting({
    initial: '600000',
    about:
      'Maximum time until the last byte of an answer, for slow clients too, in milliseconds. Then the connection is ' +
      'closed.',
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
  readonly keyLastsMs: number // how long responses to requests with an Idempotency-Key are kept
  readonly batchRequests: number
  readonly batchBytes: number // of a batch, and of the responses to it
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
    keyLastsMs: values.IDEMPOTENCY_KEPT_MS,
    batchRequests: values.BATCH_LIMIT_REQUESTS,
    batchBytes: values.BATCH_LIMIT_BYTES,
  }
}
