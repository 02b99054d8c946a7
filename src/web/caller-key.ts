/**
 * Who a request is counted for.
 *
 * Floor 5. The agent where one is known, else the address of the client, as far as proxies can be trusted. Requests of
 * this machine itself count for nobody, unless a trusted proxy says whose they are: who is on it can do worse.
 */
import {BlockList} from 'node:net'
import type {Context} from 'koa'
import {isIn, networkOf, type ProxyRule, readNetworks, senderOf} from '../http/forwarded.ts'
import {memoize} from '../http/memo.ts'
import {callerOf} from './caller.ts'

/** @returns undefined: not counted */
export type CallerKey = (context: Context) => string | undefined

const thisMachine = readNetworks('loopback') ?? new BlockList()

/** By address alone, whoever it is. */
export function createAddressKey(rule: ProxyRule): CallerKey {
  const keyOf = (peer: string, header: readonly string[]) => {
    const sender = senderOf(peer, header, rule)
    return isIn(thisMachine, sender) ? undefined : `address ${networkOf(sender)}`
  }
  const directKeyOf = memoize(peer => keyOf(peer, []))
  return ({req}) => {
    const peer = req.socket.remoteAddress
    if (peer === undefined) return undefined // gone, or a Unix socket
    return req.headers[rule.header] === undefined
      ? directKeyOf(peer)
      : keyOf(peer, req.headersDistinct[rule.header] ?? [])
  }
}

/** By agent, wherever it asks from; callers without credentials by address. Only once it is settled who asks. */
export function createCallerKey(addressKey: CallerKey): CallerKey {
  return context => {
    const address = addressKey(context)
    const {agent} = callerOf(context)
    return address === undefined || agent === undefined ? address : `agent ${agent}`
  }
}
