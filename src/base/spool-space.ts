/**
 * The space in which answers wait for their readers: some memory, then files, with limits for an answer, a caller and
 * all answers.
 *
 * Source: decision 0017.
 */
import {type Allowance, createAllowance} from './allowance.ts'
import {createSpool, type Spool} from './spool.ts'
import type {Room} from './spool-store.ts'

export type SpoolSpaceOptions = {
  readonly directory: string
  readonly answerBytes: number // in files, like the next two
  readonly callerBytes: number
  readonly totalBytes: number
  readonly memoryBytes?: number // of all answers
  readonly answerMemoryBytes?: number // of one that is written in parts
  readonly wholeMemoryBytes?: number // of one that was made as a whole
  readonly fileBytes?: number // a file of this size or more gets no further bytes
  readonly graceMs?: number // total time that an answer waits for its reader before it goes to a file
}

export type SpoolSpace = {
  /**
   * Opens a spool for one answer.
   *
   * @param caller  the caller to whose limit the bytes count; undefined: to the total only
   * @param waitMs  total time that the answer may wait for its reader if there is no room; Infinity: no limit
   */
  readonly open: (caller: string | undefined, waitMs: number) => Spool
  /**
   * Takes memory for an answer that was made as a whole, so that it can be sent without a spool.
   *
   * @returns  a function that gives the memory back, to be called once; undefined: the answer needs a spool
   */
  readonly hold: (bytes: number) => (() => void) | undefined
  readonly load: () => SpoolLoad
  /** The same space for the answers of one of several datasets, which may use half of the files' total. */
  readonly forDataset: () => SpoolSpace
}

/** Sizes of the waiting answers. */
export type SpoolLoad = {readonly memoryBytes: number; readonly fileBytes: number; readonly files: number}

const [defaultMemory, defaultAnswerMemory, defaultWholeMemory] = [2 ** 24, 2 ** 16, 2 ** 20]

export function createSpoolSpace(options: SpoolSpaceOptions): SpoolSpace {
  const {directory, answerBytes, callerBytes, totalBytes} = options
  const {memoryBytes = defaultMemory, answerMemoryBytes = defaultAnswerMemory} = options
  const {wholeMemoryBytes = defaultWholeMemory} = options
  const {fileBytes = 2 ** 24, graceMs = 100} = options
  const all = createAllowance({callerMax: callerBytes, totalMax: totalBytes})
  const load = {memoryBytes: 0, files: 0}

  function roomFor(caller: string | undefined, files: Allowance): Room {
    let taken = 0
    function giveFile(bytes: number): void {
      taken -= bytes
      files.give(caller, bytes)
    }
    return {
      takeMemory(bytes, held) {
        const isGiven = held === 0 || (held + bytes <= answerMemoryBytes && load.memoryBytes + bytes <= memoryBytes)
        if (isGiven) load.memoryBytes += bytes
        return isGiven
      },
      giveMemory(bytes) {
        load.memoryBytes -= bytes
      },
      takeFile(bytes) {
        const limit = taken + bytes > answerBytes ? 'answer' : files.take(caller, bytes)
        if (limit === undefined) taken += bytes
        return limit
      },
      giveFile,
      fileOpened() {
        load.files += 1
      },
      fileClosed(bytes) {
        load.files -= 1
        giveFile(bytes)
      },
    }
  }

  function hold(bytes: number): (() => void) | undefined {
    if (bytes > wholeMemoryBytes || load.memoryBytes + bytes > memoryBytes) return undefined
    load.memoryBytes += bytes
    return () => {
      load.memoryBytes -= bytes
    }
  }

  const spaceIn = (files: Allowance): SpoolSpace => ({
    hold,
    open: (caller, waitMs) => createSpool({room: roomFor(caller, files), directory, fileBytes, graceMs, waitMs}),
    load: () => ({...load, fileBytes: all.held()}),
    forDataset: () => spaceIn(createAllowance({callerMax: callerBytes, totalMax: totalBytes / 2, within: all})),
  })
  return spaceIn(all)
}
