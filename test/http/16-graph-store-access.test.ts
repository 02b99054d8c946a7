/** Grants of the graph store: those of documents. What the caller may not read is neither read nor revealed. */
import test from 'ava'
import type {Mode} from '../../src/db/store/caller.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {ldpatch, ruleOf} from '../support/members.ts'
import {loadRawGraph} from '../support/raw-graph.ts'

const services = new Map<string, GuardedService>()

test.before(async () => {
  for (const refusal of ['403', '404'])
    services.set(refusal, await startGuarded({ACCESS_REFUSAL: refusal, AUDIT: 'on', QUERY_ACCESS: 'readers'}))
})
test.after.always(async () => {
  for (const service of services.values()) await service.stop()
})

function serviceOf(refusal: string): GuardedService {
  const service = services.get(refusal)
  if (service === undefined) throw new Error(`no service refuses by ${refusal}`)
  return service
}

const outcome = (answer: Received) => (answer.status < 300 ? `${answer.status}` : `${answer.status} ${ruleOf(answer)}`)

/** A document with one triple, on which the agent `ann` has some modes, and functions to ask for its graph. */
async function make(refusal: string, name: string, modes: readonly Mode[]) {
  const service = serviceOf(refusal)
  const path = `/${name}/`
  const send = (agent: string | undefined, method: string, graph: string, {headers, body}: Sent = {}) => {
    const place = graph === 'default' ? '?default' : `?graph=${encodeURIComponent(service.base + graph.slice(1))}`
    const content = body === undefined ? {headers: headers ?? {}} : {body, headers: {...turtle, ...headers}}
    return service.sendAs(agent, {method, path: `/rdf-graph-store${place}`, ...content})
  }
  const made = await send('root', 'PUT', path, {body: `<> <http://e/p> "${name}" .`})
  if (made.status !== 201) throw new Error(made.text)
  await service.grant(path, modes.length === 0 ? {} : {[`agent ${agentOf('ann')}`]: modes})
  return {service, path, ask: (method: string, graph: string, sent?: Sent) => send('ann', method, graph, sent), send}
}

const body = '<> <http://e/q> 1 .'

test('each method needs the grants of the same request to the document', async t => {
  const expected: readonly (readonly [modes: readonly Mode[], outcomes: Readonly<Record<string, string>>])[] = [
    [['read'], {GET: '200', PUT: '403', POST: '403', PATCH: '403', DELETE: '403', child: '403'}],
    [['read', 'create'], {GET: '200', PUT: '403', POST: '403', PATCH: '403', DELETE: '403', child: '201'}],
    [['edit'], {GET: '200', PUT: '204', POST: '204', PATCH: '204', DELETE: '403', child: '403'}],
    [['delete'], {GET: '200', PUT: '403', POST: '403', PATCH: '403', DELETE: '204', child: '403'}],
  ]
  for (const [modes, outcomes] of expected) {
    const name = `modes-${modes.join('-')}`
    const {path, ask} = await make('403', name, modes)
    const patch = {headers: ldpatch, body: 'Add { <> <http://e/r> 1 } .'}
    const found = {
      GET: await ask('GET', path),
      PUT: await ask('PUT', path, {body}),
      POST: await ask('POST', path, {body}),
      PATCH: await ask('PATCH', path, patch),
      child: await ask('PUT', `${path}child/`, {body}),
      DELETE: await ask('DELETE', path, {headers: {Depth: 'infinity'}}),
    }
    t.deepEqual(
      Object.fromEntries(Object.entries(found).map(([method, {status}]) => [method, String(status)])),
      outcomes,
      name,
    )
  }
})

test('what a caller may not read cannot be told from what does not exist', async t => {
  for (const [refusal, answer] of [
    ['403', '403 access-granted'],
    ['404', '404 document-exists'],
  ] as const) {
    const {path, ask} = await make(refusal, 'hidden', [])
    for (const method of ['GET', 'OPTIONS', 'PUT', 'POST', 'DELETE'])
      for (const graph of [path, '/absent/']) {
        const sent = ['PUT', 'POST'].includes(method) ? {body} : {}
        t.is(outcome(await ask(method, graph, sent)), answer, `${method} ${graph}`)
      }
  }
  const {path, send} = await make('403', 'anonymous', [])
  for (const graph of [path, '/absent/'])
    t.is(outcome(await send(undefined, 'PUT', graph, {body})), '401 authentication-required')
})

test('the default graph is the union of what the caller may read', async t => {
  const {ask, send} = await make('403', 'union-seen', ['read'])
  await make('403', 'union-unseen', [])
  const lines = async (answer: Promise<Received>) => (await answer).text.match(/"union-(seen|unseen)"/g)?.sort() ?? []
  t.deepEqual(await lines(ask('GET', 'default')), ['"union-seen"'])
  t.deepEqual(await lines(send('root', 'GET', 'default')), ['"union-seen"', '"union-unseen"'])
})

test('a raw graph is there for those only who may read the root', async t => {
  const {service, send} = await make('403', 'raw', ['edit'])
  const iri = 'http://raw.example/g'
  await loadRawGraph(service.database.database, iri)
  const path = `/rdf-graph-store?graph=${encodeURIComponent(iri)}`
  const as = (name: string, method: string) =>
    service.sendAs(name, {method, path, ...(method === 'PUT' && {headers: turtle, body: ''})})
  t.is(outcome(await as('root', 'GET')), '200')
  t.is(outcome(await as('root', 'PUT')), '405 graph-read-only')
  t.is(outcome(await as('root', 'DELETE')), '405 graph-read-only')
  t.is(outcome(await as('ann', 'GET')), '403 access-granted')
  t.is(outcome(await as('ann', 'PUT')), '422 graph-known')
  t.is(outcome(await send('root', 'GET', '/raw/')), '200')
})

test('QUERY_ACCESS=granted: the default graph needs the mode query, as a query does; a document does not', async t => {
  const service = await startGuarded({QUERY_ACCESS: 'granted'})
  t.teardown(service.stop)
  await service.grant('/', {
    [`agent ${agentOf('root')}`]: ['write', 'control', 'query'],
    [`agent ${agentOf('ann')}`]: ['read'],
  })
  const get = (name: string, place: string) => service.sendAs(name, {path: `/rdf-graph-store${place}`})
  t.is(outcome(await get('ann', '?default')), '403 access-granted')
  t.is(outcome(await get('ann', `?graph=${service.base}`)), '200')
  t.is(outcome(await get('root', '?default')), '200')
})

test('every change has a row in the audit, with its agent', async t => {
  const {service, ask, path} = await make('404', 'audited', ['write'])
  for (const method of ['PUT', 'POST']) await ask(method, path, {body})
  await ask('PUT', `${path}child/`, {body})
  await ask('DELETE', `${path}child/`)
  const rows = await service.database.database.query<{action: string; document: string}>(
    'select action, document from quadstead.audit where agent = $1 and document like $2 order by id',
    [agentOf('ann'), `${service.base}audited/%`],
  )
  const [iri, child] = [`${service.base}audited/`, `${service.base}audited/child/`]
  t.deepEqual(
    rows.map(({action, document}) => [action, document]),
    [
      ['replace', iri],
      ['patch', iri],
      ['create', child],
      ['delete', child],
    ],
  )
})
