/**
 * Closes connections that were in transit to a worker when it ended.
 *
 * The keeper passes a connection to a worker in a message, and closes its own handle when the worker has accepted it
 * (node:cluster, lib/internal/cluster/round_robin_handle.js). If the worker ends before that, Node never closes the
 * handle and the client waits for ever. This module closes it. If Node changes its internal messages, the module
 * recognises none and closes nothing.
 */
import type {ChildProcess} from 'node:child_process'

type Handover = {readonly sequence: number; readonly handle: {readonly close: () => void}}

/** When the process ends, closes the connections that were sent to it and not yet accepted. */
export function closeUnaccepted(worker: ChildProcess): void {
  const open = new Map<number, Handover['handle']>()
  const send = worker.send.bind(worker) as (...given: readonly unknown[]) => boolean
  worker.send = (...given: readonly unknown[]) => {
    const handover = handoverIn(given)
    if (handover !== undefined) open.set(handover.sequence, handover.handle)
    return send(...given)
  }
  worker.on('internalMessage', (message: unknown) => {
    const accepted = numberIn(message, 'ack')
    if (accepted !== undefined) open.delete(accepted)
  })
  worker.once('exit', () => {
    for (const handle of open.values()) handle.close()
    open.clear()
  })
}

function handoverIn([message, handle]: readonly unknown[]): Handover | undefined {
  const sequence = numberIn(message, 'seq')
  const isNew = isObject(message) && 'act' in message && message.act === 'newconn'
  return isNew && sequence !== undefined && isClosable(handle) ? {sequence, handle} : undefined
}

function numberIn(message: unknown, name: 'seq' | 'ack'): number | undefined {
  const value = isObject(message) ? (message as Readonly<Record<string, unknown>>)[name] : undefined
  return typeof value === 'number' ? value : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isClosable(value: unknown): value is Handover['handle'] {
  return isObject(value) && 'close' in value && typeof value.close === 'function'
}
