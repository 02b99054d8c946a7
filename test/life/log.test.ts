/** The log of a running service: JSON lines or text, destination, level. */
import {readFile, rename} from 'node:fs/promises'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {type Program, runProgram, temporaryFolder} from '../support/process.ts'
import type {Settings} from '../support/service.ts'

async function serve(t: ExecutionContext, settings: Settings): Promise<{program: Program; url: string}> {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: database.url, ...settings})
  return {program, url: (await program.ready()).url}
}

function linesOf(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(fieldsOf)
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`not a line of JSON: ${line}`) // JSON.parse shows only its beginning
  }
}

async function stop({child, exit}: Program): Promise<void> {
  child.kill('SIGTERM')
  await exit
}

/** Statements that the service sends every few seconds, and that are logged where every statement counts as slow. */
const ofBackground = /^(?:(?:take|count)_webhooks|take_follows)$/

test.serial('without a terminal every line is JSON: requests, slow queries, the shutdown', async t => {
  const {program, url} = await serve(t, {SLOW_QUERY_MS: '0'})
  const text = 'select * { ?s ?p "a secret" }'

  await send(`${url}missing/?q=secret`, {headers: {'X-Request-Id': 'r-1'}})
  await send(`${url}sparql`, {
    method: 'POST',
    headers: {'Content-Type': 'application/sparql-query', 'X-Request-Id': 'r-2'},
    body: text,
  })
  await stop(program)

  const lines = linesOf(program.complaints())
  const {time, ms, bytes, ...request} = lines.find(({id}) => id === 'r-1') ?? {}
  t.deepEqual(request, {
    level: 'info',
    kind: 'request',
    id: 'r-1',
    method: 'GET',
    path: '/missing/',
    route: 'document',
    status: 404,
    isWhole: true,
    msg: 'request',
  })
  t.deepEqual([typeof time, typeof ms, typeof bytes], ['string', 'number', 'number'])
  const query = lines.find(({requestId}) => requestId === 'r-2')
  t.like(query, {level: 'warn', kind: 'query', outcome: 'answered', query: text})
  const statement = lines.find(({kind, name}) => kind === 'statement' && !ofBackground.test(String(name)))
  t.like(statement, {level: 'warn', name: 'read_documents', requestIds: ['r-1'], isAnswered: true})
  t.deepEqual(Object.keys(statement?.stages ?? {}), ['together', 'connect', 'sql'])
  t.false(String(query?.sql).includes('secret'))
  t.true(lines.some(({kind}) => kind === 'draining'))
})

test.serial('a slow query without LOG_QUERIES shows neither SPARQL nor SQL', async t => {
  const {program, url} = await serve(t, {SLOW_QUERY_MS: '0', LOG_QUERIES: 'false', LOG_REQUESTS: 'none'})

  await send(`${url}sparql?query=${encodeURIComponent('ask { ?s ?p "a secret" }')}`)
  await stop(program)

  const lines = linesOf(program.complaints())
  t.deepEqual(
    lines
      .filter(({name}) => !ofBackground.test(String(name)))
      .map(({kind}) => String(kind))
      .sort(), // the shutdown may come while the query is still being recorded
    ['draining', 'query'],
  )
  for (const line of lines) t.deepEqual([line.query, line.sql], [undefined, undefined])
})

test.serial('a long query is cut, so that slow queries cannot fill the disk', async t => {
  const {program, url} = await serve(t, {SLOW_QUERY_MS: '0', LOG_REQUESTS: 'none'})
  const body = `SELECT * { VALUES ?n { ${'"a name" '.repeat(20_000)} } }`

  await send(`${url}sparql`, {method: 'POST', headers: {'Content-Type': 'application/sparql-query'}, body})
  await stop(program)

  const query = linesOf(program.complaints()).find(({kind}) => kind === 'query')
  t.is(query?.query, `${body.slice(0, 10_000)} … (${body.length - 10_000} more characters)`)
  t.regex(String(query?.sql), /^.{10000} … \(\d+ more characters\)$/s)
})

test.serial('LOG_FORMAT=text writes lines for people, and LOG_LEVEL limits them', async t => {
  const settings = {LOG_FORMAT: 'text', LOG_LEVEL: 'warn', SLOW_QUERY_MS: '0', LOG_DESTINATION: 'stdout'}
  const {program, url} = await serve(t, settings)

  await send(url, {headers: {'X-Request-Id': 'text-1'}})
  await send(`${url}sparql?query=${encodeURIComponent('ask {}')}`)
  await stop(program)

  t.is(program.complaints(), '')
  t.regex(
    program.output().replace(/^statement: (?:(?:take|count)_webhooks|take_follows) .*\n/gm, ''),
    new RegExp(
      '^Quadstead .*\\n' +
        'statement: read_documents answered after \\d+ ms \\(together \\d+, connect \\d+, sql \\d+\\) text-1\\n' +
        'query: answered after \\d+ ms \\(parse \\d+, .*\\)\\nask \\{\\}\\n\\S[\\s\\S]*\\n$',
    ),
  )
})

test.serial('after a log file was moved, SIGHUP opens a new one', async t => {
  const folder = await temporaryFolder(t)
  const file = join(folder, 'log', 'quadstead.log')
  const {program, url} = await serve(t, {LOG_DESTINATION: file})
  const read = (name: string) => readFile(name, 'utf8').catch(() => '')

  await send(url, {headers: {'X-Request-Id': 'before'}})
  await until(async () => (await read(file)).includes('before'))
  await rename(file, `${file}.1`)
  program.child.kill('SIGHUP')
  await until(async () => {
    await send(url, {headers: {'X-Request-Id': 'after'}})
    return (await read(file)).includes('after')
  })
  await stop(program)

  t.true((await read(`${file}.1`)).includes('before'))
  t.true((await read(file)).includes('draining'))
  t.is(program.complaints(), '')
})
