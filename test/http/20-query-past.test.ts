/** Queries on the store as it was at a time (docs/changes.md, The store as it was). */
import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {formatHttpDate} from '../../src/http/date.ts'
import {agentOf, startGuarded} from '../support/access.ts'
import {create, ldp, quadsOf} from '../support/documents.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

/** The time now, as xsd:dateTime. Later changes are later by some milliseconds. */
async function now({database: {database}}: TestService): Promise<string> {
  await database.query('select pg_sleep(0.005)')
  const [row] = await database.query<{at: Date}>('select clock_timestamp() as at')
  await database.query('select pg_sleep(0.005)')
  return (row?.at ?? new Date()).toISOString()
}

async function select(asked: TestService, query: string, at?: string): Promise<readonly string[]> {
  const path = `/sparql?query=${encodeURIComponent(query)}${at === undefined ? '' : `&at=${encodeURIComponent(at)}`}`
  const {status, text} = await asked.send({path, headers: {Accept: 'application/sparql-results+json'}})
  if (status !== 200) return [`${status} ${JSON.parse(text).title}`]
  const {results} = JSON.parse(text)
  return results.bindings
    .map((row: Record<string, {value: string}>) =>
      Object.values(row)
        .map(({value}) => value)
        .join(' '),
    )
    .sort()
}

async function patch(t: ExecutionContext, asked: TestService, path: string, body: string): Promise<void> {
  const headers = {'Content-Type': 'text/ldpatch', Prefer: `${ldp}RDFSource; rel=interaction-model`}
  t.is((await asked.send({method: 'PATCH', path, headers, body})).status, 204)
}

test('every query form sees documents, triples and children as they were', async t => {
  const box = await create(t, service, {slug: 'box', body: '<> <http://x.example/p> "old" .'})
  const child = await create(t, service, {parent: box.path, slug: 'child', body: '<> <http://x.example/p> "child" .'})
  const at = await now(service)
  await patch(
    t,
    service,
    box.path,
    `Delete { <${box.iri}> <http://x.example/p> "old" } . Add { <${box.iri}> <http://x.example/p> "new" } .`,
  )
  t.is((await service.send({method: 'DELETE', path: child.path})).status, 204)
  await create(t, service, {parent: box.path, slug: 'later', body: '<> <http://x.example/p> "later" .'})

  const values = 'SELECT ?v { ?s <http://x.example/p> ?v }'
  const children = `SELECT ?c { <${box.iri}> <${ldp}contains> ?c }`
  t.deepEqual(await select(service, values, at), ['child', 'old'])
  t.deepEqual(await select(service, values), ['later', 'new'])
  t.deepEqual(await select(service, children, at), [child.iri])
  t.deepEqual(await select(service, children), [`${box.iri}later/`])
  t.deepEqual(await select(service, 'SELECT (COUNT(*) AS ?n) { ?s <http://x.example/p> ?v }', at), ['2'])
  t.deepEqual(await select(service, `SELECT DISTINCT ?g { GRAPH ?g { ?s <http://x.example/p> ?v } }`, at), [
    box.iri,
    child.iri,
  ])

  const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) =>
    service.send({path: `/sparql?at=${at}&query=${encodeURIComponent(query)}`, headers})
  t.is(
    (await ask('ASK { ?s ?p "later" }', {Accept: 'application/sparql-results+json'})).text,
    '{"head":{},"boolean":false}',
  )
  const described = await ask(`DESCRIBE <${child.iri}>`)
  t.true((await quadsOf(described)).some(({object}) => object.value === 'child'))
  const constructed = await ask('CONSTRUCT { ?s <http://x.example/q> ?v } { ?s <http://x.example/p> ?v }', {
    Prefer: `include=https://carbonldp.com/ns/v1/platform#PreferResultsContexts`,
  })
  t.deepEqual((await quadsOf(constructed)).map(({object}) => object.value).sort(), ['child', 'old'])
  t.is(constructed.headers['preference-applied'], undefined)
  t.is(constructed.headers['memento-datetime'], formatHttpDate(Date.parse(at)))

  const form = {'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/csv'}
  const body = `at=${encodeURIComponent(at)}&query=${encodeURIComponent(values)}`
  t.is((await service.send({method: 'POST', path: '/sparql', headers: form, body})).text.split('\r\n').length, 4)
  const posted = {'Content-Type': 'application/sparql-query', Accept: 'text/csv'}
  t.regex((await service.send({method: 'POST', path: `/?at=${at}`, headers: posted, body: values})).text, /old/)
  const future = {...posted, 'Accept-Datetime': 'Fri, 01 Jan 2100 00:00:00 GMT'}
  t.regex((await service.send({method: 'POST', path: '/', headers: future, body: values})).text, /new/)
})

