/** Clients that change two documents together by updates, and each alone by PUT and PATCH. */
import type {PairOperation, Side} from './pair.ts'
import {
  type Act,
  type Asked,
  choose,
  e,
  isUncertain,
  ntriples,
  objectsIn,
  pick,
  speakAs,
  tagOf,
  type Wire,
  writeOf,
} from './wire.ts'

export type PairPlace = {readonly paths: readonly [string, string]; readonly tags: readonly [string, string]}

const property = `${e}number`
const updateType = {'Content-Type': 'application/sparql-update'}
const queryType = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}

/** Creates the two documents, both with the number 0. */
export async function makePair(wire: Wire, name: string): Promise<PairPlace> {
  const {send} = speakAs('setup', wire)
  const made = await Promise.all(
    ['left', 'right'].map(async side => {
      const Slug = `${name}-${side}`
      const answer = await send('', {method: 'POST', headers: {...ntriples, Slug}, body: ''})
      const path = `${Slug}/`
      const body = `INSERT DATA { <> <${property}> 0 }`
      const patched = await send(path, {method: 'PATCH', headers: updateType, body})
      if (answer.status !== 201 || patched.status !== 204) throw new Error(`${answer.status}, ${patched.status}`)
      return {path, tag: tagOf(patched)}
    }),
  )
  const [left = {path: '', tag: ''}, right = {path: '', tag: ''}] = made
  return {paths: [left.path, right.path], tags: [left.tag, right.tag]}
}

export function createPairClient(wire: Wire, {paths}: PairPlace, record: (operation: PairOperation) => void): Act {
  const {send, iriOf} = speakAs('pair', wire)
  const [left, right] = [iriOf(paths[0]), iriOf(paths[1])]
  const known = new Map<Side, Asked>() // the last GET of each

  async function read(at: Side): Promise<void> {
    const answer = await send(paths[at], {headers: ntriples})
    if (answer.status !== 200) return
    known.set(at, answer)
    record({kind: 'read', at, tag: tagOf(answer), value: numberIn(answer, iriOf(paths[at])), ...answer.interval})
  }

  /** An update of both. Its response lists both documents with their tags. */
  async function updateBoth(text: string, operation: {kind: 'added'; by: number} | {kind: 'swapped'}): Promise<void> {
    const answer = await send('sparql', {method: 'POST', headers: updateType, body: text})
    if (isUncertain(answer))
      return record({...operation, start: answer.interval.start, end: Number.POSITIVE_INFINITY, isMaybe: true})
    if (answer.status !== 200) return
    const {changed} = JSON.parse(answer.text) as {changed: readonly {iri: string; etag: string}[]}
    const tagFor = (iri: string) => changed.find(each => each.iri === iri)?.etag.replaceAll('"', '')
    const tags = [tagFor(left), tagFor(right)]
    if (tags[0] === undefined || tags[1] === undefined) throw new Error(`not both have changed: ${answer.text}`)
    record({...operation, tags: [tags[0], tags[1]], ...answer.interval})
  }

  function add(): Promise<void> {
    const by = 1 + pick(9)
    return updateBoth(
      `DELETE { GRAPH ?d { ?d <${property}> ?n } } INSERT { GRAPH ?d { ?d <${property}> ?next } }
        WHERE { VALUES ?d { <${left}> <${right}> } GRAPH ?d { ?d <${property}> ?n } BIND (?n + ${by} AS ?next) }`,
      {kind: 'added', by},
    )
  }

  /** Two operations in one request: each sees the one before. Two equal numbers would not change. */
  function swap(): Promise<void> {
    const both = (from: string, to: string) =>
      `GRAPH <${left}> { <${left}> ${from} } GRAPH <${right}> { <${right}> ${to} }`
    return updateBoth(
      `INSERT { ${both(`<${e}next> ?r`, `<${e}next> ?l`)} } WHERE { ${both(`<${property}> ?l`, `<${property}> ?r`)} } ;
       DELETE { GRAPH ?d { ?d <${property}> ?old ; <${e}next> ?new } } INSERT { GRAPH ?d { ?d <${property}> ?new } }
        WHERE { VALUES ?d { <${left}> <${right}> } GRAPH ?d { ?d <${property}> ?old ; <${e}next> ?new } }`,
      {kind: 'swapped'},
    )
  }

  async function replace(at: Side): Promise<void> {
    if (pick(3) > 0) await read(at) // otherwise the tag may be an old one
    const before = known.get(at)
    if (before === undefined) return
    const iri = iriOf(paths[at])
    const [from, value] = [tagOf(before), pick(1000)]
    const body = before.text.replace(
      `<${iri}> <${property}> "${numberIn(before, iri)}"`,
      `<${iri}> <${property}> "${value}"`,
    )
    const headers = {...ntriples, 'If-Match': `"${from}"`}
    const answer = await send(paths[at], {method: 'PUT', headers, body})
    if (answer.status === 412) return record({kind: 'mismatch', at, from, ...answer.interval})
    const write = writeOf(answer, 204)
    if (write !== undefined) record({kind: 'replaced', at, from, value, ...write})
  }

  async function patch(at: Side): Promise<void> {
    const by = 1 + pick(9)
    const body = `DELETE { <> <${property}> ?n } INSERT { <> <${property}> ?next }
                   WHERE { <> <${property}> ?n BIND (?n + ${by} AS ?next) }`
    const write = writeOf(await send(paths[at], {method: 'PATCH', headers: updateType, body}), 204)
    if (write !== undefined) record({kind: 'patched', at, by, ...write})
  }

  async function snapshot(): Promise<void> {
    const body = `SELECT ?l ?r { GRAPH <${left}> { <${left}> <${property}> ?l } GRAPH <${right}> { <${right}> <${property}> ?r } }`
    const answer = await send('', {method: 'POST', headers: queryType, body})
    if (answer.status !== 200) return
    const {results} = JSON.parse(answer.text)
    const [only, ...others] = results.bindings
    if (only === undefined || others.length > 0) throw new Error(`torn: ${answer.text}`)
    record({kind: 'snapshot', values: [Number(only.l.value), Number(only.r.value)], ...answer.interval})
  }

  const side = () => pick(2) as Side
  return () =>
    choose([
      [0.25, add],
      [0.35, swap],
      [0.5, () => replace(side())],
      [0.6, () => patch(side())],
      [0.75, () => read(side())],
      [1, snapshot],
    ])
}

/** The number of a document. Throws if there is not exactly one. */
function numberIn({text}: Asked, iri: string): number {
  const [value, ...others] = objectsIn(text, iri, property)
  if (value === undefined || others.length > 0) throw new Error(`torn: ${text}`)
  return Number(value.split('"')[0])
}
