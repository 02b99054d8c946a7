/**
 * Arranges triples for a page: groups them by subject and decides which blank nodes are shown inside others.
 *
 * Pure. A blank node with one reference is nested where it is referred to. Lists are shown as lists. Every triple is
 * shown exactly once, even those of blank nodes in a cycle.
 */
import type {Resource, Term, Triple} from '../../rdf/term.ts'
import {termKey} from '../../rdf/term-key.ts'
import {rdf} from '../../rdf/vocabulary.ts'

/** Values by property, properties in the order of their first triple. */
export type Properties = ReadonlyMap<string, readonly Term[]>

export type Arrangement = {
  readonly sections: readonly Resource[] // subjects with a section of their own, the document first
  readonly propertiesOf: (subject: Resource) => Properties
  readonly isNested: (subject: Resource) => boolean
  /** The items of a well-formed list whose cells are all nested; undefined for anything else. */
  readonly itemsOf: (head: Term) => readonly Term[] | undefined
}

const depthLimit = 6 // nesting of blank nodes

/** @param first  the subject of the first section, which exists even if it has no triples */
export function arrange(first: Resource, triples: readonly Triple[]): Arrangement {
  const bySubject = groupBySubject([first, ...triples.map(({subject}) => subject)], triples)
  const references = countReferences(triples)
  const cells = wholeCells(bySubject)
  const nested = new Set<string>()
  const sections: Resource[] = []
  const seen = new Set<string>()
  const isShared = (subject: Resource) =>
    subject.termType === 'NamedNode' || references.get(termKey(subject)) !== 1 || subject.value === first.value

  function visit(subject: Resource, depth: number): void {
    seen.add(termKey(subject))
    for (const object of [...(bySubject.get(termKey(subject))?.properties.values() ?? [])].flat()) {
      if (object.termType !== 'BlankNode' || seen.has(termKey(object)) || isShared(object)) continue
      if (!bySubject.has(termKey(object))) continue
      const isCell = cells.has(termKey(object))
      if (depth >= depthLimit && !isCell) continue // gets a section of its own
      nested.add(termKey(object))
      stack.push([object, isCell ? depth : depth + 1])
    }
  }
  const stack: [Resource, number][] = []
  const begin = (subject: Resource) => {
    if (seen.has(termKey(subject))) return
    sections.push(subject)
    visit(subject, 0)
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) visit(...next)
  }
  const subjects = [...bySubject.values()].map(({subject}) => subject)
  begin(first)
  for (const subject of subjects) if (isShared(subject)) begin(subject)
  for (const subject of subjects) begin(subject) // cycles, and nodes nested too deep

  const none: Properties = new Map()
  const propertiesOf = (subject: Resource) => bySubject.get(termKey(subject))?.properties ?? none
  const isNested = (subject: Resource) => nested.has(termKey(subject))
  return {sections, propertiesOf, isNested, itemsOf: head => itemsOf(head, propertiesOf, isNested)}
}

type Group = {readonly subject: Resource; readonly properties: Map<string, Term[]>}

function groupBySubject(subjects: readonly Resource[], triples: readonly Triple[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const subject of subjects)
    if (!groups.has(termKey(subject))) groups.set(termKey(subject), {subject, properties: new Map()})
  for (const {subject, predicate, object} of triples) {
    const properties = groups.get(termKey(subject))?.properties
    const values = properties?.get(predicate.value)
    if (values === undefined) properties?.set(predicate.value, [object])
    else values.push(object)
  }
  return groups
}

/** Keys of the cells whose rdf:rest chain ends in rdf:nil. Cells of a list that was read in part are plain nodes. */
function wholeCells(bySubject: ReadonlyMap<string, Group>): ReadonlySet<string> {
  const settled = new Map<string, boolean>()
  for (const {subject} of bySubject.values()) {
    const walked = new Set<string>()
    let cell: Term | undefined = subject
    while (cell?.termType === 'BlankNode' && !settled.has(termKey(cell)) && !walked.has(termKey(cell))) {
      walked.add(termKey(cell))
      cell = bySubject.get(termKey(cell))?.properties.get(rdf.rest)?.[0]
    }
    const isWhole = cell !== undefined && (settled.get(termKey(cell)) ?? cell.value === rdf.nil)
    for (const key of walked) settled.set(key, isWhole)
  }
  return new Set([...settled].flatMap(([key, isWhole]) => (isWhole ? [key] : [])))
}

function countReferences(triples: readonly Triple[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const {object} of triples)
    if (object.termType === 'BlankNode') counts.set(termKey(object), (counts.get(termKey(object)) ?? 0) + 1)
  return counts
}

function itemsOf(
  head: Term,
  propertiesOf: Arrangement['propertiesOf'],
  isNested: Arrangement['isNested'],
): readonly Term[] | undefined {
  const items: Term[] = []
  for (let cell = head; cell.termType !== 'NamedNode' || cell.value !== rdf.nil; ) {
    if (cell.termType !== 'BlankNode' || !isNested(cell)) return undefined
    const properties = propertiesOf(cell)
    const [item, ...otherItems] = properties.get(rdf.first) ?? []
    const [rest, ...otherRests] = properties.get(rdf.rest) ?? []
    const isExact = properties.size === 2 && otherItems.length + otherRests.length === 0
    if (item === undefined || rest === undefined || !isExact) return undefined
    items.push(item)
    cell = rest
  }
  return items
}
