/**
 * The bytes of one answer that wait for its reader, first in, first out: some in memory, those after them in files.
 *
 * Floor 0. `spool.ts` says when they come and go.
 */
import {createFileQueue} from './file-queue.ts'
import {observe, type SpoolLimit} from './observation.ts'

/** The room of one answer, and whom it shares that with. */
export type Room = {
  readonly takeMemory: (bytes: number, held: number) => boolean // `held`: how many it has; the first are always given
  readonly giveMemory: (bytes: number) => void
  readonly takeFile: (bytes: number) => SpoolLimit | undefined // undefined: they are given
  readonly giveFile: (bytes: number) => void
  readonly fileOpened: () => void
  readonly fileClosed: (bytes: number) => void // gives them back, too
}

export type StoreOptions = {
  readonly room: Room
  readonly directory: string
  readonly fileBytes: number
}

export type SpoolStore = {
  /** Whether bytes may come to memory still: none wait in files. */
  readonly isInMemory: () => boolean
  /** Puts bytes into memory if there is room. */
  readonly hold: (piece: Buffer) => boolean
  /** Takes room in a file for `append`. Returns what is in the way, if anything. */
  readonly reserve: (bytes: number) => SpoolLimit | undefined
  /** Puts bytes into a file. False: it cannot be written, and they are not there. */
  readonly append: (piece: Buffer) => Promise<boolean>
  /** Takes the next bytes; undefined: there are none. */
  readonly next: (bytesMax: number) => Buffer | Promise<Buffer> | undefined
  /** Forgets what is left. */
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
