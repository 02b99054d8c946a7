/**
 * The model of the service: documents as sets of lines, and the effect of every request on them.
 *
 * The model has no times and no entity tags. It records which documents change.
 * Sources: docs/interface.md; decisions 0002, 0003, 0004 and 0011.
 */
import type {Mode} from '../../src/db/store/caller.ts'
import {c, ldp} from '../support/documents.ts'
import {rdf} from '../support/members.ts'
import {isIri, type Line, labelsOf, read, relabel, show, write} from './lines.ts'
import {closeLists} from './lists.ts'

export type ModelDocument = {
  readonly iri: string
  readonly parent: string // IRI
  readonly isAccessPoint: boolean
  readonly relation: string // ldp:hasMemberRelation
  readonly own: readonly string[] // lines of the service, except those about access points
  lines: Set<string> // all other lines
  memberBy: string | undefined // the relation by which it is a member of its parent since its creation
}

export type Model = {
  readonly documents: Map<string, ModelDocument>
  readonly changed: Set<string> // by the current requests
  readonly grants: Map<string, readonly Mode[]> // grants of Ada, by document
  fresh: number // number of blank nodes whose labels the service has not returned yet
}

export type Point = {readonly relation: string; readonly inverse: string | undefined}

const inverseProperty = `${ldp}isMemberOfRelation`

/** A document that was just created. */
export function newDocument(
  iri: string,
  parent: string,
  {lines = [], point, relation}: {lines?: readonly string[]; point?: Point | undefined; relation?: string | undefined},
): ModelDocument {
  const hasRelation = point?.relation ?? relation ?? `${ldp}member`
  const types = [
    `${ldp}RDFSource`,
    `${c}Document`,
    ...(point ? [`${ldp}DirectContainer`, `${c}AccessPoint`] : [`${ldp}BasicContainer`]),
  ]
  const own: readonly Line[] = [
    ...types.map(type => [iri, `${rdf}type`, type] as const),
    [iri, `${ldp}membershipResource`, point === undefined ? iri : parent],
    [iri, `${ldp}hasMemberRelation`, hasRelation],
    [iri, `${ldp}insertedContentRelation`, `${ldp}MemberSubject`],
    ...(point?.inverse === undefined ? [] : [[iri, inverseProperty, point.inverse] as const]),
  ]
  return {
    iri,
    parent,
    isAccessPoint: point !== undefined,
    relation: hasRelation,
    own: own.map(write),
    lines: new Set(lines),
    memberBy: undefined,
  }
}

export function clone({documents, changed, grants, fresh}: Model): Model {
  const copies = [...documents].map(([iri, each]) => [iri, {...each, lines: new Set(each.lines)}] as const)
  return {documents: new Map(copies), changed: new Set(changed), grants: new Map(grants), fresh}
}

/** Lines that a client sends. Labels that the document does not contain are replaced by new ones. */
export function withFreshLabels(model: Model, held: ReadonlySet<string>, lines: readonly string[]): readonly string[] {
  const fresh = new Map<string, string>()
  return relabel(lines, label => {
    if (held.has(label)) return label
    const known = fresh.get(label) ?? `_:new${model.fresh++}`
    fresh.set(label, known)
    return known
  })
}

/** The lines that a GET shows, without times, sorted. */
export function shown({documents}: Model, document: ModelDocument): readonly string[] {
  const points = [...documents.values()].filter(each => each.isAccessPoint && each.parent === document.iri)
  return [
    ...document.own,
    ...points.map(({iri}) => write([document.iri, `${c}accessPoint`, iri])),
    ...document.lines,
  ].sort()
}

export function childrenOf({documents}: Model, iri: string): readonly ModelDocument[] {
  return [...documents.values()].filter(({parent}) => parent === iri)
}

/** IRI and relation of the list of members of a document, and the inverse. */
export function listOf(document: ModelDocument) {
  const start = `${show(document.iri)} ${show(inverseProperty)} `
  const said = [...document.own, ...document.lines].find(line => line.startsWith(start))
  return {
    container: document.isAccessPoint ? document.parent : document.iri,
    relation: document.relation,
    inverse: said?.slice(start.length + 1, -1),
  }
}

function isDerived({documents}: Model, [s, p, o]: Line): boolean {
  const child = documents.get(o)
  return child?.parent === s && (child.memberBy === p || p === `${ldp}contains`)
}

export function create(model: Model, document: ModelDocument): void {
  const parent = model.documents.get(document.parent)
  if (parent === undefined) throw new Error('no parent')
  model.documents.set(document.iri, document)
  model.changed.add(document.iri)
  if (document.isAccessPoint) {
    model.changed.add(parent.iri)
    return
  }
  if (parent.isAccessPoint) addMembers(model, parent, [document.iri])
  else {
    document.memberBy = parent.relation
    addMembers(model, parent, [document.iri])
  }
}

