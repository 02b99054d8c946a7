/** The tutorial, run from its own text: the commands, the files that it writes, and the application in two windows. */
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import type {Browser, Page} from 'playwright-core'
import {accessibilityFaults, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {until} from '../support/machine.ts'
import {projectDirectory} from '../support/program.ts'
import {useService} from '../support/service.ts'

const tutorial = readFileSync(join(projectDirectory, 'docs/tutorial.md'), 'utf8')

let browser: Browser | undefined

test.before(async () => {
  browser = await startBrowser()
})
test.after.always(() => browser?.close())

/** The files of the tutorial: the blocks that begin with a name. Several blocks of a name are one file. */
function filesOf(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [, name = '', block = ''] of text.matchAll(/```\w+ (\S+)\n([\s\S]*?)```/g)) {
    const before = files.get(name)
    files.set(name, before === undefined ? block : `${before}\n${block}`)
  }
  return files
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Does what the tutorial says, with other ports. Returns the URL of the application. */
async function follow(t: ExecutionContext, base: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quadstead-tutorial-'))
  t.teardown(() => rmSync(folder, {recursive: true}))
  const url = `http://localhost:${await freePort()}/`
  const adapted = tutorial
    .replaceAll('http://localhost:8080/', base)
    .replaceAll('http://localhost:3000/', url)
    .replace('listen(3000,', `listen(${new URL(url).port},`)
  const [create = '', serve = ''] = Array.from(adapted.matchAll(/```sh\n([\s\S]*?)```/g), ([, block]) => block)
  t.is((await promisify(execFile)('sh', ['-c', create])).stdout, '201\n')
  for (const [name, text] of filesOf(adapted)) writeFileSync(join(folder, name), text)
  const server = spawn('sh', ['-c', `exec ${serve}`], {cwd: folder, stdio: 'inherit'})
  t.teardown(() => server.kill())
  await until(async () => (await fetch(url).catch(() => undefined))?.status === 200)
  return url
}

async function openWindow(t: ExecutionContext, url: string): Promise<{page: Page; complaints: readonly string[]}> {
  if (browser === undefined) throw new Error('there is no browser')
  const context = await browser.newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto(url)
  return {page, complaints}
}

const item = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({hasText: text})

testInBrowser('the application of the tutorial reads, writes, queries and listens', async t => {
  const {base} = await useService(t)
  const url = await follow(t, base)
  const [one, other] = [await openWindow(t, url), await openWindow(t, url)]

  await one.page.getByLabel('Title').fill('Emma & <b>Mr. Knightley</b>')
  await one.page.getByRole('button', {name: 'Add'}).click()
  await item(other.page, 'Emma & <b>Mr. Knightley</b>').waitFor()
  await item(one.page, 'Emma').getByRole('button', {name: 'Finished'}).click()
  await item(other.page, /finished \d{4}-\d\d-\d\d/).waitFor()
  await item(other.page, 'Emma').getByRole('button', {name: 'Details'}).click()
  await other.page.locator('#details', {hasText: 'ns#finished'}).waitFor()
  t.deepEqual(await accessibilityFaults(other.page), [])
  await item(other.page, 'Emma').getByRole('button', {name: 'Remove'}).click()
  await item(one.page, 'Emma').waitFor({state: 'detached'})
  t.deepEqual([...one.complaints, ...other.complaints], [])
})

testInBrowser('the application shows the sentence of a refused request', async t => {
  const {base, send} = await useService(t)
  const {page} = await openWindow(t, await follow(t, base))
  await page.getByLabel('Title').fill('Emma')
  await page.getByRole('button', {name: 'Add'}).click()
  await item(page, 'Emma').waitFor()

  await page.addInitScript('window.EventSource = class extends EventTarget {}') // the page does not hear of the deletion
  await page.reload()
  await item(page, 'Emma').waitFor()
  await send({method: 'DELETE', path: '/reading/'})
  await item(page, 'Emma').getByRole('button', {name: 'Finished'}).click()

  await page.getByRole('alert').filter({hasText: 'There is no document'}).waitFor()
})

test('examples/reading-list has the files of the tutorial', t => {
  const folder = join(projectDirectory, 'examples/reading-list')
  const files = filesOf(tutorial)

  t.deepEqual(readdirSync(folder).sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.is(readFileSync(join(folder, name), 'utf8'), text)
})
