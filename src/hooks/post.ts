/**
 * Posts a message to the URL of a webhook.
 *
 * Only public addresses are reached, and those of networks that the operator allows. The name is resolved once, and the
 * connection goes to the address that was checked, so a name that resolves to another address later (DNS rebinding)
 * gains nothing. No redirect is followed, no proxy is used, and little of the response is read.
 * Source: Standard Webhooks 1.0, "Webhook delivery", "Server-side request forgery".
 */
import {lookup as resolve} from 'node:dns'
import {type ClientRequest, request as requestPlain} from 'node:http'
import {request as requestSecure} from 'node:https'
import {type BlockList, isIP, type LookupFunction} from 'node:net'
import {isIn, plainAddress} from '../http/forwarded.ts'
import {isPublicAddress} from '../http/public-address.ts'

export type PostOptions = {
  readonly allowed: BlockList | undefined // networks that are reached although they are not public
  readonly limitMs: number // for the whole attempt
  readonly signal?: AbortSignal
}

/** What became of an attempt. */
export type Posted =
  | {readonly outcome: 'delivered'}
  | {readonly outcome: 'gone'; readonly reason: string} // 410: the receiver wants no more
  | {readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs?: number | undefined}

const responseBytes = 65_536 // more is not read

export type HookMessage = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Never rejects. */
export function postMessage(url: string, {headers, body}: HookMessage, options: PostOptions): Promise<Posted> {
  const {allowed, limitMs, signal} = options
  const {protocol, hostname} = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isReachable(host, allowed)) return Promise.resolve(refused(host))
  const timeout = AbortSignal.timeout(limitMs)
  const length = Buffer.byteLength(body)
  return new Promise(settle => {
    const fail = (error: unknown) => settle({outcome: 'failed', reason: reasonOf(error, timeout, limitMs)})
    const sent: ClientRequest = (protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method: 'POST',
      headers: {'Content-Type': 'application/json', 'User-Agent': 'Quadstead', 'Content-Length': length, ...headers},
      lookup: guardedLookup(allowed),
      agent: false,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    sent.once('error', fail)
    sent.once('response', response => {
      let bytes = 0
      const end = () => {
        settle(postedOf(response.statusCode ?? 0, response.headers['retry-after']))
        sent.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > responseBytes) end()
      })
      response.once('end', end)
      response.once('error', fail)
    })
    sent.end(body)
  })
}

function isReachable(address: string, allowed: BlockList | undefined): boolean {
  const plain = plainAddress(address) ?? address
  return isPublicAddress(plain) || (allowed !== undefined && isIn(allowed, plain))
}

function refused(address: string): Posted {
  return {outcome: 'failed', reason: forbidden(address)}
}

function forbidden(address: string): string {
  return `${address} is not a public address, and WEBHOOK_NETWORKS does not allow it`
}

/** Resolves a name like dns.lookup, and refuses it if one of its addresses is not allowed. */
function guardedLookup(allowed: BlockList | undefined): LookupFunction {
  return (name, options, callback) => {
    resolve(name, {...options, all: true}, (error, addresses) => {
      const bad = addresses?.find(({address}) => !isReachable(address, allowed))
      const [first] = addresses ?? []
      if (error !== null) callback(error, '')
      else if (bad !== undefined) callback(new Error(forbidden(bad.address)), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

function postedOf(status: number, retryAfter: string | undefined): Posted {
  if (status >= 200 && status < 300) return {outcome: 'delivered'}
  const reason = `the receiver answered ${status}`
  if (status === 410) return {outcome: 'gone', reason}
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return {outcome: 'failed', reason, retryAfterMs: seconds === undefined ? undefined : seconds * 1000}
}

function reasonOf(error: unknown, timeout: AbortSignal, limitMs: number): string {
  if (timeout.aborted) return `there was no whole response within ${limitMs} ms`
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
