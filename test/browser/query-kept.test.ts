/** The queries that the query page keeps, in a real browser: tabs, history, saved queries, examples. */
import test from 'ava'
import type {Browser, Page} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {startService, type TestService} from '../support/service.ts'
import {fillShelf} from '../support/shelf.ts'

let service: TestService
let browser: Browser | undefined

test.before(async () => {
  service = await startService()
  await fillShelf(service)
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
})

const editor = 'document.querySelector(".CodeMirror").CodeMirror'
const textOf = (page: Page) => page.evaluate(`${editor}.getValue()`)
const write = (page: Page, text: string) => page.evaluate(`${editor}.setValue(${JSON.stringify(text)})`)
const tabs = (page: Page) => page.locator('.query-tabs .open').allInnerTexts()

async function run(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Run', exact: true}).click()
  await page.locator('[data-status]', {hasText: / ms\.$|Refused/}).waitFor()
}

testInBrowser('tabs and texts survive a reload, and a second window does not overwrite them', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await write(page, '# One\nASK {}')
  await page.getByRole('button', {name: 'New query'}).click()
  await write(page, '# Two\nASK { ?s ?p ?o }')
  await page.getByLabel('Contexts').check()
  t.deepEqual(await tabs(page), ['One', 'Two', 'New query'])

  await page.goto('about:blank')
  await page.goto(`${service.base}sparql`)
  t.deepEqual(await tabs(page), ['One', 'Two', 'New query'])
  t.is(await textOf(page), '# Two\nASK { ?s ?p ?o }')
  t.true(await page.getByLabel('Contexts').isChecked())

  const other = await page.context().newPage()
  await other.goto(`${service.base}sparql`)
  await other.getByRole('button', {name: 'New query'}).click()
  await write(other, '# Three')
  await page.getByRole('button', {name: 'Three', exact: true}).waitFor()
  await write(page, '# Two, changed')
  await other.reload()
  t.deepEqual(await tabs(other), ['One', 'Two, changed', 'Three', 'New query'])
  t.is(await textOf(other), '# Three', 'each window keeps its own choice')
  t.deepEqual(complaints, [])
})

testInBrowser('each tab keeps its answer, also while another one is shown', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await write(page, '# One\nASK {}')
  await run(page)
  await page.getByRole('button', {name: 'New query'}).click()
  t.is(await page.locator('[data-status]').isVisible(), false)
  await write(page, '# Two\nASK { FILTER(false) }')
  await run(page)
  await page.getByRole('button', {name: 'One', exact: true}).click()

  t.regex(await page.locator('[data-status]').innerText(), /^Yes/)
})

testInBrowser('on a phone the tabs are one line, which shows the chosen one', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`, {viewport: {width: 390, height: 844}})
  for (let count = 1; count <= 5; count++) {
    const query = `SELECT ?number_${count} WHERE { ?number_${count} ?p ?o }`
    await page.goto('about:blank')
    await page.goto(`${service.base}sparql#${new URLSearchParams({query})}`)
    await page.locator('.query-tabs .here', {hasText: `number_${count}`}).waitFor()
  }

  await page.waitForFunction('document.querySelector(".query-tabs").scrollLeft > 0')
  const box = await page.locator('.query-tabs .here').boundingBox()
  t.true(box !== null && box.x >= 0 && box.x + 100 < 390)
  t.true(((await page.locator('.query-tabs').boundingBox())?.height ?? 100) < 60)
  t.deepEqual(complaints, [])
})

testInBrowser('a closed tab is in the history, which has the last hundred queries', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await write(page, '# First\nASK {}')
  await run(page)
  await page.getByRole('button', {name: 'New query'}).click()
  await write(page, '# Never run')
  await page.getByRole('button', {name: 'Close Never run'}).click()
  await page.getByText('History').click()
  const entries = page.locator('[data-menu=history] li')
  t.regex((await entries.allInnerTexts()).join('|'), /^Never run[\s\S]*Closed\|First[\s\S]*Yes in/)
  t.deepEqual(await accessibilityFaults(page), [])

  await entries.first().getByRole('button').click()
  t.is(await textOf(page), '# Never run')
  const past = '{text: "ASK {} # " + n, outcome: "", time: "2026-01-01T00:00:00Z"}'
  await page.evaluate(
    `localStorage.setItem('quadstead / history', JSON.stringify(Array.from({length: 100}, (_, n) => (${past}))))`,
  )
  await write(page, '# Latest\nASK {}')
  await run(page)
  await page.getByText('History').click()
  await entries.first().getByText('Latest').waitFor()
  t.is(await entries.count(), 100)
})

testInBrowser('a query is saved as a document, listed, and opened from its page', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  const query =
    '# Long novels\nSELECT ?novel { ?novel <http://example.org/ns#pages> ?n FILTER(?n > 300) } # "quoted" \\ '
  await write(page, query)
  for (const title of ['Long novels', 'Long novels, too']) {
    await page.getByRole('button', {name: 'Save …'}).click()
    await page.getByLabel('Title').fill(title)
    await page.getByRole('dialog').getByRole('button', {name: 'Save'}).click()
    await page
      .locator('[data-notice]', {hasText: `Saved as /queries/${title === 'Long novels' ? 'long-novels/' : ''}`})
      .waitFor()
  }
  await page.locator('[data-notice]', {hasText: 'too/'}).waitFor()
  await page.getByText('Saved queries').click()
  const entries = page.locator('[data-menu=saved] li')
  await entries.first().waitFor()
  t.deepEqual(await entries.allInnerTexts(), [
    'Long novels\n/queries/long-novels/',
    'Long novels, too\n/queries/long-novels-too/',
  ])

  const other = await openPage(t, browser, `${service.base}queries/long-novels/`)
  await follow(other.page, other.page.getByRole('link', {name: 'Open the query'}))
  await other.page.locator('.CodeMirror').waitFor()
  t.is(await textOf(other.page), query)
  t.deepEqual(
    complaints.filter(text => !text.includes('404')),
    [],
  )
})

testInBrowser('examples are about the stored classes and properties, and run', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await page.getByText('Examples').click()
  const entries = page.locator('[data-menu=examples] li')
  await entries.first().waitFor()
  const names = await entries.allInnerTexts()
  t.true(names.includes('ex:Novel with its properties'), names.join())

  for (const [index, name] of names.entries()) {
    if (index > 0) await page.getByText('Examples').click()
    await entries.nth(index).getByRole('button').click()
    await page.locator('[data-menu=examples]:not([open])').waitFor({state: 'attached'})
    await page.locator('.answer[hidden]').waitFor({state: 'attached'})
    await run(page)
    t.regex(await page.locator('[data-status]').innerText(), /^[1-9]\d* (?:rows?|triples?) in/, name)
  }
  t.deepEqual(complaints, [])
})
