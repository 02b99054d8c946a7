/** The query page in a real browser: editor, completion, table, explanation, downloads, links, updates. */
import {readFileSync} from 'node:fs'
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

const dct = 'PREFIX dct: <http://purl.org/dc/terms/>'
const pages = `${dct} SELECT ?title ?pages { ?s dct:title ?title ; <http://example.org/ns#pages> ?pages } ORDER BY ?pages`
const novels = 'CONSTRUCT { ?s ?p ?o } WHERE { ?s a <http://example.org/ns#Novel> ; ?p ?o }'

/** Opens the page with a query in its URL and executes it. */
async function ask(page: Page, query: string, parameters: Record<string, string> = {}): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${service.base}sparql#${new URLSearchParams({query, ...parameters})}`)
  await page.getByRole('button', {name: 'Run'}).click()
  await page.locator('[data-status]', {hasNotText: 'Asking'}).filter({hasText: /\S/}).waitFor()
}

function cells(page: Page): Promise<readonly string[]> {
  return page
    .locator('table tr')
    .evaluateAll(rows =>
      rows.map(row => (row as unknown as {innerText: string}).innerText.replace(/ *\t */g, '\t').trim()),
    )
}

testInBrowser('solutions are shown as a table, with links, languages and datatypes', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, pages)

  t.deepEqual(await cells(page), ['title en\tpages xsd:integer', 'Persuasion\t249', 'Emma\t474'])
  t.regex((await page.locator('[data-status]').textContent()) ?? '', /^2 rows in [\d,]+ ms\.$/)
  t.deepEqual(await accessibilityFaults(page), [])
  t.deepEqual(complaints, [])
})

testInBrowser('a request for a query shows its answer, and an update in its place does not run', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql?${new URLSearchParams({query: pages})}`)
  await page.locator('[data-status]', {hasText: '2 rows'}).waitFor()
  t.deepEqual(await cells(page), ['title en\tpages xsd:integer', 'Persuasion\t249', 'Emma\t474'])
  t.is(page.url(), `${service.base}sparql#${new URLSearchParams({query: pages})}`)

  const update = 'DELETE WHERE { ?s ?p ?o }'
  await page.goto(`${service.base}sparql?${new URLSearchParams({query: update})}`)
  await page.getByRole('button', {name: 'Run the update …'}).waitFor()
  t.is(await page.locator('[data-status]').filter({hasText: /\S/}).count(), 0)
  t.deepEqual(complaints, [])
})

testInBrowser('ASK shows a word, and unbound variables show an empty cell', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'ASK { ?s ?p ?o }')
  t.regex((await page.locator('[data-status]').textContent()) ?? '', /^Yes in/)

  await ask(page, `SELECT ?a ?b ?c { VALUES (?a ?b ?c) { (UNDEF "x\\ty\\n"@en <urn:x>) (1.5 UNDEF "2"^^<urn:t>) } }`)
  t.deepEqual(
    await page.locator('td').evaluateAll(all => all.map(cell => (cell as {textContent: string}).textContent)),
    ['', 'x\ty\n', 'urn:x', '1.5', '', '2 urn:t'],
  )
})

testInBrowser('a graph is shown as a table with its documents', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, novels, {contexts: '1', checksums: '1'})
  await page.getByLabel('Labels').uncheck()

  t.is((await cells(page))[0], 'subject\tproperty\tobject\tdocument')
  t.true((await cells(page)).includes('/books/emma/\tex:pages\t474 xsd:integer\t/books/emma/'))
  t.is((await cells(page)).filter(row => row.includes('c:checksum')).length, 2)
  t.deepEqual(complaints, [])
})

testInBrowser('arrow keys select tabs', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, novels)
  await page.getByRole('tab', {name: 'Table'}).focus()
  await page.keyboard.press('ArrowLeft')

  t.is(await page.locator('[role=tab][aria-selected=true]').innerText(), 'Explanation')
  t.is(await page.evaluate('document.activeElement.textContent'), 'Explanation')
  await page.getByText("PostgreSQL's plan").waitFor()
})