test('after a move, a past query has the names of its time', async t => {
  const {path, iri} = await create(t, service, {slug: 'before', body: '<> <http://x.example/name> "mover" .'})
  const at = await now(service)
  const headers = {Destination: `${service.base}after/`}
  t.is((await service.send({method: 'MOVE', path, headers})).status, 201)

  const who = 'SELECT ?s { ?s <http://x.example/name> "mover" }'
  const byName = (name: string) => `SELECT ?v { <${name}> <http://x.example/name> ?v }`
  t.deepEqual(await select(service, who, at), [iri])
  t.deepEqual(await select(service, who), [`${service.base}after/`])
  t.deepEqual(await select(service, byName(iri), at), ['mover'])
  t.deepEqual(await select(service, byName(`${service.base}after/`), at), [])
  const computed = (name: string) =>
    `SELECT ?v { BIND(IRI(CONCAT("${name}", "")) AS ?s) ?s <http://x.example/name> ?v }`
  t.deepEqual(await select(service, computed(iri), at), ['mover'])
  t.deepEqual(await select(service, computed(`${service.base}after/`), at), [])
  t.deepEqual(await select(service, 'SELECT ?n { ?s <http://x.example/name> "mover" BIND(STR(?s) AS ?n) }', at), [iri])
})

test('bad times, updates and explanations with a time are refused', async t => {
  const query = 'SELECT * {} LIMIT 1'
  for (const at of [
    'yesterday',
    '2026-11-17',
    '2026-11-17T09:30:00',
    '2026-13-17T09:30:00Z',
    '2026-02-30T00:00:00Z',
    '',
  ])
    t.deepEqual(await select(service, query, at), ['400 query-time'], at)
  t.deepEqual(await select(service, query, '2001-01-01T00:00:00Z'), ['410 past-kept'])
  const kept = await service.send({path: `/sparql?at=2001-01-01T00:00:00Z&query=${encodeURIComponent(query)}`})
  t.false(Number.isNaN(Date.parse(JSON.parse(kept.text).oldest)))
  const path = `/sparql?query=${encodeURIComponent(query)}`
  const title = async (sent: Parameters<TestService['send']>[0]) => {
    const {status, text} = await service.send(sent)
    return `${status} ${JSON.parse(text).title}`
  }
  const date = {'Accept-Datetime': 'Tue, 17 Nov 2026 09:30:00 GMT'}
  t.is(await title({path, headers: {'Accept-Datetime': 'now'}}), '400 datetime-syntax')
  t.is(await title({path: `${path}&at=2026-11-17T09:30:00Z`, headers: date}), '400 query-time')
  t.is(
    await title({path: `${path}&at=${await now(service)}`, headers: {Accept: 'text/vnd.quadstead.explain'}}),
    '400 query-time',
  )
  const update = {method: 'POST', headers: {'Content-Type': 'application/sparql-update'}, body: ''}
  t.is(await title({...update, path: '/sparql?at=2026-11-17T09:30:00Z'}), '400 update-time')
  t.is(await title({...update, path: '/?at=2026-11-17T09:30:00Z'}), '400 update-time')
  t.is(await title({...update, path: '/sparql', headers: {...update.headers, ...date}}), '400 update-time')
})

