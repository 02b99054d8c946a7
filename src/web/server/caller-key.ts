/**
 * The key under which a request counts towards limits: the agent if known, otherwise the client's address.
 *
 * Only trusted proxies can state the address of their client. A program on this machine is not counted if it is trusted
 * as a proxy and forwards no request of another client.
 */
import type {IncomingMessage} from 'node:http'
import {BlockList} from 'node:net'
import type {Context} from 'koa'
import {observe} from '../../base/observation.ts'
import {
  type ForwardedHeader,
  forwardedHeaders,
  isIn,
  networkOf,
  type ProxyRule,
  readNetworks,
  senderOf,
} from '../../http/forwarded.ts'
import {memoize} from '../../http/memo.ts'
import {callerOf} from './caller.ts'

/** @returns  undefined: the request is not counted */
export type CallerKey = (context: Context) => string | undefined

const thisMachine = readNetworks('loopback') ?? new BlockList()

/** Creates keys from the client's address only, even if the agent is known. */
export function createAddressKey(rule: ProxyRule): CallerKey {
  const directKeyOf = memoize(peer => {
    const sender = senderOf(peer, [], rule)
    return isIn(thisMachine, sender) && isIn(rule.proxies, sender) ? undefined : keyOf(sender)
  })
  const warn = createProxyWarning(rule)
  return ({req}) => {
    const peer = req.socket.remoteAddress
    if (peer === undefined) return undefined // the connection is closed
    const header = forwardedHeaders.find(name => req.headers[name] !== undefined)
    if (header === undefined) return directKeyOf(peer)
    warn(req, peer)
    return keyOf(senderOf(peer, req.headersDistinct[rule.header] ?? [], rule))
  }
}

function keyOf(address: string): string {
  return `address ${networkOf(address)}`
}

/**
 * Warns the operator, once, that the clients of a proxy count as one caller.
 *
 * Either the proxy runs on this machine and is not declared, or it is declared and sends another header than the
 * declared one.
 */
function createProxyWarning({proxies, header}: ProxyRule): (request: IncomingMessage, peer: string) => void {
  let isSaid = false
  return ({headers}, peer) => {
    if (isSaid) return
    const address = senderOf(peer, [], {proxies, header})
    const isTrusted = isIn(proxies, address)
    if (!isTrusted && !isIn(thisMachine, address)) return // any client can send such a header
    const written: ForwardedHeader = headers[header] === undefined ? otherThan(header) : header
    if (isTrusted && written === header) return
    isSaid = true
    observe({kind: 'proxy-undeclared', address, header: written, isTrusted, isHeaderDeclared: written === header})
  }
}

function otherThan(header: ForwardedHeader): ForwardedHeader {
  return header === 'forwarded' ? 'x-forwarded-for' : 'forwarded'
}

/** Creates keys from the agent, or from the address if there are no credentials. Needs `settleCaller` to run first. */
export function createCallerKey(addressKey: CallerKey): CallerKey {
  return context => {
    const {agent} = callerOf(context)
    return agent === undefined ? addressKey(context) : `agent ${agent}`
  }
}
