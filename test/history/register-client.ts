/** A client that reads, replaces, patches, creates and deletes a few documents at random. */
import {randomUUID} from 'node:crypto'
import {ldpatch} from '../support/members.ts'
import type {Change, Content, RegisterOperation} from './register.ts'
import {
  type Act,
  type Asked,
  choose,
  e,
  linesOf,
  listIn,
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

type Seen = {readonly tag: string; readonly text: string}
type Recorder = (path: string, operation: RegisterOperation) => void

const registers = 4
const copies = 12 // triples with the value of a version

/** @param record  receives every response that shows a part of a register */
export function createRegisterClient(wire: Wire, record: Recorder): Act {
  const known = new Map<string, Seen>() // what this client read last
  const {send, iriOf} = speakAs('register', wire)

  async function read(path: string): Promise<void> {
    const answer = await send(path, {headers: ntriples})
    if (answer.status !== 200) {
      known.delete(path)
      return recordRefusal(path, answer, '')
    }
    const tag = tagOf(answer)
    known.set(path, {tag, text: answer.text})
    record(path, {kind: 'read', tag, content: contentIn(answer.text, iriOf(path)), ...answer.interval})
  }

  async function replace(path: string, {tag: from, text}: Seen): Promise<void> {
    const value = randomUUID()
    const kept = linesOf(text).filter(line => line.startsWith(`<${iriOf(path)}>`) && !line.includes(`<${e}`))
    const body = [...kept, ...bodyOf(iriOf(path), value)].join('\n')
    const answer = await send(path, {method: 'PUT', headers: {...ntriples, 'If-Match': `"${from}"`}, body})
    const write = writeOf(answer, 204)
    if (write !== undefined) record(path, {kind: 'replaced', from, value, ...write})
    else recordRefusal(path, answer, from)
  }

  /** Replaces the value by a patch. Half of the patches need to read the graph. */
  async function exchange(path: string, {tag: from, text}: Seen): Promise<void> {
    const value = randomUUID()
    const old = linesOf(text).filter(line => line.includes(`<${e}value`))
    const bind = pick(2) === 0 ? '' : `Bind ?type <> /<http://www.w3.org/ns/ldp#hasMemberRelation> .`
    const body = `${bind} Delete { ${old.join('\n')} } . Add { ${valueLines(iriOf(path), value).join('\n')} } .`
    const answer = await send(path, {method: 'PATCH', headers: {...ldpatch, 'If-Match': `"${from}"`}, body})
    const write = writeOf(answer, 204)
    if (write !== undefined) record(path, {kind: 'exchanged', from, value, ...write})
    else recordRefusal(path, answer, from)
  }

  /** A small change, in half of the cases with a condition. */
  async function patch(path: string, seen: Seen): Promise<void> {
    const change = randomChange()
    const from = pick(2) === 0 ? undefined : seen.tag
    const headers = {...ldpatch, ...(from === undefined ? {} : {'If-Match': `"${from}"`})}
    const answer = await send(path, {method: 'PATCH', headers, body: patchOf(change)})
    const condition = from === undefined ? {} : {from}
    const write = writeOf(answer, 204)
    if (write !== undefined) record(path, {kind: 'patched', ...condition, change, ...write})
    else recordRefusal(path, answer, from ?? '')
  }

  async function create(path: string): Promise<void> {
    const value = randomUUID()
    const body = bodyOf(iriOf(path), value).join('\n')
    const answer = await send('', {method: 'POST', headers: {...ntriples, Slug: path}, body})
    const write = writeOf(answer, 201)
    if (write !== undefined) record(path, {kind: 'created', value, ...write})
    else if (answer.status === 409) record(path, {kind: 'present', ...answer.interval})
  }

  async function remove(path: string, {tag: from}: Seen): Promise<void> {
    const answer = await send(path, {method: 'DELETE', headers: {'If-Match': `"${from}"`}})
    const write = timeOf(answer, 204)
    if (write !== undefined) record(path, {kind: 'deleted', from, ...write})
    else recordRefusal(path, answer, from)
  }

  function recordRefusal(path: string, {status, interval}: Asked, from: string): void {
    if (status === 404) record(path, {kind: 'absent', ...interval})
    if (status === 412) record(path, {kind: 'mismatch', from, ...interval})
  }

  return async () => {
    const path = `${pick(registers)}/`
    const seen = known.get(path)
    if (seen === undefined) return pick(3) === 0 ? create(path) : read(path)
    return choose([
      [0.3, () => read(path)],
      [0.5, () => replace(path, seen)],
      [0.65, () => exchange(path, seen)],
      [0.9, () => patch(path, seen)],
      [0.95, () => remove(path, seen)],
      [1, () => create(path)],
    ])
  }
}

function randomChange(): Change {
  if (pick(5) === 0) return {kind: 'empty'}
  const kind = oneOf(['mark', 'unmark', 'append'] as const)
  return {kind, text: kind === 'append' ? randomUUID() : String(pick(4))}
}

function patchOf(change: Change): string {
  switch (change.kind) {
    case 'mark':
      return `Add { <> <${e}mark> "${change.text}" . } .`
    case 'unmark':
      return `Delete { <> <${e}mark> "${change.text}" . } .`
    case 'append':
      return `UpdateList <> <${e}list> .. ( "${change.text}" ) .`
    case 'empty':
      return `UpdateList <> <${e}list> 0.. ( ) .`
  }
}

function bodyOf(iri: string, value: string): readonly string[] {
  return [...valueLines(iri, value), `<${iri}> <${e}list> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`]
}

function valueLines(iri: string, value: string): readonly string[] {
  return Array.from({length: copies}, (_, index) => `<${iri}> <${e}value${index}> "${value}" .`)
}

/** The content of a version. If its triples do not agree, the value lists all of them. */
function contentIn(text: string, iri: string): Content {
  const found = Array.from({length: copies}, (_, index) => objectsIn(text, iri, `${e}value${index}`)).flat()
  const values = [...new Set(found)].join(' and ')
  return {
    value: found.length === copies ? values : `${found.length} of ${copies}: ${values}`,
    marks: [...objectsIn(text, iri, `${e}mark`)].sort(),
    list: listIn(text, iri, `${e}list`),
  }
}
