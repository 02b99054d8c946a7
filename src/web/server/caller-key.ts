/**
 * Who a request is counted for.
 *
 * The agent where one is known, else the address of the client, as far as proxies can be trusted. Only a
 * program on this machine that is trusted like a proxy, and passes on nobody's request, is not counted.
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

/** @returns undefined: not counted */
export type CallerKey = (context: Context) => string | undefined

const thisMachine = readNetworks('loopback') ?? new BlockList()

/** By address alone, whoever it is. */
export function createAddressKey(rule: ProxyRule): CallerKey {
  const directKeyOf = memoize(peer => {
    const sender = senderOf(peer, [], rule)
    return isIn(thisMachine, sender) && isIn(rule.proxies, sender) ? undefined : keyOf(sender)
  })
  const warn = createProxyWarning(rule)
  return ({req}) => {
    const peer = req.socket.remoteAddress
    if (peer === undefined) return undefined // gone
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
 * Says once, to the operator, that a proxy passes on requests and is not believed, so that all its clients count as one
 * caller: one on this machine that was not declared, or one that writes another header than the one declared.
 */
function createProxyWarning({proxies, header}: ProxyRule): (request: IncomingMessage, peer: string) => void {
  let isSaid = false
  return ({headers}, peer) => {
    if (isSaid) return
    const address = senderOf(peer, [], {proxies, header})
    const isTrusted = isIn(proxies, address)
    if (!isTrusted && !isIn(thisMachine, address)) return // anybody may send such a header
    const written: ForwardedHeader = headers[header] === undefined ? otherThan(header) : header
    if (isTrusted && written === header) return
    isSaid = true
    observe({kind: 'proxy-undeclared', address, header: written, isTrusted, isHeaderDeclared: written === header})
  }
}

function otherThan(header: ForwardedHeader): ForwardedHeader {
  return header === 'forwarded' ? 'x-forwarded-for' : 'forwarded'
}

/** By agent, wherever it asks from; callers without credentials by address. Only once it is settled who asks. */
export function createCallerKey(addressKey: CallerKey): CallerKey {
  return context => {
    const {agent} = callerOf(context)
    return agent === undefined ? addressKey(context) : `agent ${agent}`
  }
}
