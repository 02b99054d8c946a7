/**
 * A random mix of all requests: reads in all formats, writes of all kinds, queries, invalid requests, and clients that
 * disconnect during a response.
 */
import type {Agent} from 'node:http'
import {formats} from '../../src/format/registry.ts'
import {createMemberClient, makeLists} from '../history/member-client.ts'
import {createRegisterClient} from '../history/register-client.ts'
import {createTangleClient} from '../history/tangle-client.ts'
import {type Act, choose, createWire, e, oneOf, pick, type Wire} from '../history/wire.ts'
import {send} from '../support/client.ts'
import {c, turtle} from '../support/documents.ts'

export type Load = {
  /** Runs this many clients for the given time. */
  readonly run: (clients: number, isOver: () => boolean) => Promise<void>
  readonly statuses: ReadonlyMap<string, number> // "query POST 200" → how often
  readonly requests: () => number
}

const largeTriples = 8000 // of a document that is streamed
const bodyTriples = 2000 // of one body
const prefixes = `PREFIX ldp: <http://www.w3.org/ns/ldp#> PREFIX c: <${c}> PREFIX e: <${e}>`
const contexts = `include="${c}PreferResultsContexts"`
const checksums = `include="${c}PreferDocumentChecksums"`

const queries: readonly (() => string)[] = [
  () => 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  () => `SELECT ?s ?o { ?s e:mark ?o FILTER(?o > ${pick(100)}) } ORDER BY ?o LIMIT ${1 + pick(50)}`,
  () => `SELECT ?d (GROUP_CONCAT(STR(?m)) AS ?all) { ?d e:see ?m } GROUP BY ?d`,
  () => `SELECT DISTINCT ?x { <> ldp:contains* ?x OPTIONAL { ?x e:see/e:see ?y } }`,
  () => `SELECT * { VALUES ?v { ${Array.from({length: 1 + pick(40)}, () => pick(1_000_000)).join(' ')} } }`,
  () => `ASK { ?s e:see <t${pick(9)}/> }`,
  () => `DESCRIBE <t${pick(9)}/> <large/>`,
  () => `CONSTRUCT { ?d ?p ?o ; c:document ?d } { GRAPH ?d { ?d ?p ?o } FILTER(?d != <large/>) }`,
  () => `CONSTRUCT WHERE { ?s e:see ?o }`,
  () => `SELECT ?s { ?s ?p "${'x'.repeat(pick(3000))}" }`,
  () => `SELECT * { this is no query ${pick(1_000_000)}`,
  () => 'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }',
]

/** Creates the documents of the load. */
export async function createLoad(url: string, agent: Agent): Promise<Load> {
  const wire = createWire(url, agent)
  await makeLists(wire)
  await makeLarge(wire)
  const readTypes = formats.map(({mediaTypes: [first]}) => first)
  const resultTypes = ['application/sparql-results+json', 'application/sparql-results+xml', 'text/csv', 'text/html']
  const paths = ['', 'lists/', 'members/', 'large/', ...Array.from({length: 6}, (_, index) => `t${index}/`)]

  const read: Act = async () =>
    void (await wire.ask('read', oneOf(paths), {
      headers: {Accept: oneOf([...readTypes, 'text/html', 'nothing/known'])},
    }))
  const query: Act = async () => {
    const body = `${prefixes} ${oneOf(queries)()}`
    const headers = {
      'Content-Type': 'application/sparql-query',
      Accept: `${oneOf([...resultTypes, ...readTypes, 'application/vnd.quadstead.explain+json'])}, */*;q=0.1`,
      Prefer: oneOf([[], [contexts], [checksums], [contexts, checksums]]),
    }
    await wire.ask('query', oneOf(paths), {method: 'POST', headers, body})
  }
  const refused: Act = async () =>
    oneOf([
      () => wire.ask('refused', 'no-document/'),
      () => wire.ask('refused', '', {method: 'POST', headers: turtle, body: `<> <http://e/p> broken ${pick(9999)}`}),
      () => wire.ask('refused', 'large/', {method: 'PUT', headers: turtle, body: ''}),
      () => wire.ask('refused', '', {method: 'POST', headers: {'Content-Type': 'image/png'}, body: 'x'.repeat(9999)}),
      () => wire.ask('refused', 'errors', {headers: {Accept: 'text/html'}}),
    ])().then(() => undefined)
  const goAway: Act = async () => {
    const signal = AbortSignal.timeout(1 + pick(20))
    await send(url, {path: new URL(oneOf(['large/', ...paths]), url).pathname, signal}).catch(() => undefined)
  }

  return {
    statuses: wire.statuses,
    requests: wire.count,
    async run(clients, isOver) {
      const client = async () => {
        const [useRegister, useMembers, useTangle] = [
          createRegisterClient(wire, () => undefined),
          createMemberClient(wire, () => undefined),
          createTangleClient(wire),
        ]
        while (!isOver())
          await choose([
            [0.15, useRegister],
            [0.3, useMembers],
            [0.45, useTangle],
            [0.65, read],
            [0.9, query],
            [0.95, refused],
            [1, goAway],
          ])
      }
      await Promise.all(Array.from({length: clients}, client))
    },
  }
}

async function makeLarge({ask}: Wire): Promise<void> {
  await ask('setup', '', {method: 'POST', headers: {...turtle, Slug: 'large'}, body: ''})
  for (let start = 0; start < largeTriples; start += bodyTriples) {
    const lines = Array.from({length: bodyTriples}, (_, index) => `<#${start + index}> <${e}mark> ${start + index} .`)
    const body = `Add { ${lines.join('\n')} } .`
    const {status, text} = await ask('setup', 'large/', {
      method: 'PATCH',
      headers: {'Content-Type': 'text/ldpatch'},
      body,
    })
    if (status !== 204) throw new Error(`${status} ${text}`)
  }
}
