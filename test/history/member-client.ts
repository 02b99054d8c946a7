/** A client that adds, removes, creates, deletes and reads members of three lists of one document. */

import {c, ldp, turtle} from '../support/documents.ts'
import {asContainer, ldpatch, preferAll, preferSelected} from '../support/members.ts'
import {type List, type Lists, lists, type Membership, type MembershipOperation} from './membership.ts'
import {
  type Act,
  type Asked,
  choose,
  e,
  ntriples,
  objectsIn,
  oneOf,
  pick,
  speakAs,
  tagOf,
  timeOf,
  type Wire,
  writeOf,
} from './wire.ts'

type Recorder = (operation: MembershipOperation) => void

const container = 'lists/'
const plain = 'members/' // the parent of members that were not created through an access point
const names = ['m0', 'm1', 'm2', 'm3', 'x0', 'x1'] // those with x are children of the access point `a`
const relations: Readonly<Record<List, string>> = {a: `${e}in-a`, b: `${e}in-b`, own: `${e}in-own`}
const inverse = `${e}of`

const pathOf = (name: string) => (name.startsWith('x') ? `${container}a/${name}/` : `${plain}${name}/`)
const pathOfList = (list: List) => (list === 'own' ? container : `${container}${list}/`)

/** Creates the container document with its access points, before the clients start. */
export async function makeLists({url, ask}: Wire): Promise<Membership> {
  const make = async (path: string, slug: string, body: string) => {
    const {status, text} = await ask('setup', path, {method: 'POST', headers: {...turtle, Slug: slug}, body})
    if (status !== 201) throw new Error(`${status} ${text}`)
  }
  await make('', plain, '')
  await make('', container, `<> <${ldp}hasMemberRelation> <${relations.own}> .`)
  for (const list of ['a', 'b'] as const) {
    const kept = `<${ldp}hasMemberRelation> <${relations[list]}> ; <${ldp}isMemberOfRelation> <${inverse}>`
    await make(container, list, `<> a <${c}AccessPoint> ; ${kept} .`)
  }
  const tag = tagOf(await ask('setup', container))
  if (tag === '') throw new Error(`${url}${container} has no tag`)
  return {there: [], lists: {a: [], b: [], own: []}, tag, isTold: true}
}

