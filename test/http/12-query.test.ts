/** SPARQL queries, their contexts and checksums; the SPARQL 1.1 Protocol at /sparql (docs/interface.md, Queries). */
import {once} from 'node:events'
import {connect} from 'node:net'
import test from 'ava'
import {c, create} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {isAnswering} from '../support/postgres.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'
const contexts = `include="${c}PreferResultsContexts"`
const checksums = `include="${c}PreferDocumentChecksums"`
const prefixes = `PREFIX c: <${c}> PREFIX ex: <${ex}> PREFIX ldp: <http://www.w3.org/ns/ldp#> `

test.before(async t => {
  service = await startService()
  const books = await create(t, service, {slug: 'books', body: `<> <${ex}name> "Books" .`})
  const authors = await create(t, service, {slug: 'authors', body: `<> <${ex}name> "Authors" .`})
  await create(t, service, {parent: authors.path, slug: 'jane', body: `<> a <${ex}Author> ; <${ex}name> "Jane" .`})
  const book = (name: string, price: number, author: string) =>
    create(t, service, {
      parent: books.path,
      slug: name.toLowerCase(),
      body: `<> a <${ex}Book> ; <${ex}name> "${name}" ; <${ex}price> ${price} ; <${ex}author> <${author}> .`,
    })
  await book('Emma', 12, `${service.base}authors/jane/`)
  await book('Persuasion', 9, `${service.base}authors/jane/`)
  await book('Anonymous', 20, `${service.base}books/`)
})
test.after.always(() => service.stop())

type Headers = Readonly<Record<string, string>>

function query(text: string, headers: Headers = {}, path = '/') {
  const type = {'Content-Type': 'application/sparql-query'}
  return service.send({method: 'POST', path, headers: {...type, ...headers}, body: prefixes + text})
}

async function namesOf(text: string, path = '/'): Promise<readonly string[]> {
  const {text: body} = await query(text, {Accept: 'application/sparql-results+json'}, path)
  return JSON.parse(body).results.bindings.map((row: {n: {value: string}}) => row.n.value)
}

test('SELECT returns SPARQL JSON, XML, CSV and TSV, also as application/json and application/xml', async t => {
  const select = 'SELECT ?n { <authors/jane/> ex:name ?n }'
  const bodyOf = async (Accept: string) => {
    const {status, headers, text} = await query(select, {Accept})
    return [status, headers['content-type'], text.includes('Jane')]
  }

  t.deepEqual(await bodyOf('application/ld+json; q=0.9, application/sparql-results+json'), [
    200,
    'application/sparql-results+json',
    true,
  ])
  t.deepEqual(await bodyOf('application/json'), [200, 'application/json', true])
  t.deepEqual(await bodyOf('application/sparql-results+xml'), [200, 'application/sparql-results+xml', true])
  t.deepEqual(await bodyOf('application/xml'), [200, 'application/xml', true])
  t.is((await query(select, {Accept: 'text/csv'})).text, 'n\r\nJane\r\n')
  t.is((await query(select, {Accept: 'text/tab-separated-values'})).text, '?n\n"Jane"\n')
  t.is((await query(select, {Accept: 'text/turtle'})).status, 406)
})

test('ASK returns a boolean', async t => {
  const answer = await query('ASK { ?s ex:name "Emma" }', {Accept: 'application/sparql-results+json'})

  t.is(answer.text.trim(), '{"head":{},"boolean":true}')
})

test('containment is queried as ldp:contains, and children are members (rules 8 and 10)', async t => {
  t.deepEqual(
    await namesOf('SELECT ?n { <books/> ldp:contains ?b . ?b a ex:Book ; ex:name ?n } ORDER BY DESC(?n) LIMIT 2'),
    ['Persuasion', 'Emma'],
  )
  t.deepEqual(await namesOf('SELECT ?n { <books/> ldp:member ?b . ?b ex:name ?n } ORDER BY ?n'), [
    'Anonymous',
    'Emma',
    'Persuasion',
  ])
})

test('a CONSTRUCT has no contexts by default; with the preference each triple is in the graph that stores it', async t => {
  const construct = `CONSTRUCT { ?b ex:name ?n . ?a ex:name ?m }
    { ?b a ex:Book ; ex:name ?n FILTER(?n = "Emma") OPTIONAL { ?b ex:author ?a . ?a ex:name ?m } }`
  const {base} = service

  const plain = await query(construct, {Accept: 'application/n-quads'})
  const placed = await query(construct, {Accept: 'application/n-quads', Prefer: contexts})

  t.deepEqual(plain.text.trim().split('\n').sort(), [
    `<${base}authors/jane/> <${ex}name> "Jane" .`,
    `<${base}books/emma/> <${ex}name> "Emma" .`,
  ])
  t.is(plain.headers['preference-applied'], undefined)
  t.deepEqual(placed.text.trim().split('\n').sort(), [
    `<${base}authors/jane/> <${ex}name> "Jane" <${base}authors/jane/> .`,
    `<${base}books/emma/> <${ex}name> "Emma" <${base}books/emma/> .`,
  ])
  t.is(placed.headers['preference-applied'], contexts)
})

