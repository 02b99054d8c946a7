/**
 * A dataset that was exported with its history and imported gives the same answers (docs/import-export.md).
 *
 *   HISTORY_RUNS=20 npm test -- test/http/20-history-transfer.test.ts
 */
import {hash} from 'node:crypto'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import test, {type ExecutionContext} from 'ava'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {literal, namedNode} from '../../src/rdf/term.ts'
import {exportHistory} from '../../src/transfer/export-history.ts'
import {importHistory, openHistory} from '../../src/transfer/import-history.ts'
import {testSchema as schema, schemaIdentifier} from '../support/postgres.ts'
import {temporaryFolder} from '../support/process.ts'
import {createRandom} from '../support/random.ts'
import {places, writeRandomly} from '../support/random-writes.ts'
import {type TestService, useService} from '../support/service.ts'
import {base, storeIn} from '../support/store.ts'

const runs = Number(process.env.HISTORY_RUNS ?? 2)
const settings = {BASE_URL: base, CHANGES: 'forever'}

async function exported({database: {database}}: TestService): Promise<string> {
  const vocabulary = await readVocabulary(database, schema)
  return database.begin('repeatable read read only', async transaction => {
    const texts: string[] = []
    const options = {schema, vocabulary, onProgress: () => undefined}
    for await (const text of exportHistory(transaction, options)) texts.push(text)
    return texts.join('')
  })
}

async function load(t: ExecutionContext, {database: {database}}: TestService, text: string | Uint8Array) {
  const name = join(await temporaryFolder(t), 'history.jsonl')
  await writeFile(name, text)
  const signal = new AbortController().signal
  return importHistory(database, await openHistory(name), {schema, signal, onProgress: () => undefined})
}

/** The message of the refusal of a text, without the name of the file. */
async function refusalOf(t: ExecutionContext, service: TestService, text: string): Promise<string | undefined> {
  const error = await t.throwsAsync(load(t, service, text))
  return error?.message.replace(/^\S*history\.jsonl:/, '')
}

/** The first lines that differ, shortened; undefined if there are none. */
function differenceOf(one: string, other: string): readonly (string | undefined)[] | undefined {
  const [ours, theirs] = [one.split('\n'), other.split('\n')]
  const at = Array.from({length: Math.max(ours.length, theirs.length)}, (_, at) => at).find(
    at => ours[at] !== theirs[at],
  )
  return at === undefined ? undefined : [ours[at]?.slice(0, 500), theirs[at]?.slice(0, 500)]
}

/** The text of an export with the right SHA-256 at its end. */
function resealed(text: string): string {
  const [end = '', ...before] = text.trimEnd().split('\n').reverse()
  const body = before.reverse().map(line => `${line}\n`)
  return `${body.join('')}${JSON.stringify({...JSON.parse(end), sha256: hash('sha256', body.join(''))})}\n`
}

/** Where the parts of an answer begin whose order may differ: lines, lines of patches, and values of JSON-LD. */
const order = /\n|\\n|(?<=[[\]{}]),?/

