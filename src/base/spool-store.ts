/**
 * The bytes of one answer that wait for its reader, first in, first out: some in memory, later ones in files.
 *
 * `spool.ts` decides when bytes are added and removed.
 */
import {createFileQueue} from './file-queue.ts'
import {observe, type SpoolLimit} from './observation.ts'

/** The room of one answer, within the limits that it shares with other answers. */
export type Room = {
  readonly takeMemory: (bytes: number, held: number) => boolean // `held`: bytes it has; the first are always granted
  readonly giveMemory: (bytes: number) => void
  readonly takeFile: (bytes: number) => SpoolLimit | undefined // undefined: granted
  readonly giveFile: (bytes: number) => void
  readonly fileOpened: () => void
  readonly fileClosed: (bytes: number) => void // also gives the bytes back
}

export type StoreOptions = {
  readonly room: Room
  readonly directory: string
  readonly fileBytes: number
}

export type SpoolStore = {
  /** Whether no bytes are in files, so that further bytes may go to memory. */
  readonly isInMemory: () => boolean
  /** Adds bytes in memory. Returns false if there is no room. */
  readonly hold: (piece: Buffer) => boolean
  /** Takes room in a file for `append`. Returns the limit that prevents it, if any. */
  readonly reserve: (bytes: number) => SpoolLimit | undefined
  /** Adds bytes in a file. Returns false if the file cannot be written; then the bytes were not added. */
  readonly append: (piece: Buffer) => Promise<boolean>
  /** Removes and returns the next bytes; undefined if there are none. */
  readonly next: (bytesMax: number) => Buffer | Promise<Buffer> | undefined
  /** Discards all bytes. */
  readonly close: () => Promise<void>
}

export function createSpoolStore({room, directory, fileBytes}: StoreOptions): SpoolStore {
  const files = createFileQueue({directory, fileBytes, opened: room.fileOpened, closed: room.fileClosed})
  const held: Buffer[] = []
  let heldBytes = 0
  let isBroken = false // files cannot be written
  let isClosed = false
  const fail = (error: unknown) => {
    if (!isClosed) observe({kind: 'spool-failed', directory, reason: String(error)})
  }
  return {
    isInMemory: files.isEmpty,
    hold(piece) {
      if (!files.isEmpty() || !room.takeMemory(piece.length, heldBytes)) return false
      held.push(piece)
      heldBytes += piece.length
      return true
    },
    reserve: bytes => (isBroken ? 'folder' : room.takeFile(bytes)),
    async append(piece) {
      try {
        await files.append(piece)
        return true
      } catch (error) {
        fail(error)
        room.giveFile(piece.length)
        isBroken = true
        return false
      }
    },
    next(bytesMax) {
      const piece = held.shift()
      if (piece === undefined) return files.isEmpty() ? undefined : files.read(bytesMax).catch(rethrow)
      heldBytes -= piece.length
      room.giveMemory(piece.length)
      return piece
    },
    close() {
      isClosed = true
      room.giveMemory(heldBytes)
      held.length = heldBytes = 0
      return files.close()
    },
  }

  function rethrow(error: unknown): never {
    fail(error)
    throw error
  }
}
