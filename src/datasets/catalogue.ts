/**
 * The datasets of the registry as this process knows them.
 *
 * It asks for changes once a second, and before it says that there is no such dataset. A change that another process
 * has made is therefore seen within a second, and a new dataset at once.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../base/observation.ts'
import {type DatasetEntry, isListed, type Registry} from '../db/registry/registry.ts'
import {createSelection, type Selected} from './selection.ts'

export type Catalogue = {
  /** Finds the dataset of a request among those that are known. */
  readonly select: (authority: string | undefined, path: string) => Selected<DatasetEntry>
  /** Looks for changes that were made before this call. Concurrent calls share a look. */
  readonly refresh: () => Promise<void>
  /** The datasets of the service. */
  readonly entries: () => readonly DatasetEntry[]
  readonly close: () => Promise<void>
}

const everyMs = 1000
const pauseMs = 100 // between two looks, however many requests ask for unknown datasets

/**
 * Reads the registry.
 *
 * @param onChange  is called for each entry that is new or has changed, removed ones included
 */
export async function openCatalogue(
  registry: Pick<Registry, 'changedAfter'>,
  onChange: (entry: DatasetEntry) => void,
): Promise<Catalogue> {
  const entries = new Map<string, DatasetEntry>() // by id
  const stopping = new AbortController()
  let selection = createSelection<DatasetEntry>([])
  let revision = '0'
  let next: Promise<void> | undefined // a look that has not begun
  let last: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    const changed = await registry.changedAfter(revision)
    for (const entry of changed) {
      if (isListed(entry)) entries.set(entry.id, entry)
      else entries.delete(entry.id)
      revision = entry.revision
      onChange(entry)
    }
    if (changed.length > 0) selection = createSelection([...entries.values()])
  }
  function refresh(): Promise<void> {
    next ??= last.then(async () => {
      next = undefined
      const looked = look()
      last = looked.catch(() => undefined).then(() => delay(pauseMs, undefined, {ref: false}))
      await looked
    })
    return next
  }
  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(everyMs, undefined, {ref: false, signal: stopping.signal}).catch(() => undefined)
      if (stopping.signal.aborted) return
      await refresh().catch((error: unknown) => observe({kind: 'registry-unreadable', reason: String(error)}))
    }
  }

  await look()
  const looking = keepLooking()
  return {
    select: (authority, path) => selection.find(authority, path),
    refresh,
    entries: () => [...entries.values()],
    async close() {
      stopping.abort()
      await looking
      await last
    },
  }
}
