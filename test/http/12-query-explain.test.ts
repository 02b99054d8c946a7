/** Explanations of queries: algebra, constants, SQL, plan and times; and Server-Timing of answers. */
import test from 'ava'
import {create} from '../support/documents.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'
const json = 'application/vnd.quadstead.explain+json'
const text = 'text/vnd.quadstead.explain'
const select = `SELECT ?n { ?b <${ex}name> ?n ; <${ex}price> 12 ; <${ex}unknown> ?x }`

test.before(async t => {
  service = await startService()
  await create(t, service, {slug: 'emma', body: `<> <${ex}name> "Emma" ; <${ex}price> 12 .`})
})
test.after.always(() => service.stop())

function post(body: string, headers: Readonly<Record<string, string>>, path = '/') {
  return service.send({method: 'POST', path, headers: {'Content-Type': 'application/sparql-query', ...headers}, body})
}

test('an explanation has passes, constants, SQL, parameters, columns, plan and the times of the stages', async t => {
  const {status, headers, text: body} = await post(select, {Accept: json})
  const explained = JSON.parse(body)

  t.is(status, 200)
  t.is(headers['content-type'], json)
  t.deepEqual(Object.keys(explained), [
    'form',
    'base',
    'measured',
    'passes',
    'constants',
    'sql',
    'parameters',
    'columns',
    'textIndex',
    'plan',
    'stages',
  ])
  t.is(explained.form, 'select')
  t.is(explained.base, service.base)
  t.false(explained.measured)
  t.deepEqual(explained.passes[0], {
    name: 'translate',
    algebra: `(project (?n)
  (bgp
    (triple ?b <${ex}name> ?n)
    (triple ?b <${ex}price> 12)
    (triple ?b <${ex}unknown> ?x)))`,
  })
  t.deepEqual(
    explained.constants.map(({term, held}: {term: string; held: string}) => [term, held]),
    [
      [`<${ex}name>`, 'dictionary'],
      [`<${ex}price>`, 'dictionary'],
      [`<${ex}unknown>`, 'absent'],
      ['12', 'inline'],
    ],
  )
  t.deepEqual(explained.columns, [{column: 'c0', variable: 'n', holds: 'id'}])
  t.true(explained.sql.startsWith('select '))
  t.is(typeof explained.plan.Plan['Node Type'], 'string')
  t.is(explained.plan['Execution Time'], undefined)
  const stages: string[] = explained.stages.map(({name}: {name: string}) => name)
  t.deepEqual(
    ['parse', 'connect', 'look-up', 'plan', 'explain'].filter(name => !stages.includes(name)),
    [],
  )
})

test('measured=true executes the query: the plan has rows and times', async t => {
  const {headers, text: body} = await post(select, {Accept: `${json}; measured=true`})
  const {measured, plan} = JSON.parse(body)

  t.is(headers['content-type'], `${json}; measured=true`)
  t.true(measured)
  t.is(typeof plan['Execution Time'], 'number')
  t.is(plan.Plan['Actual Rows'], 0)
})

test('the text form is for people', async t => {
  const {headers, text: body} = await post(select, {Accept: text})

  t.is(headers['content-type'], `${text}; charset=utf-8`)
  const headings = body.split('\n').filter(line => /^[A-Z]/.test(line) && !/^After/.test(line))
  t.deepEqual(headings, ['Algebra of the SELECT', 'Constants', 'SQL', 'Columns', 'Text index', 'Plan', 'Times'])
  t.true(body.includes(`<${ex}unknown> (absent)`))
  t.regex((await post(select, {Accept: `${text}; measured=true`})).text, /^Plan, measured$/m)
})

test('it takes the same request as the query: at any document, by the protocol, with its dataset', async t => {
  const explained = async (path: string) => {
    const answer = await service.send({path, headers: {Accept: json}})
    return JSON.parse(answer.text)
  }
  const parameters = new URLSearchParams({query: select, 'default-graph-uri': `${service.base}emma/`})

  t.is(JSON.parse((await post('ASK { <> ?p ?o }', {Accept: json}, '/emma/')).text).base, `${service.base}emma/`)
  const {base, constants} = await explained(`/sparql?${parameters}`)
  t.is(base, `${service.base}sparql`)
  t.true(constants.some(({term}: {term: string}) => term === `<${service.base}emma/>`))
})

