/** The queries that a client in use generates (decision 0013). Titles have the numbers of the facts about it. */
import test from 'ava'
import {c, create, ldp} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const both = `include="${c}PreferDocumentChecksums", include="${c}PreferResultsContexts"`
const contexts = `include="${c}PreferResultsContexts"`

test.before(async t => {
  service = await startService()
  await create(t, service, {slug: 'posts', body: ''})
  const post = (slug: string, body: string) => create(t, service, {parent: '/posts/', slug, body})
  await post(
    'one',
    `<> a <${ex}Post> ; <${ex}title> "One" ; <${ex}part> <#a>, [ <${ex}text> "blank" ] . <#a> <${ex}text> "named" .`,
  )
  await post('two', `<> a <${ex}Post> ; <${ex}title> "Two" .`)
  await post('three', `<> a <${ex}Post> ; <${ex}tag> "t1", "t2", "t3" .`)
})
test.after.always(() => service.stop())

type Node = Readonly<Record<string, unknown>> & {readonly '@id': string; readonly '@graph'?: readonly Node[]}

async function ask(path: string, body: string, headers: Readonly<Record<string, string>>) {
  return service.send({method: 'POST', path, headers: {'content-type': 'application/sparql-query', ...headers}, body})
}

async function nodesOf(path: string, body: string, prefer = both): Promise<readonly Node[]> {
  const {status, headers, text} = await ask(path, body, {accept: 'application/ld+json', prefer})
  if (status !== 200 || headers['content-type'] !== 'application/ld+json') throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

const iris = (value: unknown) => (value as readonly Node[]).map(node => node['@id']).sort()

/** Types or literals of a property, in order. */
function textsOf(node: Node | undefined, property: string): readonly string[] {
  const values = (node?.[property] ?? []) as readonly (string | {readonly '@value': string})[]
  return values.map(value => (typeof value === 'string' ? value : value['@value'])).sort()
}

/** The query of $getChildren. */
const children = `PREFIX c: <${c}> PREFIX ldp: <${ldp}> PREFIX ex: <${ex}>
CONSTRUCT { <cldp-sdk://metadata-1> a c:VolatileResource, c:QueryMetadata ; c:target ?child .
            ?child a ?child___type ; ex:title ?child__title ; ex:tag ?child__tag }
WHERE { { SELECT DISTINCT ?child WHERE { <> ldp:contains ?child . OPTIONAL { ?child ex:title ?child__title } }
          ORDER BY DESC( ?child__title ) LIMIT 10 OFFSET 0 }
        OPTIONAL { ?child a ?child___type } OPTIONAL { ?child ex:title ?child__title }
        OPTIONAL { ?child ex:tag ?child__tag } }`

test('6, 11 and 13: children of the document POSTed to, with a free node beside the graphs, and checksums in them', async t => {
  const {base} = service
  const nodes = await nodesOf('/posts/', children)
  const posts = ['one', 'three', 'two'].map(slug => `${base}posts/${slug}/`)
  const [metadata, ...others] = nodes.filter(node => node['@graph'] === undefined)
  const graphs = nodes.filter(node => node['@graph'] !== undefined)

  t.deepEqual(others, [])
  t.is(metadata?.['@id'], 'cldp-sdk://metadata-1')
  t.deepEqual(textsOf(metadata, '@type'), [`${c}QueryMetadata`, `${c}VolatileResource`])
  t.deepEqual(iris(metadata?.[`${c}target`]), posts)
  t.deepEqual(iris(graphs), posts)
  for (const {'@id': iri, '@graph': graph} of graphs) {
    const [node, ...rest] = graph ?? []
    t.deepEqual(rest, [])
    t.is(node?.['@id'], iri)
    t.regex(textsOf(node, `${c}checksum`).join(), /^[0-9a-f]{64}$/)
  }
  const three = graphs.find(({'@id': iri}) => iri.endsWith('three/'))?.['@graph']?.[0]
  t.deepEqual(textsOf(three, `${ex}tag`), ['t1', 't2', 't3'])
})

test('the order is by a variable that the sub-select does not project, with DISTINCT', async t => {
  const page = (offset: number) => children.replace('LIMIT 10 OFFSET 0', `LIMIT 1 OFFSET ${offset}`)
  const targets = async (offset: number) => {
    const [metadata] = (await nodesOf('/posts/', page(offset), contexts)).filter(node => node['@graph'] === undefined)
    return iris(metadata?.[`${c}target`]).map(iri => iri.split('/').at(-2))
  }

  t.deepEqual([await targets(0), await targets(1), await targets(2)], [['two'], ['one'], ['three']])
})

test('6: several documents by VALUES, at the root', async t => {
  const {base} = service
  const query = `
    CONSTRUCT { <cldp-sdk://m> a <${c}QueryMetadata> ; <${c}target> ?document . ?document <${ex}title> ?title }
    WHERE { VALUES ?document { <${base}posts/one/> <${base}posts/two/> } ?document <${ex}title> ?title }`

  t.deepEqual(
    iris((await nodesOf('/', query)).filter(node => node['@graph'] !== undefined)),
    ['one', 'two'].map(slug => `${base}posts/${slug}/`),
  )
})

test('10: a blank node has one label in GET, CONSTRUCT and SELECT, and PATCH accepts it', async t => {
  const get = await service.send({path: '/posts/one/', headers: {Accept: 'application/n-triples'}})
  const [, label = ''] = /(_:\S+) <[^>]*text> "blank"/.exec(get.text) ?? []
  const select = await ask('/', `SELECT ?b { ?b <${ex}text> "blank" }`, {accept: 'text/csv'})
  const construct = await ask('/', `CONSTRUCT WHERE { ?b <${ex}text> "blank" }`, {accept: 'application/n-triples'})
  const patched = await service.send({
    method: 'PATCH',
    path: '/posts/one/',
    headers: {'content-type': 'text/ldpatch'},
    body: `Add { ${label} <${ex}seen> true . } .`,
  })
  const seen = await ask('/', `SELECT ?b { ?b <${ex}seen> true ; <${ex}text> "blank" }`, {accept: 'text/csv'})

  t.regex(label, /^_:qs\d+$/)
  t.is(select.text, `b\r\n${label}\r\n`)
  t.is(construct.text, `${label} <${ex}text> "blank" .\n`)
  t.is(patched.status, 204)
  t.is(seen.text, select.text)
})

test('a graph variable that one OPTIONAL leaves unbound is bound by the next', async t => {
  const {base} = service
  const query = `SELECT ?t ?g { <posts/one/> <${ex}part> ?part
    OPTIONAL { GRAPH ?g { ?part a ?types } } OPTIONAL { GRAPH ?g { ?part <${ex}text> ?t } } } ORDER BY ?t`

  t.is(
    (await ask('/', query, {accept: 'text/csv'})).text,
    `t,g\r\nblank,${base}posts/one/\r\nnamed,${base}posts/one/\r\n`,
  )
})

test('12: a constructed triple that is not stored is in the graph of the c:document of its subject', async t => {
  const {base} = service
  const iri = `${base}posts/one/`
  const query = `CONSTRUCT { ?post <${ex}partText> ?text ; <${c}document> ?doc }
    WHERE { GRAPH ?doc { ?post a <${ex}Post> } ?post <${ex}part>/<${ex}text> ?text FILTER(?text = "named") }`
  const nodes = await nodesOf('/', query, contexts)
  const graph = nodes.find(node => node['@id'] === iri && node['@graph'] !== undefined)?.['@graph'] ?? []

  t.deepEqual(
    graph.map(node => [node['@id'], node[`${ex}partText`]]),
    [[iri, [{'@value': 'named'}]]],
  )
})

test('ASK and SELECT return JSON results, although JSON-LD is accepted too, for errors', async t => {
  const accept = 'application/ld+json; q=0.9, application/sparql-results+json'
  const yes = await ask('/', 'ASK { ?s ?p ?o }', {accept})
  const wrong = await ask('/', 'ASK {', {accept: 'application/ld+json; q=0.9, application/sparql-results+json'})
  const {results} = JSON.parse((await ask('/', `SELECT ?t { <posts/one/> <${rdf}type> ?t }`, {accept})).text)

  t.deepEqual(JSON.parse(yes.text), {head: {}, boolean: true})
  t.deepEqual([...new Set(results.bindings.map((row: {t: {type: string}}) => row.t.type))], ['uri'])
  t.is(wrong.status, 400)
  t.true(
    (JSON.parse(wrong.text) as readonly Node[]).some(node =>
      (node['@type'] as string[])?.includes(`${c}ErrorResponse`),
    ),
  )
})

test('a query without solutions is an empty array', async t => {
  t.deepEqual(await nodesOf('/', `CONSTRUCT WHERE { ?s <${ex}nothing> ?o }`), [])
})
