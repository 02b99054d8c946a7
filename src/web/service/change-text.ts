/**
 * Changes as JSON lines and as server-sent events (docs/changes.md).
 *
 * Pure. The text of a page is written once for all listeners that get it.
 * Sources: HTML, "Server-sent events" §9.2; RDF Patch (afs.github.io/rdf-patch).
 */
import type {Change, ChangesPage} from '../../db/store/changes.ts'
import {termText} from '../../format/ntriples-write.ts'
import {namedNode, type Triple} from '../../rdf/term.ts'

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
  return changes.map(change => `${JSON.stringify(describe(change))}\n`).join('')
}

/** An event without data sets the id from which the client goes on, and is not shown to the client's code. */
function eventsOf({changes, next}: ChangesPage): string {
  const events = changes.map(change => `id: ${change.position}\ndata: ${JSON.stringify(describe(change))}\n\n`)
  return events.join('') + (changes.at(-1)?.position === next ? '' : `id: ${next}\n\n`)
}

/** A change as JSON. Members without a value are left out. */
function describe(change: Change): Readonly<Record<string, unknown>> {
  const {position, time, action, document, oldDocument, parent, before, after, agent, request} = change
  return {
    position,
    time,
    action,
    document,
    oldDocument,
    parent,
    before: before && `"${before}"`,
    after: after && `"${after}"`,
    agent,
    request,
    ...(change.isAccessPoint ? {isAccessPoint: true} : {}),
    ...(change.isRawGraph ? {isRawGraph: true} : {}),
    ...(change.isLarge ? {isLarge: true} : {}),
    ...(change.added === undefined || change.removed === undefined ? {} : {patch: patchOf(change)}),
  }
}

/** RDF Patch of a change, with its document as the graph. */
function patchOf({document, added = [], removed = []}: Change): string {
  const graph = termText(namedNode(document))
  const row = (sign: 'A' | 'D', {subject, predicate, object}: Triple) =>
    `${sign} ${termText(subject)} ${termText(predicate)} ${termText(object)} ${graph} .\n`
  const rows = [...removed.map(triple => row('D', triple)), ...added.map(triple => row('A', triple))]
  return `TX .\n${rows.join('')}TC .\n`
}