/** Answers of a service to what can be asked about its past. */
async function answersOf({send}: TestService, moments: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>()
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const {status, text, headers: received} = await send({path, headers})
    const {etag, 'memento-datetime': datetime, link, location} = received
    const lines =
      status === 200 ? text.split(order).sort() : [text.startsWith('{') ? JSON.parse(text).title : text.length]
    answers.set(`${path} ${JSON.stringify(headers)}`, {status, lines, etag, datetime, link, location})
    return text
  }
  const feed = await ask('/changes?after=first&limit=1000&triples=patch')
  await ask('/changes?after=first&limit=25&triples=json-ld')
  await ask('/changes?after=documents&limit=1000&triples=patch')
  await ask('/changes', {Accept: 'application/trig'})
  for (let page = 0; page < 4; page++) await ask(`/changes?page=${page}`, {Accept: 'application/n-quads'})
  const lines = feed.trim().split('\n')
  const changed = lines.map((line): {document: string; oldDocument?: string; after?: string} => JSON.parse(line))
  const iris = new Set([base, ...changed.flatMap(({document, oldDocument = document}) => [document, oldDocument])])
  for (const iri of iris) {
    const path = new URL(iri).pathname
    await ask(path, {Accept: 'application/n-triples'})
    const list = await ask(`${path}?states`, {Accept: 'application/link-format'})
    const tags = Array.from(list.matchAll(/\?state=(\d+)/g), ([, tag]) => tag)
    for (const tag of new Set(tags)) {
      await ask(`${path}?state=${tag}`, {Accept: 'application/n-triples'})
      await ask(`${path}?difference=${tag}`)
    }
  }
  const query = encodeURIComponent('SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }')
  for (const at of moments) await ask(`/sparql?query=${query}&at=${at}`, {Accept: 'text/tab-separated-values'})
  await ask(`/sparql?query=${query}`, {Accept: 'text/tab-separated-values'})
  return answers
}

const objects = [
  ...places.map(namedNode),
  ...['', 'x', '\u0000\u0001\\N\t\r\n"', '𝄞\u{10ffff}'].map(text => literal(text)),
  ...['integer', 'decimal', 'boolean', 'dateTime'].map(type =>
    literal('0001', `http://www.w3.org/2001/XMLSchema#${type}`),
  ),
  literal('2026-11-17T09:30:00.120+01:00', 'http://www.w3.org/2001/XMLSchema#dateTime'),
]

/** Writes at random, and returns times between writes. */
async function writeMuch(service: TestService, seed: number): Promise<readonly string[]> {
  const store = await storeIn(service.database)
  const random = createRandom(seed)
  const moments: string[] = []
  for (let step = 0; step < 100; step++) {
    await writeRandomly(random, store, objects)
    if (!random.chance(0.1)) continue
    const [row] = await service.database.database.query<{at: Date}>(
      'select pg_sleep(0.002), clock_timestamp() as at, pg_sleep(0.002)',
    )
    moments.push((row?.at ?? new Date()).toISOString())
  }
  return moments
}

for (let run = 1; run <= runs; run++) {
  test(`an imported history has the same changes, states, past and file: ${run}`, async t => {
    const first = await useService(t, settings)
    const headers = {'Content-Type': 'text/turtle', Slug: 'nodes'}
    const body = '<> <http://e/p> [<http://e/q> [], "chat"@fr-CA] ; <http://e/o> <http://test/other/> .'
    t.is((await first.send({method: 'POST', path: '/', headers, body})).status, 201)
    const moments = await writeMuch(first, run * 2_654_435_761)
    t.is((await first.send({method: 'MOVE', path: '/nodes/', headers: {Destination: `${base}other/`}})).status, 201)
    const answers = await answersOf(first, moments)
    const text = await exported(first)

    const second = await useService(t, settings)
    const counts = await load(t, second, run === 1 ? text : gzipSync(text))

    const {documents, changes} = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
    t.like(counts, {documents, changes})
    t.true(changes > 50, String(changes))
    t.is(differenceOf(await exported(second), text), undefined)
    for (const [asked, answer] of await answersOf(second, moments)) t.deepEqual(answer, answers.get(asked), asked)
    for (const check of ['check_store', 'check_changes'])
      t.deepEqual(await second.database.database.query(`select * from ${schemaIdentifier}.${check}()`), [], check)

    const put = {'Content-Type': 'text/turtle', 'If-None-Match': '*'}
    t.is((await second.send({method: 'PUT', path: '/next/', headers: put, body: '<> <http://e/p> [] .'})).status, 201)
    const last = (await second.send({path: '/changes?limit=1000&triples=patch'})).text.trim().split('\n')
    const positions = last.map(line => Number(JSON.parse(line).position))
    t.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
    )
    t.deepEqual(await second.database.database.query(`select * from ${schemaIdentifier}.check_changes()`), [])
  })
}

