/**
 * Every command of the package that `npm pack` creates, in a folder with only the package and its dependencies. And
 * `npm start`.
 */
import {execFile} from 'node:child_process'
import {access, chmod, mkdir, readFile, symlink} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {type Program, temporaryFolder, watch} from '../support/process.ts'
import {projectDirectory} from '../support/program.ts'
import type {Settings} from '../support/service.ts'

const run = promisify(execFile)

type Lock = {readonly packages: Readonly<Record<string, {readonly dev?: boolean; readonly devOptional?: boolean}>>}

/** Packs the project and installs it as npm would, but with links to the installed dependencies. Returns the folder. */
async function install(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t)
  const cwd = projectDirectory
  await run('npm', ['run', '--silent', 'build'], {cwd})
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder] // others use node_modules
  const {stdout} = await run('npm', words, {cwd})
  const archive = stdout.trim().split('\n').at(-1) ?? ''
  const own = join(folder, 'node_modules/quadstead')
  await mkdir(own, {recursive: true})
  await run('tar', ['-xzf', join(folder, archive), '-C', own, '--strip-components=1'])
  const {packages} = JSON.parse(await readFile(join(projectDirectory, 'package-lock.json'), 'utf8')) as Lock
  for (const [place, {dev = false, devOptional = false}] of Object.entries(packages)) {
    if (dev || devOptional || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(place)) continue
    const source = join(projectDirectory, place)
    const isHere = await access(source).then(
      () => true,
      () => false, // for another system
    )
    if (!isHere) continue
    await mkdir(dirname(join(folder, place)), {recursive: true})
    await symlink(source, join(folder, place))
  }
  const {bin} = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {readonly bin: {quadstead: string}}
  await mkdir(join(folder, 'node_modules/.bin'))
  await chmod(join(own, bin.quadstead), 0o755)
  await symlink(join('../quadstead', bin.quadstead), join(folder, 'node_modules/.bin/quadstead'))
  return folder
}

/** Starts the installed program. */
function start(t: ExecutionContext, folder: string, settings: Settings, words: readonly string[]): Program {
  return watch(t, join(folder, 'node_modules/.bin/quadstead'), words, settings, folder)
}

/** Runs a command to its end. */
async function command(t: ExecutionContext, folder: string, settings: Settings, words: readonly string[], input = '') {
  const program = start(t, folder, settings, words)
  program.child.stdin?.end(input)
  t.is(await program.exit, 0, `${words.join(' ')}: ${program.complaints()}`)
  return program.output()
}

test.serial('the package works like the sources', async t => {
  t.timeout(180_000)
  const folder = await install(t)
  const files = join(folder, 'node_modules/quadstead')
  const {version} = JSON.parse(await readFile(join(files, 'package.json'), 'utf8'))
  const {date} = JSON.parse(await readFile(join(files, 'dist/built.json'), 'utf8'))
  const own: Settings = {DATA_DIR: join(folder, 'data'), PORT: '0'}
  t.is((await run('npx', ['--no-install', 'quadstead', '--version'], {cwd: folder})).stdout, `${version}\n`)

  const service = start(t, folder, own, ['serve'])
  const {url, base} = await service.ready()
  const page = async (path: string) => (await send(`${url}${path}`, {headers: {Accept: 'text/html'}})).text
  const assets = `${await page('')}${await page('sparql')}`.match(/\/\.system\/assets\/[^"]+/g) ?? []
  t.true(assets.length > 3)
  for (const path of [...assets.map(asset => asset.slice(1)), 'errors', '.well-known/openapi.json', 'metrics'])
    t.is((await send(url + path)).status, 200, path)
  t.true((await send(`${url}.system/platform/`)).text.includes(date))
  const headers = {'Content-Type': 'application/ld+json', Slug: 'packed'}
  t.is((await send(url, {method: 'POST', headers, body: '{"@id": "", "http://e/p": {"@list": [1]}}'})).status, 201)

  t.regex(await command(t, folder, {}, ['get', '--url', base, '/packed/']), /\( 1 \)/)
  t.regex(await command(t, folder, own, ['stats']), /^documents +2 /)
  t.regex(await command(t, folder, own, ['explain', '--measured', '-'], 'ask { ?s ?p 1 }'), /^Plan, measured$/m)
  const [backup, manifest] = [join(folder, 'backup.nq.gz'), join(folder, 'backup.txt')]
  await command(t, folder, own, ['export', '--output', backup, '--manifest', manifest])
  service.child.kill('SIGTERM')
  t.is(await service.exit, 0, service.complaints())
  t.notRegex(service.complaints(), /patch|packages that are not installed/)

  const database = await createTestDatabase('template0')
  t.teardown(database.drop)
  const other = {DATABASE_URL: database.url, BASE_URL: base}
  t.regex(await command(t, folder, other, ['migrate']), /^Schema quadstead took /)
  t.regex(await command(t, folder, other, ['import', backup]), /, 2 documents in /)
  t.is(await command(t, folder, other, ['check', '--manifest', manifest]), `Schema quadstead: as ${manifest} says.\n`)
})

test.serial('npm start builds, serves from dist and forwards SIGTERM', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const program = watch(t, 'npm', ['start', '--silent'], {PORT: '0', DATABASE_URL: database.url}, projectDirectory)
  const {url} = await program.ready()
  t.is((await send(`${url}ready`)).status, 200)

  program.child.kill('SIGTERM')

  t.is(await program.exit, 0)
  await t.throwsAsync(send(`${url}ready`), {code: 'ECONNREFUSED'})
  t.regex(program.complaints(), /stopping: 0 requests to finish/)
})
