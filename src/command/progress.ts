/**
 * Shows the progress of long work on stderr: one updated line on a terminal, otherwise a line every few seconds.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {readNumbers} from '../db/store/statistics.ts'

const width = 24 // of the bar
const terminalMs = 100
const plainMs = 10_000

export type ProgressLine = {
  /** @param share  0 … 1; undefined if the total is not known */
  readonly show: (text: string, share: number | undefined) => void
  /** Erases the line, so that other lines can be written. */
  readonly clear: () => void
}

export function createProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAt = stream.isTTY ? Number.NEGATIVE_INFINITY : performance.now()
  let isShown = false
  const clear = () => {
    if (isShown) stream.write('\r\u001b[K')
    isShown = false
  }
  return {
    show(text, share) {
      const now = performance.now()
      if (now - shownAt < (stream.isTTY ? terminalMs : plainMs)) return
      shownAt = now
      const line = share === undefined ? text : `${bar(share, stream.isTTY)} ${text}`
      if (stream.isTTY) stream.write(`\r\u001b[K${line.slice(0, Math.max(20, stream.columns - 1))}`)
      else stream.write(`${line}\n`)
      isShown = stream.isTTY
    },
    clear,
  }
}

/**
 * Makes a function from a number of processed documents to the share that they are of all documents.
 *
 * @param subtree  only documents below this IRI, whose number is not known
 */
export async function readShare(
  queryable: Queryable,
  {schema, subtree}: {readonly schema: string; readonly subtree: string | undefined},
): Promise<(documents: number) => number | undefined> {
  if (subtree !== undefined) return () => undefined
  const {number} = (await readNumbers(queryable, schema)).documents
  return documents => Math.min(1, documents / Math.max(1, number)) // a large number is an estimate
}

function bar(share: number, isDrawn: boolean): string {
  const percent = `${Math.floor(100 * share)}`.padStart(3)
  const full = Math.round(width * share)
  return isDrawn ? `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${percent} %` : `${percent} %`
}
