/**
 * The datasets that a process has open. A dataset is opened by its first request, and closed when it was not used for a
 * while or when too many are open. A closed one costs its entry in the catalogue only.
 */
import type {IncomingMessage, ServerResponse} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {type RunningDataset, startDataset} from '../dataset.ts'
import type {DatasetEntry, Registry} from '../db/registry/registry.ts'
import {refuseUnguarded} from '../settings/access.ts'
import type {Config} from '../settings/config.ts'
import {addressesOf, configOfDataset} from './dataset-config.ts'
import {type DatasetResources, resourcesFor} from './dataset-resources.ts'
import type {Migrations} from './migrations.ts'
import type {Lease, Servers} from './servers.ts'
import {noticeWebhooks} from './webhook-rounds.ts'

export type OpenDatasets = {
  /**
   * Answers a request to a dataset, which is opened if it is not open.
   *
   * @throws  Problem 503 `dataset-paused`, `dataset-opening`, `dataset-available`: nothing was answered
   */
  readonly answer: (entry: DatasetEntry, request: IncomingMessage, response: ServerResponse) => Promise<void> | void
  /** Opens a dataset without a request, because it has work to do. */
  readonly wake: (entry: DatasetEntry) => void
  /** Closes the dataset of an entry that has changed, after its running requests. The next request opens it anew. */
  readonly changed: (entry: DatasetEntry) => void
  readonly count: () => number
  /** Closes all datasets. Their requests must have ended. */
  readonly close: () => Promise<void>
}

export type OpenDatasetsOptions = {
  readonly config: Config
  readonly registry: Pick<Registry, 'noteWebhooks'>
  readonly servers: Servers
  readonly migrations: Migrations
  readonly shared: DatasetResources
}

/** A dataset that is open or is being opened. */
type Slot = {
  entry: DatasetEntry // the newest with the same traits
  readonly opening: Promise<RunningDataset>
  dataset: RunningDataset | undefined // once open
  requests: number // running
  usedAt: number
  isRetired: boolean // closes after its last request
}

const openingMs = 5000 // how long a request waits for its dataset
const failureMs = 5000 // how long a dataset that cannot be opened is not tried again

export function createOpenDatasets(options: OpenDatasetsOptions): OpenDatasets {
  const {openMax, idleMs} = options.config.datasets
  const slots = new Map<string, Slot>() // by id; the least recently used first
  const retire = createRetirement(slots)
  const sweeper = setInterval(closeIdle, Math.min(idleMs, 30_000)).unref()

  function closeIdle(): void {
    const before = performance.now() - idleMs
    for (const slot of slots.values()) if (isIdle(slot) && slot.usedAt < before) retire.now(slot)
  }
  function makeRoom(): void {
    for (const slot of slots.values())
      if (slots.size > openMax && isIdle(slot) && slot.dataset !== undefined) retire.now(slot)
  }
  function slotOf(entry: DatasetEntry): Slot {
    const slot = slots.get(entry.id) ?? newSlot(entry)
    slots.delete(entry.id)
    slots.set(entry.id, slot)
    return slot
  }
  function newSlot(entry: DatasetEntry): Slot {
    const current = () => slots.get(entry.id)?.entry ?? entry
    const slot = createSlot(entry, open(entry, current, options), makeRoom)
    const forget = () => slots.get(entry.id) === slot && slots.delete(entry.id)
    slot.opening.catch(() => setTimeout(forget, failureMs).unref())
    return slot
  }
  function end(slot: Slot): void {
    slot.requests -= 1
    slot.usedAt = performance.now()
    if (slot.isRetired && slot.requests === 0) retire.now(slot)
    makeRoom()
  }

  return {
    answer(entry, request, response) {
      if (entry.state === 'paused') throw paused(entry)
      const slot = slotOf(entry)
      slot.requests += 1
      response.once('close', () => end(slot))
      if (slot.dataset !== undefined) return slot.dataset.answer(request, response)
      return opened(slot).then(dataset => answerIfThere(dataset, request, response))
    },
    wake(entry) {
      if (!slots.has(entry.id)) slotOf(entry).opening.catch(() => undefined) // observed where it is opened
    },
    changed(entry) {
      const slot = slots.get(entry.id)
      if (slot === undefined) return
      if (traitsOf(slot.entry) !== traitsOf(entry)) retire.now(slot)
      else slot.entry = entry
    },
    count: () => slots.size,
    async close() {
      clearInterval(sweeper)
      for (const slot of slots.values()) retire.now(slot)
      await retire.settled()
    },
  }
}

