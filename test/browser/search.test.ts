/** The search box of every page, its suggestions, and the page of results, in both sizes and both colour schemes. */
import {join} from 'node:path'
import test from 'ava'
import type {Browser} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {create} from '../support/documents.ts'
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

testInBrowser('the box suggests documents while somebody types, and opens them by keyboard', async t => {
  const {page, complaints} = await openPage(t, browser, service.base)
  const box = page.getByRole('combobox', {name: 'Search documents'})

  await box.pressSequentially('emm')
  await page.getByRole('option', {name: 'Emma'}).waitFor()
  t.is(await box.getAttribute('aria-expanded'), 'true')
  t.deepEqual(await accessibilityFaults(page), [])
  await box.press('Escape')
  t.is(await page.getByRole('listbox').count(), 0)
  await box.press('a')
  await page.getByRole('option', {name: 'Emma'}).waitFor()
  await box.press('ArrowDown')
  t.is(await page.locator('[aria-selected="true"]').count(), 1)
  await Promise.all([page.waitForURL('**/emma/'), box.press('Enter')])
  t.is(await page.locator('h1').textContent(), 'Emma')
  t.deepEqual(complaints, [])
})

testInBrowser('Enter searches; results are marked, restricted and paged, also without scripts', async t => {
  for (let n = 0; n < 25; n += 1)
    await create(t, service, {slug: `lamp-${n}`, body: `<> <http://purl.org/dc/terms/title> "Lamp ${n}"@en .`})
  for (const javaScriptEnabled of [true, false]) {
    const {page, complaints} = await openPage(t, browser, service.base, {javaScriptEnabled})
    await page.locator('.search-box input').fill('lamp')
    await Promise.all([page.waitForURL('**/search?q=lamp'), page.locator('.search-box input').press('Enter')])

    t.is(await page.locator('.found > li').count(), 20)
    t.is(await page.locator('.found mark').first().textContent(), 'Lamp')
    t.is(await page.getByText('25 documents').count(), 1)
    await follow(page, page.getByRole('link', {name: 'Next page'}))
    t.is(await page.locator('.found > li').count(), 5)
    await page.getByText('Restrict').click()
    await page.getByLabel('Language').fill('de')
    await Promise.all([
      page.waitForURL('**lang=de**'),
      page.locator('.search-line').getByRole('button', {name: 'Search'}).click(),
    ])
    t.is(await page.getByText('No document has these words.').count(), 1)
    t.deepEqual(complaints, [])
  }
})

const pictures = process.env.SCREENSHOTS

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, viewport] of [
    ['desktop', {width: 1280, height: 900}],
    ['phone', {width: 390, height: 844}],
  ] as const) {
    testInBrowser(`the pages fit: ${name}, ${colorScheme}`, async t => {
      const {page, complaints} = await openPage(t, browser, `${service.base}search?q=emma&lang=`, {
        viewport,
        colorScheme,
      })
      const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')
      const take = async (what: string) => {
        if (pictures !== undefined) await page.screenshot({path: join(pictures, `${what}-${name}-${colorScheme}.png`)})
      }

      for (const [what, path] of [
        ['found', 'search?q=jane'],
        ['empty', 'search'],
        ['none', 'search?q=nothinglikethis&type=foaf:Person'],
        ['corrected', 'search?q=Persuason'],
      ] as const) {
        await page.goto(service.base + path)
        t.false(await isWide(), what)
        t.deepEqual(await accessibilityFaults(page), [], what)
        await take(`search-${what}`)
      }
      await page.goto(`${service.base}books/`)
      await page.locator('.search-box input').pressSequentially('per')
      await page.getByRole('option').first().waitFor()
      t.false(await isWide())
      await take('search-suggestions')
      t.deepEqual(complaints, [])
    })
  }
}
