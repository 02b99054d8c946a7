/**
 * A queue of bytes in temporary files: first in, first out.
 *
 * The queue uses files of bounded size one after another. A file that has been read is closed, which frees its disk
 * space however long the queue lasts. Each file is unlinked as soon as it is open, so a crash leaves nothing behind.
 */
import {randomUUID} from 'node:crypto'
import {type FileHandle, open, unlink} from 'node:fs/promises'
import {join} from 'node:path'

export type FileQueueOptions = {
  readonly directory: string
  readonly fileBytes: number // a file of this size or more gets no further bytes
  readonly opened: () => void // called for each file that is opened
  readonly closed: (bytes: number) => void // called for each file that is closed, with the bytes written to it
}

/** A queue of bytes. At most one `append` and one `read` may run at a time; they may overlap each other. */
export type FileQueue = {
  /** Adds bytes: all of them, or none if it throws. */
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** Removes and returns the next bytes, at least one. Throws if the queue is empty. */
  readonly read: (bytesMax: number) => Promise<Buffer>
  readonly isEmpty: () => boolean
  /** Discards all bytes and closes the files. */
  readonly close: () => Promise<void>
}

type QueueFile = {
  readonly handle: FileHandle
  readonly path: string | undefined // set if the open file could not be unlinked
  read: number // bytes
  written: number
}

const closedReason = 'the queue was closed'

export function createFileQueue({directory, fileBytes, opened, closed}: FileQueueOptions): FileQueue {
  const files: QueueFile[] = []
  let isAppending = false
  let isClosed = false

  const forget = (file: QueueFile) => {
    closed(file.written)
    return closeFile(file)
  }

  /** Closes files that have been read, except one that is being written. */
  async function forgetRead(): Promise<void> {
    const left = files.findIndex(({read, written}) => read < written)
    const count = left === -1 ? files.length - (isAppending ? 1 : 0) : left
    await Promise.all(files.splice(0, count).map(forget))
  }

  async function fileToWrite(): Promise<QueueFile> {
    const last = files.at(-1)
    if (last !== undefined && last.written < fileBytes) return last
    const file = await openFile(directory)
    opened()
    if (isClosed) {
      await forget(file)
      throw new Error(closedReason)
    }
    files.push(file)
    return file
  }

  return {
    async append(bytes) {
      isAppending = true
      try {
        const file = await fileToWrite()
        for (let done = 0; done < bytes.length; ) {
          const {bytesWritten} = await file.handle.write(bytes, done, bytes.length - done, file.written + done)
          done += bytesWritten
        }
        if (isClosed) throw new Error(closedReason)
        file.written += bytes.length
      } finally {
        isAppending = false
      }
    },
    async read(bytesMax) {
      const file = files.find(({read, written}) => read < written)
      if (file === undefined) throw new Error('the queue is empty')
      const bytes = await readFile(file, bytesMax)
      await forgetRead()
      return bytes
    },
    isEmpty: () => files.every(({read, written}) => read === written),
    async close() {
      isClosed = true
      await Promise.all(files.splice(0).map(forget))
    },
  }
}

async function openFile(directory: string): Promise<QueueFile> {
  const path = join(directory, `quadstead-spool-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  const isUnlinked = await unlink(path).then(
    () => true,
    () => false,
  )
  return {handle, path: isUnlinked ? undefined : path, read: 0, written: 0}
}

async function readFile(file: QueueFile, bytesMax: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(bytesMax, file.written - file.read))
  const {bytesRead} = await file.handle.read(buffer, 0, buffer.length, file.read)
  if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
  file.read += bytesRead
  return buffer.subarray(0, bytesRead)
}

async function closeFile({handle, path}: QueueFile): Promise<void> {
  await handle.close().catch(() => undefined)
  if (path !== undefined) await unlink(path).catch(() => undefined)
}
