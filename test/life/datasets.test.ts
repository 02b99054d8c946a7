/** A service with several datasets as its operator sees it: commands, restart, and worker processes. */
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {settings} from '../../src/settings/config.ts'
import {ownSettings} from '../../src/settings/datasets.ts'
import {type Sent, send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {type ProgramSettings, runProgram, temporaryFolder} from '../support/process.ts'
import {projectDirectory} from '../support/program.ts'

const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}

type Ran = {readonly code: number | string | null; readonly output: string; readonly complaints: string}

/** A database, and a function that runs commands on it. */
async function useCommands(t: ExecutionContext) {
  const database = await createTestDatabase('template0')
  t.teardown(database.drop)
  const settings: ProgramSettings = {DATABASE_URL: database.url, PORT: '0'}
  async function run(...parameters: readonly string[]): Promise<Ran> {
    const program = runProgram(t, settings, parameters)
    const code = await program.exit
    return {code, output: program.output(), complaints: program.complaints()}
  }
  async function serve(more: ProgramSettings = {}) {
    const program = runProgram(t, {...settings, ...more})
    while (!program.output().includes('is ready at')) {
      const isOver = await Promise.race([
        program.exit.then(() => true),
        new Promise(resolve => setTimeout(resolve, 20)),
      ])
      if (isOver === true) throw new Error(program.complaints())
    }
    const [, url = ''] = /is ready at (\S+)/.exec(program.output()) ?? []
    return {program, ask: (sent?: Sent) => send(url, sent)}
  }
  return {database, run, serve}
}

test.serial('the only dataset goes on beside others; commands take --dataset', async t => {
  const {run, serve} = await useCommands(t)
  const folder = await temporaryFolder(t)
  const first = await serve({BASE_URL: 'http://localhost/'})
  t.is(
    (await first.ask({method: 'POST', path: '/', headers: {...turtle, Slug: 'old'}, body: '<> a <http://a/C> .'}))
      .status,
    201,
  )
  first.program.child.kill('SIGTERM')
  t.is(await first.program.exit, 0)

  t.like(await run('datasets', 'list'), {code: 1})
  const added = await run('datasets', 'add', 'alpha', '--base-url', 'http://localhost/alpha/', 'PAGE_SIZE=5')
  t.deepEqual(added, {
    code: 0,
    output:
      'Dataset main is at http://localhost/ (schema quadstead).\n' +
      'Dataset alpha is at http://localhost/alpha/ (schema dataset_alpha).\n',
    complaints: added.complaints,
  })
  t.is((await run('datasets', 'add', 'beta', '--base-url', 'https://beta.example/')).code, 0)
  t.like(await run('datasets', 'add', 'beta', '--base-url', 'https://other.example/'), {
    code: 1,
    complaints: 'quadstead: There is a dataset "beta" already.\n',
  })

  const {ask, program} = await serve()
  t.regex(program.output(), /\(3 datasets, PostgreSQL .*, registry quadstead_datasets\)/)
  t.is((await ask({path: '/old/'})).status, 200)
  for (const [path, host] of [
    ['/alpha/', 'localhost'],
    ['/', 'beta.example'],
  ] as const) {
    const headers = {...turtle, Host: host, Slug: 'new'}
    t.is((await ask({method: 'POST', path, headers, body: `<> <http://a/p> "${host}" .`})).status, 201)
  }

  const file = join(folder, 'alpha.nq')
  t.is((await run('export', '--dataset', 'alpha', '--output', file)).code, 0)
  t.is(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('http://a/p'))
      .join(),
    '<http://localhost/alpha/new/> <http://a/p> "localhost" <http://localhost/alpha/new/> .',
  )
  const again = join(folder, 'again.nq')
  t.is((await run('datasets', 'export', 'alpha', '--output', again)).code, 0)
  t.is(readFileSync(again, 'utf8'), readFileSync(file, 'utf8'))
  t.like(await run('datasets', 'export'), {code: 2})
  t.like(await run('datasets', 'export', 'gamma'), {code: 1})
  t.is((await run('datasets', 'add', 'copy', '--base-url', 'http://localhost/alpha/', '--schema', 'copied')).code, 1)
  const data = join(folder, 'more.nq')
  writeFileSync(data, '<http://localhost/alpha/more/> <http://a/p> "imported" <http://localhost/alpha/more/> .\n')
  const imported = await run('import', '--dataset', 'alpha', data)
  t.is(imported.code, 0, imported.complaints)
  t.regex((await ask({path: '/alpha/more/'})).text, /imported/)
  t.is((await ask({path: '/more/'})).status, 404)
  t.like(await run('stats', '--dataset', 'gamma'), {code: 1})
  const key = await run('keys', 'add', '--dataset', 'alpha', '--agent', 'https://example.org/#me')
  t.regex(key.output, /^qsk_/)
  t.is((await run('keys', 'list', '--dataset', 'beta')).output, '')
  t.regex((await run('check', '--dataset', 'beta')).output, /Schema dataset_beta: nothing is wrong/)

  const list = JSON.parse((await run('datasets', 'list', '--json')).output)
  t.deepEqual(
    list.map(({name, state}: {name: string; state: string}) => `${name} ${state}`),
    ['alpha ready', 'beta ready', 'main ready'],
  )
  t.like(await run('datasets', 'remove', 'beta'), {code: 2})
  t.is((await run('datasets', 'remove', 'beta', '--confirm', 'beta')).code, 0)
  await until(async () => (await ask({path: '/', headers: {Host: 'beta.example'}})).status === 421)
  t.is((await run('migrate')).output, '2 of 2 datasets are up to date.\n')
})

