/**
 * The events of a change, and their messages in JSON-LD.
 *
 * Pure. A message is a graph of two blank nodes: the event with its target, and its details.
 * Source: docs/changes.md, Events.
 */
import type {Change} from '../../db/store/changes.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import type {PlatformVocabulary} from '../../rdf/vocabulary.ts'

export type DocumentEvent = {
  readonly name: EventName
  readonly target: Iri // the document whose event it is
  readonly about: readonly Iri[] // the children or members that it names
}

export type EventName =
  | 'child.created'
  | 'access-point.created'
  | 'document.created'
  | 'document.modified'
  | 'document.deleted'
  | 'member.added'
  | 'member.removed'

type Terms = {
  readonly type: keyof PlatformVocabulary
  readonly details?: {readonly type: keyof PlatformVocabulary; readonly property: keyof PlatformVocabulary}
}

const membersOfEvent = 500

const terms: Readonly<Record<EventName, Terms>> = {
  'child.created': {
    type: 'ChildCreatedEvent',
    details: {type: 'DocumentCreatedEventDetails', property: 'createdDocument'},
  },
  'access-point.created': {
    type: 'AccessPointCreatedEvent',
    details: {type: 'AccessPointCreatedEventDetails', property: 'createdAccessPoint'},
  },
  'document.created': {
    type: 'DocumentCreatedEvent',
    details: {type: 'DocumentCreatedEventDetails', property: 'createdDocument'},
  },
  'document.modified': {type: 'DocumentModifiedEvent'},
  'document.deleted': {type: 'DocumentDeletedEvent'},
  'member.added': {type: 'MemberAddedEvent', details: {type: 'MemberAddedEventDetails', property: 'member'}},
  'member.removed': {type: 'MemberRemovedEvent', details: {type: 'MemberRemovedEventDetails', property: 'member'}},
}

/** The message of an event: expanded and flattened JSON-LD, with free nodes only. */
export function writeEvent({name, target, about}: DocumentEvent, platform: PlatformVocabulary): string {
  const {type, details} = terms[name]
  const event = {'@id': '_:1', '@type': [platform[type]], [platform.target]: [{'@id': target}]}
  if (details === undefined) return JSON.stringify([event])
  return JSON.stringify([
    {...event, [platform.details]: [{'@id': '_:2'}]},
    {'@id': '_:2', '@type': [platform[details.type]], [platform[details.property]]: about.map(iri => ({'@id': iri}))},
  ])
}

/**
 * The events of a change, in the order in which clients hear them.
 *
 * A move is a deletion at the old IRI and a creation at the new one, as for clients who read the documents.
 *
 * @param change  with its triples, which name members
 */
export function eventsOf(change: Change): readonly DocumentEvent[] {
  const {action, document, oldDocument, isRawGraph} = change
  if (isRawGraph) return []
  switch (action) {
    case 'created':
      return creation(change)
    case 'moved':
      return oldDocument === undefined
        ? [{name: 'document.modified', target: document, about: []}]
        : [{name: 'document.deleted', target: oldDocument, about: []}, ...creation(change)]
    case 'deleted':
      return [{name: 'document.deleted', target: document, about: []}]
    case 'members-added':
      return memberEvents('member.added', change, change.added)
    case 'members-removed':
      return memberEvents('member.removed', change, change.removed)
    case 'imported':
      return change.before === undefined ? creation(change) : [{name: 'document.modified', target: document, about: []}]
    case 'replaced':
    case 'patched':
    case 'changed':
      return [{name: 'document.modified', target: document, about: []}]
  }
}

function creation({document, parent, isAccessPoint}: Change): readonly DocumentEvent[] {
  const about = [document]
  const name = isAccessPoint ? 'access-point.created' : 'child.created'
  const ofParent = parent === undefined ? [] : [{name, target: parent, about} as const]
  return [...ofParent, {name: 'document.created', target: document, about}]
}

/**
 * Events of the document that lists the members, and of the access points that keep this list.
 *
 * They have the members that membership triples name, so many in each that no message is too long.
 */
function memberEvents(
  name: 'member.added' | 'member.removed',
  {document, accessPoints}: Change,
  triples: readonly Triple[] = [],
): readonly DocumentEvent[] {
  // Other triples have literals: c:modified.
  const members = triples.flatMap(({object}) => (object.termType === 'NamedNode' ? [object.value] : []))
  const count = Math.max(1, Math.ceil(members.length / membersOfEvent)) // the log names none of a very large change
  return [document, ...accessPoints].flatMap(target =>
    Array.from({length: count}, (_, at) => ({
      name,
      target,
      about: members.slice(at * membersOfEvent, (at + 1) * membersOfEvent),
    })),
  )
}
