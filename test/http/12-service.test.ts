/** SERVICE: queries that ask other endpoints, and only those that are allowed (SPARQL 1.1 Federated Query). */
import test, {type ExecutionContext} from 'ava'
import {create} from '../support/documents.ts'
import {fakeEndpoint, respondRows, resultsJson} from '../support/endpoint.ts'
import {startService, type TestService} from '../support/service.ts'

const ex = 'http://example.org/ns#'
const type = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}

let remote: TestService // another Quadstead, with authors
let here: TestService // with books
let endpoint: string

test.before(async t => {
  remote = await startService()
  endpoint = `${remote.url}sparql`
  here = await startService({SERVICE_ENDPOINTS: `${remote.url},http://127.0.0.1:9/`})
  const author = (name: string, born: string) =>
    create(t, remote, {slug: name, body: `<> <${ex}name> "${name}" ; <${ex}born> ${born} ; <${ex}knows> _:x .`})
  for (const [name, born] of [
    ['jane', '1775'],
    ['mary', '1797'],
    ['emily', '1818'],
  ] as const)
    await author(name, born)
  const book = (slug: string, by: string) =>
    create(t, here, {slug, body: `<> <${ex}title> "${slug}" ; <${ex}by> "${by}" ; <${ex}endpoint> <${endpoint}> .`})
  await book('emma', 'jane')
  await book('frankenstein', 'mary')
  await book('persuasion', 'jane')
  await book('anonymous', 'nobody')
})
test.after.always(async () => {
  await here?.stop()
  await remote?.stop()
})

const ask = (text: string, service = here) =>
  service.send({method: 'POST', path: '/', headers: type, body: `PREFIX ex: <${ex}> ${text}`})

type Binding = Readonly<Record<string, {readonly type: string; readonly value: string}>>

/** Solutions, each as values by name, sorted by their text. */
async function rowsOf(t: ExecutionContext, text: string, service = here): Promise<readonly string[]> {
  const {status, text: body} = await ask(text, service)
  t.is(status, 200, body)
  const rows = JSON.parse(body).results.bindings as readonly Binding[]
  const show = (row: Binding) => Object.entries(row).map(([name, {value}]) => `${name}=${value}`)
  return rows.map(row => show(row).join(' ')).sort()
}

async function problemOf(text: string, service = here) {
  const {status, text: body} = await ask(text, service)
  const {title, detail} = JSON.parse(body)
  return [status, title, detail]
}

const born = (service: string) => `SELECT ?t ?b { ?d ex:title ?t ; ex:by ?n ${service} { ?a ex:name ?n ; ex:born ?b } }`

test('solutions of another endpoint are joined with local ones', async t => {
  t.deepEqual(await rowsOf(t, born(`SERVICE <${endpoint}>`)), [
    't=emma b=1775',
    't=frankenstein b=1797',
    't=persuasion b=1775',
  ])
  t.deepEqual(await rowsOf(t, born(`OPTIONAL { SERVICE <${endpoint}>`).replace(/$/, ' }')), [
    't=anonymous',
    't=emma b=1775',
    't=frankenstein b=1797',
    't=persuasion b=1775',
  ])
})

test('SERVICE with a variable asks each endpoint that the solutions name', async t => {
  t.deepEqual(await rowsOf(t, born('. ?d ex:endpoint ?e SERVICE ?e')), [
    't=emma b=1775',
    't=frankenstein b=1797',
    't=persuasion b=1775',
  ])
  t.deepEqual(await rowsOf(t, `SELECT ?n { SERVICE ?e { ?a ex:name ?n } VALUES ?e { <${endpoint}> } }`), [
    'n=emily',
    'n=jane',
    'n=mary',
  ])
  t.deepEqual(await problemOf('SELECT * { SERVICE ?e { ?a ex:name ?n } }'), [
    400,
    'service-bound',
    'No endpoint is known for SERVICE ?e: nothing that it is joined with binds ?e.',
  ])
  t.deepEqual(await problemOf('SELECT * { VALUES ?e { "x" } SERVICE ?e { ?a ex:name ?n } }'), [
    400,
    'service-bound',
    '?e is bound to x, which is no IRI.',
  ])
})

test('a SERVICE without local patterns returns all solutions, also in sub-selects, unions, MINUS and EXISTS', async t => {
  const names = `SERVICE <${endpoint}> { ?a ex:name ?n }`
  t.deepEqual(await rowsOf(t, `SELECT (COUNT(*) AS ?c) { ${names} }`), ['c=3'])
  t.deepEqual(await rowsOf(t, `SELECT ?n { { SELECT DISTINCT ?n { ${names} } ORDER BY ?n LIMIT 1 } }`), ['n=emily'])
  t.deepEqual(await rowsOf(t, `SELECT ?n { { ?d ex:by ?n } MINUS { ${names} } }`), ['n=nobody'])
  t.deepEqual(await rowsOf(t, `SELECT ?t { ?d ex:title ?t ; ex:by ?n FILTER NOT EXISTS { ${names} } }`), [
    't=anonymous',
  ])
  t.deepEqual(
    await rowsOf(t, `SELECT ?t { ?d ex:title ?t ; ex:by ?n { ${names} } UNION { VALUES ?n { "nobody" } } }`),
    ['t=anonymous', 't=emma', 't=frankenstein', 't=persuasion'],
  )
  t.deepEqual(await rowsOf(t, `SELECT ?n ?t { GRAPH ?d { ?d ex:by ?n ; ex:title ?t ${names} } FILTER(?t < "f") }`), [
    'n=jane t=emma',
  ])
  t.deepEqual(await rowsOf(t, `ASK { ${names} }`.replace('ASK', 'SELECT (1 AS ?y)').replace(/$/, ' LIMIT 1')), ['y=1'])
})

