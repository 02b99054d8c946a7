/** The log of changes as a Linked Data Event Stream: versions, pages that never change, and who may see them. */
import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import {Parser, type Quad} from 'n3'
import {expireChanges, keepChanges} from '../../src/db/store/changes.ts'
import {pagePositions} from '../../src/ldp/event-stream.ts'
import {startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {testSchema} from '../support/postgres.ts'
import {type TestService, useService} from '../support/service.ts'

const nquads = {Accept: 'application/n-quads'}
const tree = 'https://w3id.org/tree#'
const activity = 'https://www.w3.org/ns/activitystreams#'

type Member = {readonly action: string; readonly document: string; readonly position: number; readonly state: string[]}

const parse = (text: string) => new Parser({format: 'N-Quads'}).parse(text)
/** Without the prefix that the parser gives to the labels of each text. */
const line = ({subject, predicate, object}: Quad) =>
  `${subject.id} ${predicate.id} ${object.id}`.replaceAll(/_:b\d+_/g, '_:')

function objectOf(quads: readonly Quad[], subject: string, predicate: string): string {
  return quads.find(quad => quad.subject.value === subject && quad.predicate.value === predicate)?.object.value ?? ''
}

function membersOf(quads: readonly Quad[]): Member[] {
  const members = quads.filter(quad => quad.predicate.value === `${tree}member`).map(quad => quad.object.value)
  return members.map(member => ({
    action: objectOf(quads, member, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type').slice(activity.length),
    document: objectOf(quads, member, 'http://purl.org/dc/terms/isVersionOf'),
    position: Number(objectOf(quads, member, 'http://schema.org/position')),
    state: quads
      .filter(quad => quad.graph.value === member)
      .map(line)
      .sort(),
  }))
}

/** Follows the stream from its root node, and returns its members in order, and the URLs of its pages. */
async function follow(service: TestService, get = (path: string) => service.send({path, headers: nquads})) {
  const members: Member[] = []
  const pages: {readonly path: string; readonly answer: Received}[] = []
  for (let path: string | undefined = '/changes'; path !== undefined; ) {
    const answer: Received = await get(path)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    const quads = parse(answer.text)
    members.push(...membersOf(quads))
    pages.push({path, answer})
    const next: string | undefined = quads.find(({predicate}) => predicate.value === `${tree}node`)?.object.value
    path = next?.replace(service.base, '/')
  }
  return {members, pages}
}

async function create(service: TestService, slug: string, body = '<> <http://e/p> 1 .'): Promise<void> {
  const {status, text} = await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body})
  if (status !== 201) throw new Error(text)
}

async function patch(service: TestService, path: string, body: string): Promise<void> {
  const headers = {'Content-Type': 'text/ldpatch'}
  const {status, text} = await service.send({method: 'PATCH', path, headers, body})
  if (status >= 300) throw new Error(text)
}

async function stateOf(service: TestService, path: string): Promise<string[]> {
  const {text} = await service.send({path, headers: nquads})
  return parse(text).map(line).sort()
}

test('a member is the state that a change left; a move is a deletion and a creation', async t => {
  const service = await useService(t)
  const states: string[][] = []
  await create(service, 'a', '<> <http://e/p> 1, [ <http://e/q> 2 ] .')
  states.push(await stateOf(service, '/a/'))
  for (const body of ['Add { <> <http://e/p> 5 } .', 'Delete { <> <http://e/p> 1 } .', 'Add { <> <http://e/p> 1 } .']) {
    await patch(service, '/a/', body)
    states.push(await stateOf(service, '/a/'))
  }
  t.is((await service.send({method: 'MOVE', path: '/a/', headers: {Destination: `${service.base}b/`}})).status, 201)
  states.push([], await stateOf(service, '/b/'))
  t.is((await service.send({method: 'DELETE', path: '/b/'})).status, 204)
  states.push([])
  await create(service, 'b', '<> <http://e/p> 9 .')
  states.push(await stateOf(service, '/b/'))

  const {members} = await follow(service)
  const own = members.filter(({document}) => [`${service.base}a/`, `${service.base}b/`].includes(document))
  t.deepEqual(
    own.map(({action, document}) => `${action} ${document.slice(service.base.length)}`),
    ['Create a/', 'Update a/', 'Update a/', 'Update a/', 'Delete a/', 'Create b/', 'Delete b/', 'Create b/'],
  )
  t.deepEqual(
    own.map(({state}) => state),
    states,
  )
})

