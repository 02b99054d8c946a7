/** Runs the commands of docs/operations.md. */
import {execFile} from 'node:child_process'
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {reasonAgainst} from '../support/client-programs.ts'
import {
  administer,
  areDistributed,
  createTestDatabase,
  schemaIdentifier,
  type TestDatabase,
} from '../support/postgres.ts'
import {programParameters, projectDirectory} from '../support/program.ts'
import {useService} from '../support/service.ts'

const run = promisify(execFile)
const page = await readFile(join(projectDirectory, 'docs/operations.md'), 'utf8')
const otherCommands = areDistributed ? 'in a Citus cluster the commands are others' : undefined
const noDump = otherCommands ?? (await reasonAgainst('pg_dump'))
const noPsql = otherCommands ?? (await reasonAgainst('psql'))

/** The blocks of shell commands below a heading. */
function blocksBelow(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split(/\n## /)
  return Array.from(own.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block)
}

/** Runs a block in a folder with the command `quadstead` and with sql/. Throws its error output if it fails. */
async function runBlock(t: ExecutionContext, block: string, environment: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-operations-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  await mkdir(join(folder, 'bin'))
  const words = [process.execPath, ...programParameters()].map(word => `"${word}"`)
  const program = `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`
  await writeFile(join(folder, 'bin/quadstead'), program, {mode: 0o755})
  for (const name of ['sql', 'node_modules']) await symlink(join(projectDirectory, name), join(folder, name))
  const path = `${join(folder, 'bin')}:${process.env.PATH}`
  const {stdout} = await run('bash', ['-eo', 'pipefail', '-c', block], {
    cwd: folder,
    env: {HOME: folder, ...environment, PATH: path},
  })
  return stdout
}

/** A dataset with documents, and an empty database. */
async function filled(t: ExecutionContext): Promise<{source: TestDatabase; target: TestDatabase; base: string}> {
  const service = await useService(t)
  for (const slug of ['a', 'b'])
    await send(service.url, {
      method: 'POST',
      headers: {'Content-Type': 'text/turtle', Slug: slug},
      body: '<> <http://example.org/ns#p> "x", [ <http://example.org/ns#q> 1 ] .',
    })
  const target = await createTestDatabase('template0')
  t.teardown(target.drop)
  return {source: service.database, target, base: service.base}
}

async function countDocuments({database}: TestDatabase): Promise<number> {
  const [row] = await database.query<{n: number}>(`select count(*)::int as n from ${schemaIdentifier}.document`)
  return row?.n ?? 0
}

const [dump = '', exported = ''] = blocksBelow('Backup and restore')

const testDump = noDump === undefined ? test.serial : test.serial.skip
testDump(`a dump is restored completely${noDump === undefined ? '' : ` (skipped: ${noDump})`}`, async t => {
  const {source, target} = await filled(t)

  const said = await runBlock(t, dump, {DATABASE_URL: source.url, RESTORED_URL: target.url})

  t.regex(said, /Schema quadstead: nothing is wrong\./)
  t.is(await countDocuments(target), 3)
})

test.serial('an export is imported elsewhere and compared with its manifest', async t => {
  const {source, target, base} = await filled(t)

  await runBlock(t, exported, {DATABASE_URL: source.url, RESTORED_URL: target.url, BASE_URL: base})

  t.is(await countDocuments(target), 3)
})

test.serial('a dataset gets another address', async t => {
  const {source} = await filled(t)

  const said = await runBlock(t, blocksBelow('Another address').join('\n'), {RESTORED_URL: source.url})

  t.regex(said, /^\d+ IRIs renamed from \S+ to https:\/\/data\.example\.org\/\n$/)
})

test.serial('the schema is updated and checked', async t => {
  const {target} = await filled(t)

  const said = await runBlock(t, blocksBelow('Upgrade').join('\n'), {DATABASE_URL: target.url})

  t.regex(said, /^Schema quadstead took .*\nSchema quadstead: nothing is wrong\.\n(?:advice: .*\n)*$/)
})

test.serial('statistics are printed', async t => {
  const {source} = await filled(t)

  t.regex(await runBlock(t, blocksBelow('How much is there').join('\n'), {DATABASE_URL: source.url}), /^documents +3 /)
})

const testPsql = noPsql === undefined ? test.serial : test.serial.skip
testPsql(
  `the service runs as a role that owns nothing${noPsql === undefined ? '' : ` (skipped: ${noPsql})`}`,
  async t => {
    const {source} = await filled(t)
    const names = {service: `${source.name}_service`, reader: `${source.name}_reader`}
    const block = blocksBelow('Roles')
      .join('\n')
      .replaceAll('quadstead_service', names.service)
      .replaceAll('quadstead_reader', names.reader)
    t.teardown(async () => {
      await source.drop()
      for (const role of Object.values(names)) await administer(`drop role if exists ${role}`)
    })

    await runBlock(t, block, {DATABASE_URL: source.url})

    const url = new URL(source.url)
    url.username = names.service
    url.password = 'change me'
    t.regex(await runBlock(t, 'quadstead stats', {DATABASE_URL: url.href}), /^documents +3 /)
  },
)

test.serial('the examples for psql find what they should', async t => {
  const {base, send: request, database} = await useService(t)
  const title = (text: string) => `<> <http://purl.org/dc/terms/title> "${text}" .`
  const turtle = {'Content-Type': 'text/turtle'}
  await request({method: 'POST', headers: {...turtle, Slug: 'books'}, body: title('Books')})
  await request({method: 'POST', path: '/books/', headers: {...turtle, Slug: 'emma'}, body: title('Emma')})
  const point = `<> a <https://carbonldp.com/ns/v1/platform#AccessPoint> ; <http://www.w3.org/ns/ldp#hasMemberRelation> <http://example.org/ns#classic> .`
  await request({method: 'POST', path: '/books/', headers: {...turtle, Slug: 'classics'}, body: point})
  const action = `[] a <https://carbonldp.com/ns/v1/platform#AddMemberAction> ; <https://carbonldp.com/ns/v1/platform#targetMember> <../emma/> .`
  const asContainer = {...turtle, Prefer: '<http://www.w3.org/ns/ldp#Container>; rel=interaction-model'}
  await request({method: 'PUT', path: '/books/classics/', headers: asContainer, body: action})
  await database.database.query(
    `insert into quadstead.access_grant (document, grantee, modes) select id, 'public', '{read}' from quadstead.document where parent is null`,
  )
  const [, section = ''] = page.split('\n## Reading the store with psql\n')
  const [own = ''] = section.split(/\n## /)
  const blocks = Array.from(own.matchAll(/```sql\n([\s\S]*?)```/g), ([, block = '']) => block)
  const statements = blocks.join('').replace(/--.*/g, '').replaceAll('http://localhost:8080/', base).split(/; *\n/)

  const rows = await database.database.begin('read committed', async transaction => {
    const found: unknown[][] = []
    for (const statement of statements.filter(each => each.trim() !== ''))
      found.push([...(await transaction.query<Record<string, unknown>>(statement))])
    return found
  })

  t.deepEqual(
    rows.map(each => each.length),
    [0, 4, 2, 1, 1, 1, 1, 0, 9],
  )
  const emma = `${base}books/emma/`
  t.like(rows[3], [{member: emma}])
  t.like(rows[4], [{iri: `${base}books/classics/`, relation: 'http://example.org/ns#classic', inverse: null}])
  t.like(rows[5], [{document: base, grantee: 'public', modes: ['read']}])
  t.like(rows[6], [{action: 'created', agent: null, removed: null}])
  t.true(
    JSON.stringify(rows[6]).includes(`<${emma}> <http://purl.org/dc/terms/title> \\"Emma\\" .`),
    JSON.stringify(rows[6]),
  )
  t.like(
    rows[8]?.find(row => JSON.stringify(row).includes('title')),
    {value: '"Emma"'},
  )
})

test.serial('the text index is created, rebuilt and dropped', async t => {
  const {source} = await filled(t)
  const [block = ''] = blocksBelow('Text index')

  const said = await runBlock(t, block, {DATABASE_URL: source.url})

  t.is(said, `${'Schema quadstead has a text index now.\n'.repeat(2)}Schema quadstead has no text index any more.\n`)
})

test('every block of commands on the page is tested', t => {
  const tried = [
    'Backup and restore',
    'Upgrade',
    'How much is there',
    'Roles',
    'Text index',
    'Another address',
  ].flatMap(blocksBelow)
  const all = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block)

  t.deepEqual(
    all.filter(block => !tried.includes(block)).map(block => block.split(' ')[0]),
    ['npm'], // OpenTelemetry: installed from the registry, and used by test/life/traces.test.ts
  )
})
