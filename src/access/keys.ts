/**
 * API keys to callers.
 *
 * Floor 4. A key is 256 random bits, so its SHA-256 tells nobody anything, and finding it by this hash takes as long
 * for every key. What was found is kept for a short time, so that a request needs no second round trip.
 */
import {createHash, randomBytes} from 'node:crypto'
import type {Caller} from '../base/caller.ts'
import {createLru} from '../base/lru.ts'
import type {FoundKey} from '../db/keys.ts'

const mark = 'qsk_' // tells a key from a token, also to scanners for secrets
const keyBytes = 32
const keptKeys = 10_000

export function isKey(credential: string): boolean {
  return credential.startsWith(mark)
}

export function makeKey(): string {
  return mark + randomBytes(keyBytes).toString('base64url')
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export type KeyReaderOptions = {
  readonly find: (hash: Uint8Array) => Promise<FoundKey | undefined>
  readonly keptMs: number // for so long a key that was removed may still be taken
  readonly noteUse: (hash: Uint8Array) => void
}

/** @returns  reads a key; undefined for one that is not valid */
export function createKeyReader({
  find,
  keptMs,
  noteUse,
}: KeyReaderOptions): (key: string) => Promise<Caller | undefined> {
  const kept = createLru<string, {until: number; readonly caller: Promise<Caller | undefined>}>(keptKeys)
  const noted = async (hash: Uint8Array, reading: Promise<Caller | undefined>) => {
    const caller = await reading
    if (caller !== undefined) noteUse(hash)
    return caller
  }
  return key => {
    const hash = hashKey(key)
    const name = hash.toString('base64')
    const now = performance.now()
    const known = kept.get(name)
    if (known !== undefined && known.until > now) return noted(hash, known.caller)
    const found = find(hash)
    const entry = {until: now + keptMs, caller: found.then(key => key && callerOf(key))}
    kept.set(name, entry)
    found.then(
      key => {
        if (typeof key?.lasts_ms === 'number') entry.until = Math.min(entry.until, now + key.lasts_ms)
      },
      () => {
        entry.until = 0
      },
    )
    return noted(hash, entry.caller)
  }
}

function callerOf({agent, groups, modes, within, expires}: FoundKey): Caller {
  return {agent, groups, means: 'key', scope: {modes, within}, expires: expires ?? undefined}
}