testInBrowser('a query is explained: plan, SQL, algebra, times, and on request measurements', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, pages)
  await page.getByRole('tab', {name: 'Explanation'}).click()
  await page.locator('.plan strong').first().waitFor()
  t.regex(await page.getByRole('tabpanel').innerText(), /select [\s\S]*"quadstead"\.quad/)

  await page.getByRole('button', {name: 'Run it and measure'}).click()
  await page.locator('.plan', {hasText: 'found in'}).waitFor()
  t.deepEqual(await accessibilityFaults(page), [])
  t.deepEqual(complaints, [])
})

testInBrowser('a syntax error is shown once, marked in the editor, and corrected on request', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'ASK {\n  ?s ?p ?o FILTR(?o = 474)\n}')
  const problem = page.getByRole('alert')

  t.is(await problem.locator('p').first().innerText(), 'Unexpected "FILTR", at line 2, column 12. Did you mean FILTER?')
  t.is((await problem.innerText()).match(/line 2/g)?.length, 1)
  t.is(await page.locator('.query-error').innerText(), 'FILTR')
  t.is(await problem.getByRole('link').getAttribute('href'), '/errors#query-syntax')
  t.deepEqual(
    await page.evaluate('(({line, ch}) => [line, ch])(document.querySelector(".CodeMirror").CodeMirror.getCursor())'),
    [1, 11],
  )
  t.deepEqual(await accessibilityFaults(page), [])

  await page.getByRole('button', {name: 'Replace by FILTER'}).click()
  await page.locator('[data-status]', {hasText: /^Yes in/}).waitFor()
  t.is(await page.locator('.query-error').count(), 0)
})

testInBrowser('a service that cannot be reached is an error, and the query stays', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'ASK {}')
  await page.context().setOffline(true)
  await page.getByRole('button', {name: 'Run'}).click()

  t.regex(await page.getByRole('alert').innerText(), /The service did not answer/)
  t.is(await page.locator('[data-status]').innerText(), 'No answer.')
  t.is(await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.getValue()'), 'ASK {}')
})

testInBrowser('an error at the end of the text marks the last character', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'SELECT *\n{ ?s ?p ?o')

  t.is(await page.locator('.query-error').innerText(), 'o')
})

testInBrowser('an update runs only after confirmation', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  const ns = '<http://example.org/ns#'
  const update = `INSERT { GRAPH ?d { ?d ${ns}reviewed> true } } WHERE { ?d a ${ns}Novel> }`
  await page.goto(`${service.base}sparql#${new URLSearchParams({query: update})}`)
  await page.reload()
  t.false(await page.getByRole('button', {name: 'Download'}).isVisible())
  await page.getByRole('button', {name: 'Run the update'}).click()
  await page.getByRole('dialog').getByText('There is no undo').waitFor()
  t.deepEqual(await accessibilityFaults(page), [])
  await page.getByRole('button', {name: 'Cancel'}).click()
  t.false((await service.send({path: '/books/emma/'})).text.includes('reviewed'))

  await page.getByRole('button', {name: 'Run the update'}).click()
  await page.getByRole('dialog').getByRole('button', {name: 'Run the update'}).click()
  await page.locator('[data-status]', {hasText: 'Done'}).waitFor()
  t.is(await page.locator('[data-status]').innerText(), 'Done: 2 triples added, 0 removed.')
  t.deepEqual((await page.locator('.answer li').allInnerTexts()).sort(), ['/books/emma/', '/books/persuasion/'])
  t.true((await service.send({path: '/books/emma/'})).text.includes('reviewed'))
  t.deepEqual(complaints, [])
})

testInBrowser('a refused download leaves the page as it is', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'ASK {}')
  await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.setValue("SELECT * { ?s ?p }")')
  await page.getByRole('button', {name: 'Download'}).click()

  t.regex(await page.getByRole('alert').innerText(), /Unexpected "\}"/)
  t.is(new URL(page.url()).pathname, '/sparql')
  t.is(await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.getValue()'), 'SELECT * { ?s ?p }')
})

