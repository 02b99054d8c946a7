/**
 * A client of documents that always change together, in groups of a batch: no group that reads them may show a torn
 * state.
 */
import {randomUUID} from 'node:crypto'
import {type Act, e, objectsIn, oneOf, pick, speakAs, type Wire} from './wire.ts'

const twins = ['twin-a/', 'twin-b/', 'twin-c/']
const json = {'Content-Type': 'application/json'}

type Told = {readonly status: number; readonly body?: string}

/** Creates the documents of all clients. */
export async function makeTwins({ask}: Wire): Promise<void> {
  for (const slug of twins) {
    const headers = {'Content-Type': 'text/turtle', Slug: slug}
    const {status, text} = await ask('setup', '', {method: 'POST', headers, body: `<> <${e}value> "none" .`})
    if (status !== 201) throw new Error(`${status} ${text}`)
  }
}

/** @param complain  receives every torn state */
export function createTwinClient(wire: Wire, complain: (complaint: string) => void): Act {
  const {send, iriOf} = speakAs('twin', wire)

  /** Sends a group of one request for each document. @returns undefined: without a certain result */
  async function group(requestOf: (iri: string) => object, paths = twins): Promise<readonly Told[] | undefined> {
    const requests = paths.map((path, id) => ({id: String(id), atomicityGroup: 'g', ...requestOf(iriOf(path))}))
    const answer = await send('/batch', {method: 'POST', headers: json, body: JSON.stringify({requests})})
    if (answer.status !== 200) return undefined
    const told: Told[] = JSON.parse(answer.text).responses
    const failing = told.filter(({status}) => status >= 400)
    if (failing.length > 0 && failing.length < told.length) complain(`half a group: ${answer.text}`)
    if (failing.some(({status}) => status !== 424 && status !== 503)) complain(`a refused group: ${answer.text}`)
    return failing.length > 0 ? undefined : told
  }

  async function read(): Promise<void> {
    const told = await group(url => ({method: 'GET', url, headers: {accept: 'application/n-triples'}}))
    const values = told?.map(({body = ''}, at) => objectsIn(body, iriOf(twins[at] ?? ''), `${e}value`).join(' and '))
    if (values !== undefined && new Set(values).size !== 1) complain(`a torn state: ${values.join(', ')}`)
  }

  async function write(): Promise<void> {
    const value = randomUUID()
    const headers = {'content-type': 'application/sparql-update'}
    const body = `DELETE { <> <${e}value> ?old } INSERT { <> <${e}value> "${value}" } WHERE { <> <${e}value> ?old }`
    await group(url => ({method: 'PATCH', url, headers, body}), oneOf([twins, twins.toReversed()]))
  }

  return () => (pick(3) === 0 ? write() : read())
}
