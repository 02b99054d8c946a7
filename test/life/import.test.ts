/**
 * The commands import, export and check as processes: streams, exit codes, kill -9, and a service that runs meanwhile.
 */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {gunzipSync, gzipSync} from 'node:zlib'
import test, {type ExecutionContext} from 'ava'
import {createPool} from '../../src/db/connection/pool.ts'
import {type Received, type Sent, send} from '../support/client.ts'
import {base, exported} from '../support/importing.ts'
import {until} from '../support/machine.ts'
import {areDistributed, createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {runProgram, temporaryFolder} from '../support/process.ts'
import {programParameters, projectDirectory} from '../support/program.ts'

const ns = 'http://example.org/ns#'

/** How the line of an import into an empty dataset ends: in a Citus cluster, it is merged like one into any other. */
const ofEmpty = areDistributed ? ', merged with what the dataset held' : ''

/** An export to compare. In a Citus cluster, an import gives blank nodes new labels. */
const comparable = (text: string) => (areDistributed ? text.replaceAll(/_:\w+/g, '_:b') : text)

async function useDatabase(t: ExecutionContext): Promise<TestDatabase> {
  const made = await createTestDatabase()
  t.teardown(made.drop)
  return made
}

/** The environment of a command for a test's database. */
const settingsOf = ({url}: TestDatabase) => ({DATABASE_URL: url, BASE_URL: base})

test.serial('raw graphs are listed and removed', async t => {
  const database = await useDatabase(t)
  const input = join(await temporaryFolder(t), 'raw.nq')
  const quads = [1, 2, 3].map(n => `<urn:s> <${ns}p> "${n}" <urn:${n === 3 ? 'two' : 'one'}> .\n`)
  await writeFile(input, quads.join(''))
  async function run(...parameters: readonly string[]) {
    const program = runProgram(t, settingsOf(database), parameters)
    return [await program.exit, program.output(), program.complaints()]
  }
  t.is((await run('import', '--raw', input))[0], 0)

  const [status, text] = await run('graphs')
  t.is(status, 0)
  t.regex(String(text), /^ +2 +~\d+\.\d MiB {2}urn:one\n +1 +~\d+\.\d MiB {2}urn:two\n$/)
  const [, json] = await run('graphs', 'list', '--json')
  t.like(JSON.parse(String(json)), {
    schema: 'quadstead',
    graphs: [
      {iri: 'urn:one', quads: 2},
      {iri: 'urn:two', quads: 1},
    ],
  })
  const [failed, , complaint] = await run('graphs', 'remove', 'urn:one', 'urn:none')
  t.is(failed, 1)
  t.regex(String(complaint), /<urn:none> is not a raw graph\.\nNothing was removed\./)
  t.deepEqual((await run('graphs', 'remove', 'urn:one', 'urn:two')).slice(0, 2), [0, '2 graphs with 3 quads removed\n'])
  t.deepEqual((await run('graphs')).slice(0, 2), [0, ''])
  t.is((await run('graphs', 'remove'))[0], 2)
})

test.serial('an export is imported, exported again and compared; differences are listed', async t => {
  const [first, second] = [await useDatabase(t), await useDatabase(t)]
  const folder = await temporaryFolder(t)
  const input = join(folder, 'in.nq.gz')
  await writeFile(input, gzipSync(exported('a/', [`_:x <${ns}p> _:x`]) + exported('a/b/')))

  const loading = runProgram(t, settingsOf(first), ['import', input])
  t.is(await loading.exit, 0, loading.complaints())
  t.regex(loading.output(), new RegExp(`^17 quads, 2 documents in \\d+\\.\\d s \\([\\d,]+ quads/s\\)${ofEmpty}\n$`))

  const backup = join(folder, 'backup.nq.gz')
  const manifest = join(folder, 'backup.txt')
  const writing = runProgram(t, settingsOf(first), ['export', '--output', backup, '--manifest', manifest])
  t.is(await writing.exit, 0, writing.complaints())
  t.is(writing.output(), '')
  t.deepEqual((await readdir(folder)).sort(), ['backup.nq.gz', 'backup.txt', 'in.nq.gz'])

  const restoring = runProgram(t, settingsOf(second), ['import', backup])
  t.is(await restoring.exit, 0, restoring.complaints())
  const again = runProgram(t, settingsOf(second), ['export'])
  t.is(await again.exit, 0)
  t.is(comparable(again.output()), comparable(gunzipSync(await readFile(backup)).toString()))

  const same = runProgram(t, settingsOf(second), ['check', '--manifest', manifest])
  t.is(await same.exit, 0, same.output())
  const file = runProgram(t, settingsOf(second), ['check', '--manifest', manifest, backup])
  t.is(await file.exit, 0, file.output())
  await second.database.query(`select quadstead.delete_document($1)`, [`${base}a/b/`])
  const changed = runProgram(t, settingsOf(second), ['check', '--manifest', manifest])
  t.is(await changed.exit, 1)
  t.regex(changed.output(), new RegExp(`^missing: <${base}a/b/>\nSchema quadstead: 1 difference\\.\n$`))
  const other = runProgram(t, settingsOf(second), ['check', '--manifest', manifest, input])
  t.is(await other.exit, 1)
})

test.serial('an export with history is imported into a new dataset, whose base is that of the file', async t => {
  const [first, second] = [await useDatabase(t), await useDatabase(t)]
  const folder = await temporaryFolder(t)
  const [input, file] = [join(folder, 'in.nq'), join(folder, 'history.jsonl.gz')]
  await writeFile(input, exported('b/'))
  const at = (database: TestDatabase, ...parameters: readonly string[]) =>
    runProgram(t, {DATABASE_URL: database.url, BASE_URL: parameters[0] === 'import' ? '' : base}, parameters)
  const created = runProgram(t, settingsOf(first), ['import', input])
  t.is(await created.exit, 0, created.complaints())
  const without = at(first, 'export', '--history')
  t.is(await without.exit, 1)
  t.regex(without.complaints(), /has no history: CHANGES is off/)
  await first.database.query("select quadstead.keep_changes('forever')")
  await first.database.query(`select quadstead.create_document($1, $2, '{}', '{}', '{}', '{}')`, [`${base}a/`, base])
  await first.database.query(`select quadstead.delete_document($1)`, [`${base}a/`])

  const writing = at(first, 'export', '--history', '--output', file)
  t.is(await writing.exit, 0, writing.complaints())
  t.regex(writing.complaints(), /^16 quads, 2 changes in \d+\.\d s\n$/)
  const loading = at(second, 'import', '--history', file)
  t.is(await loading.exit, 0, loading.complaints())
  t.regex(loading.output(), /^2 documents, 2 changes in \d+\.\d s\n$/)
  const again = at(second, 'export', '--history')
  t.is(await again.exit, 0)
  t.is(again.output(), gunzipSync(await readFile(file)).toString())
  t.is(await at(second, 'check').exit, 0)

  const refused = at(second, 'import', '--history', file)
  t.is(await refused.exit, 1)
  t.regex(refused.complaints(), /The dataset is not empty, or has a history/)
  t.is(await at(second, 'import', '--history', '--raw', file).exit, 2)
  t.is(await at(second, 'import', '--history', file, file).exit, 2)
  t.is(await at(second, 'export', '--history', '--raw').exit, 2)
})

test.serial('reads standard input; invalid lines give exit code 1, or 3 if they may be skipped', async t => {
  const database = await useDatabase(t)
  const content = `${exported('a/')}nonsense\n`
  const run = (options: readonly string[]) => runWithInput(t, database, ['import', ...options, '-'], content)

  const stopped = await run(['--format', 'nquads'])
  t.is(stopped.code, 1)
  t.regex(stopped.complaints, /^quadstead: -:9:1: .*\nNothing was loaded\.\n$/m)
  const unknown = await run([])
  t.is(unknown.code, 1)
  t.regex(unknown.complaints, /Of which format is -\? Say it with --format: turtle, /)
  const skipping = await run(['--format', 'nquads', '--skip-bad'])
  t.is(skipping.code, 3)
  t.regex(skipping.complaints, /^-:9:1: /m)
  t.regex(skipping.output, /^8 quads, 1 document in .*, 1 fault skipped\n$/)
  const missing = runProgram(t, settingsOf(database), ['import', '/nowhere/x.nq'])
  t.is(await missing.exit, 1)
  t.regex(missing.complaints(), /^quadstead: \/nowhere\/x\.nq: ENOENT/m)
})

for (const isMerged of [false, true]) {
  const where = isMerged ? 'beside what is there' : 'into an empty dataset'
  test.serial(`after kill -9 nothing is imported, and the import can be repeated: ${where}`, async t => {
    const database = await useDatabase(t)
    const watcher = createPool(
      {...database.address, parameters: {...database.address.parameters, application_name: 'watcher'}},
      {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 0},
    )
    t.teardown(() => watcher.end(1000))
    const first = runProgram(t, settingsOf(database), ['import', await fileOf(t, isMerged ? exported('z/') : '')])
    t.is(await first.exit, 0, first.complaints())

    const child = spawnImport(database)
    const gone = once(child, 'close')
    child.stdin.write(Array.from({length: 30_000}, (_, n) => exported(`a${n}/`)).join(''))
    await until(async () => {
      const [row] = await watcher.query<{copies: number}>(
        `select count(*)::int as copies from pg_stat_activity
          where datname = current_database() and query like 'copy %(g, s, p, o)%'`,
      )
      return (row?.copies ?? 0) > 0
    })
    child.kill('SIGKILL')
    await gone
    await until(async () => {
      const rows = await watcher.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'quadstead'`,
      )
      return rows.length === 0
    })

    const [counts] = await watcher.query<{documents: number; indexes: number}>(
      `select (select count(*)::int from quadstead.document) as documents,
              (select count(*)::int from pg_class where relname like 'import%' and relpersistence = 'p') as tables,
              (select count(*)::int from pg_index
                where indrelid = quadstead.store_relation('quad', 'quad')) as indexes`,
    )
    t.deepEqual(counts, {documents: isMerged ? 2 : 1, tables: 0, indexes: 6})
    const again = runProgram(t, settingsOf(database), ['import', await fileOf(t, exported('a1/'))])
    t.is(await again.exit, 0, again.complaints())
    const check = runProgram(t, settingsOf(database), ['check'])
    t.is(await check.exit, 0, check.output())
  })
}

test.serial('a service reads and writes during an import, including the same triples', async t => {
  const database = await useDatabase(t)
  const service = runProgram(t, {...settingsOf(database), PORT: '0'})
  const {url} = await service.ready()
  const turtle = {'Content-Type': 'text/turtle'}
  t.is((await send(url, {method: 'POST', headers: {...turtle, Slug: 'seen'}, body: ''})).status, 201)
  const documents = Array.from({length: 4000}, (_, n) =>
    exported(`d${n}/`, [`<http://shared/${n % 100}> <${ns}p> "${n % 50}"`, `<${base}> <http://b/> <${base}d${n}/>`]),
  )

  const loading = runProgram(t, settingsOf(database), ['import', await fileOf(t, documents.join(''))])
  let isOver = false
  void loading.exit.then(() => {
    isOver = true
  })
  const statuses = {read: new Set<number>(), written: new Set<number>()}
  const read = async () => {
    while (!isOver) statuses.read.add((await send(url, {path: '/seen/'})).status)
  }
  const write = async () => {
    for (let n = 0; !isOver; n++) {
      const body = `<http://shared/${n % 100}> <${ns}p> "${n % 50}" . </seen/> <${ns}q> "${n}" .`
      statuses.written.add((await send(url, {method: 'POST', path: '/seen/', headers: turtle, body})).status)
    }
  }
  await Promise.all([read(), write()])

  t.is(await loading.exit, 0, loading.complaints())
  t.regex(loading.output(), /^40,000 quads, 4,000 documents in .*, merged with what the dataset held\n$/)
  t.deepEqual(statuses, {read: new Set([200]), written: new Set([201])})
  t.is((await send(url, {path: '/d17/'})).status, 200)
  const check = runProgram(t, settingsOf(database), ['check'])
  t.is(await check.exit, 0, check.output())
  service.child.kill('SIGTERM')
  t.is(await service.exit, 0)
})

test.serial(
  'an import into an empty dataset in use becomes visible at one moment and does not block readers',
  async t => {
    const database = await useDatabase(t)
    const service = runProgram(t, {...settingsOf(database), PORT: '0'})
    const {url} = await service.ready()
    const documents = Array.from({length: 12_000}, (_, n) =>
      exported(`d${n}/`, [`<${base}d${n}/#x> <${ns}p> "${n % 50}"`, `<${base}> <${base}#has> <${base}d${n}/>`]),
    )
    const headers = {'Content-Type': 'application/sparql-query', Accept: 'text/csv'}
    const body = `SELECT (COUNT(?x) AS ?said) (COUNT(?d) AS ?contained)
    WHERE {{?x <${ns}p> ?o} UNION {<${base}> <http://www.w3.org/ns/ldp#contains> ?d}}`
    let longestMs = 0
    const answers = new Set<string>()
    const ask = async (what: string, options: Sent, show: (answer: Received) => string) => {
      const from = performance.now()
      const answer = await send(url, options)
      longestMs = Math.max(longestMs, performance.now() - from)
      answers.add(`${what} ${answer.status} ${show(answer)}`)
    }
    const search = {path: '/search?q=1', headers: {Accept: 'application/json'}}
    const askAll = async () => {
      await ask('search', search, ({status, text}) =>
        status === 200 ? String(JSON.parse(text).results.length > 0) : text,
      )
      await ask('GET', {headers: {Accept: 'application/n-triples'}}, ({text}) =>
        String(text.includes('/platform#Document')),
      )
      await ask('query', {method: 'POST', headers, body}, ({text}) => text.trim().split('\r\n').slice(1).join())
    }
    await askAll()

    const from = performance.now()
    const loading = runProgram(t, settingsOf(database), ['import', await fileOf(t, documents.join(''))])
    let isOver = false
    void loading.exit.then(() => {
      isOver = true
    })
    await Promise.all(
      [1, 2, 3].map(async () => {
        while (!isOver) await askAll()
      }),
    )
    const tookMs = performance.now() - from
    await askAll()

    t.is(await loading.exit, 0, loading.complaints())
    t.regex(loading.output(), new RegExp(`^120,000 quads, 12,000 documents in .* quads/s\\)${ofEmpty}\n$`))
    const searched = ['search 200 false', 'search 200 true'] // never a 503
    t.deepEqual([...answers].sort(), ['GET 200 true', 'query 200 0,0', 'query 200 12000,12000', ...searched])
    t.true(longestMs < tookMs / 3, `an answer took ${Math.round(longestMs)} ms of ${Math.round(tookMs)}`)
    const turtle = {'Content-Type': 'text/turtle', Slug: 'new'}
    t.is((await send(url, {method: 'POST', headers: turtle, body: `<> <${ns}p> "1", _:x .`})).status, 201)
    t.is((await send(url, {method: 'DELETE', path: '/d17/'})).status, 204)
    const check = runProgram(t, settingsOf(database), ['check'])
    t.is(await check.exit, 0, check.output())
    service.child.kill('SIGTERM')
    t.is(await service.exit, 0)
  },
)

async function fileOf(t: ExecutionContext, content: string): Promise<string> {
  const file = join(await temporaryFolder(t), 'data.nq')
  await writeFile(file, content)
  return file
}

function spawnImport(database: TestDatabase, parameters: readonly string[] = ['import', '--format', 'nquads', '-']) {
  const {PATH = '', HOME = ''} = process.env
  const child = spawn(process.execPath, [...programParameters(), ...parameters], {
    cwd: projectDirectory,
    env: {PATH, HOME, ...settingsOf(database)},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined) // the process may end before it has read everything
  return child
}

async function runWithInput(
  t: ExecutionContext,
  database: TestDatabase,
  parameters: readonly string[],
  input: string,
): Promise<{code: number | null; output: string; complaints: string}> {
  const child = spawnImport(database, parameters)
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  const texts = {output: '', complaints: ''}
  child.stdout.setEncoding('utf8').on('data', text => {
    texts.output += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    texts.complaints += text
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return {code, ...texts}
}
