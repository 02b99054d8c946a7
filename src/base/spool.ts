/**
 * A buffer between the producer of an answer and its reader: takes bytes at once and gives them as they are read.
 *
 * Bytes wait in a little memory, then in files, within the limits of `spool-space.ts`. If there is no room, the
 * producer waits for the reader, and the answer fails if these waits take too long in total. Bytes come out in order.
 * If something fails, the stream ends with an error, so the reader never takes a part for the whole (decision 0017).
 */
import {Duplex} from 'node:stream'
import {observe} from './observation.ts'
import {createPatience} from './patience.ts'
import {createSpoolStore, type SpoolStore, type StoreOptions} from './spool-store.ts'

export type Spool = {
  readonly stream: Duplex
  /** Removes the limit on waiting. For an answer that is complete: then waiting holds nothing but its own bytes. */
  readonly settle: () => void
}

export type SpoolOptions = StoreOptions & {
  readonly graceMs: number // total time that an answer waits for its reader before it goes to a file
  readonly waitMs: number // total time that it waits for its reader if there is no room; Infinity: no limit
}

const pieceBytes = 32_768

export function createSpool(options: SpoolOptions): Spool {
  const store = createSpoolStore(options)
  const [grace, space] = [createPatience(options.graceMs), createPatience(options.waitMs)]
  const isDestroyed = () => stream.destroyed
  const put = createPut(store, {grace, space, isDestroyed, waitMs: options.waitMs})
  const wake = () => {
    grace.wake()
    space.wake()
  }
  let [isWanted, isReading, isWhole] = [false, false, false]

  const stream = new Duplex({
    readableHighWaterMark: pieceBytes,
    writableHighWaterMark: pieceBytes,
    write(chunk: Buffer, _, done) {
      put(chunk, supply).then(() => done(), done)
    },
    final(done) {
      isWhole = true
      done()
      supply()
    },
    read() {
      isWanted = true
      supply()
    },
    destroy(error, done) {
      wake()
      void store.close().then(() => done(error))
    },
  })

  /** Gives the reader the next bytes, if it wants some and there are some. */
  function supply(): void {
    if (!isWanted || isReading || stream.destroyed) return
    const next = store.next(pieceBytes)
    if (next instanceof Promise) {
      isReading = true
      next.then(readOn, (error: Error) => stream.destroy(error))
    } else if (next !== undefined) give(next)
    else if (isWhole) give(null)
  }

  function readOn(bytes: Buffer): void {
    isReading = false
    if (!stream.destroyed) give(bytes)
  }

  function give(bytes: Buffer | null): void {
    isWanted = false
    stream.push(bytes)
    wake()
  }

  return {stream, settle: space.lift}
}

type Waiting = {
  readonly grace: ReturnType<typeof createPatience>
  readonly space: ReturnType<typeof createPatience>
  readonly isDestroyed: () => boolean
  readonly waitMs: number
}

/** Makes a function that appends bytes piece by piece. It waits for room and checks again after each wait. */
function createPut(store: SpoolStore, {grace, space, isDestroyed, waitMs}: Waiting) {
  let isReported = false
  async function putPiece(piece: Buffer): Promise<void> {
    while (!isDestroyed()) {
      if (store.hold(piece)) return
      if (store.isInMemory() && !grace.isOver()) {
        await grace.wait()
        continue
      }
      const limit = store.reserve(piece.length)
      if (limit === undefined) {
        if (await store.append(piece)) return
        continue
      }
      if (!isReported) observe({kind: 'spool-full', limit})
      isReported = true
      if (space.isOver()) throw tooSlow(waitMs)
      await space.wait()
    }
    throw new Error('the reader has gone')
  }
  return async (bytes: Buffer, isPut: () => void): Promise<void> => {
    const isLong = bytes.length > pieceBytes // then pieces are copied: a slice would keep the whole buffer in memory
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      await putPiece(isLong ? Buffer.from(bytes.subarray(at, at + pieceBytes)) : bytes)
      isPut()
    }
  }
}

function tooSlow(waitedMs: number): Error {
  observe({kind: 'answer-cut', waitedMs})
  return new Error(`there was no room for the answer, and its reader took longer than ${waitedMs} ms`)
}
