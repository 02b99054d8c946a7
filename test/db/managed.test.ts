/** What managed servers restrict: docs/managed-postgresql.md without a superuser, a server without pg_trgm. */
import {existsSync} from 'node:fs'
import {cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import ava, {type ExecutionContext} from 'ava'
import {Refusal} from '../../src/base/refusal.ts'
import {nodeParameters} from '../../src/db/citus/prepare.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {findBinaries} from '../../src/db/embedded/binaries.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {readConfig} from '../../src/settings/config.ts'
import {administer, areDistributed, databaseUrl} from '../support/postgres.ts'
import {type Program, runProgram} from '../support/process.ts'
import {projectDirectory} from '../support/program.ts'
import {type TestService, useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const page = await readFile(join(projectDirectory, 'docs/managed-postgresql.md'), 'utf8')
const [, recipe = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? []

/** The URL of a database of the test server for a role. */
function urlAs(role: string, database: string): string {
  const url = new URL(databaseUrl(database))
  url.username = role
  return url.href
}

/** Runs the recipe as an administrator who may only create roles and databases. Returns the URL of the owner. */
async function followRecipe(t: ExecutionContext): Promise<string> {
  const [admin, owner] = [`managed_admin_${process.pid}`, `managed_${process.pid}`]
  await administer(`create role ${admin} login createrole createdb nosuperuser`)
  t.teardown(async () => {
    await administer(`drop database if exists ${owner} with (force)`)
    for (const role of [owner, admin]) await administer(`drop role if exists ${role}`)
  })
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 60_000}
  const address = parseDatabaseUrl(urlAs(admin, 'postgres'))
  const own = areDistributed ? {...address, parameters: nodeParameters} : address // the others do not know the role
  const pool = createPool(own, options)
  const statements = recipe.replaceAll('quadstead', owner).split(';')
  for (const statement of statements) if (statement.trim() !== '') await pool.query(statement)
  await pool.end(1000)
  return urlAs(owner, owner)
}

async function ended(program: Program): Promise<readonly [unknown, string]> {
  return [await program.exit, program.output() + program.complaints()]
}

const write = (service: TestService, slug: string) =>
  service.send({
    method: 'POST',
    headers: {'Content-Type': 'text/turtle', Slug: slug},
    body: '<> <http://e/p> "Some text" .',
  })
const find = async (service: TestService) => {
  const query = 'select ?s { ?s <http://e/p> ?o filter(contains(lcase(?o), "text")) }'
  return service.send({path: `/sparql?query=${encodeURIComponent(query)}`, headers: {Accept: 'text/csv'}})
}

ava.serial('an owner made by an administrator who is no superuser can use every command', async t => {
  const url = await followRecipe(t)
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-managed-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const file = join(folder, 'data.nq')
  const base = 'http://localhost:8080/'
  await writeFile(file, `<${base}a/> <http://e/p> "x" <${base}a/> .\n`)
  const run = (...parameters: string[]) => ended(runProgram(t, {DATABASE_URL: url, BASE_URL: base}, parameters))

  for (const command of [['migrate'], ['import', file], ['text-index'], ['check'], ['stats']]) {
    const [code, output] = await run(...command)
    t.is(code, 0, `${command.join(' ')}: ${output}`)
  }
  const service = await useService(t, {DATABASE_URL: url, BASE_URL: base})
  t.is((await write(service, 'b')).status, 201)
  t.is((await find(service)).text, `s\r\n${base}b/\r\n`)
  t.is((await service.send({path: '/ready'})).status, 200)
})

ava('the addresses of the recipes can be read, and the tests that the page lists exist', t => {
  const urls = Array.from(page.matchAll(/^ {4}(DATABASE_\w*URL)=(\S+)$/gm), ([, name = '', url = '']) => [name, url])
  const tests = Array.from(page.matchAll(/\| `(test\/[\w./-]+)` \|/g), ([, path = '']) => path)

  t.true(urls.length > 6 && tests.length > 5)
  for (const [name = '', url = ''] of urls) {
    const {database} = readConfig({[name]: url.replaceAll('…', 'x').replace(/&sslrootcert=.*/, '')})
    const [address] = name === 'DATABASE_URL' ? [database.address] : database.replicas
    t.like(address, {user: 'quadstead', database: 'quadstead'}, url)
    t.not(address?.tls, 'prefer', url)
  }
  t.deepEqual(
    tests.filter(path => !existsSync(join(projectDirectory, path))),
    [],
  )
})

ava('every recipe has the same parts', t => {
  const [, ...sections] = page.split(/^## /m)
  const recipes = sections.filter(section => / {4}DATABASE_URL=/.test(section))
  const parts = ['Role', 'Extensions', 'Pooler', 'Replicas', 'Settings', 'Backup', 'Limits']
  const missing = recipes.flatMap(recipe =>
    parts.filter(part => !recipe.includes(`\n- **${part}**: `)).map(part => `${recipe.split('\n')[0]}: ${part}`),
  )

  t.is(recipes.length, 7)
  t.deepEqual(missing, [])
})

ava.serial('a database that is not in UTF8 is refused, with the statement that creates one that is', async t => {
  const name = `latin_${process.pid}`
  await administer(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`)
  t.teardown(() => administer(`drop database ${name} with (force)`))

  const error = await t.throwsAsync(useService(t, {DATABASE_URL: databaseUrl(name)}), {instanceOf: Refusal})

  t.regex(error?.message ?? '', /has the encoding SQL_ASCII, .*template template0 encoding 'UTF8'/)
})

const isEmbedded = process.env.TEST_POSTGRES_BINARIES === undefined

testWhen(isEmbedded, 'only with the embedded PostgreSQL')(
  'a server without pg_trgm lacks the text index only',
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'quadstead-without-'))
    t.teardown(() => rm(folder, {recursive: true, force: true}))
    const {directory} = await findBinaries(undefined, folder)
    const copy = join(folder, 'postgres')
    await cp(dirname(directory), copy, {recursive: true, verbatimSymlinks: true})
    const extensions = join(copy, 'share/postgresql/extension')
    const removed = (await readdir(extensions)).filter(name => name.startsWith('pg_trgm'))
    for (const name of removed) await rm(join(extensions, name))
    await mkdir(join(folder, 'data'))
    const server = await startEmbedded({dataDirectory: join(folder, 'data'), binaryDirectory: join(copy, 'bin')})
    t.teardown(server.stop)
    const socket = dirname(server.address.socketPath ?? '')
    const DATABASE_URL = `postgres://quadstead@localhost/postgres?host=${encodeURIComponent(socket)}`

    const service = await useService(t, {DATABASE_URL, TEXT_INDEX: 'on', LOG_LEVEL: 'silent'})
    const created = await write(service, 'a')
    const found = await find(service)
    const [code, output] = await ended(runProgram(t, {DATABASE_URL}, ['text-index']))
    const [checkCode] = await ended(runProgram(t, {DATABASE_URL}, ['check']))

    t.true(removed.length > 1)
    t.deepEqual([created.status, found.status, found.text], [201, 200, `s\r\n${service.base}a/\r\n`])
    t.is(code, 1)
    t.regex(output, /needs pg_trgm, which this PostgreSQL does not have/)
    t.is(checkCode, 0)
  },
)
