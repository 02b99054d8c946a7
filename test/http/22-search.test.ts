/** /search: what is found, in which order, in which formats, for whom; and suggestions. */
import test from 'ava'
import {dropSearchIndex} from '../../src/db/store/search-index.ts'
import {type GuardedService, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {create, turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {ruleOf} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

const prefixes = `@prefix dct: <http://purl.org/dc/terms/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://e/> .\n`

const shelf: Readonly<Record<string, string>> = {
  emma: '<> a e:Book ; dct:title "Emma" ; e:about "A young woman arranges marriages in Highbury." .',
  jane: '<> a e:Person ; rdfs:label "Jane Austen" ; e:wrote "Emma", "Persuasion" .',
  companion: '<> a e:Book ; dct:title "A companion to Emma and other novels" .',
  houses: '<> a e:Book ; dct:title "Old houses"@en ; e:note "maisons anciennes"@fr .',
  café: '<#it> rdfs:label "Café Zürich" .',
  york: '<> dct:title "New York stories" ; e:about "The new bridge at York" .',
}

test.before(async t => {
  service = await startService()
  for (const [slug, body] of Object.entries(shelf)) await make(slug, body)
  t.pass()
})
test.after.always(() => service.stop())

async function make(slug: string, body: string, parent = '/') {
  const headers = {...turtle, Slug: encodeURIComponent(slug)}
  const {status, text} = await service.send({method: 'POST', path: parent, headers, body: prefixes + body})
  if (status !== 201) throw new Error(`${status} ${text}`)
}

type Result = {
  readonly document: string
  readonly label?: string
  readonly subject: string
  readonly property: string
  readonly isLabel: boolean
  readonly snippet: string
  readonly marks: readonly (readonly [number, number])[]
  readonly language?: string
  readonly score: number
  readonly modified: string
}
type Answer = {
  readonly query: string
  readonly total?: number
  readonly isComplete: boolean
  readonly isCorrected: boolean
  readonly next?: string
  readonly results: readonly Result[]
}

const pathOf = (parameters: Readonly<Record<string, string>>) => `/search?${new URLSearchParams(parameters)}`

async function search(
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const {status, text} = await service.send({path: pathOf(parameters), headers})
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

/** The last segments of the documents that are found. */
async function found(parameters: Readonly<Record<string, string>>, headers = {}): Promise<readonly string[]> {
  const {results} = await search(parameters, headers)
  return results.map(({document}) => decodeURIComponent(document.slice(service.base.length, -1)))
}

test('documents with the word in a label come first, the closest label before longer ones', async t => {
  const {results, ...rest} = await search({q: 'emma'})

  t.deepEqual(rest as object, {
    query: 'emma',
    total: 3,
    isComplete: true,
    isCorrected: false,
    self: `${service.base}search?q=emma`,
    first: `${service.base}search?q=emma`,
  })
  t.deepEqual(
    results.map(({document, isLabel}) => [document.slice(service.base.length), isLabel]),
    [
      ['emma/', true],
      ['companion/', true],
      ['jane/', false],
    ],
  )
  const {modified, ...second} = results[1] ?? ({} as Result)
  t.deepEqual(second, {
    document: `${service.base}companion/`,
    label: 'A companion to Emma and other novels',
    subject: `${service.base}companion/`,
    property: 'http://purl.org/dc/terms/title',
    isLabel: true,
    snippet: 'A companion to Emma and other novels',
    marks: [[15, 19]],
    score: 0.1,
  })
  t.regex(modified ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
})

test('words, phrases, prefixes, accents and forms of words', async t => {
  t.deepEqual(await found({q: 'emma novels'}), ['companion'], 'all words must occur')
  t.deepEqual(await found({q: 'EMMA'}), ['emma', 'companion', 'jane'])
  t.deepEqual(await found({q: 'highb*'}), ['emma'])
  t.deepEqual(await found({q: '"young woman"'}), ['emma'])
  t.deepEqual(await found({q: '"woman young"'}), [])
  t.deepEqual(await found({q: '"new york"'}), ['york'])
  t.deepEqual(await found({q: 'cafe zurich'}), ['café'])
  t.deepEqual(await found({q: 'CAFÉ'}), ['café'])
  t.deepEqual(await found({q: 'house'}), ['houses'], 'a form of an English word')
  t.deepEqual(await found({q: 'ancienne', lang: 'fr'}), ['houses'])
  t.deepEqual(await found({q: 'maison'}, {'Accept-Language': 'fr'}), ['houses'])
  t.deepEqual(await found({q: 'zzz'}), [])
})

test('one mistake in a word is forgiven if nothing is found otherwise', async t => {
  for (const q of ['Persasion', 'Persuassion', 'Persuaison', 'Perxuasion', 'Jame Austen']) {
    const {isCorrected, results} = await search({q})
    t.deepEqual([isCorrected, results.map(({document}) => document)], [true, [`${service.base}jane/`]], q)
  }
  t.false((await search({q: 'Emma'})).isCorrected)
  t.deepEqual(await found({q: 'Prxsxxsxon'}), [], 'five mistakes')
})

test('restrictions to language, type, property and container', async t => {
  await make('shelf', '<> dct:title "A shelf" .')
  await make('inner', '<> dct:title "Sanditon inside" .', '/shelf/')

  t.deepEqual(await found({q: 'emma', type: 'http://e/Book'}), ['emma', 'companion'])
  t.deepEqual(await found({q: 'emma', type: 'http://e/Nothing'}), [])
  t.deepEqual(await found({q: 'emma', property: 'http://e/wrote'}), ['jane'])
  t.deepEqual(await found({q: 'sanditon', property: 'dct:title', under: '/shelf/'}), ['shelf/inner'])
  t.deepEqual(await found({q: 'sanditon', under: '/emma/'}), [])
  t.deepEqual(await found({q: 'old', lang: 'en'}), ['houses'])
  t.deepEqual(await found({q: 'old', lang: 'fr'}), [])
  t.deepEqual(await found({q: 'emma', lang: 'en'}), [], 'literals without a language')
  await service.send({method: 'DELETE', path: '/shelf/', headers: {'If-Match': '*'}})
})

test('pages have stable links, and dates can order them', async t => {
  for (let n = 0; n < 45; n += 1) await make(`paged-${n}`, `<> dct:title "paged number ${n}" .`, '/')
  const first = await service.send({path: '/search?q=paged'})
  const second = await search({q: 'paged', page: '2'})
  const third = await search({q: 'paged', page: '3'})

  t.deepEqual(
    [first.headers.link]
      .flat()
      .join(', ')
      .split(', ')
      .filter(link => link.includes('search')),
    [`<${service.base}search?q=paged>; rel="first"`, `<${service.base}search?q=paged&page=2>; rel="next"`],
  )
  const all = [JSON.parse(first.text) as Answer, second, third]
  t.deepEqual(
    all.map(({total, results}) => [total, results.length]),
    [
      [45, 20],
      [45, 20],
      [45, 5],
    ],
  )
  t.is(new Set(all.flatMap(({results}) => results.map(({document}) => document))).size, 45)
  t.is(third.next, undefined)

  await service.send({
    method: 'PATCH',
    path: '/paged-7/',
    headers: {'Content-Type': 'text/ldpatch', 'If-Match': '*'},
    body: 'Add { <> <http://e/p> 1 . } .',
  })
  t.is((await found({q: 'paged', sort: 'date'}))[0], 'paged-7')
})

test('every RDF format, with a description of the page', async t => {
  const {headers, text} = await service.send({path: '/search?q=persuasion', headers: {Accept: 'text/turtle'}})

  t.is(headers['content-type'], 'text/turtle; charset=utf-8')
  for (const part of [
    `<${service.base}search?q=persuasion>`,
    'a hydra:Collection',
    'hydra:totalItems 1',
    `hydra:member <${service.base}jane/>`,
    'rdf:object "Persuasion"',
    'text:score 1.0',
  ])
    t.true(text.replace(/\s+/g, ' ').includes(part), `${part} in ${text}`)
  for (const Accept of ['application/ld+json', 'application/n-quads', 'application/rdf+xml', 'application/trig']) {
    const answer = await service.send({path: '/search?q=emma', headers: {Accept}})
    t.deepEqual([answer.status, answer.headers['content-type']?.split(';')[0]], [200, Accept])
  }
  t.is((await service.send({path: '/search?q=emma', headers: {Accept: 'image/png'}})).status, 406)
})

test('suggestions are labels that begin with the typed words, or contain them', async t => {
  const suggest = async (suggest: string) => {
    const {text} = await service.send({path: pathOf({suggest})})
    return JSON.parse(text).suggestions.map(({label}: {readonly label: string}) => label)
  }

  t.deepEqual(await suggest('em'), ['Emma', 'A companion to Emma and other novels'])
  t.deepEqual(await suggest('jane aus'), ['Jane Austen'])
  t.deepEqual(await suggest('cafe z'), ['Café Zürich'])
  t.deepEqual(await suggest('persua'), [], 'not a label')
})

test('a page for browsers marks the words and escapes everything', async t => {
  await create(t, service, {slug: 'hostile', body: '<> <http://purl.org/dc/terms/title> "<b>hostile</b> & more" .'})
  const {status, headers, text} = await service.send({path: '/search?q=hostile', headers: {Accept: 'text/html'}})

  t.is(status, 200)
  t.is(headers['content-type'], 'text/html; charset=utf-8')
  t.true(text.includes('&lt;b&gt;<mark>hostile</mark>&lt;/b&gt; &amp; more'), text)
  t.true(text.includes('action="/search" role="search"'))
  const empty = await service.send({path: '/search', headers: {Accept: 'text/html'}})
  t.is(empty.status, 200)
})

test('searches that are refused', async t => {
  const refused = async (query: string) => ruleOf((await service.send({path: `/search?${query}`})) as Received)

  for (const query of ['', 'q=', 'q=*', 'q=a*', `q=${'word+'.repeat(30)}`, `q=${'x'.repeat(600)}`, 'suggest=%22%22'])
    t.is(await refused(query), 'search-words', query.slice(0, 30))
  for (const query of ['q=a&page=0', 'q=a&page=51', 'q=a&sort=size', 'q=a&lang=%25', 'q=a&type=x%20y', 'q=a&foo=1'])
    t.is(await refused(query), 'search-parameter', query)
  t.is(await refused('q=a&under=http://elsewhere.example/'), 'search-parameter')
  const {status} = await service.send({method: 'POST', path: '/search?q=a', body: ''})
  t.is(status, 405)
})

test('literals that PostgreSQL cannot index as they are do not refuse a write', async t => {
  const long = `${'x'.repeat(5000)} findable ${'long words '.repeat(20_000)}`
  const tags = `<a title="${'b '.repeat(3000)}"> \\u0001 ${'é'.repeat(3000)}`
  await make('long', `<> e:text """${long}""", '''${tags}''' .`)

  t.deepEqual(await found({q: 'findable'}), ['long'])
})

test('SEARCH=off: there is no search and no box', async t => {
  const {send} = await useService(t, {SEARCH: 'off'})

  t.is((await send({path: '/search?q=emma'})).status, 404)
  const {text} = await send({path: '/', headers: {Accept: 'text/html'}})
  t.false(text.includes('search-box'))
})

test('without its index the search is a 503', async t => {
  const own = await useService(t)
  const search = () => own.send({path: '/search?q=emma'})
  await until(async () => {
    await dropSearchIndex(own.database.database, testSchema) // a service that has just begun may still make it
    return (await search()).status === 503
  })
  const {status, text} = await search()
  t.deepEqual([status, JSON.parse(text).title], [503, 'search-ready'])
})

test('a caller finds only what it may read, and learns nothing of the rest', async t => {
  const guarded: GuardedService = await startGuarded()
  t.teardown(guarded.stop)
  const add = (path: string, slug: string, body: string) =>
    guarded.sendAs('root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body: prefixes + body})
  await add('/', 'open', '<> dct:title "Open Emma" .')
  await add('/', 'closed', '<> dct:title "Closed Emma" ; e:code "xylophone" .')
  await add('/open/', 'copy', '<> dct:title "shared title" .')
  await add('/closed/', 'copy', '<http://e/x> dct:title "same words here" .')
  await add('/open/', 'same', '<http://e/x> dct:title "same words here" .')
  await guarded.grant('/open/', {public: ['read']})
  const asked = async (name: string | undefined, path: string) => JSON.parse((await guarded.sendAs(name, {path})).text)

  t.is((await asked('root', '/search?q=emma')).total, 2)
  const open = await asked(undefined, '/search?q=emma')
  t.deepEqual([open.total, open.results.length, open.results[0].label], [1, 1, 'Open Emma'])
  const hidden = await asked(undefined, '/search?q=xylophone')
  const absent = await asked(undefined, '/search?q=xylophant')
  t.deepEqual({...hidden, query: '', self: '', first: ''}, {...absent, query: '', self: '', first: ''})
  t.deepEqual((await asked(undefined, '/search?suggest=closed')).suggestions, [])
  const same = await asked(undefined, '/search?q=same')
  t.deepEqual(
    same.results.map(({document}: Result) => document),
    [`${guarded.base}open/same/`],
    'a triple that a hidden document says too',
  )
})
