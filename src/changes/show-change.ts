/**
 * A change as JSON, for the log at `/changes` and for webhooks (docs/changes.md).
 *
 * Pure. Source: RDF Patch (afs.github.io/rdf-patch).
 */
import type {Change} from '../db/store/changes.ts'
import {termText} from '../format/ntriples-write.ts'
import {namedNode, type Triple} from '../rdf/term.ts'

/** A change as JSON. Members without a value are left out. */
export function showChange(change: Change): Readonly<Record<string, unknown>> {
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
