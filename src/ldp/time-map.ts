/**
 * Links between a document, its states and the list of its states, for Link headers and the two forms of a TimeMap.
 *
 * Pure. The document is its own TimeGate. `<document>?state=TAG` is a Memento, and `<document>?states` the TimeMap. No
 * document has such an IRI, because the IRIs of documents end with a slash.
 * Sources: RFC 7089 §2.2 (Link headers), §4.1.2 (pattern 1.2), §5 (TimeMaps); Memento ontology; PROV-O.
 */
import type {PastChange, StatePoint, StatesAround} from '../db/store/history.ts'
import {formatHttpDate} from '../http/date.ts'
import {formatTypedLink} from '../http/link.ts'
import {type Iri, literal, namedNode, type Triple} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'

export const linkFormat = 'application/link-format'

export function stateIri(iri: Iri, tag: string): Iri {
  return `${iri}?state=${tag}`
}

/** @param under  position of the last change of the page before; undefined: the first page */
export function timeMapIri(iri: Iri, under?: string): Iri {
  return under === undefined ? `${iri}?states` : `${iri}?states&before=${under}`
}

/**
 * The links of a document that is not a past state, or of a missing one that has states. They have no further
 * parameters: old clients split the field at commas and expect none.
 */
export function historyLinks(iri: Iri): string {
  return `${formatTypedLink(iri, ['original', 'timegate'], {})}, ${formatTypedLink(timeMapIri(iri), ['timemap'], {})}`
}

/** The value of Link for a state, or for a time when there was no document. */
export function stateLinks(iri: Iri, around: StatesAround, self: StatePoint | undefined): string {
  const relations = new Map<string, {readonly point: StatePoint; readonly names: string[]}>()
  for (const [name, point] of Object.entries(around)) {
    if (point === undefined) continue
    const known = relations.get(point.tag)
    if (known === undefined) relations.set(point.tag, {point, names: [name]})
    else known.names.push(name)
  }
  if (self !== undefined && !relations.has(self.tag)) relations.set(self.tag, {point: self, names: []})
  const mementos = [...relations.values()].map(({point, names}) =>
    formatTypedLink(stateIri(iri, point.tag), [...names, 'memento'], {datetime: formatHttpDate(point.time.getTime())}),
  )
  return [historyLinks(iri), ...mementos].join(', ')
}

/** A page of the list of states, the newest first. */
export type TimeMap = {
  readonly iri: Iri // of the document
  readonly under: string | undefined // where the page begins; undefined: at the newest change
  readonly changes: readonly PastChange[]
  readonly next: string | undefined // `under` of the page with older states; undefined: there is none
}

type Point = StatePoint & {readonly iri: Iri}

function pointsOf({iri, changes}: TimeMap): readonly Point[] {
  return changes.flatMap(({tag, time}) => (tag === undefined ? [] : [{tag, time, iri: stateIri(iri, tag)}]))
}

/** The TimeMap in application/link-format. */
export function timeMapText(map: TimeMap): string {
  const {iri, under, next} = map
  const points = pointsOf(map)
  const dateOf = (point: StatePoint | undefined) => point && formatHttpDate(point.time.getTime())
  const lines = [
    formatTypedLink(iri, ['original', 'timegate'], {}),
    formatTypedLink(timeMapIri(iri, under), ['self'], {
      type: linkFormat,
      from: dateOf(points.at(-1)),
      until: dateOf(points[0]),
    }),
    ...(next === undefined ? [] : [formatTypedLink(timeMapIri(iri, next), ['timemap'], {type: linkFormat})]),
    ...points.map((point, index) => {
      const isFirst = next === undefined && index === points.length - 1
      const isLast = under === undefined && index === 0
      const relations = [...(isFirst ? ['first'] : []), ...(isLast ? ['last'] : []), 'memento']
      return formatTypedLink(point.iri, relations, {datetime: dateOf(point)})
    }),
  ]
  return `${lines.join(',\n')}\n`
}

const memento = 'http://mementoweb.org/ns#'
const generatedAtTime = 'http://www.w3.org/ns/prov#generatedAtTime'

/** The TimeMap as RDF. */
export function timeMapTriples(map: TimeMap): readonly Triple[] {
  const {iri, under, next} = map
  const self = namedNode(timeMapIri(iri, under))
  const original = namedNode(iri)
  const term = (name: string) => namedNode(memento + name)
  const type = namedNode(rdf.type)
  const about = [
    {subject: self, predicate: type, object: term('TimeMap')},
    {subject: self, predicate: term('original'), object: original},
    {subject: self, predicate: term('timegate'), object: original},
    ...(next === undefined
      ? []
      : [{subject: self, predicate: term('timemap'), object: namedNode(timeMapIri(iri, next))}]),
    {subject: original, predicate: type, object: term('OriginalResource')},
    {subject: original, predicate: type, object: term('TimeGate')},
  ]
  const states = pointsOf(map).map(({iri: state, time}) => ({node: namedNode(state), time}))
  return [
    ...about,
    ...states.map(({node}) => ({subject: self, predicate: term('memento'), object: node})),
    ...states.flatMap(({node, time}) => [
      {subject: node, predicate: type, object: term('Memento')},
      {subject: node, predicate: term('original'), object: original},
      {subject: node, predicate: namedNode(generatedAtTime), object: literal(time.toISOString(), xsd.dateTime)},
    ]),
  ]
}
