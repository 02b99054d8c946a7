/**
 * Changes as JSON lines and as server-sent events (docs/changes.md).
 *
 * Pure. The text of a page is written once for all listeners that get it.
 * Source: HTML, "Server-sent events" §9.2.
 */
import {type Shown, showChange} from '../../changes/show-change.ts'
import type {ChangesPage} from '../../db/store/changes.ts'

export type ChangesForm = 'events' | 'lines'

const written = new WeakMap<ChangesPage, Map<ChangesForm, Buffer>>()

/** The bytes of a page. Do not change them: other listeners send the same. */
export function pageBytes(page: ChangesPage, form: ChangesForm): Buffer {
  const known = written.get(page) ?? new Map<ChangesForm, Buffer>()
  written.set(page, known)
  const bytes = known.get(form) ?? Buffer.from(form === 'lines' ? linesOf(page) : eventsOf(page))
  known.set(form, bytes)
  return bytes
}

function linesOf({changes}: ChangesPage): string {
  return changes.map(lineOf).join('')
}

/** The bytes of a list of present documents. */
export function listingBytes(shown: readonly Shown[]): Buffer {
  return Buffer.from(shown.map(lineOf).join(''))
}

function lineOf(shown: Shown): string {
  return `${JSON.stringify(showChange(shown))}\n`
}

/** An event without data sets the id from which the client goes on, and is not shown to the client's code. */
function eventsOf({changes, next}: ChangesPage): string {
  const events = changes.map(change => `id: ${change.position}\ndata: ${JSON.stringify(showChange(change))}\n\n`)
  return events.join('') + (changes.at(-1)?.position === next ? '' : `id: ${next}\n\n`)
}
