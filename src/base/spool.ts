/**
 * An answer between what makes it and its reader: takes bytes as they come, gives them as slowly as they are read.
 *
 * Floor 0. Bytes wait in a little memory, then in files, within the limits of `spool-space.ts`. Where there is no room,
 * they are taken only as the reader reads, and the answer is given up when that has taken too long in all. Bytes come
 * out as they went in, in order; when something fails the stream ends with an error, never as if it were whole.
 */
import {Duplex} from 'node:stream'
import {observe} from './observation.ts'
import {createPatience} from './patience.ts'
import {createSpoolStore, type SpoolStore, type StoreOptions} from './spool-store.ts'

export type Spool = {
  readonly stream: Duplex
  /** Lifts the limit on waiting: nobody waits for room any more but the answer itself. */
  readonly settle: () => void
}

export type SpoolOptions = StoreOptions & {
  readonly graceMs: number // how long an answer waits in all for its reader before it goes to a file
  readonly waitMs: number // and where there is no room; Infinity: no limit
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

  /** Gives the reader the next bytes, when it wants some and there are some. */
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

/** Puts bytes behind all others, piece by piece, once there is room: that is looked at again after each wait. */
function createPut(store: SpoolStore, {grace, space, isDestroyed, waitMs}: Waiting) {
  let isTold = false
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
      if (!isTold) observe({kind: 'spool-full', limit})
      isTold = true
      if (space.isOver()) throw tooSlow(waitMs)
      await space.wait()
    }
    throw new Error('the reader has gone')
  }
  return async (bytes: Buffer, isPut: () => void): Promise<void> => {
    const isLong = bytes.length > pieceBytes // then in copies: a part would keep the whole
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