test('the export says what left the dictionary, and how large graphs and changes continue', async t => {
  const first = await useService(t, settings)
  const put = (path: string, body: string) =>
    first.send({method: 'PUT', path, headers: {'Content-Type': 'text/turtle', 'If-None-Match': '*'}, body})
  const many = Array.from({length: 12_000}, (_, n) => `<> <http://e/n> ${n} .`).join('\n')
  t.is((await put('/large/', many)).status, 201)
  t.is((await put('/a/', '<> <http://e/p> <http://test/b/> .')).status, 201)
  t.is((await first.send({method: 'MOVE', path: '/a/', headers: {Destination: `${base}b/`}})).status, 201)
  const text = await exported(first)

  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  t.deepEqual(lines.flatMap(({name, of}) => (name === undefined ? [] : [[name, of]])).sort(), [
    [`${base}a/`, `${base}b/`],
    [`${base}b/`, '#1'],
  ])
  const large = lines.filter(line => line.more === `${base}large/`)
  t.is(large.length, 2)
  t.is(lines.filter(line => line.moreOf !== undefined).length, 2)

  const second = await useService(t, settings)
  await load(t, second, text)
  t.is(differenceOf(await exported(second), text), undefined)
  const path = '/changes?after=first&limit=1000&triples=patch'
  t.is(differenceOf((await second.send({path})).text, (await first.send({path})).text), undefined)
})

test('a file that is damaged, or a dataset that is not new, is refused, and nothing is loaded', async t => {
  const first = await useService(t, settings)
  const create = {method: 'POST', path: '/', headers: {'Content-Type': 'text/turtle', Slug: 'a'}}
  t.is((await first.send({...create, body: '<> <http://e/p> "x" .'})).status, 201)
  const text = await exported(first)
  const lines = text.split('\n')
  const second = await useService(t, settings)

  t.regex((await refusalOf(t, second, text.replace('\\"x\\"', '\\"y\\"'))) ?? '', /^\d+: The file was changed/)
  t.regex((await refusalOf(t, second, lines.slice(0, -2).join('\n'))) ?? '', /^\d+: The file is not complete/)
  t.regex((await refusalOf(t, second, lines.slice(1).join('\n'))) ?? '', /^1: The first line is not/)
  t.regex(
    (await refusalOf(t, second, '<http://e/a> <http://e/p> "x" .\n')) ?? '',
    /^1: .* not JSON\.\nNothing was loaded/,
  )
  t.regex((await refusalOf(t, second, '')) ?? '', /The file is empty/)
  t.regex((await refusalOf(t, second, text.replace('"version":1', '"version":7'))) ?? '', /^1: The file has version 7/)
  t.regex((await refusalOf(t, second, text.replace('"tag":"', '"tag":"x'))) ?? '', /^\d+: The member "tag"/)
  t.regex(
    (await refusalOf(t, second, resealed(text.replace('<http://e/p>', '<e p>')))) ?? '',
    /^\d+: This is not a triple/,
  )
  t.regex(
    (await refusalOf(t, second, resealed(text.replace('"documents":2', '"documents":3')))) ?? '',
    /^The file has 2 documents instead of 3/,
  )
  const stray = JSON.stringify({moreOf: '7', added: null, removed: null})
  t.regex(
    (await refusalOf(t, second, resealed(lines.toSpliced(-2, 0, stray).join('\n')))) ?? '',
    /^\d+: The triples do not follow others of the change 7\./,
  )
  t.regex((await refusalOf(t, first, text)) ?? '', /^The dataset is not empty.*\nNothing was loaded\.$/)
  t.is((await second.send({path: '/a/'})).status, 404)
  t.is((await second.send({path: '/changes?after=first'})).text.trim().split('\n').length, 1)

  await load(t, second, text)
  t.is((await second.send({path: '/a/'})).status, 200)
  t.is(differenceOf(await exported(second), text), undefined)
  const off = await useService(t, {CHANGES: 'off'})
  await t.throwsAsync(exported(off), {message: /^The dataset has no history: CHANGES is off/})
})
