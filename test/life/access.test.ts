/** Keys and grants on the command line, and starts that are refused. */
import test, {type ExecutionContext} from 'ava'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {type TestService, useService} from '../support/service.ts'

async function run(t: ExecutionContext, environment: Record<string, string>, words: readonly string[]) {
  const program = runProgram(t, environment, words)
  program.child.stdin?.end()
  const code = await program.exit
  return {code, output: program.output(), complaints: program.complaints()}
}

const statusOf = async ({send}: TestService, key: string): Promise<number> =>
  (await send({headers: {Authorization: `Bearer ${key}`}})).status

test('lists the grants of the dataset, or those on a document, above it and below it', async t => {
  const service = await useService(t, {ACCESS: 'grants'})
  const {base, database} = service
  const command = (...words: readonly string[]) => run(t, {DATABASE_URL: database.url}, words)
  const create = `select quadstead.create_document($1, regexp_replace($1, '[^/]+/$', ''), '{}', '{}', '{}', '{}')`
  for (const path of ['a/', 'a/b/', 'ab/']) await database.database.query(create, [base + path])
  const added = [
    ['/', 'group staff', 'read'],
    ['/a/', 'public', 'append'],
    ['/a/', 'authenticated', 'control,read'],
    ['/a/b/', 'agent https://example.org/#it', 'write'],
    ['/ab/', 'public', 'read'],
  ]
  for (const one of added) t.is((await command('grants', 'add', ...one)).code, 0)
  const lines = [
    `${base}  group staff  read`,
    `${base}a/  authenticated  control,read`,
    `${base}a/  public  append`,
    `${base}a/b/  agent https://example.org/#it  write`,
    `${base}ab/  public  read`,
  ]
  const listed = async (...words: readonly string[]) => (await command('grants', 'list', ...words)).output.split('\n')

  t.deepEqual(await listed(), [...lines, ''])
  t.deepEqual(await listed('/a/'), [...lines.slice(0, 4), ''])
  t.deepEqual(await listed(`${base}a/b/`), [...lines.slice(0, 4), ''])
  t.deepEqual(await listed('/ab/'), [lines[0], lines[4], ''])
  const none = await command('grants', 'list', '/a/none/')
  t.deepEqual([none.code, none.complaints], [1, `quadstead: There is no document <${base}a/none/>.\n`])
})

test('a key is created and shown once, gets a grant, is listed and removed', async t => {
  const service = await useService(t, {ACCESS: 'grants', API_KEY_CACHE_MS: '0'})
  const {base, database} = service
  const command = (...words: readonly string[]) => run(t, {DATABASE_URL: database.url}, words)
  const agent = 'https://example.org/#it'

  const made = await command('keys', 'add', '--agent', agent, '--group', 'staff', '--days', '2', '--name', 'a name')
  t.deepEqual([made.code, made.complaints], [0, 'This is the only time that the key is shown:\n'])
  const key = made.output.trim()
  t.regex(key, /^qsk_[A-Za-z0-9_-]{43}$/)
  t.is(await statusOf(service, key), 403)

  t.is((await command('grants', 'add', '/', 'group staff', 'read,append')).code, 0)
  t.is(await statusOf(service, key), 200)
  t.is((await command('grants', 'list')).output, `${base}  group staff  append,read\n`)
  t.is((await command('grants', 'remove', '/', 'group staff')).code, 0)
  t.is(await statusOf(service, key), 403)
  t.is((await command('grants', 'remove', '/', 'group staff')).code, 1)
  t.is(
    (await command('grants', 'add', '/none/', 'public', 'read')).complaints,
    `quadstead: There is no document <${base}none/>.\n`,
  )
  t.is((await command('grants', 'add', '/', 'somebody', 'read')).code, 1)
  t.is((await command('grants', 'add', '/', 'public')).code, 2)

  const listed = (await command('keys', 'list')).output
  const [id, agentShown, group, from, until, ...others] = listed.split('  ')
  t.regex(id ?? '', /^[0-9a-f]{16}$/)
  t.deepEqual([agentShown, group, ...others], [agent, 'group staff', 'not used yet', 'a name\n'])
  t.regex(`${from} ${until}`, /^from \S+Z until \S+Z$/)
  t.false(listed.includes(key))
  t.is((await command('keys', 'remove', listed.slice(0, 16))).code, 0)
  t.is(await statusOf(service, key), 401)
  t.is((await command('keys', 'remove', listed.slice(0, 16))).code, 1)
  t.is((await command('keys', 'add', '--agent', 'nobody')).code, 1)
  t.is((await command('keys')).code, 2)
})

