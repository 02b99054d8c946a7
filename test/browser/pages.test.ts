/**
 * Pages in a real browser: without scripts, by keyboard, on a phone, without requests to other hosts, checked with axe.
 */
import test from 'ava'
import type {Browser} from 'playwright-core'
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

const at = (path: string) => new URL(path, service.base).href

const paths = [
  '/',
  '/books/',
  '/books/emma/',
  '/books/classics/',
  '/books/emma/?view=edit',
  '/books/?view=create',
  '/books/?view=delete',
  '/books/emma/?view=values&property=http://purl.org/dc/terms/title',
  '/none/',
  '/errors',
  '/sparql',
]

for (const colorScheme of ['light', 'dark'] as const) {
  testInBrowser(`axe finds no problem, ${colorScheme}; no page sends requests to other hosts`, async t => {
    const {page, complaints} = await openPage(t, browser, service.base, {colorScheme})
    for (const path of paths) {
      await page.goto(at(path))
      await page.locator('details').evaluateAll(all => {
        for (const one of all) one.setAttribute('open', '')
      })
      t.deepEqual(await accessibilityFaults(page), [], path)
    }

    t.deepEqual(
      complaints.filter(text => !text.includes('404')),
      [],
    )
  })
}

testInBrowser('documents and their links work without scripts', async t => {
  const {page} = await openPage(t, browser, at('/books/'), {javaScriptEnabled: false, locale: 'de-CH'})
  t.is(await page.locator('h1').textContent(), 'Bücher')

  await follow(page, page.locator('#page-children').getByRole('link', {name: 'Emma'}))
  t.is(await page.locator('h1').textContent(), 'Emma')
  t.deepEqual(await page.locator('ol.list > li').allInnerTexts(), ['Volume I', 'Volume II', 'Volume III'])
  await follow(page, page.getByRole('link', {name: 'Jane Austen'}).last())
  t.is(new URL(page.url()).pathname, '/authors/austen/')
  await follow(page, page.locator('.picture').getByRole('link', {name: 'dct:creator Persuasion'}))
  t.is(new URL(page.url()).pathname, '/books/persuasion/')
  await follow(page, page.getByRole('navigation', {name: 'Place'}).getByRole('link', {name: 'books'}))
  t.is(new URL(page.url()).pathname, '/books/')
})

testInBrowser('links lead to every other format, to show it or to save it under a good name', async t => {
  const {page} = await openPage(t, browser, at('/books/emma/'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', {name: 'N-Quads', exact: true}).click(),
  ])
  t.is(download.suggestedFilename(), 'emma.nq')

  await follow(page, page.getByRole('link', {name: 'Turtle', exact: true}))
  t.is(page.url(), at('/books/emma/?format=turtle'))
  t.regex(await page.locator('body').innerText(), /^@prefix c: /)
})

testInBrowser('a page fits on a phone, and only wide parts scroll', async t => {
  const {page} = await openPage(t, browser, service.base, {viewport: {width: 360, height: 740}})
  for (const path of paths) {
    await page.goto(at(path))
    const [content = 0, window = 0] = (await page.evaluate(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )) as readonly number[]
    t.true(content <= window, `${path} is ${content} wide`)
  }
})

testInBrowser('a key skips to the content', async t => {
  const {page} = await openPage(t, browser, at('/books/'))
  await page.keyboard.press('Tab')
  t.is(await page.evaluate('document.activeElement?.textContent'), 'To the content')
  await page.keyboard.press('Enter')
  await t.notThrowsAsync(page.waitForURL(at('/books/#page-main')))
})
