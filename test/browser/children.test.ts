/** The children of a document on its page: order, filter, pages, and changes of those that are selected. */
import test from 'ava'
import type {Browser, Page} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {create} from '../support/documents.ts'
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

const names = (page: Page) => page.locator('.children a').allInnerTexts()

testInBrowser('children are sorted, filtered while the user types, and reached by page', async t => {
  const {path, iri} = await create(t, service, {slug: 'sorted'})
  for (let n = 0; n < 60; n += 1) {
    const label = `${n === 30 ? 'Äpfel' : 'Thing'} ${String((n * 7) % 60).padStart(2, '0')}`
    await create(t, service, {parent: path, slug: `c${n}`, body: `<> <http://purl.org/dc/terms/title> "${label}" .`})
  }
  const {page, complaints} = await openPage(t, browser, iri)
  t.regex(await page.locator('#page-children h2').innerText(), /60/)

  await page.getByLabel('Order').selectOption('label')
  await page.locator('.children li:first-child', {hasText: 'Äpfel'}).waitFor()
  t.is((await names(page))[1], 'Thing 00', 'accents do not count')
  await follow(page, page.getByRole('link', {name: 'Last page'}))
  t.deepEqual([(await names(page)).length, (await names(page)).at(-1)], [10, 'Thing 59'])
  t.is(await page.getByLabel('Order').inputValue(), 'label')

  await page.getByLabel('Filter by label or name').fill('apf')
  await page.locator('.children li:first-child', {hasText: 'Äpfel'}).waitFor()
  t.deepEqual(await names(page), ['Äpfel 30'])
  t.deepEqual(await accessibilityFaults(page), [])
  await page.reload()
  t.deepEqual(await names(page), ['Äpfel 30'], 'the address has the filter')

  const plain = await openPage(t, browser, iri, {javaScriptEnabled: false})
  await plain.page.getByRole('spinbutton', {name: 'Page'}).fill('2')
  await follow(plain.page, plain.page.getByRole('button', {name: 'Show'}))
  t.is((await names(plain.page)).length, 10, 'the form works without scripts')
  t.deepEqual(complaints, [])
})

testInBrowser('selected children are copied, moved and deleted, all of them or none', async t => {
  const from = await create(t, service, {slug: 'from'})
  const to = await create(t, service, {slug: 'to'})
  for (const slug of ['a', 'b', 'c']) await create(t, service, {parent: from.path, slug})
  await create(t, service, {parent: to.path, slug: 'b'})
  const {page} = await openPage(t, browser, from.iri)
  const act = async (slugs: readonly string[], name: string, target?: string) => {
    for (const slug of slugs) await page.getByLabel(`Select ${slug}`).check()
    await page.getByRole('button', {name: `${name} …`}).click()
    if (target !== undefined) await page.getByLabel('To the container').fill(target)
    await page.getByRole('dialog').getByRole('button', {name, exact: true}).click()
  }
  const status = async (path: string) => (await service.send({path})).status

  await act(['a', 'b'], 'Move', to.path)
  await page.getByRole('alert').getByText('Nothing was changed').waitFor()
  t.deepEqual([await status(`${from.path}a/`), await status(`${to.path}a/`)], [200, 404], 'b is there already')

  await page.reload()
  await Promise.all([page.waitForEvent('load'), act(['a'], 'Copy', to.path)])
  t.deepEqual([await status(`${from.path}a/`), await status(`${to.path}a/`)], [200, 200])
  await Promise.all([page.waitForEvent('load'), act(['c'], 'Move', to.path)])
  t.deepEqual([await status(`${from.path}c/`), await status(`${to.path}c/`)], [404, 200])
  await Promise.all([page.waitForEvent('load'), act(['a', 'b'], 'Delete')])
  t.deepEqual([await status(`${from.path}a/`), await status(`${from.path}b/`)], [404, 404])
  t.is(await page.locator('#page-children').count(), 0)
})

testInBrowser('RDF files that are chosen or dropped become children; an error names its line', async t => {
  const {path, iri} = await create(t, service, {slug: 'uploads'})
  const {page, complaints} = await openPage(t, browser, `${iri}?view=create`)
  const file = (name: string, text: string) => ({name, mimeType: '', buffer: Buffer.from(text)})
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('Emma.ttl', '<> <http://purl.org/dc/terms/title> "Emma" .'),
      file('bad.ttl', '<> a <http://x.example/T> .\n<> a .'),
      file('notes.txt', 'none'),
    ])
  await page.getByText('1 document created.').waitFor()
  const lines = await page.locator('[data-uploaded] li').allInnerTexts()
  t.is(lines[0], 'Emma.ttl is created.')
  t.regex(lines[1] ?? '', /^bad\.ttl line 2, column \d+: /)
  t.regex(lines[2] ?? '', /^notes\.txt has no extension of an RDF format: ttl, /)
  t.deepEqual(await accessibilityFaults(page), [])

  await page.goto(iri)
  t.false(await page.getByText('Drop RDF files here').isVisible())
  await page.evaluate(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['{"@id": "", "http://purl.org/dc/terms/title": "Dropped"}'], 'dropped.jsonld'))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}))
  })()`)
  await page.getByText('dropped.jsonld is created.').waitFor()
  await follow(page, page.getByRole('link', {name: 'dropped.jsonld'}))
  t.is(await page.locator('h1').textContent(), 'Dropped')
  t.is((await service.send({path: `${path}Emma/`})).status, 200)
  t.deepEqual(
    complaints.filter(line => !line.includes('400')),
    [],
  )
})