export function addMembers(model: Model, keeper: ModelDocument, members: readonly string[]): void {
  const {container, relation, inverse} = listOf(keeper)
  for (const member of members) {
    const forward: Line = [container, relation, member]
    if (!isDerived(model, forward)) put(model, container, forward)
    if (inverse !== undefined) put(model, member, [member, inverse, container])
  }
}

/** @param mayChange  whether the caller may remove the inverse triple of a member */
export function removeMembers(
  model: Model,
  keeper: ModelDocument,
  members: readonly string[] | 'all',
  mayChange: (iri: string) => boolean,
): void {
  const {container, relation, inverse} = listOf(keeper)
  const gone = members === 'all' ? membersOf(model, keeper) : members
  for (const member of gone) {
    drop(model, container, [container, relation, member])
    forget(model, container, relation, member)
  }
  if (inverse === undefined) return
  const lists = [...model.documents.values()].filter(each => {
    const list = listOf(each)
    return list.container === container && list.inverse === inverse
  })
  for (const member of gone.filter(mayChange)) {
    if (!lists.some(each => membersOf(model, each).includes(member))) drop(model, member, [member, inverse, container])
  }
}

/** The IRIs that are objects of a relation, stored or derived. */
export function membersOf(model: Model, keeper: ModelDocument): readonly string[] {
  const {container, relation} = listOf(keeper)
  const start = `${show(container)} ${show(relation)} <`
  const stored = [...(model.documents.get(container)?.lines ?? [])].filter(line => line.startsWith(start))
  const derived = childrenOf(model, container).filter(({memberBy}) => memberBy === relation)
  return [...new Set([...stored.map(line => line.slice(start.length, -1)), ...derived.map(({iri}) => iri)])]
}

export function replace(model: Model, document: ModelDocument, lines: readonly string[]): void {
  const said = withFreshLabels(model, labelsOf(document.lines), lines)
  document.lines = new Set(said.filter(line => document.lines.has(line) || !isDerivedOf(model, document, line)))
  model.changed.add(document.iri)
}

/** How many labels of the lines the document does not contain. */
export function newLabels({lines}: ModelDocument, said: readonly string[]): number {
  const held = labelsOf(lines)
  return [...labelsOf(said)].filter(label => !held.has(label)).length
}

/** Removes lines and adds others. A line in both stays. Labels are those of the document, or new. */
export function patch(
  model: Model,
  document: ModelDocument,
  {removed, added}: {readonly removed: readonly string[]; readonly added: readonly string[]},
): void {
  const put = new Set(withFreshLabels(model, labelsOf(document.lines), added))
  for (const line of removed) {
    if (put.has(line)) continue
    document.lines.delete(line)
    const [s, p, o] = read(line)
    if (s === document.iri && p === document.relation) forget(model, s, p, o)
  }
  for (const line of put) if (!isDerivedOf(model, document, line)) document.lines.add(line)
  model.changed.add(document.iri)
}

function isDerivedOf(model: Model, {iri}: ModelDocument, line: string): boolean {
  return read(line)[0] === iri && isDerived(model, read(line))
}

/** Deletes documents with everything below them, and references to them in documents that may be changed. */
export function remove(model: Model, iris: readonly string[], mayChange: (iri: string) => boolean): void {
  const gone = new Set<string>()
  const collect = (iri: string) => {
    gone.add(iri)
    for (const child of childrenOf(model, iri)) collect(child.iri)
  }
  iris.forEach(collect)
  for (const iri of gone) {
    const {isAccessPoint = false, parent = ''} = model.documents.get(iri) ?? {}
    if (isAccessPoint) model.changed.add(parent)
  }
  for (const iri of gone) {
    model.documents.delete(iri)
    model.grants.delete(iri)
  }
  for (const document of [...model.documents.values()].filter(({iri}) => mayChange(iri))) {
    if (closeLists(document, item => gone.has(item))) model.changed.add(document.iri)
    for (const line of document.lines) {
      const [, , object] = read(line)
      if (!isIri(object) || !gone.has(object)) continue
      document.lines.delete(line)
      model.changed.add(document.iri)
    }
  }
  for (const iri of gone) model.changed.delete(iri)
}

function put(model: Model, graph: string, line: Line): void {
  const document = model.documents.get(graph)
  if (document === undefined || document.lines.has(write(line))) return
  document.lines.add(write(line))
  model.changed.add(graph)
}

function drop(model: Model, graph: string, line: Line): void {
  if (model.documents.get(graph)?.lines.delete(write(line))) model.changed.add(graph)
}

function forget(model: Model, container: string, relation: string, member: string): void {
  const child = model.documents.get(member)
  if (child?.parent !== container || child.memberBy !== relation) return
  child.memberBy = undefined
  model.changed.add(container)
}
