/**
 * Connections that are on their way to a worker when it ends.
 *
 * The keeper hands a connection over by a message and closes its own copy when the worker has accepted it
 * (node:cluster, lib/internal/cluster/round_robin_handle.js). If the worker ends before that, Node keeps the copy for
 * ever, and the client waits as long. Here it is closed. Should the messages of Node change, nothing is recognised and
 * nothing closed.
 */
import type {ChildProcess} from 'node:child_process'

type Handover = {readonly sequence: number; readonly handle: {readonly close: () => void}}

/** Closes connections that were handed to the process and not accepted when it ended. */
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
