/** Queries and pages of a caller who may read a part of the store: no answer has anything of the rest. */
import test, {type ExecutionContext} from 'ava'
import {type GuardedService, startGuarded} from '../support/access.ts'
import {c, ldp, turtle} from '../support/documents.ts'

let service: GuardedService

test.before(async t => {
  service = await startGuarded({ACCESS_REFUSAL: '404'})
  const e = 'http://e/'
  const label = 'http://www.w3.org/2000/01/rdf-schema#label'
  await create(
    t,
    '/',
    'secret',
    `<> <${e}p> "hidden" ; <${label}> "Hidden label" . <${e}x> <${e}shared> 1 ; <${e}own> 1 .`,
  )
  await create(t, '/secret/', 'inner', `<> <${e}p> "hidden inside" . <${e}x> <${label}> "Hidden name" .`)
  await create(t, '/', 'open', `<> <${e}p> "open" ; <${e}see> </secret/>, <${e}x> . <${e}x> <${e}shared> 1 .`)
  await create(t, '/open/', 'child', `<> <${e}p> "open inside" .`)
  await create(t, '/secret/', 'given', `<> <${e}p> "given" ; <${e}see> </open/> . <${e}x> <${e}shared> 1 .`)
  await create(t, '/secret/', 'mentions', `<> <${e}see> </open/> .`)
  await service.grant('/open/', {public: ['read']})
  await service.grant('/secret/given/', {public: ['read']})
})
test.after.always(() => service.stop())

async function create(t: ExecutionContext, path: string, slug: string, body: string): Promise<void> {
  const answer = await service.sendAs('root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body})
  t.is(answer.status, 201, answer.text)
}

async function rowsOf(query: string, name?: string): Promise<readonly string[]> {
  const headers = {'Content-Type': 'application/sparql-query', Accept: 'text/csv'}
  const {text} = await service.sendAs(name, {method: 'POST', path: '/sparql', headers, body: query})
  return text.replaceAll(service.base, '/').trimEnd().split('\r\n').slice(1).sort()
}

test('patterns, graphs, paths, counts and filters see only readable documents', async t => {
  t.deepEqual(await rowsOf('SELECT ?o { ?s <http://e/p> ?o }'), ['given', 'open', 'open inside'])
  t.deepEqual(await rowsOf('SELECT ?g { GRAPH ?g {} }'), ['/open/', '/open/child/', '/secret/given/'])
  t.deepEqual(await rowsOf('SELECT (COUNT(*) AS ?n) { ?x <http://e/shared> 1 }'), ['1'])
  t.deepEqual(await rowsOf('SELECT ?g { GRAPH ?g { ?x <http://e/shared> 1 } }'), ['/open/', '/secret/given/'])
  t.deepEqual(await rowsOf('SELECT ?x { ?x <http://e/own> 1 }'), [])
  t.deepEqual(await rowsOf(`SELECT ?o { ?s <${ldp}contains> ?o }`), ['/open/child/'])
  t.deepEqual(await rowsOf(`SELECT ?o { <open/> (<http://e/see>|<${ldp}contains>)+ ?o }`), [
    '/open/child/',
    '/secret/',
    'http://e/x',
  ])
  t.deepEqual(await rowsOf('SELECT ?o FROM <secret/> FROM <open/> { ?s <http://e/p> ?o }'), ['open'])
  t.deepEqual(await rowsOf('SELECT ?o FROM NAMED <secret/> { GRAPH ?g { ?s <http://e/p> ?o } }'), [])
  t.deepEqual(await rowsOf('SELECT ?o { ?s <http://e/p> ?o FILTER(?o > "h") } ORDER BY ?o LIMIT 3'), [
    'open',
    'open inside',
  ])
  t.deepEqual(await rowsOf('SELECT (MIN(?o) AS ?m) { ?s <http://e/p> ?o }'), ['given'])
  t.deepEqual(await rowsOf('SELECT ?o { ?s <http://e/p> ?o }', 'root'), [
    'given',
    'hidden',
    'hidden inside',
    'open',
    'open inside',
  ])
})

test('CONSTRUCT, DESCRIBE and checksums see only readable documents', async t => {
  const prefer = [`include=${c}PreferResultsContexts`, `include=${c}PreferDocumentChecksums`]
  const ask = async (query: string, name?: string) => {
    const headers = {'Content-Type': 'application/sparql-query', Accept: 'application/n-quads', Prefer: prefer}
    const {status, text} = await service.sendAs(name, {method: 'POST', path: '/sparql', headers, body: query})
    t.is(status, 200, text)
    return text.replaceAll(service.base, '/')
  }
  const shared = await ask('CONSTRUCT { ?x <http://e/shared> ?o } { ?x <http://e/shared> ?o }')
  t.regex(shared, /<\/open\/> \./)
  t.regex(shared, /<\/secret\/given\/> \./)
  t.notRegex(shared, /<\/secret\/> \./)
  t.notRegex(await ask('DESCRIBE <http://e/x>'), /own|Hidden/)
  const whole = await ask('DESCRIBE <http://e/x>', 'root')
  t.true(whole.includes('own') && whole.includes('Hidden'))
  const named = (document: string) =>
    ask(`PREFIX c: <${c}> CONSTRUCT { <http://e/y> c:document <${document}> ; <http://e/p> 1 } {}`)
  t.notRegex(await named('secret/'), /checksum/)
  t.regex(await named('open/'), /checksum/)
  t.is((await named('secret/')).replaceAll('/secret/', '/absent/'), await named('absent/'))
})

test('a page shows labels, mentions and names of readable documents only', async t => {
  const page = async (path: string, name?: string) =>
    (await service.sendAs(name, {path, headers: {Accept: 'text/html'}})).text

  t.regex(await page('/open/', 'root'), /Hidden name/)
  t.regex(await page('/open/', 'root'), /\/secret\/mentions\//)
  for (const path of ['/open/', '/open/?view=values&property=http%3A%2F%2Fe%2Fsee']) {
    t.notRegex(await page(path), /Hidden|\/secret\/mentions\//)
  }
  t.regex(await page('/open/'), /\/secret\/given\//)
})

test('readers of different parts repeatedly get different answers to the same query', async t => {
  const query = 'SELECT ?o { ?s <http://e/p> ?o FILTER(STRSTARTS(?o, "h")) }'
  await service.grant('/secret/inner/', {'agent http://agents.example/inside#me': ['read']})

  for (let turn = 0; turn < 3; turn += 1) {
    t.deepEqual(await rowsOf(query), [])
    t.deepEqual(await rowsOf(query, 'inside'), ['hidden inside'])
    t.deepEqual(await rowsOf(query, 'root'), ['hidden', 'hidden inside'])
  }
  await service.grant('/secret/inner/', {})
  t.deepEqual(await rowsOf(query, 'inside'), [])
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})
