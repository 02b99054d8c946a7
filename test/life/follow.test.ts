/** Copies of other stores on the command line, and while processes are killed and connections are cut. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {requestRandomly, untilCopied} from '../support/copies.ts'
import {ldpatch} from '../support/members.ts'
import {startNetProxy} from '../support/net-proxy.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {createRandom} from '../support/random.ts'
import {type Settings, unlimited} from '../support/service.ts'

async function useDatabase(t: ExecutionContext) {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  return database
}

const serve = (t: ExecutionContext, url: string, settings: Settings = {}) =>
  runProgram(t, {...unlimited, PORT: '0', DATABASE_URL: url, DATABASE_POOL_MAX: '4', ...settings})

async function command(t: ExecutionContext, url: string, words: readonly string[]) {
  const program = runProgram(t, {DATABASE_URL: url}, ['follow', ...words])
  program.child.stdin?.end()
  const code = await program.exit
  return {code, output: program.output(), complaints: program.complaints()}
}

test('a copy is added, listed, restarted and removed', async t => {
  const [from, to] = [await useDatabase(t), await useDatabase(t)]
  const source = await serve(t, from.url).ready()
  const copy = await serve(t, to.url).ready()
  const turtle = {'Content-Type': 'text/turtle', Slug: 'box'}
  await send(source.url, {method: 'POST', headers: turtle, body: ''})
  const folder = await mkdtemp(join(tmpdir(), 'follow-'))
  t.teardown(() => rm(folder, {recursive: true}))
  const key = join(folder, 'key')
  await writeFile(key, '')

  const added = await command(t, to.url, [source.base, '--under', '/box/'])
  t.is(added.code, 0, added.complaints)
  t.regex(added.complaints, /^Follow 1: the service copies http/)
  const sides = [
    {database: from.database, base: source.base},
    {database: to.database, base: copy.base},
  ] as const
  await untilCopied(t, ...sides, 'box/')
  const {output} = await command(t, to.url, ['list'])
  for (const part of [`1  ${source.base}box/`, '1 documents', '0 behind', 'complete 20'])
    t.true(output.includes(part), output)
  t.is((await command(t, to.url, ['restart', '1'])).code, 0)
  await untilCopied(t, ...sides, 'box/')
  t.is((await command(t, to.url, ['remove', '1'])).code, 0)
  t.is((await command(t, to.url, ['list'])).output, '')
  t.is((await send(`${copy.url}box/`, {method: 'DELETE'})).status, 204)

  for (const [words, code, message] of [
    [['ftp://e/'], 2, /A URL is http/],
    [['sing'], 2, /Expected arguments/],
    [['list', '1'], 2, /Expected arguments/],
    [['remove'], 2, /Expected arguments/],
    [['remove', 'x'], 1, /An ID is a number/],
    [['restart', '7'], 1, /There is no follow 7/],
    [['http://e/a'], 1, /ends with a slash/],
    [[source.base, '--under', 'http://elsewhere/'], 1, /--under must be a document below/],
    [[source.base, '--key-file', join(folder, 'absent')], 1, /cannot be read/],
    [[source.base, '--key-file', key], 1, /must have one line/],
    [[`${source.base}box/`], 1, /cannot be followed/],
    [['http://127.0.0.1:9/'], 1, /cannot be followed: fetch failed/],
    [[copy.base, '--under', '/box/'], 1, /A store cannot follow itself/],
    [[source.base, '--under', '/absent/below/'], 1, /There is no document/],
  ] as const) {
    const answer = await command(t, to.url, words)
    t.is(answer.code, code, `${words.join(' ')}: ${answer.complaints}`)
    t.regex(answer.complaints, message)
  }
})

test('nothing is lost or applied twice while source, follower and network fail', async t => {
  const [from, to] = [await useDatabase(t), await useDatabase(t)]
  const proxy = await startNetProxy(t)
  const base = `http://127.0.0.1:${proxy.port}/`
  const startSource = async () => {
    const program = serve(t, from.url, {BASE_URL: base})
    const {url} = await program.ready()
    proxy.lead(Number(new URL(url).port))
    return {...program, url}
  }
  let source = await startSource()
  let copy = serve(t, to.url)
  const {base: copyBase} = await copy.ready()
  const random = createRandom(20_261_124)
  const sender = {
    base,
    send: (sent: Parameters<typeof send>[1]) =>
      send(source.url, {...sent, headers: {Host: new URL(base).host, ...sent?.headers}}),
  }
  let patches = 0
  const write = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      await requestRandomly(random, sender, 'box/')
      patches += 1
      const body = `Add { <> <http://e/n> ${patches} } .`
      const {status} = await sender.send({method: 'PATCH', path: '/box/count/', headers: ldpatch, body})
      t.is(status, 204)
    }
  }
  const sides = [
    {database: from.database, base},
    {database: to.database, base: copyBase},
  ] as const
  for (const [path, slug] of [
    ['/', 'box'],
    ['/box/', 'count'],
  ] as const)
    await sender.send({method: 'POST', path, headers: {'Content-Type': 'text/turtle', Slug: slug}, body: ''})
  await write(60)
  t.is((await command(t, to.url, [base, '--under', '/box/'])).code, 0)
  await untilCopied(t, ...sides, 'box/')
  patches = 0

  for (let round = 0; round < 3; round += 1) {
    await write(20)
    proxy.cut()
    await write(20)
    proxy.lead(undefined) // the network is gone
    proxy.cut()
    await write(20)
    await delay(500)
    source.child.kill('SIGKILL')
    await source.exit
    source = await startSource()
    await write(20)
    copy.child.kill('SIGKILL')
    await copy.exit
    // no process has to wait for the hold of one that was killed longer than this test does
    await to.database.query('update quadstead.follow set held_until = null, next_attempt = now()')
    copy = serve(t, to.url)
    await copy.ready()
    await write(20)
  }
  await untilCopied(t, ...sides, 'box/')

  const logged = `select count(*)::text as number from quadstead.change as c join quadstead.term as t on t.id = c.document
    where t.lex like '%/box/count/' and c.action = 'patched'`
  const [row] = await to.database.query<{readonly number: string}>(logged)
  t.is(row?.number, String(patches), 'each patch was applied once')
  const [follow] = await to.database.query<{readonly round: number}>('select round from quadstead.follow')
  t.is(follow?.round, 1, 'the documents were listed once')
})
