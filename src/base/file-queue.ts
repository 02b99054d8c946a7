/**
 * Bytes in temporary files: first in, first out.
 *
 * Floor 0. Several files of bounded size one after the other instead of one: what was read gives its disk space back,
 * however long the queue goes on. Each file is unlinked as soon as it is open, so that a crash leaves nothing behind.
 */
import {randomUUID} from 'node:crypto'
import {type FileHandle, open, unlink} from 'node:fs/promises'
import {join} from 'node:path'

export type FileQueueOptions = {
  readonly directory: string
  readonly fileBytes: number // a file that has so many takes no more
  readonly opened: () => void // hears of each file
  readonly closed: (bytes: number) => void // and of its end, with what was written to it
}

/** One call of `append` and one of `read` at a time; both may be under way together. */
export type FileQueue = {
  /** Adds bytes; when it throws, none were added. */
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** Takes the next bytes: at least one. Not of an empty queue. */
  readonly read: (bytesMax: number) => Promise<Buffer>
  readonly isEmpty: () => boolean
  /** Forgets what is left. */
  readonly close: () => Promise<void>
}

type Place = {
  readonly handle: FileHandle
  readonly path: string | undefined // of a file that could not be unlinked while it is open
  read: number // bytes
  written: number
}

const closedReason = 'the queue was closed'

export function createFileQueue({directory, fileBytes, opened, closed}: FileQueueOptions): FileQueue {
  const places: Place[] = []
  let isAppending = false
  let isClosed = false

  const forget = (place: Place) => {
    closed(place.written)
    return closePlace(place)
  }

  /** Forgets files that were read, but for one that is being written to. */
  async function forgetRead(): Promise<void> {
    const left = places.findIndex(({read, written}) => read < written)
    const count = left === -1 ? places.length - (isAppending ? 1 : 0) : left
    await Promise.all(places.splice(0, count).map(forget))
  }

  async function placeToWrite(): Promise<Place> {
    const last = places.at(-1)
    if (last !== undefined && last.written < fileBytes) return last
    const place = await openPlace(directory)
    opened()
    if (isClosed) {
      await forget(place)
      throw new Error(closedReason)
    }
    places.push(place)
    return place
  }

  return {
    async append(bytes) {
      isAppending = true
      try {
        const place = await placeToWrite()
        for (let done = 0; done < bytes.length; ) {
          const {bytesWritten} = await place.handle.write(bytes, done, bytes.length - done, place.written + done)
          done += bytesWritten
        }
        if (isClosed) throw new Error(closedReason)
        place.written += bytes.length
      } finally {
        isAppending = false
      }
    },
    async read(bytesMax) {
      const place = places.find(({read, written}) => read < written)
      if (place === undefined) throw new Error('the queue is empty')
      const bytes = await readPlace(place, bytesMax)
      await forgetRead()
      return bytes
    },
    isEmpty: () => places.every(({read, written}) => read === written),
    async close() {
      isClosed = true
      await Promise.all(places.splice(0).map(forget))
    },
  }
}

async function openPlace(directory: string): Promise<Place> {
  const path = join(directory, `quadstead-spool-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  const isUnlinked = await unlink(path).then(
    () => true,
    () => false,
  )
  return {handle, path: isUnlinked ? undefined : path, read: 0, written: 0}
}

async function readPlace(place: Place, bytesMax: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(bytesMax, place.written - place.read))
  const {bytesRead} = await place.handle.read(buffer, 0, buffer.length, place.read)
  if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
  place.read += bytesRead
  return buffer.subarray(0, bytesRead)
}

async function closePlace({handle, path}: Place): Promise<void> {
  await handle.close().catch(() => undefined)
  if (path !== undefined) await unlink(path).catch(() => undefined)
}
