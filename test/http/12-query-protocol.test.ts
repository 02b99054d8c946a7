/** The SPARQL 1.1 Protocol: requests, datasets and formats. */
import test from 'ava'
import {formats} from '../../src/format/registry.ts'
import {resultsFormats} from '../../src/format/results.ts'
import type {Sent} from '../support/client.ts'
import {create} from '../support/documents.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'
const queryType = {'Content-Type': 'application/sparql-query'}
const acceptPost = 'application/sparql-query, application/sparql-update, application/x-www-form-urlencoded'
const formType = {'Content-Type': 'application/x-www-form-urlencoded'}
const csv = {Accept: 'text/csv'}

test.before(async t => {
  service = await startService()
  for (const slug of ['a', 'b', 'c'])
    await create(t, service, {slug, body: `<> <${ex}name> "${slug}" . <http://e/> <${ex}shared> "all" .`})
})
test.after.always(() => service.stop())

const names = `SELECT ?n { ?s <${ex}name> ?n } ORDER BY ?n`
type Parameters = [string, string][]

const form = (parameters: Parameters) => String(new URLSearchParams(parameters))

/** The rows of an answer in CSV, without head and line ends. */
async function rowsOf(sent: Sent): Promise<string> {
  const {status, text} = await service.send({...sent, headers: {...csv, ...sent.headers}})
  return status === 200 ? text.trim().split('\r\n').slice(1).join(' ') : `${status} ${text}`
}

function get(parameters: Parameters): Promise<string> {
  return rowsOf({path: `/sparql?${form(parameters)}`})
}

test('a query has the same answer with every kind of request', async t => {
  const ways: readonly Sent[] = [
    {path: `/sparql?${form([['query', names]])}`},
    {method: 'POST', path: '/sparql', headers: formType, body: form([['query', names]])},
    {method: 'POST', path: '/sparql', headers: queryType, body: names},
    {method: 'POST', path: '/', headers: queryType, body: names},
    {method: 'POST', path: '/a/', headers: queryType, body: names},
    {
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'application/sparql-query; charset=utf-8'},
      body: names,
    },
    {
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'Application/X-WWW-Form-UrlEncoded; charset=UTF-8'},
      body: form([['query', names]]),
    },
  ]

  for (const way of ways) t.is(await rowsOf(way), 'a b c', JSON.stringify(way))
})

test('the request’s URL is the base of relative IRIs', async t => {
  const ask = 'SELECT (STR(<x>) AS ?iri) {}'
  const {base} = service

  t.is(await get([['query', ask]]), `${base}x`)
  t.is(await rowsOf({method: 'POST', path: '/a/', headers: queryType, body: ask}), `${base}a/x`)
  t.is(
    await rowsOf({method: 'POST', path: '/a/', headers: queryType, body: 'SELECT (STR(<>) AS ?iri) {}'}),
    `${base}a/`,
  )
  t.is(await get([['query', `BASE <http://e/d/> ${ask}`]]), 'http://e/d/x')
})

test('default-graph-uri and named-graph-uri select the dataset, and override FROM and FROM NAMED', async t => {
  const {base} = service
  const graph = (name: string) => `${base}${name}/`
  const inGraphs = `SELECT ?n { GRAPH ?g { ?s <${ex}name> ?n } } ORDER BY ?n`
  const shared = `SELECT ?n { ?s <${ex}shared> ?n }`

  t.is(
    await get([
      ['query', names],
      ['default-graph-uri', graph('a')],
    ]),
    'a',
  )
  t.is(
    await get([
      ['query', names],
      ['default-graph-uri', graph('a')],
      ['default-graph-uri', graph('c')],
    ]),
    'a c',
  )
  t.is(
    await get([
      ['query', shared],
      ['default-graph-uri', graph('a')],
      ['default-graph-uri', graph('c')],
    ]),
    'all',
  )
  t.is(
    await get([
      ['query', inGraphs],
      ['named-graph-uri', graph('b')],
    ]),
    'b',
  )
  t.is(
    await get([
      ['query', names],
      ['named-graph-uri', graph('b')],
    ]),
    '',
  )
  t.is(
    await get([
      ['query', inGraphs],
      ['default-graph-uri', graph('b')],
    ]),
    '',
  )
  t.is(
    await get([
      ['query', names],
      ['default-graph-uri', 'http://nowhere/'],
    ]),
    '',
  )
  const from = names.replace('{', `FROM <${graph('b')}> {`)
  t.is(await get([['query', from]]), 'b')
  t.is(
    await get([
      ['query', from],
      ['default-graph-uri', graph('a')],
    ]),
    'a',
  )
  const direct = `default-graph-uri=${encodeURIComponent(graph('c'))}`
  t.is(await rowsOf({method: 'POST', path: `/sparql?${direct}`, headers: queryType, body: names}), 'c')
  t.is(await rowsOf({method: 'POST', path: `/?${direct}`, headers: queryType, body: names}), 'c')
  const both = form([
    ['query', names],
    ['default-graph-uri', graph('a')],
  ])
  t.is(await rowsOf({method: 'POST', path: `/sparql?${direct}`, headers: formType, body: both}), 'a c')
})

