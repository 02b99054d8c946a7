/**
 * The operations on documents: the requests of each connection.
 *
 * Each operation expects one status. A response with another status ends the run.
 */
import type {Answer} from './client.ts'
import {headerOf, openConnection, requestText} from './client.ts'
import {base, platform, turtle} from './documents.ts'
import {repeat, type Shooter} from './load.ts'

export type Bench = {readonly port: number; readonly documents: number}
export type Operation = (connection: number) => Shooter

const turtleType = {'Content-Type': 'text/turtle'}
const basicModel = {Prefer: 'http://www.w3.org/ns/ldp#RDFSource; rel=interaction-model'}
const containerModel = {Prefer: 'http://www.w3.org/ns/ldp#Container; rel=interaction-model'}
const editable = 'http://example.org/shop#edition'
let made = 0 // numbers of documents; unique in a run

/** Creates the documents for the operations, and one to edit for each connection. */
export async function prepare(port: number, connections: number): Promise<void> {
  const {exchange, close} = await openConnection(port)
  const post = async (path: string, slug: string, body = '') => {
    const answer = await exchange(requestText('POST', path, {...turtleType, Slug: slug}, body))
    if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.body}`)
  }
  for (const slug of ['products', 'stock', 'made', 'parents', 'edited', 'groups']) await post('/', slug)
  for (let index = 0; index < connections; index += 1) {
    await post('/parents/', `c${index}`)
    await post('/edited/', `c${index}`, `${turtle(`edited ${index}`, index)}<> <${editable}> 0 .\n`)
    await post('/edited/', `p${index}`, `${turtle(`patched ${index}`, index)}<> <${editable}> 0 .\n`)
    await post('/groups/', `c${index}`)
    const relation = `<http://www.w3.org/ns/ldp#hasMemberRelation> <http://example.org/shop#holds>`
    await post(`/groups/c${index}/`, 'point', `<> a <${platform}AccessPoint> ; ${relation} .\n`)
  }
  close()
}

const editions = new Map<number, number>()
const memberNumbers = new Map<number, number>()
const takeMark = () => `${Date.now().toString(36)}${made++}`
let removed = 0

export function documentOperations({documents}: Bench): ReadonlyMap<string, Operation> {
  const path = () => `/products/p${Math.floor(Math.random() * documents)}/`
  const post = (parent: string) => {
    made += 1
    return requestText('POST', parent, turtleType, turtle(takeMark(), made))
  }
  return new Map<string, Operation>([
    ['GET', () => repeat(() => requestText('GET', path(), {Accept: 'text/turtle'}), 200)],
    ['GET, 304', () => conditional(path)],
    ['GET, JSON-LD', () => repeat(() => requestText('GET', path(), {Accept: 'application/ld+json'}), 200)],
    ['POST', () => repeat(() => post('/made/'), 201)],
    ['POST, a parent each', index => repeat(() => post(`/parents/c${index}/`), 201)],
    ['GET and PUT', editor],
    ['PATCH', index => repeat(() => patch(index), 204)],
    ['member add', index => repeat(() => addMember(index, documents), 204)],
    ['DELETE', () => repeat(() => requestText('DELETE', `/stock/d${removed++}/`), 204)],
  ])
}

/** GET with If-None-Match of fifty documents, whose tags were read before. */
function conditional(path: () => string): Shooter {
  const tags = new Map<string, string>()
  const visited: string[] = []
  let current = ''
  return {
    next() {
      const isKnown = visited.length >= 50
      current = isKnown ? (visited[Math.floor(Math.random() * visited.length)] ?? '') : path()
      const tag = tags.get(current)
      return requestText('GET', current, {Accept: 'text/turtle', ...(tag === undefined ? {} : {'If-None-Match': tag})})
    },
    answered({status, head, body}: Answer) {
      if (status !== (tags.has(current) ? 304 : 200)) throw new Error(`${status}: ${body}`)
      if (tags.has(current)) return
      tags.set(current, headerOf(head, 'etag') ?? '')
      visited.push(current)
    },
  }
}

/** An editor: reads a document, changes one value, and writes the result. One sample is both requests together. */
function editor(index: number): Shooter {
  const path = `/edited/c${index}/`
  let read: Answer | undefined
  return {
    next() {
      if (read === undefined) return requestText('GET', path, {Accept: 'text/turtle'})
      const tag = headerOf(read.head, 'etag') ?? ''
      const body = read.body
        .toString('utf8')
        .replace(/(shop#edition> )(\d+)/, (_, name, n) => `${name}${Number(n) + 1}`)
      return requestText('PUT', path, {...turtleType, ...basicModel, 'If-Match': tag}, body)
    },
    answered(answer) {
      if (answer.status !== (read === undefined ? 200 : 204)) throw new Error(`${answer.status}: ${answer.body}`)
      read = read === undefined ? answer : undefined
    },
  }
}

/** A patch that names the removed and the added triples. */
function patch(index: number): string {
  const edition = editions.get(index) ?? 0
  editions.set(index, edition + 1)
  const property = `<http://example.org/shop#edition>`
  const document = `<${base}edited/p${index}/>`
  const body = `Delete { ${document} ${property} ${edition} } .\nAdd { ${document} ${property} ${edition + 1} } .\n`
  return requestText('PATCH', `/edited/p${index}/`, {'Content-Type': 'text/ldpatch'}, body)
}

function addMember(index: number, documents: number): string {
  const number = memberNumbers.get(index) ?? index * 97
  memberNumbers.set(index, number + 1)
  const member = `<${base}products/p${number % documents}/>`
  const body = `[] a <${platform}AddMemberAction> ; <${platform}targetMember> ${member} .\n`
  return requestText('PUT', `/groups/c${index}/point/`, {...turtleType, ...containerModel}, body)
}

/** The floors in Node (floors/koa.ts). */
export function readOperations({documents}: Bench): ReadonlyMap<string, Operation> {
  const floor = (kind: string): Operation => {
    return () =>
      repeat(() => {
        const path = `/${kind}/products/p${Math.floor(Math.random() * documents)}/`
        return requestText('GET', path, {Accept: 'text/turtle'})
      }, 200)
  }
  return new Map([
    ['Koa', floor('bare')],
    ['Koa + rows', floor('rows')],
    ['Koa + function', floor('read')],
  ])
}