test('with contexts and checksums each document has c:checksum, which If-Match and If-None-Match take', async t => {
  const construct = 'CONSTRUCT { ?b ex:name ?n } { ?b a ex:Book ; ex:name ?n FILTER(?n = "Persuasion") }'
  const answer = await query(construct, {Accept: 'application/ld+json', Prefer: `${checksums}, ${contexts}`})
  const [{'@id': id, '@graph': graph}] = JSON.parse(answer.text)
  const checksum = graph[0][`${c}checksum`][0]['@value']
  const path = '/books/persuasion/'
  const patch = (tag: string) =>
    service.send({
      method: 'PATCH',
      path,
      headers: {'Content-Type': 'text/ldpatch', 'If-Match': tag},
      body: `Add { <> <${ex}read> true . } .`,
    })

  t.is(id, `${service.base}books/persuasion/`)
  t.regex(checksum, /^[0-9a-f]{64}$/)
  t.is((await service.send({path, headers: {'If-None-Match': `"${checksum}"`}})).status, 304)
  t.is((await patch(`"${checksum}"`)).status, 204)
  t.is((await patch(`"${checksum}"`)).status, 412)
})

test('checksums without contexts need c:document in the template (rules 3 and 4)', async t => {
  const accept = {Accept: 'application/n-triples', Prefer: checksums}

  const without = await query('CONSTRUCT { ?b ex:name ?n } { ?b a ex:Book ; ex:name ?n }', accept)
  const having = await query(
    'CONSTRUCT { ?b ex:name ?n ; c:document ?doc } { GRAPH ?doc { ?b ex:name ?n } FILTER(?n = "Emma") }',
    accept,
  )

  t.false(without.text.includes('checksum'))
  t.is(without.headers['preference-applied'], undefined)
  t.regex(having.text, new RegExp(`<${service.base}books/emma/> <${c}checksum> "[0-9a-f]{64}"`))
  t.is(having.headers['preference-applied'], checksums)
})

test('a query may be POSTed to any document: its URL is the base, its dataset the whole store', async t => {
  t.deepEqual(await namesOf('SELECT ?n { <emma/> ex:name ?n }', '/books/'), ['Emma'])
  t.is((await query('ASK {}', {}, '/nowhere/')).status, 404)
})

test('the protocol: GET and form POST at /sparql, datasets by parameter, a description without a query', async t => {
  const Accept = 'text/csv'
  const text = `${prefixes}SELECT ?n { ?s ex:name ?n }`
  const parameters = new URLSearchParams({query: text, 'default-graph-uri': `${service.base}books/emma/`})
  const named = new URLSearchParams({
    query: `${prefixes}SELECT ?n { GRAPH ?g { ?s ex:name ?n } }`,
    'named-graph-uri': `${service.base}authors/jane/`,
  })
  const form = {'Content-Type': 'application/x-www-form-urlencoded', Accept}

  t.is((await service.send({path: `/sparql?${parameters}`, headers: {Accept}})).text, 'n\r\nEmma\r\n')
  t.is(
    (await service.send({method: 'POST', path: '/sparql', headers: form, body: String(named)})).text,
    'n\r\nJane\r\n',
  )
  t.regex((await service.send({path: '/sparql'})).text, /sd:UnionDefaultGraph/)
  t.is((await service.send({path: `/sparql?default-graph-uri=x&query=ASK%7B%7D`})).status, 400)
  t.is((await service.send({method: 'DELETE', path: '/sparql'})).status, 405)
})

test('an invalid query is a 400 with line and column; SERVICE is a 403', async t => {
  const wrong = JSON.parse((await query('\nASK { s? ex:name "Project X" }')).text)

  t.like(wrong, {status: 400, title: 'query-syntax', line: 2})
  t.like(JSON.parse((await query('ASK { SERVICE <http://e/> { ?s ?p ?o } }')).text), {
    status: 403,
    title: 'federation-disabled',
  })
})

const numbers = Array.from({length: 300}, (_, number) => number).join(' ')
const endless = `SELECT (COUNT(*) AS ?n) { ${['a', 'b', 'c', 'd'].map(name => `VALUES ?${name} { ${numbers} }`).join(' ')} }`

test.serial('a query is cancelled in the database if its client disconnects', async t => {
  const client = new AbortController()
  const headers = {'Content-Type': 'application/sparql-query'}

  const sent = service.send({method: 'POST', path: '/', headers, body: endless, signal: client.signal})
  await until(() => isAnswering(service.database))
  client.abort()
  await t.throwsAsync(sent)
  await until(async () => !(await isAnswering(service.database)))

  t.deepEqual(await namesOf('SELECT ?n { <authors/jane/> ex:name ?n }'), ['Jane'])
})

test.serial('a later query of a connection is cancelled, too, if its client disconnects', async t => {
  const {hostname, port, host} = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const send = (text: string) => {
    const head = `Host: ${host}\r\nContent-Type: application/sparql-query\r\nContent-Length: ${text.length}`
    socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n${text}`)
  }
  send('ASK {}')
  const [answer] = await once(socket, 'data')
  t.regex(String(answer), /^HTTP\/1.1 200 /)

  send(endless)
  await until(() => isAnswering(service.database))
  socket.destroy()
  await until(async () => !(await isAnswering(service.database)))
  t.pass()
})

test('a query that takes too long is a 503 with the limit and Retry-After', async t => {
  const hasty = await startService({STATEMENT_TIMEOUT_MS: '200'})
  t.teardown(hasty.stop)
  const headers = {'Content-Type': 'application/sparql-query'}

  const {status, headers: answered, text} = await hasty.send({method: 'POST', path: '/', headers, body: endless})

  t.deepEqual([status, answered['retry-after']], [503, '1'])
  t.like(JSON.parse(text), {
    title: 'query-timeout',
    detail: 'The query was given up: it reached the limit of 200 ms.',
    limitMs: 200,
  })
})