test('without a complete log the past is not known', async t => {
  const own = await useService(t, {CHANGES: 'off'})
  t.deepEqual(await select(own, 'SELECT * {} LIMIT 1', await now(own)), ['404 changes-logged'])

  const other = await useService(t)
  await create(t, other, {slug: 'a'})
  const first = await now(other)
  await create(t, other, {slug: 'b'})
  const {query} = other.database.database
  await query(`update ${schemaIdentifier}.dataset set changes_kept = '0 seconds'`)
  await query(`select ${schemaIdentifier}.expire_changes(1000)`)
  t.deepEqual(await select(other, 'SELECT * {} LIMIT 1', first), ['410 past-kept'])
  t.deepEqual(await select(other, 'SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g {} }', await now(other)), ['3'])

  await query(`update ${schemaIdentifier}.dataset set changes_kept = null`)
  const before = await now(other)
  await query(`select ${schemaIdentifier}.log_graphs('imported', '{77}')`)
  t.deepEqual(await select(other, 'SELECT * {} LIMIT 1', before), ['422 past-graphs'])
})

test('a query of the past is refused if more has changed than is kept in memory', async t => {
  const own = await useService(t)
  const at = await now(own)
  await create(t, own, {slug: 'a', body: '<> <http://x.example/p> 1, 2, 3 .'})
  const {query} = own.database.database
  const open = (most: number) => query(`select ${schemaIdentifier}.open_past($1, 0, $2)`, [at, most])
  const error = await t.throwsAsync(open(5), {instanceOf: Problem})
  t.like(error, {status: 422, rule: 'past-size', members: {limit: 5}})
  await t.notThrowsAsync(open(50))
})

test('grants of today decide what a past query sees', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const {sendAs, grant} = guarded
  const make = (slug: string, parent = '/') =>
    sendAs('root', {
      method: 'POST',
      path: parent,
      headers: {'Content-Type': 'text/turtle', Slug: slug},
      body: `<> <http://x.example/p> "${slug}" .`,
    })
  await make('open')
  await grant('/open/', {[`agent ${agentOf('ada')}`]: ['read']})
  await make('plain', '/open/')
  await make('private', '/open/')
  await grant('/open/private/', {[`agent ${agentOf('eve')}`]: ['read']})
  await make('closed')
  const at = await now(guarded)
  for (const path of ['/open/plain/', '/open/private/']) await sendAs('root', {method: 'DELETE', path})
  const seen = async (name: string) => {
    const query = encodeURIComponent('SELECT ?v { ?s <http://x.example/p> ?v } ORDER BY ?v')
    const {text} = await sendAs(name, {path: `/sparql?at=${at}&query=${query}`, headers: {Accept: 'text/csv'}})
    return text.trim().split('\r\n').slice(1)
  }

  t.deepEqual(await seen('ada'), ['open', 'plain'])
  t.deepEqual(await seen('eve'), [])
  t.deepEqual(await seen('root'), ['closed', 'open', 'plain', 'private'])
})

test('the example query in docs/changes.md has an answer', async t => {
  const {iri} = await create(t, service, {slug: 'titled', body: '<> <http://purl.org/dc/terms/title> "Emma" .'})
  const text = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
  const [, query = ''] = /--data-urlencode 'query=(.*)'$/m.exec(text) ?? []
  const [, at = ''] = /--data-urlencode 'at=(.*)'/.exec(text) ?? []

  t.deepEqual(await select(service, query, await now(service)), [`${iri} Emma`])
  t.deepEqual(await select(service, query, at), ['410 past-kept'])
})

// No other test may write between the time that it names and its count.
test.serial('the example for psql in docs/changes.md works, and a query writes nothing', async t => {
  const text = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? []
  const statements = block.replaceAll('quadstead.', `${schemaIdentifier}.`).split('\n')
  const {path} = await create(t, service, {slug: 'counted', body: '<> <http://x.example/counted> "counted" .'})
  const at = await now(service)
  const {database} = service.database
  const [before] = await database.query<{n: string}>(`select count(*)::text as n from ${schemaIdentifier}.quad`)
  t.is((await service.send({method: 'DELETE', path})).status, 204)
  await create(t, service, {slug: 'counted-later'})
  const [counted] = await database.begin('repeatable read read only', async transaction => {
    const [, open = '', read = ''] = statements
    await transaction.query(open.replace(/'[^']*'/, `'${at}'`))
    const rows = await transaction.query<{count: string}>(read)
    const [is] = await transaction.query<{has: boolean}>('select pg_current_xact_id_if_assigned() is not null as has')
    t.false(is?.has)
    return rows
  })

  t.is(counted?.count, before?.n)
})
