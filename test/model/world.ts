/** Turns steps into requests: chooses names from the model, and builds conditions and preferences. */

import type {Received} from '../support/client.ts'
import {c, ldp} from '../support/documents.ts'
import {ex, rdf} from '../support/members.ts'
import type {TestService} from '../support/service.ts'
import type {Caller, Need} from './access.ts'
import {type BodyType, bodyOf} from './body.ts'
import {isSame, type Line, labelsOf, linesOf, read, write} from './lines.ts'
import {listLines} from './lists.ts'
import {type Model, type ModelDocument, shown} from './model.ts'
import type {conditions, Pick, returns} from './steps.ts'

export type Real = {
  readonly service: TestService
  readonly root: string // IRI of the document below which the sequence runs
  readonly caller: Caller // who sends the requests
  readonly isGuarded: boolean // access control is on
  readonly tags: Map<string, Stamp> // as last read
}

/** Entity tag and c:modified, which change together. */
export type Stamp = {readonly tag: string; readonly modified: string}

export type Condition = (typeof conditions)[number]
export type Return = (typeof returns)[number]
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** A request to send, and its effect on the model. `settle` returns what is wrong with the response, if anything. */
export type Prepared = {
  readonly needs?: (model: Model) => readonly Need[] // none: only `read`
  readonly send: () => Promise<Received>
  readonly settle: (model: Model, answer: Received) => string | undefined
}

export const relations = [`${ldp}member`, `${ex}participant`, `${ex}guest`]
export const inverses = [undefined, `${ex}in`, `${ex}visits`]
export const slugs = ['a', 'b', 'c', 'd']
export const listProperty = `${ex}list`
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const literals = [
  '"0"',
  '"a \\"b\\"\\n<&>"',
  `"1"^^<${xsd}integer>`,
  '"niño"@es',
  `"01"^^<${xsd}integer>`,
  '"x"^^<urn:t>',
]

/** IRIs that a body may name: documents, and some that do not exist, or not yet. */
export function candidates(model: Model, {root}: Real): readonly string[] {
  return [...model.documents.keys(), ...slugs.map(slug => `${root}${slug}/`), `${root}a/b/`]
}

type Said = {readonly subject: Pick; readonly predicate: Pick; readonly object: Pick}

/** Lines about a document, with the labels `b0`, `b1` and those in `labels`. */
export function saidLines(
  says: readonly Said[],
  own: string,
  {model, real, labels = []}: {readonly model: Model; readonly real: Real; readonly labels?: readonly string[]},
): readonly string[] {
  const iris = candidates(model, real)
  const blank = (index: Pick) => choose(['_:b0', '_:b1', ...labels], index)
  const lineOf = ({subject, predicate, object}: Said): Line => {
    const from = subject < 50 ? own : subject < 75 ? blank(subject) : choose(iris, subject)
    const to = object < 25 ? choose(literals, object) : object < 45 ? blank(object) : choose(iris, object)
    return [from, choose([...relations, `${ex}p`, `${ex}p`], predicate), to]
  }
  return [...new Set(says.map(lineOf).map(write))]
}

/** A list as the object of the document's own property; nothing for null. */
export function saidList(
  picks: readonly Pick[] | null,
  own: string,
  world: {readonly model: Model; readonly real: Real},
): readonly string[] {
  return picks === null ? [] : listLines(own, listProperty, itemsOf(picks, world), '_:l')
}

export function itemsOf(picks: readonly Pick[], {model, real}: {readonly model: Model; readonly real: Real}) {
  return picks.map(pick => choose([...literals, ...candidates(model, real)], pick))
}

export function pathOf({service: {base}}: Real, iri: string): string {
  return `/${iri.slice(base.length)}`
}

export function choose<Item>(items: readonly Item[], index: Pick): Item {
  return items[index % items.length] as Item
}

/** A header field for the condition, and whether it will hold when the request is processed. */
export async function conditionFor(real: Real, iri: string, condition: Condition, name = 'If-Match') {
  const tags: Readonly<Record<Condition, () => Promise<string | undefined>>> = {
    none: async () => undefined,
    current: async () => real.tags.get(iri)?.tag ?? '"0"',
    checksum: async () => `"${await checksumOf(real, iri)}"`,
    any: async () => '*',
    stale: async () => '"0"',
  }
  const tag = await tags[condition]()
  const holds = ({documents, changed}: Model) => {
    if (condition === 'none' || condition === 'any') return documents.has(iri)
    return documents.has(iri) && condition !== 'stale' && !changed.has(iri)
  }
  return {headers: tag === undefined ? {} : {[name]: tag}, holds}
}

/** c:checksum of a document, which clients get by a query. */
async function checksumOf({service}: Real, iri: string): Promise<string> {
  const text = `CONSTRUCT { <${iri}> <${c}document> ?d } { VALUES ?d { <${iri}> } GRAPH ?d { ?d <${c}created> ?t } }`
  const headers = {
    'Content-Type': 'application/sparql-query',
    Accept: 'application/n-triples',
    Prefer: `include="${c}PreferDocumentChecksums"`,
  }
  const {text: answer} = await service.send({method: 'POST', path: '/', headers, body: text})
  return new RegExp(`<${iri}> <${c}checksum> "([^"]*)"`).exec(answer)?.[1] ?? '0'
}

export function contentOf(type: BodyType, lines: readonly string[], graph: string) {
  return {headers: {'Content-Type': type}, body: bodyOf(type, lines, graph)}
}

/** Header fields that ask for a representation with the metadata in a graph of its own; otherwise none. */
export function preferring(prefer: Return, ...more: readonly string[]): Headers {
  const all = prefer === 'none' ? more : [...more, `return=${prefer}`]
  return {Accept: 'application/n-quads', ...(all.length === 0 ? {} : {Prefer: all})}
}

/** What is wrong with the response to a write. The client has written the new `labels`. */
export function faultOfWritten(
  answer: Received,
  {model, document, prefer, labels}: {model: Model; document: ModelDocument; prefer: Return; labels: number},
): string | undefined {
  const isCreated = answer.status === 201
  const hasBody = prefer === 'representation' || (prefer === 'minimal' && labels > 0)
  if (!isCreated && answer.status !== (hasBody ? 200 : 204)) return `${answer.status} under return=${prefer}`
  if (!hasBody) return answer.text === '' ? undefined : `a body under return=${prefer}`
  const end = ` <${document.iri}>`
  const lines = linesOf(answer.text)
  const own = lines
    .filter(line => line.endsWith(end) && !line.startsWith('_:metadata'))
    .map(line => line.slice(0, -end.length))
  const told = lines.filter(line => line.includes('#entryKey>')).length
  if (told !== labels) return `${told} labels told instead of ${labels}`
  if (prefer === 'minimal') return undefined
  const said = own.filter(line => !isTime(line))
  return isSame(said, shown(model, document)) ? undefined : `another representation: ${said.join('\n')}`
}

export function isTime(line: string): boolean {
  return line.includes(` <${c}created> `) || line.includes(` <${c}modified> `)
}

/** The labels of blank nodes in a document that a patch can name, in order. */
export function namedLabels({lines}: ModelDocument): readonly string[] {
  const cells = new Set([...lines].map(read).flatMap(([s, p]) => (p === `${rdf}rest` ? [s] : [])))
  return [...labelsOf(lines)].filter(label => !cells.has(label)).sort()
}

/** What is wrong with a status, if anything. */
export function faultOfStatus(answer: Received, expected: number): string | undefined {
  return answer.status === expected ? undefined : `${answer.status} instead of ${expected}: ${answer.text}`
}