test('pages are ranges of positions; a full one never changes, also when changes expire', async t => {
  const service = await useService(t)
  const {database} = service.database
  for (let n = 0; n < pagePositions; n++) await create(service, `d${n}`)
  await database.query(`select nextval('${testSchema}.change_seq') from generate_series(1, 70)`) // of a rollback
  for (let n = 0; n < 5; n++) await patch(service, '/d0/', `Add { <> <http://e/p> "${n}" } .`)
  const before = await follow(service)
  t.deepEqual(
    before.pages.map(({answer}) => answer.headers['cache-control']),
    before.pages.map((_, index) =>
      index === 0 || index === before.pages.length - 1 ? 'no-cache' : 'public, max-age=2592000, immutable',
    ),
  )
  t.true(before.pages.length >= 4)
  const positions = before.members.map(({position}) => position)
  t.deepEqual(
    positions,
    [...new Set(positions)].sort((a, b) => a - b),
  )

  await patch(service, '/d1/', 'Delete { <> <http://e/p> 1 } .')
  const after = await follow(service)
  t.is(after.members.length, before.members.length + 1)
  const fullPages = before.pages.slice(1, -1)
  for (const [index, {path, answer}] of fullPages.entries()) {
    t.is(after.pages[index + 1]?.answer.text, answer.text, path)
    const again = await service.send({path, headers: {...nquads, 'If-None-Match': String(answer.headers.etag)}})
    t.is(again.status, 304, path)
  }
  const last = before.pages.at(-1)
  const headers = {...nquads, 'If-None-Match': String(last?.answer.headers.etag)}
  t.is((await service.send({path: last?.path ?? '', headers})).status, 200)

  await keepChanges(database, testSchema, 3600)
  await database.query(`update ${testSchema}.change set time = time - interval '2 hours'
    where position <= ${pagePositions + 3}`)
  await expireChanges(database, testSchema, 1000)
  const left = await follow(service)
  t.deepEqual(
    left.members,
    after.members.filter(({position}) => position > pagePositions + 3),
  )
  const gone = await service.send({path: '/changes?page=0', headers: nquads})
  t.is(gone.status, 410)
  t.true(gone.text.includes('changes-kept'), gone.text)
})

test('the root node says how the stream is to be read, in every RDF format', async t => {
  const service = await useService(t)
  await create(service, 'a')
  const {text} = await service.send({path: '/changes', headers: nquads})
  const root = `${service.base}changes`
  const about = (name: string) => objectOf(parse(text), `${root}#stream`, `https://w3id.org/ldes#${name}`)
  t.deepEqual(['timestampPath', 'sequencePath', 'versionOfPath', 'versionDeleteObject'].map(about), [
    'http://www.w3.org/ns/prov#generatedAtTime',
    'http://schema.org/position',
    'http://purl.org/dc/terms/isVersionOf',
    `${activity}Delete`,
  ])
  t.is(objectOf(parse(text), `${root}#retention`, 'https://w3id.org/ldes#fullLogDuration'), 'PT2592000S')
  for (const type of ['text/turtle', 'application/ld+json', 'application/trig', 'application/rdf+xml']) {
    for (const path of ['/changes', '/changes?page=0']) {
      const answer = await service.send({path, headers: {Accept: type}})
      t.is(answer.status, 200, answer.text)
      t.true(String(answer.headers['content-type']).startsWith(type))
      t.true(answer.text.includes(path === '/changes' ? 'retention' : 'Create'), answer.text)
    }
  }
  const refused = (path: string) => service.send({path, headers: nquads})
  t.is((await refused('/changes?page=x')).status, 400)
  t.is((await refused('/changes?after=1')).status, 400)
  t.is((await refused('/changes?page=99')).status, 404)
})

test('the examples of docs/changes.md are answered', async t => {
  const service = await useService(t)
  await create(service, 'books')
  const page = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
  const [, block = ''] = /## Linked Data Event Stream[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  const paths = Array.from(block.matchAll(/http:\/\/localhost:8080([^\s']*)/g), ([, path = '']) => path)
  t.is(paths.length, 2)
  for (const path of paths) {
    const {status, text} = await service.send({path, headers: {Accept: 'application/trig'}})
    t.is(status, 200)
    t.true(text.includes(path.includes('page') ? 'member' : 'timestampPath'), text)
  }
})

test('with access control, a page has what its reader may read, and is private', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const post = (slug: string) =>
    guarded.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body: '<> <http://e/p> 1 .'})
  await post('open')
  await post('closed')
  await guarded.grant('/open/', {public: ['read']})
  const documents = async (name: string | undefined) => {
    const {members, pages} = await follow(guarded, path => guarded.sendAs(name, {path, headers: nquads}))
    for (const {answer} of pages) checkPrivate(t, answer)
    return [...new Set(members.map(({document}) => document.slice(guarded.base.length)))].sort()
  }
  t.deepEqual(await documents(undefined), ['open/'])
  t.deepEqual(await documents('root'), ['closed/', 'open/'])
})

function checkPrivate(t: ExecutionContext, {headers}: Received): void {
  t.regex(String(headers['cache-control']), /private|no-store/)
  t.notRegex(String(headers['cache-control']), /immutable|public/)
  t.is(headers.etag, undefined)
}
