/**
 * Measures the addition of one member to a document with a million members, compared with a document without members.
 *
 *   npm run bench:members [-- --members 1000000 --rounds 200]
 *
 * A temporary PostgreSQL, and the service on a port of its own. Requests alternate between the two documents, one after
 * the other, so that other load on the machine affects both. SQL creates the members.
 */
import {parseArgs} from 'node:util'
import {start} from '../src/serve.ts'
import {readConfig} from '../src/settings/config.ts'
import {send} from '../test/support/client.ts'
import {createTestDatabase, type TestDatabase} from '../test/support/postgres.ts'
import {startTestServer} from '../test/support/servers.ts'
import {unlimited} from '../test/support/service.ts'

const {values} = parseArgs({
  options: {members: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '200'}},
})
const memberCount = Number(values.members)
const rounds = Number(values.rounds)
const relation = 'http://example.org/ns#participant'
const c = 'https://carbonldp.com/ns/v1/platform#'
const ldp = 'http://www.w3.org/ns/ldp#'

const server = await startTestServer(undefined)
process.env.TEST_DATABASE_URL = server.url
try {
  const database = await createTestDatabase()
  const service = await start(readConfig({PORT: '0', DATABASE_URL: database.url, ...unlimited}))
  await measure(service.url, service.base, database)
  await service.stop()
  await database.drop()
} finally {
  await server.stop()
}

async function measure(url: string, base: string, database: TestDatabase): Promise<void> {
  const turtle = {'Content-Type': 'text/turtle'}
  const post = async (path: string, slug: string, body = '') => {
    const answer = await send(url, {method: 'POST', path, headers: {...turtle, Slug: slug}, body})
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  }
  const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${relation}> .`
  for (const slug of ['full', 'empty']) {
    await post('/', slug)
    await post(`/${slug}/`, 'point', point)
  }
  await post('/', 'people')
  for (let n = 0; n < rounds; n += 1) await post('/people/', `p${n}`)
  await fill(database, `${base}full/`, `${base}people/`)

  const times = {full: [] as number[], empty: [] as number[]}
  for (let n = 0; n < rounds; n += 1) {
    for (const slug of n % 2 === 0 ? (['full', 'empty'] as const) : (['empty', 'full'] as const)) {
      const body = `[] a <${c}AddMemberAction> ; <${c}targetMember> <${base}people/p${n}/> .`
      const headers = {...turtle, Prefer: `${ldp}Container; rel=interaction-model`}
      const before = performance.now()
      const {status, text} = await send(url, {method: 'PUT', path: `/${slug}/point/`, headers, body})
      times[slug].push(performance.now() - before)
      if (status !== 204) throw new Error(`${status} ${text}`)
    }
  }
  const [full, empty] = [median(times.full), median(times.empty)]
  process.stdout.write(`one member: ${full.toFixed(2)} ms with ${memberCount}, ${empty.toFixed(2)} ms with none\n`)
  process.stdout.write(`ratio ${(full / empty).toFixed(2)}\n`)
}

/** Creates members by SQL, in batches: documents below one parent, in the container's list. */
async function fill({database}: TestDatabase, container: string, parent: string): Promise<void> {
  const portion = 50_000
  for (let first = 1; first <= memberCount; first += portion) {
    await database.query(
      `with list as (
         select unnest(quadstead.intern_terms(array(
           select 'I' || $2 || 'm' || n || '/' from generate_series($4::int, $5::int) as n))) as id),
       parent as (select id from quadstead.term where lex = $2),
       added as (insert into quadstead.document (id, parent, created, modified, has_member_relation)
         select list.id, parent.id, now(), now(), quadstead.ldp_member() from list, parent)
       insert into quadstead.quad (g, s, p, o)
       select keeper.id, keeper.id, (quadstead.intern_terms(array['I' || $3]))[1], list.id
         from (select id from quadstead.term where lex = $1) as keeper, list`,
      [container, parent, relation, first, Math.min(first + portion - 1, memberCount)],
    )
  }
  await database.query('vacuum analyze')
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
