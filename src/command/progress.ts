/**
 * Long work on stderr: one line that changes on a terminal, a line every few seconds elsewhere.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {readNumbers} from '../db/store/statistics.ts'

const width = 24 // of the bar
const terminalMs = 100
const plainMs = 10_000

export type ProgressLine = {
  /** @param share  0 … 1; undefined when nobody knows how much is left */
  readonly show: (text: string, share: number | undefined) => void
  /** Takes the line away, so that others can be written. */
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
 * How far one is who has gone through so many documents.
 *
 * @param subtree  of which nobody knows how many there are
 */
export async function readShare(
  queryable: Queryable,
  {schema, subtree}: {readonly schema: string; readonly subtree: string | undefined},
): Promise<(documents: number) => number | undefined> {
  if (subtree !== undefined) return () => undefined
  const {number} = (await readNumbers(queryable, schema)).documents
  return documents => Math.min(1, documents / Math.max(1, number)) // of many, the number is an estimate
}

function bar(share: number, isDrawn: boolean): string {
  const percent = `${Math.floor(100 * share)}`.padStart(3)
  const full = Math.round(width * share)
  return isDrawn ? `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${percent} %` : `${percent} %`
}
