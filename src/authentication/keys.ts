/**
 * Turns API keys into callers.
 *
 * A key is 256 random bits. Its SHA-256 therefore reveals nothing about it, and a look-up by this hash leaks nothing
 * through its timing. Results are cached for a short time, so that most requests need no round trip for their key.
 */
import {createHash, randomBytes} from 'node:crypto'
import {createLru} from '../base/lru.ts'
import type {Principal} from '../base/principal.ts'
import type {FoundKey} from '../db/store/keys.ts'

const mark = 'qsk_' // distinguishes keys from tokens, and lets secret scanners recognize them
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
  readonly keptMs: number // lifetime of a cached result: a removed key may still be accepted for this long
  readonly noteUse: (hash: Uint8Array) => void
}

/** @returns  a function from a key to its caller, or to undefined if the key is unknown or has expired */
export function createKeyReader({
  find,
  keptMs,
  noteUse,
}: KeyReaderOptions): (key: string) => Promise<Principal | undefined> {
  const kept = createLru<string, {until: number; readonly caller: Promise<Principal | undefined>}>(keptKeys)
  const noted = async (hash: Uint8Array, reading: Promise<Principal | undefined>) => {
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

function callerOf({agent, groups, modes, within, expires}: FoundKey): Principal {
  return {agent, groups, means: 'key', scope: {modes, within}, expires: expires ?? undefined}
}
