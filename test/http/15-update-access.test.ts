/** Grants of updates: what WHERE reads, what templates write; one refusal, and nothing is done. */
import test, {type ExecutionContext} from 'ava'
import type {Mode} from '../../src/db/store/caller.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'

const services = new Map<string, GuardedService>()

test.before(async () => {
  for (const refusal of ['403', '404'])
    services.set(refusal, await startGuarded({ACCESS_REFUSAL: refusal, AUDIT: 'on'}))
})
test.after.always(async () => {
  for (const service of services.values()) await service.stop()
})

function serviceOf(refusal: string): GuardedService {
  const service = services.get(refusal)
  if (service === undefined) throw new Error(`no service refuses by ${refusal}`)
  return service
}

const updateType = {'Content-Type': 'application/sparql-update'}
const answerOf = (answer: Received) =>
  answer.status < 300 ? String(answer.status) : `${answer.status} ${ruleOf(answer)}`

/** Two documents, on which the agent `ann` has some modes. */
async function makePair(t: ExecutionContext, refusal: string, name: string, modes: readonly (readonly Mode[])[]) {
  const service = serviceOf(refusal)
  for (const [index, slug] of [`${name}-a`, `${name}-b`].entries()) {
    const body = `<> <http://e/p> "${slug}" .`
    const {status} = await service.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body})
    t.is(status, 201)
    const own = modes[index] ?? []
    await service.grant(
      `/${slug}/`,
      own.length === 0 ? {[`agent ${agentOf('other')}`]: ['read']} : {[`agent ${agentOf('ann')}`]: own},
    )
  }
  const [a, b] = [`${service.base}${name}-a/`, `${service.base}${name}-b/`]
  const run = (text: string, path = `/${name}-a/`) =>
    service.sendAs('ann', {method: 'POST', path, headers: updateType, body: text})
  const said = async (iri: string) => {
    const {text} = await service.sendAs('root', {
      path: `/${iri.slice(service.base.length)}`,
      headers: {Accept: 'application/n-triples'},
    })
    return text
      .split('\n')
      .filter(line => line.includes('http://e/'))
      .map(line => line.replace(/^\S+ /, ''))
      .sort()
  }
  return {service, a, b, run, said}
}

test('each changed document needs edit; without it nothing is done', async t => {
  const {a, b, run, said} = await makePair(t, '403', 'edit', [['edit'], ['read']])
  const both = `INSERT DATA { <> <http://e/q> 1 GRAPH <${b}> { <> <http://e/q> 1 } }`
  t.is(answerOf(await run(both)), '403 access-granted')
  t.is(answerOf(await run(`INSERT DATA { <> <http://e/q> 1 }; CLEAR GRAPH <${b}>`)), '403 access-granted')
  t.is(answerOf(await run(`INSERT DATA { <> <http://e/q> 1 }; DROP GRAPH <${a}>`)), '403 access-granted')
  t.is(answerOf(await run(`COPY <${a}> TO <${b}>`)), '403 access-granted')
  t.is(answerOf(await run(`CREATE GRAPH <${a}child/>`)), '403 access-granted')
  t.deepEqual([await said(a), await said(b)], [['<http://e/p> "edit-a" .'], ['<http://e/p> "edit-b" .']])
  t.is(answerOf(await run('INSERT DATA { <> <http://e/q> 1 }')), '200')
})

test('an attempt to add a triple does not tell whether it is there', async t => {
  const {a, b, run} = await makePair(t, '403', 'guess', [['edit'], []])
  for (const value of ['guess-b', 'other'])
    t.is(
      answerOf(await run(`INSERT DATA { GRAPH <${b}> { <${b}> <http://e/p> "${value}" } }`)),
      '403 access-granted',
      a,
    )
})

test('WHERE sees what the caller may read, and no more', async t => {
  const {run, said, a} = await makePair(t, '403', 'see', [['edit'], []])
  const copy = 'INSERT { <> <http://e/seen> ?o } WHERE { ?s <http://e/p> ?o FILTER (STRSTARTS(?o, "see-")) }'
  t.is(answerOf(await run(copy)), '200')
  t.deepEqual(await said(a), ['<http://e/p> "see-a" .', '<http://e/seen> "see-a" .'])
})

test('create allows new documents with their content', async t => {
  const {a, run, said} = await makePair(t, '403', 'create', [['read', 'create'], []])
  t.is(
    answerOf(
      await run(
        `INSERT DATA { GRAPH <${a}x/> { <${a}x/> <http://e/p> 1 } }; INSERT DATA { GRAPH <${a}x/> { <${a}x/> <http://e/q> 2 } }`,
      ),
    ),
    '200',
  )
  t.is((await said(`${a}x/`)).length, 2)
  t.is(answerOf(await run(`INSERT DATA { GRAPH <${a}x/> { <${a}x/> <http://e/r> 3 } }`)), '403 access-granted')
})