test('blank nodes of an answer are new, and each label is one node within it', async t => {
  const {text} = await ask(`SELECT ?x ?y ?z { SERVICE <${endpoint}> { ?a ex:name "jane" ; ex:knows ?x, ?y }
    SERVICE <${endpoint}> { ?a2 ex:name "jane" ; ex:knows ?z } }`)
  const [row] = JSON.parse(text).results.bindings as readonly Binding[]

  t.is(row?.x?.type, 'bnode')
  t.is(row?.x?.value, row?.y?.value)
  t.not(row?.x?.value, row?.z?.value)
})

test('CONSTRUCT may use terms that are not stored here', async t => {
  const {status, text} = await here.send({
    method: 'POST',
    path: '/',
    headers: {...type, Accept: 'application/n-triples'},
    body: `PREFIX ex: <${ex}> CONSTRUCT { ?d ex:birth ?b } { ?d ex:by ?n SERVICE <${endpoint}> { ?a ex:name ?n ; ex:born ?b } }`,
  })

  t.is(status, 200)
  t.deepEqual(
    text.trim().split('\n').sort(),
    ['emma', 'frankenstein', 'persuasion'].map(
      book =>
        `<${here.base}${book}/> <${ex}birth> "${book === 'frankenstein' ? 1797 : 1775}"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
    ),
  )
})

test('only listed endpoints are asked; SILENT turns a refusal into one empty solution', async t => {
  const plain = await startService()
  t.teardown(plain.stop)

  t.deepEqual(await problemOf('SELECT * { SERVICE <http://elsewhere.example/> { ?s ?p ?o } }'), [
    403,
    'service-allowed',
    '<http://elsewhere.example/> is not to be asked here.',
  ])
  t.deepEqual(await problemOf(`SELECT * { SERVICE <${endpoint}> { ?s ?p ?o } }`, plain), [
    403,
    'federation-disabled',
    `SERVICE is not allowed here: <${endpoint}>.`,
  ])
  t.deepEqual(await rowsOf(t, 'SELECT * { SERVICE SILENT <http://elsewhere.example/> { ?s ?p ?o } }'), [''])
  t.deepEqual(await rowsOf(t, `SELECT * { SERVICE SILENT <${endpoint}> { ?s ?p ?o } }`, plain), [''])
})

test('an endpoint that cannot be reached is a 502, and with SILENT one empty solution', async t => {
  t.deepEqual((await problemOf(born('SERVICE <http://127.0.0.1:9/>'))).slice(0, 2), [502, 'service-failed'])
  t.deepEqual(await rowsOf(t, 'SELECT ?t { ?d ex:title ?t SERVICE SILENT <http://127.0.0.1:9/> { ?x ex:y ?t } }'), [
    't=anonymous',
    't=emma',
    't=frankenstein',
    't=persuasion',
  ])
})

test('local solutions are sent in parts, and no request if there are none', async t => {
  const {url, asked} = await fakeEndpoint(t, (response, query) => {
    const numbers = [...query.matchAll(/\("(\d+)"\^\^/g)].map(([, number = '']) => number)
    respondRows(
      response,
      numbers.map(value => ({
        x: {type: 'literal', value, datatype: 'http://www.w3.org/2001/XMLSchema#integer'},
        y: {type: 'literal', value: `n${value}`},
      })),
    )
  })
  const service = await startService({SERVICE_ENDPOINTS: url})
  t.teardown(service.stop)
  const many = Array.from({length: 600}, (_, number) => number).join(' ')

  const rows = await rowsOf(
    t,
    `SELECT ?y { VALUES ?x { ${many} } FILTER(?x < 500) SERVICE <${url}> { ?x ex:p ?y } }`,
    service,
  )

  t.is(rows.length, 500)
  t.is(asked.length, 2)
  t.deepEqual(await rowsOf(t, `SELECT ?y { ?x ex:none ?z SERVICE <${url}> { ?x ex:p ?y } }`, service), [])
  t.is(asked.length, 2)
})

test('hostile answers are reported and not used', async t => {
  const answers: Readonly<Record<string, Parameters<typeof fakeEndpoint>[1]>> = {
    'it answered 500': response => response.writeHead(500).end('<html>'),
    'it answered with the type "text/html"': response => response.writeHead(200, {'Content-Type': 'text/html'}).end(),
    'it is not JSON': response => response.writeHead(200, resultsJson).end('{"results": {"bindings": [{"n"'),
    '"a b" is not an absolute IRI': response => respondRows(response, [{n: {type: 'uri', value: 'a b'}}]),
    'it redirects to http://elsewhere.example/': response =>
      response.writeHead(307, {Location: 'http://elsewhere.example/'}).end(),
    'it redirects more than 5 times': response => response.writeHead(302, {Location: '/sparql'}).end(),
  }
  for (const [reason, respond] of Object.entries(answers)) {
    const {url} = await fakeEndpoint(t, respond)
    const service = await startService({SERVICE_ENDPOINTS: url})
    t.teardown(service.stop)

    t.deepEqual(await problemOf(`SELECT * { SERVICE <${url}> { ?s ex:n ?n } }`, service), [
      502,
      'service-failed',
      `<${url}> gave no solutions: ${reason}.`,
    ])
    t.deepEqual(await rowsOf(t, `SELECT * { SERVICE SILENT <${url}> { ?s ex:n ?n } }`, service), [''])
  }
})

test('an endless answer and one with too many solutions end at the limit', async t => {
  const endless = await fakeEndpoint(t, response => {
    response.writeHead(200, resultsJson)
    const write = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const large = await fakeEndpoint(t, response =>
    respondRows(
      response,
      Array.from({length: 11}, () => ({n: {type: 'literal', value: ''}})),
    ),
  )
  const limits = {SERVICE_LIMIT_BYTES: '1000000', SERVICE_LIMIT_ROWS: '10'}
  const service = await startService({...limits, SERVICE_ENDPOINTS: `${endless.url},${large.url}`})
  t.teardown(service.stop)
  const detail = (url: string, limit: string) =>
    `<${url}> answered with more than the ${limit} that a query may take from others.`

  t.deepEqual(await problemOf(`SELECT * { SERVICE <${endless.url}> { ?s ex:n ?n } }`, service), [
    422,
    'service-limit',
    detail(endless.url, '1000000 bytes'),
  ])
  t.deepEqual(await problemOf(`SELECT * { SERVICE <${large.url}> { ?s ex:n ?n } }`, service), [
    422,
    'service-limit',
    detail(large.url, '10 solutions'),
  ])
  await endless.left
})

test('a request to a silent endpoint ends with the time limit of the query, or when the client disconnects', async t => {
  const {url, left} = await fakeEndpoint(t, () => undefined)
  const hasty = await startService({SERVICE_ENDPOINTS: url, STATEMENT_TIMEOUT_MS: '300'})
  t.teardown(hasty.stop)

  t.deepEqual(await problemOf(`SELECT * { SERVICE <${url}> { ?s ex:n ?n } }`, hasty), [
    504,
    'service-timeout',
    `<${url}> did not answer before the query's limit of 300 ms.`,
  ])
  await left

  let arrive: () => void
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const other = await fakeEndpoint(t, () => arrive())
  const patient = await startService({SERVICE_ENDPOINTS: other.url})
  t.teardown(patient.stop)
  const client = new AbortController()
  const body = `SELECT * { SERVICE <${other.url}> { ?s <${ex}n> ?n } }`
  const sent = patient.send({method: 'POST', path: '/', headers: type, body, signal: client.signal})
  await arrived
  client.abort()
  await t.throwsAsync(sent)
  await other.left
})