const refused: readonly (readonly [string, Sent, number, string])[] = [
  ['no query in the form', {headers: formType, body: ''}, 400, 'query-given'],
  ['two in the form', {headers: formType, body: 'query=ASK{}&query=ASK{}'}, 400, 'query-given'],
  ['two in the URL', {method: 'GET', path: '/sparql?query=ASK%7B%7D&query=ASK%7B%7D'}, 400, 'query-given'],
  [
    'one in the URL and one in the form',
    {path: '/sparql?query=a', headers: formType, body: 'query=b'},
    400,
    'query-given',
  ],
  [
    'one in the URL and one in the body',
    {path: '/sparql?query=a', headers: queryType, body: 'ASK {}'},
    400,
    'query-given',
  ],
  ['the same at a document', {path: '/a/?query=a', headers: queryType, body: 'ASK {}'}, 400, 'query-given'],
  ['a query and an update', {headers: formType, body: 'query=ASK{}&update=CLEAR+ALL'}, 400, 'query-given'],
  ['an update in the URL', {method: 'GET', path: '/sparql?update=x'}, 400, 'query-reads-only'],
  ['an update for a query', {headers: queryType, body: 'CLEAR ALL'}, 400, 'query-reads-only'],
  ['an empty query', {method: 'GET', path: '/sparql?query='}, 400, 'query-syntax'],
  ['a syntax error', {headers: formType, body: 'query=SELECT'}, 400, 'query-syntax'],
  ['a prefix that is not declared', {headers: queryType, body: 'ASK { ?s ex:p ?o }'}, 400, 'query-syntax'],
  ['bytes that are not UTF-8', {headers: queryType, body: new Uint8Array([0xff])}, 400, 'body-encoding'],
  ['UTF-16', {headers: queryType, body: Buffer.from('ASK {}', 'utf16le')}, 400, 'query-syntax'],
  ['escapes of a form that are not UTF-8', {headers: formType, body: 'query=ASK{?s ?p "%ff"}'}, 400, 'body-encoding'],
  ['a relative graph', {headers: formType, body: 'query=ASK{}&default-graph-uri=x'}, 400, 'query-graph'],
  ['an empty graph', {headers: formType, body: 'query=ASK{}&named-graph-uri='}, 400, 'query-graph'],
  ['no content type', {body: 'ASK {}'}, 400, 'content-type-given'],
  ['a text', {headers: {'Content-Type': 'text/plain'}, body: 'ASK {}'}, 415, 'media-type-known'],
  ['PUT', {method: 'PUT', headers: queryType, body: 'ASK {}'}, 405, 'method-allowed'],
]

for (const [title, sent, status, rule] of refused) {
  test(`refused with ${status} ${rule}: ${title}`, async t => {
    const answer = await service.send({method: 'POST', path: '/sparql', ...sent})

    t.is(answer.headers['content-type'], 'application/problem+json')
    t.like(JSON.parse(answer.text), {status, title: rule})
    if (status === 415 || status === 405) t.is(answer.headers['accept-post'], acceptPost)
  })
}

test('OPTIONS lists methods and formats', async t => {
  const {status, headers, text} = await service.send({method: 'OPTIONS', path: '/sparql'})

  t.is(status, 204)
  t.is(text, '')
  t.is(headers.allow, 'GET, HEAD, OPTIONS, POST')
  t.is(headers['accept-post'], acceptPost)
})

