/** Two datasets of one service have nothing of each other: keys, grants, webhooks. */
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import test from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {readChangeRange} from '../../src/db/store/changes.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {createKey} from '../../src/db/store/keys.ts'
import type {Session} from '../../src/db/store/session.ts'
import {addWebhook} from '../../src/db/store/webhooks.ts'
import {makeSecret} from '../../src/hooks/signature.ts'
import {agentOf} from '../support/access.ts'
import {sessionOf, useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {until} from '../support/machine.ts'
import {areDistributed} from '../support/postgres.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

/** A cluster's service takes a missing function for a move of the dataset. */
const testWithout: Declare = areDistributed ? testWhen(false, 'it drops a function, which means a move there') : test
const turtle = {'Content-Type': 'text/turtle'}

/** Creates a key of an agent who controls the root of a dataset. Returns its Authorization header. */
async function letIn(session: Session, agent: string, root: string): Promise<string> {
  const key = makeKey()
  const hash = hashKey(key)
  await createKey(session, {
    hash,
    agent: agentOf(agent),
    groups: ['staff'],
    name: agent,
    modes: null,
    within: null,
    expires: null,
  })
  const grants = [{grantee: `agent ${agentOf(agent)}`, modes: ['write', 'control'] as const}]
  await putGrants(session, root, {grants, ifMatch: undefined, keepsControl: false})
  return `Bearer ${key}`
}

test('grants and keys of one dataset are nothing in another', async t => {
  const place = await useDatasetPlace(t)
  for (const name of ['one', 'two', 'three']) await place.add({name, settings: {ACCESS: 'grants'}})
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map(name => sessionOf(t, place, name)))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three were added')
  const ofOne = await letIn(one, 'ada', 'http://localhost/one/')
  const ofTwo = await letIn(two, 'bob', 'http://localhost/two/')
  // In the third dataset the same agent has grants, but no key; its group may do everything.
  const staff = [{grantee: 'group staff', modes: ['write', 'control'] as const}]
  await putGrants(three, 'http://localhost/three/', {grants: staff, ifMatch: undefined, keepsControl: false})
  const {send} = await useDatasets(t, place)
  const statusesOf = async (path: string, authorization: string) => {
    const headers = {...turtle, Authorization: authorization}
    const sparql = `${path}sparql?query=${encodeURIComponent('ASK { ?s ?p ?o }')}`
    const access = `${path}.system/access?document=${encodeURIComponent(`http://localhost${path}`)}`
    const asked = [
      {path, headers},
      {path, method: 'POST', headers: {...headers, Slug: 'made'}, body: ''},
      {path: sparql, headers},
      {path: access, headers},
      {path: `${path}.system/keys`, headers},
    ]
    const statuses: number[] = []
    for (const sent of asked) statuses.push((await send(sent)).status)
    return statuses
  }

  t.deepEqual(await statusesOf('/one/', ofOne), [200, 201, 200, 200, 200])
  t.deepEqual(await statusesOf('/two/', ofTwo), [200, 201, 200, 200, 200])
  for (const [path, authorization] of [
    ['/one/', ofTwo],
    ['/two/', ofOne],
    ['/three/', ofOne],
    ['/three/', ofTwo],
  ] as const)
    t.deepEqual(await statusesOf(path, authorization), [401, 401, 401, 401, 401], path)
  // A key that exists in both is another agent's in each, with the grants of that one.
  const {headers} = await send({path: '/one/made/', headers: {Authorization: ofTwo}})
  t.regex(headers['www-authenticate'] ?? '', /Bearer/)
  const agents = async ({database, inSchema}: Session) =>
    (await database.query<{agent: string}>(`select agent from ${inSchema}api_key`)).map(({agent}) => agent)
  t.deepEqual([await agents(one), await agents(two), await agents(three)], [[agentOf('ada')], [agentOf('bob')], []])
})

test('webhooks of a closed dataset are posted without a request', async t => {
  const posted: string[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    posted.push(JSON.parse(body).data.document)
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.teardown(() => void receiver.close())
  const {port} = receiver.address() as AddressInfo
  const place = await useDatasetPlace(t, {WEBHOOK_NETWORKS: 'loopback'})
  await place.add({name: 'hooked'})
  await place.add({name: 'silent'})
  const {send, stop} = await useDatasets(t, place)
  const make = (slug: string) =>
    send({path: '/hooked/', method: 'POST', headers: {...turtle, Slug: slug}, body: '<> <http://a/p> 1 .'})
  t.is((await make('a')).status, 201)
  const session = await sessionOf(t, place, 'hooked')
  const {last} = await readChangeRange(session.database, 'dataset_hooked')
  const hook = {url: `http://127.0.0.1:${port}/`, secret: makeSecret(), agent: null, groups: [], under: null}
  await addWebhook(session, {...hook, actions: ['created'], after: last})
  t.is((await make('b')).status, 201)
  await stop()
  const registered = async () => (await place.administration.registry.find('hooked'))?.hasWebhooks
  t.false(await registered())

  // A service that is told looks for it, and opens the dataset. Nobody sends a request.
  const entry = await place.administration.registry.find('hooked')
  await place.administration.registry.noteWebhooks(entry?.id ?? '', true)
  await useDatasets(t, place)
  await until(() => posted.length > 0)

  t.deepEqual(posted, ['http://localhost/hooked/b/'])
  await session.database.query(`delete from ${session.inSchema}webhook`)
  await until(async () => (await registered()) === false)
  t.false((await place.administration.registry.find('silent'))?.hasWebhooks)
})

testWithout('a dataset that is opened records that it has webhooks, and others do not look for them', async t => {
  const place = await useDatasetPlace(t, {WEBHOOK_NETWORKS: 'loopback'})
  for (const name of ['hooked', 'silent']) await place.add({name})
  const session = await sessionOf(t, place, 'hooked')
  const url = 'http://127.0.0.1:9/'
  await addWebhook(session, {
    url,
    secret: makeSecret(),
    agent: null,
    groups: [],
    under: null,
    actions: null,
    after: '0',
  })
  const {send} = await useDatasets(t, place)
  for (const name of ['hooked', 'silent']) t.is((await send({path: `/${name}/`})).status, 200)
  const registered = async (name: string) => (await place.administration.registry.find(name))?.hasWebhooks
  await until(async () => (await registered('hooked')) === true)
  t.false(await registered('silent'))

  // Without the function that each look calls, a look is a failure.
  const failed = new Set<string>()
  const hear = (observation: Observation) => {
    const {message = ''} = observation.kind === 'failure' && observation.error instanceof Error ? observation.error : {}
    for (const name of ['hooked', 'silent']) if (message.includes(`dataset_${name}.take_webhooks`)) failed.add(name)
  }
  t.teardown(subscribe(hear))
  const silent = await sessionOf(t, place, 'silent')
  for (const {database, inSchema} of [silent, session]) await database.query(`drop function ${inSchema}take_webhooks`)
  await until(() => failed.has('hooked'))
  await delay(1500)
  t.deepEqual([...failed], ['hooked'])
})