test('a redirect to another listed endpoint is followed, and a POST of the query itself is tried', async t => {
  const target = await fakeEndpoint(t, (response, _, request) => {
    if (request.headers['content-type'] === 'application/sparql-query')
      respondRows(response, [{n: {type: 'literal', value: 'there'}}])
    else response.writeHead(415).end()
  })
  const {url} = await fakeEndpoint(t, response => response.writeHead(308, {Location: target.url}).end())
  const service = await startService({SERVICE_ENDPOINTS: `${url},${target.url}`})
  t.teardown(service.stop)

  t.deepEqual(await rowsOf(t, `SELECT * { SERVICE <${url}> { ?s ex:n ?n } }`, service), ['n=there'])
})

test('an explanation shows the solutions of the other endpoint and its time; the service description has the feature', async t => {
  const json = 'application/vnd.quadstead.explain+json'
  const headers = {...type, Accept: json}
  const body = `PREFIX ex: <${ex}> ${born(`SERVICE <${endpoint}>`)}`
  const explained = await here.send({method: 'POST', path: '/', headers, body})
  const {passes, stages} = JSON.parse(explained.text)
  const stageNames = stages.map(({name}: {name: string}) => name)

  t.is(passes.at(-1).name, 'services')
  t.regex(passes.at(-1).algebra, /\(table \(\?a \?n \?b\) 2\)/)
  t.true(stageNames.indexOf('connect') < stageNames.indexOf('services'))
  t.regex(
    String((await here.send({method: 'POST', path: '/', headers: type, body})).headers['server-timing']),
    /services;dur=/,
  )
  t.is((await remote.send({method: 'POST', path: '/', headers, body})).status, 403)
  t.true((await here.send({path: '/sparql'})).text.includes('sd:BasicFederatedQuery'))
  t.false((await remote.send({path: '/sparql'})).text.includes('sd:BasicFederatedQuery'))
})