test('HEAD returns the same as GET, without the body', async t => {
  for (const query of [
    '',
    'query=ASK%7B%7D',
    form([['query', names]]),
    form([['query', 'CONSTRUCT WHERE { ?s ?p ?o }']]),
  ]) {
    const path = `/sparql?${query}`
    const [head, whole] = [await service.send({method: 'HEAD', path}), await service.send({path})]

    t.is(head.status, 200)
    t.is(head.text, '')
    for (const name of ['content-type', 'vary', 'cache-control', 'link'])
      t.is(head.headers[name], whole.headers[name], name)
  }
})

const typesOf = (list: readonly {readonly mediaTypes: readonly string[]}[]) =>
  list.flatMap(({mediaTypes}) => mediaTypes)
const essenceOf = (type: unknown) => String(type).replace(/; charset=utf-8$/, '')

test('SELECT and ASK answer in every format of results, CONSTRUCT and DESCRIBE in every RDF format, by every name', async t => {
  const ask = async (body: string, Accept: string) => {
    const {status, headers} = await service.send({method: 'POST', path: '/', headers: {...queryType, Accept}, body})
    return [status, essenceOf(headers['content-type'])]
  }
  const solutions = ['ASK {}', names]
  const graphs = ['CONSTRUCT WHERE { ?s ?p "a" }', 'DESCRIBE <a/>']

  for (const type of typesOf(resultsFormats)) {
    for (const query of solutions) t.deepEqual(await ask(query, type), [200, type], query)
    for (const query of graphs) t.is((await ask(query, type))[0], 406, `${query} as ${type}`)
  }
  for (const type of typesOf(formats)) {
    for (const query of graphs) t.deepEqual(await ask(query, type), [200, type], query)
    for (const query of solutions) t.is((await ask(query, type))[0], 406, `${query} as ${type}`)
  }
  for (const [accept, type] of [
    ['*/*', 'application/sparql-results+json'],
    ['application/ld+json;q=0.9, application/sparql-results+json', 'application/sparql-results+json'],
    ['application/xml;q=0.5, text/csv;q=0.4', 'application/xml'],
    ['text/*', 'text/csv'],
    ['application/sparql-results+json;q=0, */*', 'application/sparql-results+xml'],
  ] as const)
    t.deepEqual(await ask(names, accept), [200, type], accept)
})

test('a query without an acceptable format is refused before it is executed', async t => {
  const {send} = await useService(t, {STATEMENT_TIMEOUT_MS: '1000'})
  const values = ['a', 'b', 'c', 'd', 'e'].map(
    name => `VALUES ?${name} { ${Array.from({length: 60}, (_, i) => i).join(' ')} }`,
  )
  const body = `SELECT (COUNT(*) AS ?n) { ${values.join(' ')} }`
  const statusOf = async (Accept: string) =>
    (await send({method: 'POST', path: '/', headers: {...queryType, Accept}, body})).status

  t.is(await statusOf('text/csv'), 503)
  t.is(await statusOf('text/turtle'), 406)
})

test('without a query /sparql describes the service, in every RDF format', async t => {
  for (const {mediaTypes} of formats) {
    const {status, headers} = await service.send({path: '/sparql', headers: {Accept: mediaTypes[0]}})

    t.deepEqual([status, essenceOf(headers['content-type'])], [200, mediaTypes[0]])
  }
  t.is((await service.send({path: '/sparql', headers: {Accept: 'image/png'}})).status, 406)
  const {text} = await service.send({path: '/sparql', headers: {Accept: 'application/n-triples'}})
  const sd = 'http://www.w3.org/ns/sparql-service-description#'
  t.true(text.includes(`<${sd}endpoint> <${service.base}sparql> .`))
  t.true(text.includes(`<${sd}supportedLanguage> <${sd}SPARQL11Query> .`))
  t.true(text.includes(`<${sd}supportedLanguage> <${sd}SPARQL11Update> .`))
})

test('unknown parameters are ignored', async t => {
  t.is(
    await get([
      ['query', names],
      ['timeout', '0'],
      ['format', 'html'],
    ]),
    'a b c',
  )
})