/** @param record  receives every response that shows a part of the lists or their members */
export function createMemberClient(wire: Wire, record: Recorder): Act {
  let tag: string | undefined // of the container document, as this client read it last
  const {send, iriOf} = speakAs('member', wire)

  async function make(): Promise<void> {
    const name = oneOf(names)
    const isChild = name.startsWith('x')
    const headers = {...turtle, Slug: name}
    const answer = await send(isChild ? `${container}a/` : plain, {method: 'POST', headers, body: ''})
    const made = timeOf(answer, 201)
    if (made !== undefined) record({kind: 'made', name, ...(isChild ? {list: 'a'} : {}), ...made})
    if (answer.status === 409) record({kind: 'present', name, ...answer.interval})
  }

  async function unmake(): Promise<void> {
    const name = oneOf(names)
    const answer = await send(pathOf(name), {method: 'DELETE'})
    const unmade = timeOf(answer, 204)
    if (unmade !== undefined) record({kind: 'unmade', name, ...unmade})
    if (answer.status === 404) record({kind: 'absent', name, ...answer.interval})
  }

  async function look(): Promise<void> {
    const name = oneOf(names)
    const {status, text, interval} = await send(pathOf(name), {headers: ntriples})
    const isReferring = objectsIn(text, iriOf(pathOf(name)), inverse).includes(iriOf(container))
    if (status === 200) record({kind: 'seen', name, isReferring, ...interval})
    if (status === 404) record({kind: 'absent', name, ...interval})
  }

  /** A patch of a member does not change a list. */
  async function touch(): Promise<void> {
    const name = oneOf(names)
    const body =
      pick(2) === 0 ? `Add { <> <${e}mark> ${pick(9)} . } .` : `Bind ?d <> ! . Add { ?d <${e}mark> ${pick(9)} } .`
    const {status, interval} = await send(pathOf(name), {method: 'PATCH', headers: ldpatch, body})
    if (status === 404) record({kind: 'absent', name, ...interval})
  }

  async function add(): Promise<void> {
    const [list, some, condition] = [oneOf(lists), someNames(), conditionFor('own')]
    const isOwn = list === 'own'
    const headers = {...turtle, Prefer: asContainer, ...(isOwn ? condition.headers : {})}
    const answer = await send(pathOfList(list), {method: 'PUT', headers, body: actionOf('Add', some)})
    const write = isOwn ? writeOf(answer, 204) : timeOf(answer, 204)
    if (write !== undefined) record({kind: 'added', list, names: some, ...(isOwn ? condition.known : {}), ...write})
    if (answer.status === 422) record({kind: 'unknown', names: some, ...answer.interval})
    recordMismatch(answer)
  }

  async function remove(): Promise<void> {
    const [list, some] = [oneOf(lists), someNames()]
    const {headers, known} = conditionFor(list)
    const sent = {method: 'DELETE', headers: {...turtle, Prefer: preferSelected, ...headers}}
    const answer = await send(pathOfList(list), {...sent, body: actionOf('Remove', some)})
    const write = timeOf(answer, 204)
    if (write !== undefined) record({kind: 'removed', list, names: some, ...known, ...write})
    recordMismatch(answer)
  }

  async function removeAll(): Promise<void> {
    const list = oneOf(lists)
    const {headers, known} = conditionFor(list)
    const answer = await send(pathOfList(list), {method: 'DELETE', headers: {Prefer: preferAll, ...headers}})
    const write = timeOf(answer, 204)
    if (write !== undefined) record({kind: 'removed', list, names: 'all', ...known, ...write})
    recordMismatch(answer)
  }

  async function read(): Promise<void> {
    const answer = await send(container, {headers: ntriples})
    if (answer.status !== 200) return
    tag = tagOf(answer)
    const iri = iriOf(container)
    const found = listsOf(list => objectsIn(answer.text, iri, relations[list]))
    record({kind: 'read', tag, lists: found, ...answer.interval})
  }

  /** Reads lists, members and their inverse triples, in one state. */
  async function query(): Promise<void> {
    const properties = [...Object.values(relations), inverse, `${c}created`].map(iri => `<${iri}>`)
    const body = `SELECT ?s ?p ?o { VALUES ?p { ${properties.join(' ')} } GRAPH ?g { ?s ?p ?o } FILTER(?g = ?s) }`
    const headers = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}
    const {status, text, interval} = await send('', {method: 'POST', headers, body})
    if (status !== 200) return
    type Binding = Readonly<Record<'s' | 'p' | 'o', {readonly value: string}>>
    const rows: readonly Binding[] = JSON.parse(text).results.bindings
    const having = (property: string) => rows.filter(({p}) => p.value === property)
    const subjects = (property: string) => namesOf(having(property).map(({s}) => s.value))
    record({
      kind: 'snapshot',
      there: subjects(`${c}created`),
      lists: listsOf(list => having(relations[list]).map(({o}) => o.value)),
      referring: subjects(inverse),
      ...interval,
    })
  }

  /** Sometimes If-Match, for the document's own list; access points have other tags. */
  function conditionFor(list: List) {
    if (list !== 'own' || tag === undefined || pick(2) === 0) return {headers: {}, known: {}}
    return {headers: {'If-Match': `"${tag}"`}, known: {from: tag}}
  }

  function recordMismatch({status, interval}: Asked): void {
    if (status === 412 && tag !== undefined) record({kind: 'mismatch', from: tag, ...interval})
  }

  function actionOf(kind: 'Add' | 'Remove', some: readonly string[]): string {
    const targets = some.map(name => `<${iriOf(pathOf(name))}>`)
    return `[] a <${c}${kind}MemberAction> ; <${c}targetMember> ${targets.join(', ')} .`
  }

  function namesOf(iris: readonly string[]): readonly string[] {
    const known = new Map(names.map(name => [iriOf(pathOf(name)), name]))
    return iris.flatMap(iri => known.get(iri) ?? []).sort()
  }

  function listsOf(membersOf: (list: List) => readonly string[]): Lists {
    return {a: namesOf(membersOf('a')), b: namesOf(membersOf('b')), own: namesOf(membersOf('own'))}
  }

  return () =>
    choose([
      [0.12, make],
      [0.22, unmake],
      [0.3, look],
      [0.35, touch],
      [0.6, add],
      [0.75, remove],
      [0.8, removeAll],
      [0.92, read],
      [1, query],
    ])
}

function someNames(): readonly string[] {
  return [...new Set(Array.from({length: 1 + pick(3)}, () => oneOf(names)))].sort()
}