test('every form of query can be explained', async t => {
  for (const [form, query] of [
    ['ask', 'ASK { ?s ?p ?o }'],
    ['construct', 'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o OPTIONAL { ?o ?q ?r } }'],
    ['describe', 'DESCRIBE ?s { ?s ?p 12 }'],
  ] as const) {
    const {status, text: body} = await post(query, {Accept: `${json};measured=true`})

    t.is(status, 200, form)
    t.is(JSON.parse(body).form, form)
  }
})

test('an explanation needs its media type in Accept, with the highest quality', async t => {
  const typeOf = async (Accept: string) => (await post(select, {Accept})).headers['content-type']

  t.is(await typeOf('*/*'), 'application/sparql-results+json')
  t.is(await typeOf('application/*, text/*'), 'application/sparql-results+json')
  t.is(await typeOf(`${json}; q=0.5, text/csv`), 'text/csv; charset=utf-8')
  t.is(await typeOf(`text/csv; q=0.5, ${json}`), json)
  const refused = await post(select, {Accept: 'text/turtle'})
  t.is(refused.status, 406)
  t.false(refused.text.includes('explain'))
})

test('of a long query, the first constants and the beginnings of long texts are shown', async t => {
  const names = Array.from({length: 12_000}, (_, index) => `"name ${index}"`)
  const query = `SELECT ?n { VALUES ?n { ${names.join(' ')} } }`
  const explained = JSON.parse((await post(query, {Accept: json})).text)
  const {algebra} = explained.passes[0]

  t.deepEqual(
    explained.constants.map(({term}: {readonly term: string}) => term),
    names.slice(0, 1000),
  )
  t.regex(algebra, /^\(project.{99992} … \(\d+ more characters\)$/s)
  t.regex(explained.sql, / … \(\d+ more characters\)$/)
  t.regex((await post(query, {Accept: text})).text, /"name 999"/)
})

test('an invalid query gives the same error as without explanation', async t => {
  const wrong = JSON.parse((await post('SELECT {', {Accept: `${json}, application/problem+json;q=0.1`})).text)

  t.like(wrong, {status: 400, title: 'query-syntax', line: 1})
  t.is((await post('ASK {}', {Accept: json}, '/nowhere/')).status, 404)
})

test('a measured explanation has the time limit of a query', async t => {
  const {send} = await useService(t, {STATEMENT_TIMEOUT_MS: '1500'})
  const values = `VALUES ?X { ${Array.from({length: 60}, (_, index) => index).join(' ')} }`
  const query = `SELECT (COUNT(*) AS ?n) { ${['a', 'b', 'c', 'd', 'e'].map(name => values.replace('X', name)).join(' ')} }`
  const headers = {
    'Content-Type': 'application/sparql-query',
    Accept: `${json};measured=true, application/problem+json;q=0.1`,
  }

  const answer = await send({method: 'POST', path: '/', headers, body: query})

  t.like(JSON.parse(answer.text), {status: 503, title: 'query-timeout', limitMs: 1500})
  t.is(answer.headers['retry-after'], '2')
})

test('EXPLAIN=off: there are no explanations, and the service description does not offer them', async t => {
  const {send} = await useService(t, {EXPLAIN: 'off'})
  const headers = {'Content-Type': 'application/sparql-query', Accept: json}

  t.is((await send({method: 'POST', path: '/', headers, body: select})).status, 406)
  t.false((await send({path: '/sparql'})).text.includes('explain'))
  t.true((await service.send({path: '/sparql'})).text.includes(`"${json}"`))
})

// Serial: concurrent queries in a new service may each read statistics, and then a plan is made again.
test.serial('answers have the times of their stages in Server-Timing', async t => {
  const stagesOf = async (query: string, accept: string) => {
    const {headers} = await post(query, {Accept: accept})
    const value = String(headers['server-timing'])
    t.regex(value, /^[a-z-]+;dur=\d+(\.\d)?(, [a-z-]+;dur=\d+(\.\d)?)*$/)
    return value.replace(/;dur=[\d.]+/g, '')
  }

  const unseen = 'SELECT ?o { ?o <http://e/unseen> ?value } ORDER BY ?value'
  t.is(await stagesOf(unseen, 'text/csv'), 'parse, look-up, plan, sql')
  t.is(await stagesOf(unseen, 'text/csv'), 'parse, sql') // the message with its plan contains everything else
  t.is(await stagesOf('ASK {}', '*/*'), 'parse, plan, sql') // there is nothing to look up
  t.is(await stagesOf('CONSTRUCT WHERE { ?s ?p ?o }', 'text/turtle'), 'parse, plan, sql, collect')
})