test.serial('workers serve all datasets, notice new ones, and count requests together', async t => {
  const {run, serve} = await useCommands(t)
  const limit = ['REQUEST_LIMIT=20', 'REQUEST_LIMIT_WINDOW_MS=86400000']
  t.is((await run('datasets', 'add', 'one', '--base-url', 'http://localhost/one/', ...limit)).code, 0)
  const {ask, program} = await serve({WORKERS: '2'})
  t.regex(program.output(), /\(1 datasets, PostgreSQL .*, registry quadstead_datasets, 2 workers\)/)

  const statuses = (await Promise.all(Array.from({length: 40}, () => ask({path: '/one/'})))).map(({status}) => status)
  t.is(statuses.filter(status => status === 200).length, 20)
  t.is(statuses.filter(status => status === 429).length, 20)
  t.is((await run('datasets', 'add', 'two', '--base-url', 'http://localhost/two/')).code, 0)
  const late = await Promise.all(Array.from({length: 8}, () => ask({path: '/two/'})))
  t.deepEqual(new Set(late.map(({status}) => status)), new Set([200]))
  await until(async () => {
    const {text} = await ask({path: '/metrics'})
    return (
      /^quadstead_datasets{state="ready"} 2$/m.test(text) && /requests_total{dataset="two",status="2xx"} 8/.test(text)
    )
  })
  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
})

test.serial('a service that is killed while it upgrades goes on at its next start', async t => {
  const {database, run, serve} = await useCommands(t)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names)
    t.is((await run('datasets', 'add', name, '--base-url', `http://localhost/${name}/`)).code, 0)
  await database.database.query("update quadstead_datasets.dataset set sql_version = 'older'")
  for (const name of names)
    await database.database.query(`update dataset_${name}.migration set checksum = 'older' where version = 0`)
  const behind = async () => {
    const text = "select name from quadstead_datasets.dataset where sql_version = 'older'"
    return (await database.database.query(text)).length
  }

  const first = await serve()
  await until(async () => (await behind()) < names.length)
  first.program.child.kill('SIGKILL')
  await first.program.exit
  const {ask} = await serve()
  t.is((await ask({path: '/f/'})).status, 200)
  await until(async () => (await behind()) === 0)
  for (const name of names) t.is((await ask({path: `/${name}/`})).status, 200)
})

test.serial('the examples of docs/datasets.md do what they say', async t => {
  const {run, serve} = await useCommands(t)
  const page = readFileSync(join(projectDirectory, 'docs/datasets.md'), 'utf8')
  const [, block = ''] = /## Begin\n\n```sh\n([\s\S]*?)```/.exec(page) ?? []
  const lines = block.trim().split('\n')
  const said = (index: number) => lines[index + 1]?.replace(/^# /, '') ?? ''
  let ask: ((sent?: Sent) => Promise<{readonly status: number}>) | undefined
  let compared = 0
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('quadstead datasets')) {
      t.is((await run(...line.split(' ').slice(1))).output, `${said(index)}\n`)
      compared += 1
    } else if (line === 'quadstead &') ask = (await serve()).ask
    else if (line.startsWith('curl')) {
      const [, host = 'localhost:8080'] = /-H 'Host: ([^']*)'/.exec(line) ?? []
      const [, path = ''] = /http:\/\/localhost:8080(\S*)/.exec(line) ?? []
      t.is(String((await ask?.({path, headers: {Host: host}}))?.status), said(index))
      compared += 1
    }
  }
  t.is(compared, 5)
  const changes = Array.from(page.matchAll(/^quadstead (datasets set .*)$/gm), ([, words = '']) => words.split(' '))
  const results: string[] = []
  for (const words of changes) results.push((await run(...words)).output)
  t.deepEqual(results, ['Dataset alpha: ACCESS=grants REQUEST_LIMIT=2000.\n', 'Dataset alpha: ACCESS=grants.\n'])
})

test.serial('docs/datasets.md names the settings that a dataset may have', t => {
  const page = readFileSync(join(projectDirectory, 'docs/datasets.md'), 'utf8')
  const [, paragraph = ''] = /These can be set for a dataset:([\s\S]*?)The others/.exec(page) ?? []
  const names = Array.from(paragraph.matchAll(/`([A-Z_]+)`/g), ([, name = '']) => name)
  const isNamed = (setting: string) => names.some(name => setting.startsWith(name))

  t.deepEqual(
    ownSettings.filter(setting => !isNamed(setting)),
    [],
  )
  const covered = (Object.keys(settings) as readonly string[]).filter(isNamed)
  const own: readonly string[] = ownSettings
  t.deepEqual(
    covered.filter(setting => !own.includes(setting)),
    [],
  )
})
