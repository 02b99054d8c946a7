/**
 * Who a request is counted for.
 *
 * Floor 5. The address of the client, as far as proxies can be trusted. Requests of this machine itself count for
 * nobody, unless a trusted proxy says whose they are: who is on it can do worse.
 */
import {BlockList} from 'node:net'
import type {Context} from 'koa'
import {isIn, networkOf, type ProxyRule, readNetworks, senderOf} from '../http/forwarded.ts'

/** @returns undefined: not counted */
export type CallerKey = (context: Context) => string | undefined

const thisMachine = readNetworks('loopback') ?? new BlockList()

export function createCallerKey(rule: ProxyRule): CallerKey {
  return ({req}) => {
    const peer = req.socket.remoteAddress
    if (peer === undefined) return undefined // gone, or a Unix socket
    const sender = senderOf(peer, req.headersDistinct[rule.header] ?? [], rule)
    return isIn(thisMachine, sender) ? undefined : networkOf(sender)
  }
}
