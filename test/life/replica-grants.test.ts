/** Grants and replicas: a removed grant has no effect, even if a replica still has it. */
import ava, {type ExecutionContext} from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import type {Session} from '../../src/db/store/session.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {type Received, type Sent, send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {type Description, descriptionPath, faultsOf, type Operation} from '../support/openapi.ts'
import {findReplicationBinaries, type Replication, startReplication, type TestReplica} from '../support/replication.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findReplicationBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with pg_basebackup here')

type Service = Awaited<ReturnType<typeof start>>

let replication: Replication
let replica: TestReplica
let service: Service
let other: Service // another instance with the same database
let session: Session // changes grants like the command line

ava.before(async () => {
  if (binaries === undefined) return
  replication = await startReplication(binaries, 1)
  ;[replica] = replication.replicas as [TestReplica]
  service = await startOn(replication)
  other = await startOn(replication)
  session = createSession(replication.primary, 'quadstead', await readVocabulary(replication.primary, 'quadstead'))
  await grant({public: ['write', 'control']})
  const body = '<> <http://example.org/ns#name> "for readers" .'
  const posted = {method: 'POST', path: '/', headers: {'Content-Type': 'text/turtle', Slug: 'books'}, body}
  await send(service.url, posted)
})
ava.after.always(async () => {
  await other?.stop()
  await service?.stop()
  await replication?.stop()
})

/** A limit so high that lag alone excludes no replica. */
function startOn({url, replicas}: Replication): Promise<Service> {
  return start(
    readConfig({
      PORT: '0',
      BASE_URL: 'http://example.org/',
      DATABASE_URL: url,
      DATABASE_READ_URL: replicas.map(one => one.url).join(' '),
      DATABASE_READ_LAG_MS: '3600000',
      ACCESS: 'grants',
      DRAIN_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'silent',
    }),
  )
}

function grant(grants: Readonly<Record<string, readonly ('read' | 'write' | 'control')[]>>): Promise<string> {
  const given = Object.entries(grants).map(([grantee, modes]) => ({grantee, modes}))
  return putGrants(session, 'http://example.org/', {grants: given, ifMatch: undefined, keepsControl: false})
}

const put = (grants: readonly object[]): Promise<Received> => {
  const headers = {'Content-Type': 'application/json'}
  const body = JSON.stringify({grants})
  return send(service.url, {method: 'PUT', path: '/.system/access', headers, body})
}

/** The three kinds of reads. */
const reads: Readonly<Record<string, Sent>> = {
  document: {path: '/books/', headers: {Accept: 'application/n-triples'}},
  page: {path: '/books/', headers: {Accept: 'text/html'}},
  query: {path: `/sparql?query=${encodeURIComponent('SELECT ?o { ?s <http://example.org/ns#name> ?o }')}`},
}

/** The kinds of reads whose responses have the document's content. */
async function telling({url}: Service): Promise<readonly string[]> {
  const told: string[] = []
  for (const [name, sent] of Object.entries(reads))
    if ((await send(url, sent)).text.includes('for readers')) told.push(name)
  return told
}

/** Which servers answered the reads: 'replica', or the reason for using the primary. */
async function answeredBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const servers: string[] = []
  const end = subscribe((observation: Observation) => {
    if (observation.kind === 'read') servers.push(observation.fallback ?? 'replica')
  })
  try {
    await work()
    return [...new Set(servers)]
  } finally {
    end()
  }
}

/** Everybody may read, both instances read from the replica, and its replay is paused. */
async function pauseWithPublicGrant(t: ExecutionContext): Promise<void> {
  await grant({public: ['write', 'control']})
  await replication.caughtUp()
  for (const one of [service, other])
    await until(async () => (await answeredBy(() => telling(one))).join() === 'replica')
  await replica.pause()
  t.teardown(async () => {
    await replica.resume()
    await replication.caughtUp()
  })
}

test('the response to removing a grant comes when no replica with the old grants is used any more', async t => {
  await pauseWithPublicGrant(t)
  t.is((await telling(service)).length, 3)

  const description: Description = JSON.parse((await send(service.url, {path: descriptionPath})).text)
  const answer = await put([{grantee: 'group staff', modes: ['write', 'control']}])
  t.deepEqual([answer.status, typeof answer.headers['quadstead-consistency']], [204, 'string'])
  t.deepEqual(faultsOf(description, description.paths['/.system/access']?.put as Operation, answer), [])
  const servers = await answeredBy(async () => t.deepEqual(await telling(service), []))

  t.false(servers.includes('replica'), servers.join())
})

test('a grant that another instance removed soon has no effect, whatever the lag of a replica', async t => {
  await pauseWithPublicGrant(t)

  await grant({'group staff': ['write', 'control']})
  t.false(
    (
      await replica.query<{n: string}>(
        "select count(*)::text as n from quadstead.access_grant where grantee = 'public'",
      )
    )[0]?.n === '0',
  )
  for (const one of [service, other]) await until(async () => (await telling(one)).length === 0, 5000)
  t.deepEqual([await telling(service), await telling(other)], [[], []])

  await replica.resume()
  await grant({public: ['read']})
  for (const one of [service, other])
    await until(async () => (await answeredBy(() => telling(one))).join() === 'replica')
  t.deepEqual(await telling(other), ['document', 'page', 'query'])
})