test('grants with an expiry, a private document and expired grants, on the command line', async t => {
  const service = await useService(t, {ACCESS: 'grants'})
  const {base, database} = service
  const command = (...words: readonly string[]) => run(t, {DATABASE_URL: database.url}, words)
  const told = async (...words: readonly string[]) =>
    (await command('grants', ...words)).output.split('\n').slice(0, -1)
  await database.database.query(
    `select quadstead.create_document($1 || path, $1 || parent, '{}', '{}', '{}', '{}')
       from (values ('a/', ''), ('a/b/', 'a/'), ('a/b/c/', 'a/b/')) as made (path, parent)`,
    [base],
  )

  t.is((await command('grants', 'add', '/a/', 'public', 'read')).code, 0)
  t.is((await command('grants', 'add', '/a/', 'public', 'write', '--expires', '2999-01-31T00:00:00Z')).code, 0)
  t.is((await command('grants', 'add', '/a/', 'public', 'edit', '--for', '30d')).code, 0) // replaces the previous one
  const [brief = '', lasting, ...others] = await told('list', '/a/')
  t.deepEqual([lasting, others], [`${base}a/  public  read`, []])
  const [, until = ''] = /^\S+ {2}public {2}edit {2}until (\S+Z)$/.exec(brief) ?? []
  t.true(Math.abs(Date.parse(until) - Date.now() - 30 * 86_400_000) < 600_000, brief)
  for (const words of [
    ['--for', '3 weeks'],
    ['--for', '0d'],
    ['--expires', 'tomorrow'],
    ['--expires', '2020-01-01T00:00:00Z'],
    ['--for', '1d', '--expires', '2999-01-31T00:00:00Z'],
  ])
    t.is((await command('grants', 'add', '/a/', 'public', 'read', ...words)).code, 1, words.join(' '))
  t.is((await command('grants', 'list', '/a/', '--for', '1d')).code, 2)

  await database.database.query(`update quadstead.access_grant set expires = now() where expires < 'infinity'`)
  t.regex((await told('list', '/a/'))[0] ?? '', /^\S+ {2}public {2}edit {2}expired \S+Z$/)
  t.deepEqual(await told('prune'), ['1 expired grant removed'])
  t.deepEqual(await told('prune'), ['0 expired grants removed'])
  t.deepEqual(await told('list', '/a/'), [`${base}a/  public  read`])

  const refused = await command('grants', 'isolate', '/a/b/')
  t.is(refused.code, 1)
  t.regex(refused.complaints, /Somebody must keep control/)
  t.is((await service.send({path: '/a/b/'})).status, 200)
  t.is((await command('grants', 'add', '/a/b/', 'agent http://ada.example/', 'write,control')).code, 0)
  t.is((await command('grants', 'isolate', '/a/b/')).code, 0)
  t.is((await service.send({path: '/a/b/'})).status, 401)
  const inside = [`${base}a/b/  agent http://ada.example/  control,write`, `${base}a/b/  does not inherit`]
  t.deepEqual(await told('list', '/a/b/'), inside)
  t.deepEqual(await told('list', '/a/b/c/'), inside)
  t.deepEqual(await told('list'), [`${base}a/  public  read`, ...inside])
  t.is((await command('grants', 'inherit', '/a/b/')).code, 0)
  t.is((await service.send({path: '/a/b/'})).status, 200)
  t.is((await command('grants', 'isolate', '/')).code, 1)
})

test('the service does not start on a public address without a setting for access', async t => {
  const {url, drop} = await createTestDatabase()
  t.teardown(drop)
  const started = (environment: Record<string, string>) =>
    run(t, {DATABASE_URL: url, HOST: '192.0.2.1', PORT: '0', ...environment}, ['serve'])

  const refused = await started({})
  t.is(refused.code, 78)
  t.regex(
    refused.complaints,
    /^quadstead: On HOST=192\.0\.2\.1 others could read and change everything\. Set JWT_ISSUER/,
  )
  for (const declared of [{ACCESS: 'open'}, {ACCESS: 'grants'}]) {
    const {code, complaints} = await started(declared) // an address that belongs to nobody (RFC 5737)
    t.is(code, 1)
    t.regex(complaints, /cannot be opened/)
  }
})
