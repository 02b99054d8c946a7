/**
 * The service in fifty thoughts: documents as sets of lines, and what every request does to them.
 *
 * Lines are N-Triples without the final dot. The model knows no times and no tags; it says which documents change.
 * Sources: interface, endpoints 1 to 11; decisions, 2 to 4.
 */
import {c, ldp} from '../support/documents.ts'
import {rdf} from '../support/members.ts'

/** IRIs bare, literals with their quotes. */
export type Line = readonly [subject: string, predicate: string, object: string]

export type ModelDocument = {
  readonly iri: string
  readonly parent: string // IRI
  readonly isAccessPoint: boolean
  readonly relation: string // ldp:hasMemberRelation
  readonly own: readonly string[] // lines of the service, other than those about access points
  lines: Set<string> // everything else
  memberBy: string | undefined // a member of its parent from birth, by this relation
}

export type Model = {
  readonly documents: Map<string, ModelDocument>
  readonly changed: Set<string> // by the last request
}

export type Point = {readonly relation: string; readonly inverse: string | undefined}

export const show = (term: string) => (term.startsWith('"') ? term : `<${term}>`)
export const write = ([s, p, o]: Line) => `${show(s)} ${show(p)} ${show(o)}`

const inverseProperty = `${ldp}isMemberOfRelation`

/** A document that was just created. */
export function newDocument(
  iri: string,
  parent: string,
  {lines = [], point, relation}: {lines?: readonly Line[]; point?: Point | undefined; relation?: string | undefined},
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
    lines: new Set(lines.map(write)),
    memberBy: undefined,
  }
}

/** What a GET shows, but for the times; sorted. */
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

/** IRI and relation of the list that a document keeps, and the inverse. */
function listOf(document: ModelDocument) {
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

export function removeMembers(model: Model, keeper: ModelDocument, members: readonly string[] | 'all'): void {
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
  for (const member of gone) {
    if (!lists.some(each => membersOf(model, each).includes(member))) drop(model, member, [member, inverse, container])
  }
}

/** What stands under a relation and is an IRI, stored or derived. */
export function membersOf(model: Model, keeper: ModelDocument): readonly string[] {
  const {container, relation} = listOf(keeper)
  const start = `${show(container)} ${show(relation)} <`
  const stored = [...(model.documents.get(container)?.lines ?? [])].filter(line => line.startsWith(start))
  const derived = childrenOf(model, container).filter(({memberBy}) => memberBy === relation)
  return [...new Set([...stored.map(line => line.slice(start.length, -1)), ...derived.map(({iri}) => iri)])]
}

export function replace(model: Model, document: ModelDocument, lines: readonly Line[]): void {
  document.lines = new Set(lines.filter(line => !(line[0] === document.iri && isDerived(model, line))).map(write))
  model.changed.add(document.iri)
}

export function patch(model: Model, document: ModelDocument, removed: readonly Line[], added: readonly Line[]): void {
  for (const line of removed) {
    document.lines.delete(write(line))
    if (line[0] === document.iri && line[1] === document.relation) forget(model, line[0], line[1], line[2])
  }
  for (const line of added) if (!(line[0] === document.iri && isDerived(model, line))) document.lines.add(write(line))
  model.changed.add(document.iri)
}

/** Deletes documents with all below them, and every reference to any of them. */
export function remove(model: Model, iris: readonly string[]): void {
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
  for (const iri of gone) model.documents.delete(iri)
  for (const document of model.documents.values()) {
    for (const line of document.lines) {
      const object = line.slice(line.lastIndexOf(' ') + 2, -1)
      if (!gone.has(object)) continue
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
