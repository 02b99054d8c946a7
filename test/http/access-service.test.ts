/**
 * SERVICE with access control: other endpoints learn nothing, and add nothing, of documents that the caller may not
 * read.
 */
import test, {type ExecutionContext} from 'ava'
import {type GuardedService, startGuarded} from '../support/access.ts'
import {turtle} from '../support/documents.ts'
import {type FakeEndpoint, fakeEndpoint, respondRows} from '../support/endpoint.ts'
import {freePort} from '../support/machine.ts'
import type {Settings} from '../support/service.ts'

const e = 'http://e/'
const born = {jane: '1775', mary: '1797', emily: '1818'}

const posted = (query: string) => ({
  method: 'POST',
  path: '/sparql',
  headers: {'Content-Type': 'application/sparql-query', Accept: 'text/csv'},
  body: `PREFIX e: <${e}> ${query}`,
})

type Scene = {
  readonly service: GuardedService
  readonly endpoint: FakeEndpoint
  /** Sorted rows for a caller. The root asks before, so that its plan is cached. */
  readonly rowsOf: (query: string, name?: string) => Promise<readonly string[]>
  /** The queries that the other endpoint gets meanwhile. */
  readonly toldBy: (work: () => Promise<unknown>) => Promise<string>
}

/** An open document about jane, a secret one about mary, and an endpoint that knows both. */
async function startScene(t: ExecutionContext, settings: Settings = {}): Promise<Scene> {
  const endpoint = await fakeEndpoint(t, response =>
    respondRows(
      response,
      Object.entries(born).map(([name, value]) => ({n: {type: 'literal', value: name}, b: {type: 'literal', value}})),
    ),
  )
  const service = await startGuarded({SERVICE_ENDPOINTS: endpoint.url, ...settings})
  t.teardown(service.stop)
  const create = async (slug: string, body: string) => {
    const sent = {method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body}
    t.is((await service.sendAs('root', sent)).status, 201)
  }
  await create('open', `<> <${e}by> "jane" ; <${e}sees> <http://e/x> . <http://e/x> <${e}in> "open" .`)
  await create(
    'secret',
    `<> <${e}by> "mary" ; <${e}endpoint> <${endpoint.url}> . <http://e/x> <${e}in> "secret" ; <${e}by> "emily" .`,
  )
  await service.grant('/open/', {public: ['read']})

  async function ask(query: string, name?: string): Promise<readonly string[]> {
    const {status, text} = await service.sendAs(name, posted(query))
    t.is(status, 200, text)
    return text.trimEnd().split('\r\n').slice(1).sort()
  }
  return {
    service,
    endpoint,
    async rowsOf(query, name) {
      await ask(query, 'root')
      return ask(query, name)
    },
    async toldBy(work) {
      const before = endpoint.asked.length
      await work()
      return endpoint.asked.slice(before).join('\n')
    },
  }
}

test('values in a request are only from documents that the caller may read', async t => {
  const {service, endpoint, toldBy} = await startScene(t)
  const {url} = endpoint
  const remote = `SERVICE <${url}> { ?n e:born ?b }`
  const queries = [
    `SELECT ?n ?b { ?d e:by ?n ${remote} }`,
    `SELECT ?n ?b { ?d e:by ?n OPTIONAL { ${remote} } }`,
    `SELECT ?n ?b { GRAPH ?g { ?d e:by ?n } ${remote} }`,
    `SELECT ?n ?b FROM <secret/> FROM <open/> { ?d e:by ?n ${remote} }`,
    `SELECT ?n ?b FROM NAMED <secret/> FROM NAMED <open/> { GRAPH ?g { ?d e:by ?n } ${remote} }`,
    `SELECT ?n ?b { { ?d e:by ?n } UNION { ?d e:sees/e:by ?n } ${remote} }`,
    `SELECT ?n ?b { { SELECT DISTINCT ?n { ?d e:by ?n } ORDER BY ?n LIMIT 9 } ${remote} }`,
    `SELECT ?n ?b { ?d e:by ?n FILTER EXISTS { ?x e:in ?where } ${remote} }`,
  ]
  const namesIn = (text: string) => Object.keys(born).filter(name => text.includes(`"${name}"`))

  for (const query of queries) {
    const toRoot = await toldBy(() => service.sendAs('root', posted(query)))
    const toNobody = await toldBy(() => service.sendAs(undefined, posted(query)))
    t.deepEqual([namesIn(toRoot), namesIn(toNobody)], [['jane', 'mary', 'emily'], ['jane']], query)
  }
})

test('solutions of another endpoint are joined with readable documents only', async t => {
  const {endpoint, rowsOf} = await startScene(t)
  const remote = `SERVICE <${endpoint.url}> { ?n e:born ?b }`

  t.deepEqual(await rowsOf(`SELECT ?n ?b { ?d e:by ?n ${remote} }`), ['jane,1775'])
  t.deepEqual(await rowsOf(`SELECT ?n ?b { ?d e:by ?n ${remote} }`, 'root'), ['emily,1818', 'jane,1775', 'mary,1797'])
  t.deepEqual(await rowsOf(`SELECT ?n { ${remote} FILTER EXISTS { ?d e:by ?n } }`), ['jane'])
  t.deepEqual(await rowsOf(`SELECT ?n { ${remote} MINUS { ?d e:by ?n } }`), ['emily', 'mary'])
  t.deepEqual(await rowsOf(`SELECT ?n ?g { ${remote} OPTIONAL { GRAPH ?g { ?d e:by ?n } } }`), [
    'emily,',
    `jane,${(await rowsOf('SELECT ?g { GRAPH ?g {} }'))[0]}`,
    'mary,',
  ])
})

test('an endpoint that only a hidden graph names is not asked', async t => {
  const {endpoint, rowsOf, service, toldBy} = await startScene(t)
  const query = 'SELECT ?b { ?d e:endpoint ?where SERVICE ?where { ?n e:born ?b } }'

  t.deepEqual(await rowsOf(query), [])
  t.is(endpoint.asked.length, 1, "root's question")
  t.is(await toldBy(() => service.sendAs(undefined, posted(query))), '')
})

test("no credentials are sent to endpoints, and the service's own returns what everybody may read", async t => {
  const port = await freePort()
  const own = `http://127.0.0.1:${port}/sparql`
  const credentials: (string | undefined)[] = []
  const other = await fakeEndpoint(t, (response, _, request) => {
    credentials.push(request.headers.authorization)
    respondRows(response, [])
  })
  const {rowsOf} = await startScene(t, {PORT: String(port), SERVICE_ENDPOINTS: `${own},${other.url}`})

  t.deepEqual(await rowsOf(`SELECT * { SERVICE <${other.url}> { ?d e:by ?n } }`, 'root'), [])
  t.deepEqual(credentials, [undefined, undefined])
  t.deepEqual(await rowsOf(`SELECT ?n { SERVICE <${own}> { ?d e:by ?n } }`), ['jane'])
  t.deepEqual(await rowsOf(`SELECT ?n { SERVICE <${own}> { ?d e:by ?n } }`, 'root'), ['jane'])
  t.deepEqual(await rowsOf(`SELECT ?n { ?d e:by ?n SERVICE <${own}> { ?f e:by ?n } }`, 'root'), ['jane'])
})
