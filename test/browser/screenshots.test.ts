/**
 * Takes the pictures of the README, and checks their content. `npm run docs:screenshots` writes them to docs.
 *
 * SCREENSHOTS names the folder; without it they go into a temporary one. Pictures are not compared, because fonts
 * differ between machines.
 */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import test from 'ava'
import type {Browser, Page} from 'playwright-core'
import {openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {startService, type TestService} from '../support/service.ts'
import {fillShelf} from '../support/shelf.ts'

const size = {width: 1160, height: 800}
const chosen = process.env.SCREENSHOTS ?? ''
const folder = chosen === '' ? mkdtempSync(join(tmpdir(), 'qs-screenshots-')) : chosen

let service: TestService
let browser: Browser | undefined

test.before(async () => {
  service = await startService({BASE_URL: 'http://localhost:8080/'}) // as in the README
  await fillShelf(service)
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
  if (chosen === '') rmSync(folder, {recursive: true})
})

/** Takes a picture, and returns its size from the PNG header. Throws if the file is not a PNG. */
async function takePicture(page: Page, name: string): Promise<typeof size | undefined> {
  const path = join(folder, name)
  await page.screenshot({path})
  const bytes = readFileSync(path)
  const isPicture = bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'
  return isPicture ? {width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20)} : undefined
}

const query = `PREFIX dct: <http://purl.org/dc/terms/>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX ex: <http://example.org/ns#>

SELECT ?novel ?title ?author ?pages WHERE {
  ?novel a ex:Novel ; dct:title ?title ; dct:creator/foaf:name ?author .
  OPTIONAL { ?novel ex:pages ?pages }
}
ORDER BY DESC(?pages)`

testInBrowser("the README shows a document's page", async t => {
  const {page} = await openPage(t, browser, `${service.url}books/emma/`, {viewport: size, colorScheme: 'light'})

  t.is(await page.locator('h1').textContent(), 'Emma')
  t.true(await page.getByText('Jane Austen').first().isVisible())
  t.deepEqual(await takePicture(page, 'document.png'), size)
})

testInBrowser('the README shows the query page with an answer', async t => {
  const url = `${service.url}sparql#${new URLSearchParams({query})}`
  const {page} = await openPage(t, browser, url, {viewport: size, colorScheme: 'light'})
  await page.getByRole('button', {name: 'Run'}).click()
  await page.locator('table').waitFor()

  t.deepEqual(await page.locator('table th button').allTextContents(), ['novel', 'title', 'author', 'pages'])
  t.true((await page.locator('table tbody tr').count()) > 1)
  t.deepEqual(await takePicture(page, 'query.png'), size)
})
