/**
 * The examples of queries in the guides of existing clients. Titles have the numbers of the examples and of the
 * interface's rules for results (decision 0013).
 */
import test from 'ava'
import {c, create, quadsOf, trig, turtle} from '../support/documents.ts'
import {ex} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

const contexts = `include=${c}PreferResultsContexts` // as in the guides, without quotes
const checksums = `include=${c}PreferDocumentChecksums`
const prefixes = `PREFIX c: <${c}>\nPREFIX ex: <${ex}>\nPREFIX ldp: <http://www.w3.org/ns/ldp#>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`

test.before(async t => {
  service = await startService()
  const make = (parent: string, slug: string, said: string) =>
    create(t, service, {
      parent,
      slug,
      body: `PREFIX ex: <${ex}> <> { <> ${said} . }`,
      headers: trig,
    })
  await make('/', 'project-x', 'a ex:Project ; ex:name "Project X"')
  await make('/', 'books', 'ex:name "Books"')
  await make('/', 'authors', 'ex:name "Authors"')
  await make('/authors/', 'jane', 'a ex:Author ; ex:name "Jane" ; ex:born 1775')
  await make('/authors/', 'anon', 'a ex:Author')
  const book = (slug: string, name: string, price: number, author: string) =>
    make(
      '/books/',
      slug,
      `a ex:Book ; ex:name "${name}" ; ex:price ${price} ; ex:author <${service.base}authors/${author}/>`,
    )
  await book('emma', 'Emma', 12, 'jane')
  await book('persuasion', 'Persuasion', 9, 'jane')
  await book('sanditon', 'Sanditon', 30, 'jane')
  await book('beowulf', 'Beowulf', 20, 'anon')
  await make('/books/', 'untitled', 'a ex:Book')
})
test.after.always(() => service.stop())

type Query = {readonly accept?: string; readonly prefer?: readonly string[]; readonly path?: string}

function query(text: string, {accept = 'application/n-quads', prefer = [], path = '/'}: Query = {}) {
  const headers = {'Content-Type': 'application/sparql-query', Accept: accept, Prefer: prefer}
  return service.send({method: 'POST', path, headers, body: prefixes + text})
}

/** Sorted lines, without the base and the two prefixes that every answer has. */
async function linesOf(text: string, options: Query = {}): Promise<readonly string[]> {
  const answer = await query(text, options)
  if (answer.status !== 200) throw new Error(answer.text)
  const lines = answer.text.split('\n').filter(line => line !== '')
  return lines.map(line => line.replaceAll(service.base, '/').replaceAll(ex, 'ex:').replaceAll(c, 'c:')).sort()
}

test('26: ASK, in JSON and XML; the misprint in the guide is a 400 with its place', async t => {
  const ask = 'ASK { ?s ex:name "Project X" }'
  const json = await query(ask, {accept: 'application/json'})
  const xml = await query(ask, {accept: 'application/xml'})
  const misprint = await query('ASK { s? ex:name "Project X" }', {accept: 'application/json'})

  t.deepEqual(JSON.parse(json.text), {head: {}, boolean: true})
  t.regex(xml.text, /<boolean>true<\/boolean>/)
  t.is(misprint.status, 400)
  t.like(JSON.parse(misprint.text), {title: 'query-syntax', line: 5})
})

test('27, rules 1 and 2: properties of two documents, each in its graph, each document with its checksum', async t => {
  const text = `CONSTRUCT { ?book a ex:Book ; ex:name ?name ; ex:author ?author . ?author ex:name ?authorName . }
    WHERE { ?book a ex:Book ; ex:name ?name ; ex:author ?author . ?author ex:name ?authorName .
      FILTER( ?name = "Emma" ) }`

  const answer = await query(text, {accept: 'application/ld+json', prefer: [contexts, checksums]})

  const graphs = JSON.parse(answer.text) as {'@id': string; '@graph': Record<string, unknown>[]}[]
  const told = (id: string) => graphs.find(each => each['@id'] === service.base + id)?.['@graph'][0] ?? {}
  t.is(answer.headers['content-type'], 'application/ld+json')
  t.deepEqual(graphs.map(each => each['@id']).sort(), [`${service.base}authors/jane/`, `${service.base}books/emma/`])
  t.deepEqual(
    Object.keys(told('books/emma/')).sort(),
    ['@id', '@type', `${ex}author`, `${ex}name`, `${c}checksum`].sort(),
  )
  t.deepEqual(Object.keys(told('authors/jane/')).sort(), ['@id', `${ex}name`, `${c}checksum`].sort())
  t.regex(String(answer.headers['preference-applied']), /PreferResultsContexts/)
  t.regex(String(answer.headers['preference-applied']), /PreferDocumentChecksums/)
})

test('27, rule 3: checksums alone change nothing', async t => {
  const text = 'CONSTRUCT { ?b ex:name ?n } WHERE { ?b a ex:Book ; ex:name ?n . FILTER( ?n = "Emma" ) }'

  t.deepEqual(await linesOf(text, {prefer: [checksums]}), ['</books/emma/> <ex:name> "Emma" .'])
})