test('delete allows DROP', async t => {
  const {a, b, run, service} = await makePair(t, '403', 'drop', [['read'], ['delete']])
  t.is(answerOf(await run(`DROP GRAPH <${a}>`)), '403 access-granted')
  t.is(answerOf(await run(`DROP GRAPH <${b}>`)), '200')
  t.is((await service.sendAs('root', {path: '/drop-b/'})).status, 404)
})

test('a hidden document is as one that does not exist', async t => {
  const {b, run, service} = await makePair(t, '404', 'hidden', [['edit'], []])
  const missing = `${service.base}hidden-c/`
  for (const text of [
    'INSERT DATA { GRAPH <g> { <> <http://e/q> 1 } }',
    'CLEAR GRAPH <g>',
    'DROP GRAPH <g>',
    'COPY <g> TO DEFAULT',
    'DELETE DATA { GRAPH <g> { <> <http://e/q> 1 } }',
    'CREATE GRAPH <g>',
    'CLEAR SILENT GRAPH <g>',
  ]) {
    const [hidden, none] = [await run(text.replace('<g>', `<${b}>`)), await run(text.replace('<g>', `<${missing}>`))]
    t.is(answerOf(hidden), answerOf(none), text)
    t.is(
      hidden.text.replaceAll(b, '').replace(/"requestId".*/, ''),
      none.text.replaceAll(missing, '').replace(/"requestId".*/, ''),
      text,
    )
  }
  t.is((await service.sendAs('root', {path: '/hidden-b/'})).status, 200)
})

test('CLEAR, DROP and COPY of a hidden document are refused as of one that does not exist', async t => {
  const {b, run, service} = await makePair(t, '403', 'closed', [['edit'], []])
  const child = {method: 'POST', path: '/closed-b/', headers: turtle, body: ''}
  t.is((await service.sendAs('root', child)).status, 201)
  const missing = `${service.base}closed-c/`
  for (const text of [
    'CLEAR GRAPH <g>',
    'CLEAR SILENT GRAPH <g>',
    'DROP GRAPH <g>',
    'DROP SILENT GRAPH <g>',
    'COPY <g> TO DEFAULT',
  ]) {
    const [hidden, none] = [await run(text.replace('<g>', `<${b}>`)), await run(text.replace('<g>', `<${missing}>`))]
    t.is(answerOf(hidden), '403 access-granted', text)
    t.is(
      hidden.text.replaceAll(b, '').replace(/"requestId".*/, ''),
      none.text.replaceAll(missing, '').replace(/"requestId".*/, ''),
      text,
    )
  }
})

test('DROP of a document with children needs delete first', async t => {
  const {a, run, service} = await makePair(t, '403', 'full', [['read'], []])
  t.is((await service.sendAs('root', {method: 'POST', path: '/full-a/', headers: turtle, body: ''})).status, 201)
  t.is(answerOf(await run(`DROP GRAPH <${a}>`)), '403 access-granted')
})

test('a patch needs edit, even if it changes nothing', async t => {
  const {service, a} = await makePair(t, '403', 'patch', [['read'], []])
  const path = `/${a.slice(service.base.length)}`
  const answer = await service.sendAs('ann', {
    method: 'PATCH',
    path,
    headers: updateType,
    body: 'DELETE DATA { <> <http://e/none> 1 }',
  })
  t.is(answerOf(answer), '403 access-granted')
})

test('the audit records each changed document', async t => {
  const {service, a, b, run} = await makePair(t, '403', 'audit', [['write'], ['write']])
  t.is(
    answerOf(
      await run(
        `INSERT { GRAPH ?g { ?g <http://e/q> 1 } } WHERE { VALUES ?g { <${a}> <${b}> <${a}new/> } }; DROP GRAPH <${b}>`,
      ),
    ),
    '200',
  )
  const rows = await service.database.database.query<{action: string; document: string}>(
    `select action, document from quadstead.audit where agent = $1 and document like $2 order by id`,
    [agentOf('ann'), `${service.base}audit-%`],
  )
  t.deepEqual(rows.map(({action, document}) => `${action} ${document.slice(service.base.length)}`).sort(), [
    'create audit-a/new/',
    'delete audit-b/',
    'update audit-a/',
  ])
})
