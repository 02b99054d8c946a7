/**
 * A change as JSON, for the log at `/changes` and for webhooks (docs/changes.md).
 *
 * Pure. Source: RDF Patch (afs.github.io/rdf-patch).
 */
import type {Change} from '../db/store/changes.ts'
import type {PresentDocument} from '../db/store/present.ts'
import {termText} from '../format/ntriples-write.ts'
import {namedNode, type Triple} from '../rdf/term.ts'

/** A change, or a document of the list of present ones. */
export type Shown = Omit<Change, 'action'> & {readonly action: Change['action'] | 'present'}

/** A change as JSON. Members without a value are left out. */
export function showChange(change: Shown): Readonly<Record<string, unknown>> {
  const {position, time, action, document, oldDocument, parent, memberBy, before, after, agent, request} = change
  return {
    position,
    time,
    action,
    document,
    oldDocument,
    parent,
    memberBy,
    before: before && `"${before}"`,
    after: after && `"${after}"`,
    agent,
    request,
    ...(change.isAccessPoint ? {isAccessPoint: true} : {}),
    ...(change.isRawGraph ? {isRawGraph: true} : {}),
    ...(change.isLarge ? {isLarge: true} : {}),
    ...(change.isRenamed ? {isRenamed: true} : {}),
    ...(change.added === undefined || change.removed === undefined ? {} : {patch: patchOf(change)}),
  }
}

/** RDF Patch of a change, with its document as the graph. */
function patchOf({document, added = [], removed = []}: Shown): string {
  const graph = termText(namedNode(document))
  const row = (sign: 'A' | 'D', {subject, predicate, object}: Triple) =>
    `${sign} ${termText(subject)} ${termText(predicate)} ${termText(object)} ${graph} .\n`
  const rows = [...removed.map(triple => row('D', triple)), ...added.map(triple => row('A', triple))]
  return `TX .\n${rows.join('')}TC .\n`
}

/** A document of the list of present ones, at the position after which its later changes are. */
export function shownPresent(
  {document, parent, memberBy, isAccessPoint, modified, tag, triples}: PresentDocument,
  position: string,
  hasTriples: boolean,
): Shown {
  return {
    position,
    time: modified,
    action: 'present',
    document,
    oldDocument: undefined,
    parent,
    memberBy: hasTriples ? memberBy : undefined,
    isAccessPoint,
    isRawGraph: false,
    before: undefined,
    after: tag,
    agent: undefined,
    request: undefined,
    added: hasTriples ? triples : undefined,
    removed: hasTriples && triples !== undefined ? [] : undefined,
    isLarge: triples === undefined,
    isRenamed: false,
    accessPoints: [],
  }
}
