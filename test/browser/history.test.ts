/** The pages of a document's past in a real browser: its changes, a state, and the button that restores it. */
import test, {type ExecutionContext} from 'ava'
import type {Browser} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {create, ldp, readValue} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService
let browser: Browser | undefined

test.before(async () => {
  service = await startService()
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
})

const title = 'http://purl.org/dc/terms/title'
const at = (path: string) => new URL(path, service.base).href

async function patch(t: ExecutionContext, path: string, body: string): Promise<void> {
  const headers = {'Content-Type': 'text/ldpatch', Prefer: `${ldp}RDFSource; rel=interaction-model`}
  t.is((await service.send({method: 'PATCH', path, headers, body})).status, 204)
}

/** A document whose title was `First` and is `Second`. */
async function changed(t: ExecutionContext, slug: string) {
  const made = await create(t, service, {slug, body: `<> <${title}> "First" .`})
  await patch(t, made.path, `Delete { <> <${title}> "First" } . Add { <> <${title}> "Second" } .`)
  return made
}

testInBrowser('the button restores a state; the list of changes leads to it', async t => {
  const {path} = await changed(t, 'again')
  const {page, complaints} = await openPage(t, browser, at(`${path}?states`))
  t.deepEqual(await page.locator('tbody tr td:nth-child(2)').allInnerTexts(), ['Edited', 'Created'])
  t.deepEqual(await accessibilityFaults(page), [])

  await follow(page, page.locator('tbody tr').first().getByRole('link'))
  t.is(await page.getByRole('button', {name: 'Restore this state'}).count(), 0)
  t.deepEqual(await page.locator('.columns ul.entries').allInnerTexts(), ['dct:title Second', 'dct:title First'])
  await follow(page, page.getByRole('link', {name: 'Previous state'}))
  t.deepEqual(await accessibilityFaults(page), [])
  await page.getByRole('button', {name: 'Restore this state'}).click()
  await page.waitForURL(at(path))

  t.is(await page.locator('h1').textContent(), 'First')
  t.is(await readValue(service, path, title), 'First')
  await page.goto(at(`${path}?states`))
  t.deepEqual(await page.locator('tbody tr td:nth-child(2)').allInnerTexts(), ['Replaced', 'Edited', 'Created'])
  t.deepEqual(complaints, [])
})

testInBrowser('a state is not restored if the document has changed meanwhile', async t => {
  const {path, etag} = await changed(t, 'meanwhile')
  const {page} = await openPage(t, browser, at(`${path}?state=${etag.slice(1, -1)}`))
  await patch(t, path, `Delete { <> <${title}> "Second" } . Add { <> <${title}> "Third" } .`)
  await page.getByRole('button', {name: 'Restore this state'}).click()

  await page.getByRole('alert').getByText('has changed since this page was made').waitFor()
  t.is(await readValue(service, path, title), 'Third')
})

testInBrowser('a deleted document is created again', async t => {
  const {path, etag} = await changed(t, 'gone')
  t.is((await service.send({method: 'DELETE', path})).status, 204)
  const {page} = await openPage(t, browser, at(`${path}?state=${etag.slice(1, -1)}`))
  await page.getByRole('button', {name: 'Restore this state'}).click()
  await page.waitForURL(at(path))

  t.is(await readValue(service, path, title), 'First')
})