test('27, rules 4 and 6: flat nodes with c:checksum and c:document, neither of which is stored', async t => {
  const text = `CONSTRUCT { ?b ex:name ?n ; c:document ?doc }
    WHERE { GRAPH ?doc { ?b ex:name ?n } ?b a ex:Book FILTER( ?n = "Emma" ) }`
  const [checksum = '', document, name] = await linesOf(text, {prefer: [checksums]})

  t.regex(checksum, /^<\/books\/emma\/> <c:checksum> "[0-9a-f]{64}" \.$/)
  t.is(document, '</books/emma/> <c:document> </books/emma/> .')
  t.is(name, '</books/emma/> <ex:name> "Emma" .')
  t.deepEqual(await linesOf('CONSTRUCT WHERE { ?s c:checksum ?o }'), [])
  t.deepEqual(await linesOf('CONSTRUCT WHERE { ?s c:document ?o }'), [])
})

test('27, rule 5: if everything is optional, each OPTIONAL has a GRAPH', async t => {
  const text = `CONSTRUCT { ?b ex:name ?n ; ex:price ?p ; c:document ?doc } WHERE {
    ?b a ex:Book .
    OPTIONAL { GRAPH ?doc { ?b ex:name ?n } }
    OPTIONAL { GRAPH ?doc { ?b ex:price ?p } }
    FILTER( !bound(?p) || ?p < 10 ) }`

  const lines = await linesOf(text, {prefer: [checksums]})

  t.deepEqual(
    lines.filter(line => !line.includes('c:checksum')),
    [
      '</books/persuasion/> <c:document> </books/persuasion/> .',
      '</books/persuasion/> <ex:name> "Persuasion" .',
      '</books/persuasion/> <ex:price> "9"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    ],
  )
  t.is(lines.filter(line => line.includes('c:checksum')).length, 1)
})

test('27, rule 7: a filter over typed literals', async t => {
  const text = `CONSTRUCT { ?b ex:name ?n } WHERE { ?b ex:name ?n ; ex:price ?p . FILTER( ?p >= "12"^^xsd:integer && ?p < 30 ) }`

  t.deepEqual(await linesOf(text), ['</books/beowulf/> <ex:name> "Beowulf" .', '</books/emma/> <ex:name> "Emma" .'])
})

test('27, rule 8: pages by a sub-select of the children, ordered both ways', async t => {
  const page = (order: string, offset: number) => `CONSTRUCT { ?b ex:name ?n } WHERE {
    { SELECT DISTINCT ?b WHERE { <${service.base}books/> ldp:contains ?b . ?b ex:name ?name }
      ORDER BY ${order} LIMIT 2 OFFSET ${offset} }
    ?b ex:name ?n }`
  const names = async (order: string, offset: number) =>
    (await linesOf(page(order, offset), {prefer: [contexts]})).map(line => /"(.*)"/.exec(line)?.[1])

  t.deepEqual(await names('?name', 0), ['Beowulf', 'Emma'])
  t.deepEqual(await names('ASC(?name)', 2), ['Persuasion', 'Sanditon'])
  t.deepEqual(await names('DESC(?name)', 2), ['Beowulf', 'Emma'])
})

test('27, rule 9: constructed triples that are not stored', async t => {
  const text = `CONSTRUCT { ?b ex:writtenBy ?m } WHERE { ?b ex:author ?a ; ex:name "Emma" . ?a ex:name ?m }`

  t.deepEqual(await linesOf(text), ['</books/emma/> <ex:writtenBy> "Jane" .'])
})

test('27, rule 10: a link is returned only with the wanted property of its target', async t => {
  const text = `CONSTRUCT { ?b ex:name ?n ; ex:author ?a . ?a ex:name ?m } WHERE {
    ?b a ex:Book ; ex:name ?n ; ex:price ?p . FILTER( ?p > 15 )
    OPTIONAL { ?b ex:author ?a . ?a ex:name ?m } }`

  t.deepEqual(await linesOf(text, {prefer: [contexts]}), [
    '</authors/jane/> <ex:name> "Jane" </authors/jane/> .',
    '</books/beowulf/> <ex:name> "Beowulf" </books/beowulf/> .',
    '</books/sanditon/> <ex:author> </authors/jane/> </books/sanditon/> .',
    '</books/sanditon/> <ex:name> "Sanditon" </books/sanditon/> .',
  ])
})

test('27: every format of the interface has the same triples', async t => {
  const text = 'CONSTRUCT { ?b ex:name ?n } WHERE { ?b a ex:Book ; ex:name ?n }'
  const sizes = await Promise.all(
    ['application/ld+json', 'application/trig', 'application/turtle', 'application/rdf+xml'].map(async accept => {
      const answer = await query(text, {accept})
      return [answer.headers['content-type']?.replace(/;.*/, ''), (await quadsOf(answer)).length]
    }),
  )

  t.deepEqual(sizes, [
    ['application/ld+json', 4],
    ['application/trig', 4],
    ['application/turtle', 4],
    ['application/rdf+xml', 4],
  ])
})

test('the query type in a wrong header creates a document instead: the guide warns about it', async t => {
  const answer = await service.send({method: 'POST', path: '/', headers: turtle, body: `<> <${ex}p> 1 .`})

  t.is(answer.status, 201)
})
