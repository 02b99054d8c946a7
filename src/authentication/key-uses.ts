/**
 * Records when API keys were last used, at most once a minute.
 *
 * A request only notes the key in memory, so that reading a document never writes. A timer writes all notes in one
 * statement. A process that is killed loses the notes of its last minute.
 */
import {observe} from '../base/observation.ts'
import type {KeyUse} from '../db/store/keys.ts'

export type KeyUses = {
  readonly note: (hash: Uint8Array) => void
  /** Writes the notes. Never throws: if the write fails, it drops the notes and observes the failure. */
  readonly flush: () => Promise<void>
}

const everyMs = 60_000

export function createKeyUses(write: (uses: readonly KeyUse[]) => Promise<void>, flushMs = everyMs): KeyUses {
  let noted = new Map<string, {readonly hash: Uint8Array; atMs: number}>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const now = performance.now()
    const uses = [...noted.values()].map(({hash, atMs}) => ({hash, agoMs: now - atMs}))
    noted = new Map()
    if (uses.length > 0) await write(uses).catch((error: unknown) => observe({kind: 'failure', error}))
  }

  return {
    note(hash) {
      const name = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('base64')
      noted.set(name, {hash, atMs: performance.now()})
      timer ??= setTimeout(flush, flushMs).unref()
    },
    flush,
  }
}