testInBrowser('the formats fit the form of the query', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  const offered = async (query: string) => {
    await page.evaluate(`document.querySelector(".CodeMirror").CodeMirror.setValue(${JSON.stringify(query)})`)
    return page
      .locator('[name=format] option')
      .evaluateAll(all => all.map(one => (one as never as {value: string}).value))
  }

  t.deepEqual(await offered('# CONSTRUCT\nPREFIX construct: <a:CONSTRUCT> SELECT * {}'), [
    'results-json',
    'results-xml',
    'results-csv',
    'results-tsv',
  ])
  t.true((await offered('CONSTRUCT {} {}')).includes('turtle'))
  t.false((await offered('DESCRIBE <a:a>')).includes('results-csv'))
  t.true((await offered('')).length > 10)
})

testInBrowser('a download uses the selected preferences and format', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, pages)
  await page.locator('[name=format]').selectOption('results-csv')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Download'}).click()])
  t.is(csv.suggestedFilename(), 'answer.csv')
  t.regex(await page.locator('[data-notice]').innerText(), /Saved as answer\.csv/)
  t.is(readFileSync(await csv.path(), 'utf8'), 'title,pages\r\nPersuasion,249\r\nEmma,474\r\n')

  await ask(page, novels, {contexts: '1'})
  await page.locator('[name=format]').selectOption('n-quads')
  const [quads] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', {name: 'Download'}).click(),
  ])
  t.true(readFileSync(await quads.path(), 'utf8').includes(`"474"^^`))
  t.true(readFileSync(await quads.path(), 'utf8').includes(`<${service.base}books/emma/> .`))
})

testInBrowser('the link to a query restores it with its preferences', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, novels)
  await page.getByLabel(/Contexts/).check()
  await follow(page, page.getByRole('link', {name: 'Link to this query'}))
  const link = page.url()

  await page.goto('about:blank')
  await page.goto(link)
  t.is(await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.getValue()'), novels)
  t.true(await page.getByLabel(/Contexts/).isChecked())
  t.false(await page.getByLabel(/Checksums/).isChecked())
})

testInBrowser('properties of the store are completed, and prefixes declared as they are used', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.setValue("")')
  await page.locator('.CodeMirror').click()
  await page.keyboard.type('SELECT * { ?s dct:ti', {delay: 20})
  await page.locator('.CodeMirror-hints', {hasText: 'dct:title'}).waitFor()
  await page.keyboard.press('Enter')

  t.is(
    await page.evaluate('document.querySelector(".CodeMirror").CodeMirror.getValue()'),
    'PREFIX dct: <http://purl.org/dc/terms/>\nSELECT * { ?s dct:title',
  )
  t.deepEqual(complaints, [])
})

testInBrowser('a long answer is read in part', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }')

  t.regex((await page.locator('[data-status]').textContent()) ?? '', /^The first 2,000 rows of more/)
  t.is(await page.locator('tbody tr').count(), 50)
  t.regex(await page.getByRole('tabpanel').innerText(), /1–50 of 2,000 rows/)
})

testInBrowser('Tab leaves the editor, and the form works without scripts', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await page.locator('.CodeMirror').click()
  await page.keyboard.press('Tab')
  t.is(await page.evaluate('document.activeElement.textContent'), 'Run')

  const plain = await openPage(t, browser, `${service.base}sparql`, {javaScriptEnabled: false})
  await plain.page.getByLabel('Query in SPARQL').fill(pages)
  await plain.page.locator('[name=format]').selectOption('results-csv')
  const [csv] = await Promise.all([
    plain.page.waitForEvent('download'),
    plain.page.getByRole('button', {name: 'Download'}).click(),
  ])
  t.is(csv.suggestedFilename(), 'answer.csv')
})
