/**
 * The documentation in a real browser: search, without scripts, on a phone.
 *
 * SCREENSHOTS names a folder for pictures.
 */
import {join} from 'node:path'
import test from 'ava'
import type {Browser} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
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

const at = (path: string) => new URL(path, service.base).href

testInBrowser('the search finds sections while typing, by keyboard', async t => {
  const {page, complaints} = await openPage(t, browser, at('docs/tour'))
  const field = page.getByRole('searchbox', {name: 'Search the documentation'})

  await field.fill('text ind')
  await page.locator('.docs-found a').first().waitFor()
  const first = await page.locator('.docs-found a').first().innerText()
  t.regex(first, /^(?:Operations: )?Text index/m)
  await field.press('ArrowDown')
  await Promise.all([page.waitForURL(/docs\/\w+#text-index$/), page.keyboard.press('Enter')])
  t.true(await page.locator('#text-index').isVisible())

  await field.fill('zzzz')
  await page.getByRole('status').filter({hasText: 'Nothing found'}).waitFor({state: 'attached'})
  await field.fill('if-match')
  await page.locator('.docs-found a', {hasText: 'Entity tags and conditions'}).waitFor()
  t.deepEqual(complaints, [])
})

testInBrowser('pages are complete without scripts', async t => {
  const {page} = await openPage(t, browser, at('docs'), {javaScriptEnabled: false})

  t.false(await page.locator('.docs-search').isVisible())
  await follow(page, page.locator('.docs-pages').getByRole('link', {name: 'A tour'}))
  t.is(await page.locator('h1').innerText(), 'A tour')
  await follow(page, page.locator('[rel=next]'))
  t.is(await page.locator('h1').innerText(), 'Pages for browsers')
})

for (const [name, viewport] of [
  ['desktop', {width: 1200, height: 900}],
  ['phone', {width: 390, height: 844}],
] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    testInBrowser(`axe finds nothing, and nothing is cut off: ${name}, ${colorScheme}`, async t => {
      const {page, complaints} = await openPage(t, browser, at('docs'), {viewport, colorScheme})
      for (const path of [
        'docs',
        'docs/tour',
        'docs/settings',
        'docs/interface',
        'docs/decisions/0001-two-validators',
      ]) {
        await page.goto(at(path))
        t.deepEqual(await accessibilityFaults(page), [], path)
        t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path)
        const {SCREENSHOTS = ''} = process.env
        const file = `${path.replaceAll('/', '-')}-${name}-${colorScheme}.png`
        if (SCREENSHOTS !== '') await page.screenshot({path: join(SCREENSHOTS, file)})
      }
      t.deepEqual(complaints, [])
    })