function isIdle({requests, dataset}: Slot): boolean {
  return requests === 0 && dataset?.isBusy() !== true
}

/** Answers, unless the client went away while its dataset was being opened. */
function answerIfThere({answer}: RunningDataset, request: IncomingMessage, response: ServerResponse): void {
  if (!response.destroyed) answer(request, response)
}

/** @param whenOpen  is called once the dataset is open */
function createSlot(entry: DatasetEntry, opening: Promise<RunningDataset>, whenOpen: () => void): Slot {
  const slot: Slot = {entry, opening, dataset: undefined, requests: 0, usedAt: performance.now(), isRetired: false}
  opening.then(
    dataset => {
      slot.dataset = dataset
      whenOpen()
    },
    () => undefined, // its requests are told
  )
  return slot
}

/** Closes slots: at once, or after their last request. They get no further requests. Listening clients must leave. */
function createRetirement(slots: Map<string, Slot>) {
  const closing = new Set<Promise<void>>()
  return {
    now(slot: Slot): void {
      if (slots.get(slot.entry.id) === slot) slots.delete(slot.entry.id)
      slot.isRetired = true
      slot.dataset?.leave()
      if (slot.requests > 0) return
      const closed: Promise<void> = closeSlot(slot).finally(() => closing.delete(closed))
      closing.add(closed)
    },
    settled: () => Promise.all(closing),
  }
}

/** What a running dataset depends on. An entry also changes when its schema was brought up to date. */
function traitsOf({name, schema, base, databaseUrl, settings, state}: DatasetEntry): string {
  return JSON.stringify([name, schema, base, databaseUrl, settings, state])
}

async function closeSlot({opening}: Slot): Promise<void> {
  const dataset = await opening.catch(() => undefined)
  await dataset?.stop()
}

/** Opens a dataset: its server, its schema, its application. */
async function open(
  entry: DatasetEntry,
  current: () => DatasetEntry,
  {config, registry, servers, migrations, shared}: OpenDatasetsOptions,
): Promise<RunningDataset> {
  const {name} = entry
  const begun = performance.now()
  let lease: Lease | undefined
  try {
    const alone = configOfDataset(config, entry)
    const own = {...alone, database: {...alone.database, ...addressesOf(entry, process.env)}}
    refuseUnguarded(own.host, own.access)
    lease = await servers.serverOf(entry)
    await migrations.ensure(entry, lease.storage)
    const parts = resourcesFor(entry, lease.storage, {config: own, shared})
    const dataset = await startDataset(shared.shareOf(own), {...parts, hasWebhooks: () => current().hasWebhooks})
    noticeWebhooks(registry, entry, parts.storage.database).catch((error: unknown) => observe({kind: 'failure', error}))
    observe({kind: 'dataset-opened', dataset: name, ms: performance.now() - begun})
    return {...dataset, stop: () => stop(name, dataset, [parts.close, lease?.release])}
  } catch (error) {
    await lease?.release()
    observe({kind: 'dataset-failed', dataset: name, reason: error instanceof Error ? error.message : String(error)})
    throw error
  }
}

async function stop(
  name: string,
  dataset: RunningDataset,
  ends: readonly ((() => Promise<void>) | undefined)[],
): Promise<void> {
  await dataset.stop().catch((error: unknown) => observe({kind: 'failure', error}))
  for (const end of ends) await end?.()
  observe({kind: 'dataset-closed', dataset: name})
}

/** @throws  Problem 503 */
async function opened({entry, opening}: Slot): Promise<RunningDataset> {
  const over = new AbortController()
  const late = delay(openingMs, undefined, {signal: over.signal}).catch(() => undefined)
  try {
    const dataset = await Promise.race([opening, late])
    if (dataset !== undefined) return dataset
  } catch (error) {
    if (error instanceof Problem && error.status === 503) throw error
    const message = `The dataset "${entry.name}" cannot be opened; its operator can see why.`
    throw new Problem(503, 'dataset-available', message, {headers: {'Retry-After': '30'}, cause: error})
  } finally {
    over.abort()
  }
  const message = `The dataset "${entry.name}" is being brought up to date; try again in a moment.`
  throw new Problem(503, 'dataset-opening', message, {headers: {'Retry-After': '5'}})
}

function paused({name}: DatasetEntry): Problem {
  const message = `The dataset "${name}" is paused; try again later.`
  return new Problem(503, 'dataset-paused', message, {headers: {'Retry-After': '10'}})
}
