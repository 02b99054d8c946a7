/**
 * A worker process of a service. It serves the port until the keeper (`keeper.ts`) stops it.
 *
 * It ignores signals, which a terminal or a supervisor may send to the whole process group. The keeper handles them.
 */
import cluster from 'node:cluster'
import type {ConnectionCount, ConnectionLimit} from '../base/connection-count.ts'
import {createLentQuota} from '../base/lent-quota.ts'
import {Refusal} from '../base/refusal.ts'
import {type RunningService, start} from '../serve.ts'
import type {Config} from '../settings/config.ts'
import type {Metrics} from '../telemetry/metrics.ts'
import {type Channel, type KeeperCalls, type OpenedConnection, openChannel} from './channel.ts'
import {createQuotas, type Member} from './member.ts'
import {configOfShare, type WorkerShare} from './share.ts'
import {workerNumber} from './variable.ts'

/** @returns  the exit code */
export async function runWorker(config: Config): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  let end: () => void
  const stopping = new Promise<void>(resolve => {
    end = resolve
  })
  const hurry = new AbortController()
  let own: Metrics | undefined
  const connections = createRemoteCount((opened, closed) => channel.call('connections', opened, closed))
  const channel = openChannel<KeeperCalls>(keeper(), {
    stop: () => end(),
    hurry: () => hurry.abort(),
    refuseConnection: connections.refuse,
    readMetrics: async () => (await own?.readValues()) ?? [],
  })
  const shared: Omit<Member, 'isPortOpen'> = {
    isMigrated: true,
    connections: connections.count,
    quotaFor: createQuotas((options, limits) =>
      createLentQuota(options, requests => channel.call('borrow', limits, requests)),
    ),
    shareOf: own => configOfShare(own, shareOfWorker(config)),
    joinMetrics(metrics) {
      own = metrics
      return {read: () => channel.call('metrics'), hasOwnPort: false}
    },
  }
  const service = await begin(config, channel, shared)
  if (typeof service === 'number') return service
  return serveUntil(service, stopping, hurry)
}

/** Starts to serve. Returns the exit code if that fails. */
async function begin(
  config: Config,
  channel: Channel<KeeperCalls>,
  shared: Omit<Member, 'isPortOpen'>,
): Promise<RunningService | number> {
  const {port, address = config.database.address} = await channel.call('join')
  const share = configOfShare(config, shareOfWorker(config))
  const place = port === undefined ? {} : {port, isPortGiven: true}
  try {
    const member = {...shared, isPortOpen: port !== undefined}
    const service = await start({...share, ...place, database: {...share.database, address}}, member)
    const {url, base} = service
    await channel.call('listening', {url, base, port: service.port})
    return service
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await channel.call('refused', {message: error.message, exitCode: error.exitCode})
    return error.exitCode
  }
}

function shareOfWorker({workers}: Config): WorkerShare {
  return {number: workerNumber() ?? 1, of: workers}
}

async function serveUntil({stop}: RunningService, stopping: Promise<void>, hurry: AbortController): Promise<number> {
  const fault = new Promise<unknown>(resolve => {
    process.once('uncaughtException', resolve)
  })
  const cause = await Promise.race([stopping, fault.then(error => ({error}))])
  if (cause !== undefined) {
    const {error} = cause
    process.stderr.write(`quadstead: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    hurry.abort()
  }
  await stop(hurry.signal)
  return cause === undefined ? 0 : 1
}

/** The channel to the keeper. */
function keeper() {
  const {worker} = cluster
  if (worker === undefined) throw new Error('this process is no worker')
  return worker
}

/**
 * Lets the keeper count connections. Sends one message per turn of the event loop. Closes a connection above a limit
 * when the keeper refuses it.
 */
function createRemoteCount(
  tell: (opened: readonly OpenedConnection[], closed: readonly number[]) => Promise<unknown>,
): {readonly count: ConnectionCount; readonly refuse: (id: number, limit: ConnectionLimit) => void} {
  const refusals = new Map<number, (limit: ConnectionLimit) => void>()
  let [opened, closed]: [OpenedConnection[], number[]] = [[], []]
  let last = 0

  function flush(): void {
    const [news, olds] = [opened, closed]
    opened = []
    closed = []
    tell(news, olds).catch(() => undefined) // the keeper has ended, so this process ends too
  }
  function note(change: () => void): void {
    if (opened.length + closed.length === 0) setImmediate(flush)
    change()
  }

  return {
    count: {
      open(place, refuse) {
        last += 1
        const id = last
        refusals.set(id, refuse)
        note(() => opened.push({id, place}))
        return () => {
          refusals.delete(id)
          note(() => closed.push(id))
        }
      },
    },
    refuse: (id, limit) => refusals.get(id)?.(limit),
  }
}
