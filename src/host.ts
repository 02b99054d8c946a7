/**
 * The part of a process that its datasets share: the database server, the threads, the space of spooled answers and of
 * request bodies, and the HTTP server.
 */
import {type Allowance, createAllowance} from './base/allowance.ts'
import {createSpoolSpace, type SpoolSpace} from './base/spool-space.ts'
import {usualThreads} from './base/thread.ts'
import {createWorkerPool, type WorkerPool} from './base/worker-pool.ts'
import {type ChecksumPool, createChecksumPool} from './checksum/pool.ts'
import {type Bodies, createBodies} from './ldp/bodies.ts'
import type {Config} from './settings/config.ts'
import {openStorage, type Storage} from './storage.ts'
import {createWebServer, type ServerOptions, type WebServer} from './web/server/server.ts'
import type {Member} from './workers/member.ts'

export type Host = Resources & {
  readonly storage: Storage
  readonly web: WebServer
  /** Closes the threads and the database. The port must be closed before. */
  readonly close: () => Promise<void>
}

/** Limited resources of the process. `forDataset` gives one of several datasets its part. */
export type Resources = {
  readonly bodies: Bodies
  readonly checksums: ChecksumPool
  readonly threads: WorkerPool // for long queries
  readonly spools: SpoolSpace
  readonly heldBodies: Allowance // bytes of request bodies that are not answered yet
}

/** Limits of the threads that compile long queries: waiting queries, and the heap of one thread in megabytes. */
const [waitingMax, heapMax] = [100, 512]
const waitingGraphs = 1000 // graphs that may wait for their checksum

/** @throws  Refusal: the database cannot be opened */
export async function openHost(config: Config, member: Member): Promise<Host> {
  const storage = await openStorage(config, 'service')
  const resources = openResources(config)
  const {bodies, checksums, threads} = resources
  return {
    ...resources,
    storage,
    web: createWebServer(serverOptionsOf(config, member)),
    async close() {
      await Promise.all([checksums.close(), bodies.close(), threads.close()])
      await storage.close()
    },
  }
}

/** The processes of a service divide the threads and the places in their queues. */
function openResources({workers: processes, limits, callers, spool}: Config): Resources {
  const {bodyTriples: tripleLimit, bodyTimeoutMs: limitMs, bodyBytes} = limits
  const threads = usualThreads(processes)
  const heldMax = Math.max(callers.heldBodyBytes, 2 * bodyBytes) // half of it is enough for one body
  return {
    bodies: createBodies({tripleLimit, limitMs, bodyBytes, processes}),
    checksums: createChecksumPool({threads, queueLimit: Math.ceil(waitingGraphs / processes)}),
    threads: createWorkerPool({threads, queueMax: Math.ceil(waitingMax / processes), heapMb: heapMax}),
    spools: createSpoolSpace(spool),
    heldBodies: createAllowance({totalMax: heldMax, callerMax: heldMax / 2}),
  }
}

function serverOptionsOf({limits, callers}: Config, {connections}: Member): ServerOptions {
  return {
    headerBytes: limits.headerBytes + limits.uriBytes,
    requestMs: limits.bodyTimeoutMs,
    answerMs: callers.answerMs,
    counted: {
      count: connections,
      limits: {all: callers.connections, address: callers.connectionsPerAddress},
      proxies: callers.proxies,
    },
  }
}
