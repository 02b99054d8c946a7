/**
 * A client of documents that refer to each other and contain lists and shared triples, so that deletes change them too.
 * Only the statuses of the responses are checked.
 */

import {c, preferChildren, turtle} from '../support/documents.ts'
import {asContainer, ldpatch, preferAll, preferSelected} from '../support/members.ts'
import {type Act, choose, e, linesOf, ntriples, pick, rdf, speakAs, tagOf, type Wire} from './wire.ts'

type Seen = {readonly tag: string; readonly text: string}

const tangles = 6

export function createTangleClient(wire: Wire): Act {
  const {url} = wire
  const known = new Map<string, Seen>() // what this client read last
  const {send, iriOf} = speakAs('tangle', wire)

  async function create(parent: string, slug: string): Promise<void> {
    const body = tangle(url, iriOf(`${parent}${slug}`))
    await send(parent, {method: 'POST', headers: {...ntriples, Slug: slug}, body})
  }

  async function read(path: string): Promise<void> {
    const answer = await send(path, {headers: ntriples})
    if (answer.status === 200) known.set(path, {tag: tagOf(answer), text: answer.text})
  }

  async function replace(path: string, {tag, text}: Seen): Promise<void> {
    const kept = linesOf(text).filter(line => !line.includes('/e/') && !line.includes('rdf-syntax'))
    const dice = Math.random()
    const headers = {...ntriples, ...(dice < 0.1 ? {} : {'If-Match': dice < 0.3 ? '*' : `"${tag}"`})}
    await send(path, {method: 'PUT', headers, body: `${kept.join('\n')}\n${tangle(url, iriOf(path))}`})
  }

  async function patch(path: string): Promise<void> {
    const [one, other] = [someTangle(url), someTangle(url)]
    const bodies = [
      `Add { <> <${e}see> <${one}> . <${e}x> <${e}p> <${other}> . } .`,
      `Delete { <> <${e}see> <${one}> , <${other}> . <${e}x> <${e}p> <${e}y${pick(3)}> . } .`,
      `Add { <> <${e}node> [ <${e}see> <${one}> ; <${e}list> ( <${one}> <${other}> ) ] . } .`,
      `UpdateList <> <${e}list> 0..0 ( <${one}> ) .`,
      `UpdateList <> <${e}list> -1.. ( ) .`,
      `Bind ?node <> /<${e}node> ! . Cut ?node .`,
    ]
    await send(path, {method: 'PATCH', headers: ldpatch, body: bodies[pick(bodies.length)] ?? ''})
  }

  async function actOnMembers(path: string): Promise<void> {
    const kind = pick(2) === 0 ? 'Add' : 'Remove'
    const members = [someTangle(url), iriOf(`${path}c${pick(3)}/`)]
    const body = `[] a <${c}${kind}MemberAction> ; <${c}targetMember> <${members.join('>, <')}> .`
    const sent =
      kind === 'Add'
        ? {method: 'PUT', headers: {...turtle, Prefer: asContainer}}
        : {method: 'DELETE', headers: {...turtle, Prefer: preferSelected}}
    await send(path, {...sent, body})
  }

  return () => {
    const path = `t${pick(tangles)}/`
    const child = `c${pick(3)}/`
    const seen = known.get(path)
    return choose([
      [0.2, () => create('', path)],
      [0.35, () => create(path, child)],
      [0.5, () => read(path)],
      [0.65, () => (seen === undefined ? read(path) : replace(path, seen))],
      [0.78, () => patch(path)],
      [0.86, () => actOnMembers(path)],
      [0.88, async () => void (await send(path, {method: 'DELETE', headers: {Prefer: preferAll}}))],
      [0.9, async () => void (await send(path, {method: 'DELETE', headers: {Prefer: preferChildren}}))],
      [0.95, async () => void (await send(`${path}${child}`, {method: 'DELETE'}))],
      [1, async () => void (await send(path, {method: 'DELETE'}))],
    ])
  }
}

/** The path of a document or of a child, whether it exists or not. */
function someTangle(root: string): string {
  return new URL(`t${pick(tangles)}/${pick(2) === 0 ? '' : `c${pick(3)}/`}`, root).href
}

/**
 * References to other documents, a list of them, triples that all documents share, and memberships that may be derived.
 */
function tangle(root: string, iri: string): string {
  const other = () => someTangle(root)
  const within = other().replace(/c\d\/$/, '')
  return [
    `<${iri}> <${e}see> <${other()}> .`,
    `<${e}x> <${e}p> <${e}y${pick(3)}> .`,
    `<${e}x> <${e}p> <${other()}> .`,
    `<${within}> <http://www.w3.org/ns/ldp#member> <${within}c${pick(3)}/> .`,
    `<${iri}> <${e}list> _:a .`,
    `_:a <${rdf}first> <${other()}> .`,
    `_:a <${rdf}rest> _:b .`,
    `_:b <${rdf}first> <${other()}> .`,
    `_:b <${rdf}rest> <${rdf}nil> .`,
  ].join('\n')
}
