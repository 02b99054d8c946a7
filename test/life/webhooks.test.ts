/** Webhooks on the command line, and deliveries by processes that are killed. */
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import test, {type ExecutionContext} from 'ava'
import {Webhook} from 'standardwebhooks'
import {readChanges} from '../../src/db/store/changes.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {send} from '../support/client.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {unlimited} from '../support/service.ts'

async function useDatabase(t: ExecutionContext) {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  return database
}

async function command(t: ExecutionContext, url: string, words: readonly string[]) {
  const program = runProgram(t, {DATABASE_URL: url}, ['hooks', ...words])
  program.child.stdin?.end()
  const code = await program.exit
  return {code, output: program.output(), complaints: program.complaints()}
}

/** A receiver that notes the messages it accepts. It fails for some. */
async function receive(t: ExecutionContext, isFailing: (number: number) => boolean) {
  const accepted: {readonly id: string; readonly body: string; readonly headers: Record<string, string>}[] = []
  let number = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    number += 1
    const status = isFailing(number) ? 503 : 204
    const headers = request.headers as Record<string, string>
    if (status === 204) accepted.push({id: headers['webhook-id'] ?? '', body, headers})
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, accepted}
}

const quick = {
  ...unlimited,
  PORT: '0',
  WEBHOOK_NETWORKS: 'loopback',
  WEBHOOK_RETRY_MS: '20',
  WEBHOOK_TIMEOUT_MS: '5000',
  WEBHOOK_ATTEMPTS: '100',
}

const serve = (t: ExecutionContext, url: string) => runProgram(t, {...quick, DATABASE_URL: url, DATABASE_POOL_MAX: '5'})

const create = (url: string, slug: string) =>
  send(url, {method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: slug}, body: ''})

async function countedActive(url: string): Promise<string | undefined> {
  const {text} = await send(url, {path: '/metrics'})
  return /^quadstead_webhooks\{state="active"\} (\d+)$/m.exec(text)?.[1]
}

test('webhooks are added, listed, retried and removed', async t => {
  const {url, database} = await useDatabase(t)
  const service = await serve(t, url).ready()
  const {url: target, accepted} = await receive(t, () => false)
  await create(service.url, 'box')
  const words = [
    'add',
    target,
    '--under',
    '/box/',
    '--action',
    'created,deleted',
    '--as',
    'http://e/ada',
    '--group',
    'g',
  ]
  const added = await command(t, url, words)
  t.is(added.code, 0, added.complaints)
  t.regex(added.complaints, /^Webhook 1\. This is the only time/)
  const secret = added.output.trim()
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)

  await send(`${service.url}box/`, {method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'one'}, body: ''})
  for (let left = 200; left > 0 && accepted.length === 0; left -= 1) await new Promise(done => setTimeout(done, 50))
  const [got] = accepted
  const {data} = new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {}) as {data: {document: string}}
  t.is(data.document, `${service.base}box/one/`)

  const {output} = await command(t, url, ['list'])
  t.is(output.trim().split('\n').length, 1)
  t.false(output.includes(secret))
  for (const part of [
    '1  active',
    target,
    `under ${service.base}box/`,
    'created,deleted',
    'as http://e/ada',
    'group g',
  ])
    t.true(output.includes(part), part)
  t.regex(output, /delivered 20/)
  const other = await serve(t, url).ready()
  for (let left = 200; left > 0 && (await countedActive(other.url)) !== '1'; left -= 1)
    await new Promise(done => setTimeout(done, 50))
  t.is(await countedActive(other.url), '1')
  await database.query("update quadstead.webhook set state = 'dead', last_reason = 'the receiver answered 500'")
  const check = runProgram(t, {DATABASE_URL: url}, ['check'])
  t.is(await check.exit, 0)
  t.true(check.output().includes('advice: webhook 1 is dead; try retry.'), check.output())
  t.is((await command(t, url, ['retry', '1', '--skip'])).code, 0)
  t.is((await command(t, url, ['remove', '1'])).code, 0)
  t.is((await command(t, url, ['list'])).output, '')

  for (const [bad, message] of [
    [['add', 'ftp://e/'], /A URL is http/],
    [['add', 'http://user:secret@e/'], /without user and password/],
    [['add', 'http://e/', '--action', 'sung'], /--action must be of created/],
    [['add', 'http://e/', '--under', 'http://elsewhere/'], /--under must be a document below/],
    [['add', 'http://e/', '--as', 'ada'], /--as must be an absolute IRI/],
    [['add', 'http://e/', '--group', 'g'], /--group needs --as/],
    [['add', 'http://e/', '--after', '99999999'], /--after must be a position/],
    [['remove', '7'], /There is no webhook 7/],
    [['retry', 'x'], /An ID is a number/],
  ] as const) {
    const {code, complaints} = await command(t, url, bad)
    t.is(code, 1, bad.join(' '))
    t.regex(complaints, message)
  }
  t.is((await command(t, url, ['sing'])).code, 2)
  t.is((await command(t, url, ['add'])).code, 2)
})

test('a receiver gets every change in order, although processes are killed and it fails at times', async t => {
  const {url, database} = await useDatabase(t)
  const first = serve(t, url)
  const {url: place} = await first.ready()
  const second = serve(t, url)
  const {url: other} = await second.ready()
  const {url: target, accepted} = await receive(t, number => number % 7 === 3)
  t.is((await command(t, url, ['add', target, '--after', '0'])).code, 1) // before the log
  t.is((await command(t, url, ['add', target])).code, 0)
  const [{position = '0'} = {}] = await database.query<{position: string}>(
    'select position::text from quadstead.webhook',
  )

  for (let count = 0; count < 30; count += 1) await create(count % 2 === 0 ? place : other, `early${count}`)
  for (let left = 200; left > 0 && accepted.length < 5; left -= 1) await new Promise(done => setTimeout(done, 20))
  first.child.kill('SIGKILL')
  for (let count = 0; count < 30; count += 1) await create(other, `middle${count}`)
  second.child.kill('SIGKILL')
  await Promise.all([first.exit, second.exit])
  const third = serve(t, url)
  const {url: last} = await third.ready()
  for (let count = 0; count < 10; count += 1) await create(last, `late${count}`)

  const session = await openSession(database, testSchema)
  const {changes} = await readChanges(session, {after: position, limit: 1000})
  const expected = changes.map(({position: place}) => `chg_${place}`)
  t.is(expected.length, 70)
  const ids = () => [...new Set(accepted.map(({id}) => id))]
  for (let left = 600; left > 0 && ids().length < expected.length; left -= 1)
    await new Promise(done => setTimeout(done, 100))
  t.deepEqual(ids(), expected)
  t.true(accepted.length <= expected.length + 2, 'each kill repeats one change at most')
})
