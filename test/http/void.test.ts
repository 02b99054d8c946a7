/** The description of the dataset with VoID, and its numbers on the command line. */
import test from 'ava'
import {create, quadsOf} from '../support/documents.ts'
import {runProgram} from '../support/process.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
  await service.database.database.query('analyze')
})
test.after.always(() => service.stop())

const voidTerm = (name: string) => `http://rdfs.org/ns/void#${name}`

test.serial('VoID describes the dataset, its size and its endpoint; /sparql describes the same dataset', async t => {
  for (const n of [1, 2, 3])
    await create(t, service, {slug: `counted-${n}`, body: `<> <http://example.org/ns#p> "${n}" .`})
  await service.database.database.query('analyze')
  const {database} = service.database
  const [stored] = await database.query<{triples: string; documents: string}>(
    `select (select count(*) from quadstead.quad where copy is null)::text as triples,
            (select count(*) from quadstead.document)::text as documents`,
  )

  const quads = await quadsOf(await service.send({path: '/.well-known/void'}))
  const value = (name: string) => quads.find(({predicate}) => predicate.value === voidTerm(name))?.object.value
  t.is(value('documents'), stored?.documents)
  t.is(quads.find(quad => quad.predicate.value === voidTerm('triples'))?.object.value, stored?.triples)
  t.is(value('sparqlEndpoint'), `${service.base}sparql`)
  t.is(value('dataDump'), `${service.base}rdf-graph-store?default`)
  t.is(value('uriSpace'), service.base)
  t.true(quads.filter(({predicate}) => predicate.value === voidTerm('property')).length > 3)

  const described = await quadsOf(await service.send({path: '/sparql'}))
  const own = described.find(({predicate}) => predicate.value.endsWith('#defaultDataset'))?.object.value
  t.is(
    described.find(({subject, predicate}) => subject.value === own && predicate.value === voidTerm('triples'))?.object
      .value,
    stored?.triples,
  )
})

test('VoID is available in every format', async t => {
  const types = await Promise.all(
    ['application/ld+json', 'application/rdf+xml', 'application/n-triples'].map(async type => {
      const {status, headers} = await service.send({path: '/.well-known/void', headers: {Accept: type}})
      return [status, headers['content-type']]
    }),
  )

  t.deepEqual(types, [
    [200, 'application/ld+json'],
    [200, 'application/rdf+xml; charset=utf-8'],
    [200, 'application/n-triples'],
  ])
})

test.serial('above the limit, rows are estimated and not counted', async t => {
  const {database} = service.database
  const [row] = await database.query<{number: string; exact: boolean}>(
    `select number::text, is_exact as exact from quadstead.store_numbers(2) where name = 'quads'`,
  )

  t.is(row?.exact, false)
  t.true(Number(row?.number) > 2)
})

test.serial('quadstead stats prints the numbers, for people and as JSON', async t => {
  const settings = {DATABASE_URL: service.database.url}
  const text = runProgram(t, settings, ['stats'])
  t.is(await text.exit, 0)
  t.regex(
    text.output(),
    new RegExp(
      '^documents +4 +\\d+\\.\\d MiB with indexes\nraw graphs +0\ntriples +\\d+\nquads +\\d+ .*\n' +
        ' {2}of documents +\\d+\n {2}of raw graphs +0\nterms +\\d+ .*\n',
    ),
  )
  t.regex(text.output(), /\nmost frequent predicates:\n +~\d+ {2}http/)

  const json = runProgram(t, settings, ['stats', '--json'])
  t.is(await json.exit, 0)
  t.like(JSON.parse(json.output()), {schema: 'quadstead', documents: {number: 4, isExact: true}})
})

test('quadstead stats separates documents from raw graphs', async t => {
  const used = await useService(t)
  const {url: DATABASE_URL, database} = used.database
  const load = runProgram(t, {DATABASE_URL}, ['import', '--raw', '--format', 'nquads', '-'])
  const lines = ['urn:g', 'urn:h', 'urn:g'].map((graph, index) => `<http://e/${index}> <http://e/p> "x" <${graph}> .\n`)
  load.child.stdin?.end(lines.join(''))
  t.is(await load.exit, 0, load.complaints())
  const [row] = await database.query<{n: number}>('select count(*)::int as n from quadstead.quad')

  const json = runProgram(t, {DATABASE_URL}, ['stats', '--json'])
  t.is(await json.exit, 0)
  const exact = (number: number) => ({number, isExact: true})
  t.like(JSON.parse(json.output()), {
    documents: exact(1),
    rawGraphs: exact(2),
    rawQuads: exact(3),
    documentQuads: exact((row?.n ?? 0) - 3),
  })
  const [estimate] = await database.query<{number: string; exact: boolean}>(
    `select number::text, is_exact as exact from quadstead.raw_graph_numbers(1) where name = 'raw quads'`,
  )
  t.is(estimate?.exact, false)
  await database.query('analyze quadstead.quad')
  const frequent = (kind: string) => database.query('select iri from quadstead.most_frequent($1, 10)', [kind])
  t.deepEqual(await frequent('raw graphs'), [{iri: 'urn:g'}])
  t.deepEqual(await frequent('documents'), [{iri: used.base}])
})

test('quadstead stats without a schema says what to do', async t => {
  const program = runProgram(t, {DATABASE_URL: service.database.url, DATABASE_SCHEMA: 'nowhere'}, ['stats'])

  t.is(await program.exit, 1)
  t.is(
    program.complaints(),
    'quadstead: Schema nowhere is not there or not up to date. Run "quadstead migrate" first.\n',
  )
})
