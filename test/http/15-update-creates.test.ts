/** Documents that an update creates because it adds triples to them: all kinds of them at once. */
import test from 'ava'
import {agentOf, startGuarded} from '../support/access.ts'
import {c, create, ldp, saidOf} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {type TestService, useService} from '../support/service.ts'

const updateType = {'Content-Type': 'application/sparql-update'}

async function faultsOf({database: {database}}: TestService): Promise<readonly object[]> {
  return database.query(`select * from ${testSchema}.check_store()`)
}

test('one update creates levels of documents, members of lists, and documents whose IRIs are mentioned', async t => {
  const service = await useService(t)
  const {base} = service
  const list = `<> <${ldp}hasMemberRelation> <http://e/has> ; <${ldp}isMemberOfRelation> <http://e/in> .`
  await create(t, service, {slug: 'list', body: list})
  await create(t, service, {slug: 'owner'})
  const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/point> .`
  await create(t, service, {parent: '/owner/', slug: 'point', body: point})
  await create(t, service, {slug: 'other', body: `<> <http://e/mentions> <${base}said/>, <${base}list/said/> .`})
  const names = ['a/', 'a/b/', 'a/b/c/', 'said/', 'said/x/', 'list/1/', 'list/said/', 'owner/point/2/', 'owner/3/']

  const data = names.map(
    name => `GRAPH <${base}${name}> { <${base}${name}> <http://e/p> "${name}" . _:n <http://e/q> 1 }`,
  )
  const answer = await service.send({
    method: 'POST',
    path: '/sparql',
    headers: updateType,
    body: `INSERT DATA { ${data.join('\n')} GRAPH <${base}other/> { <http://e/x> <http://e/y> <${base}a/> } }`,
  })

  t.is(answer.status, 200, answer.text)
  const {created, changed} = JSON.parse(answer.text)
  t.deepEqual(
    created.map(({iri}: {iri: string}) => iri),
    names.map(name => base + name).sort(),
  )
  t.true(
    changed.some(({iri}: {iri: string}) => iri === `${base}owner/`),
    'it has a new member',
  )
  for (const {iri, etag} of created) t.is((await service.send({path: `/${iri.slice(base.length)}`})).headers.etag, etag)
  t.deepEqual(await faultsOf(service), [])
  t.true((await saidOf(service, '/list/1/')).includes(`<> <http://e/in> <${base}list/>`))
  t.true((await saidOf(service, '/owner/')).includes(`<> <http://e/point> <${base}owner/point/2/>`))
  const query = `SELECT ?d { ?l <http://e/has>|<${ldp}member> ?d } ORDER BY ?d`
  const listed = await service.send({path: `/sparql?query=${encodeURIComponent(query)}`})
  t.deepEqual(
    JSON.parse(listed.text).results.bindings.map(({d}: {d: {value: string}}) => d.value.slice(base.length)),
    [
      'a/',
      'a/b/',
      'a/b/c/',
      'list/',
      'list/1/',
      'list/said/',
      'other/',
      'owner/',
      'owner/3/',
      'said/',
      'said/x/',
    ].sort(),
  )
})

test('one graph that can be no document undoes all; the first by level and IRI is named', async t => {
  const service = await useService(t)
  const {base} = service
  const run = (...names: readonly string[]) => {
    const data = names.map(name => `GRAPH <${base}${name}> { <http://e/s> <http://e/p> 1 }`).join('\n')
    return service.send({method: 'POST', path: '/sparql', headers: updateType, body: `INSERT DATA { ${data} }`})
  }

  for (const wrong of ['.system/', 'none/child/', 'a', `${'x'.repeat(256)}/`, 'a%2fb/']) {
    const answer = await run('fine/', 'fine/too/', wrong)
    t.is(`${answer.status} ${ruleOf(answer)}`, '422 graph-known', wrong)
    t.true(JSON.parse(answer.text).detail.includes(`<${base}${wrong}>`))
  }
  t.is((await service.send({path: '/fine/'})).status, 404)
  t.deepEqual(await faultsOf(service), [])
})

test('grants of each parent are needed, and each creation is audited', async t => {
  const service = await startGuarded({AUDIT: 'on'})
  t.teardown(service.stop)
  const {base} = service
  const run = (name: string, names: readonly string[]) => {
    const data = names.map(one => `GRAPH <${base}${one}> { <http://e/s> <http://e/p> "${one}" }`).join('\n')
    return service.sendAs(name, {method: 'POST', path: '/sparql', headers: updateType, body: `INSERT DATA { ${data} }`})
  }
  t.is((await run('root', ['open/', 'closed/'])).status, 200)
  await service.grant('/open/', {[`agent ${agentOf('ann')}`]: ['create']})
  await service.grant('/closed/', {[`agent ${agentOf('ann')}`]: ['read']})

  const refused = await run('ann', ['open/1/', 'closed/1/', 'open/2/'])
  t.is(`${refused.status} ${ruleOf(refused)}`, '403 access-granted')
  t.is((await run('ann', ['open/1/', 'open/2/', 'open/2/3/'])).status, 200)

  const text = `select document from ${testSchema}.audit where agent = $1 and action = 'create' order by document`
  const rows = await service.database.database.query<{document: string}>(text, [agentOf('ann')])
  t.deepEqual(
    rows.map(({document}) => document),
    ['open/1/', 'open/2/', 'open/2/3/'].map(name => base + name),
  )
  t.deepEqual(await faultsOf(service), [])
})
