/** Results on the query page in a real browser: pages, order, filter, labels, charts, maps, drawings of graphs. */
import test from 'ava'
import type {Browser, Page} from 'playwright-core'
import {accessibilityFaults, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {startService, type TestService} from '../support/service.ts'
import {fillShelf} from '../support/shelf.ts'

let service: TestService
let browser: Browser | undefined

const people = 60

test.before(async () => {
  service = await startService()
  await fillShelf(service)
  const send = async (path: string, slug: string, body: string) => {
    const headers = {'Content-Type': 'text/turtle', Slug: slug}
    const {status, text} = await service.send({method: 'POST', path, headers, body: prefixes + body})
    if (status !== 201) throw new Error(text)
  }
  await send('/', 'people', '<> dct:title "People"@en .')
  for (let n = 0; n < people; n += 1)
    await send(
      '/people/',
      `p${n}`,
      `<> a ex:Member ; foaf:name "Member ${n}" ; ex:age ${20 + ((n * 7) % people)} ; ex:share ${n}.25 ;
         ex:lat ${50 - n} ; ex:long ${2 * n - 60} ; ex:knows </people/p${(n * 7 + 1) % people}/> .`,
    )
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
})

const prefixes = `@prefix dct: <http://purl.org/dc/terms/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix ex: <http://example.org/ns#> .\n`
const sparqlPrefixes = 'PREFIX ex: <http://example.org/ns#> PREFIX foaf: <http://xmlns.com/foaf/0.1/>'
const members = `${sparqlPrefixes} SELECT ?member ?age ?share ?knows {
  ?member a ex:Member ; ex:age ?age ; ex:share ?share ; ex:knows ?knows }`

async function ask(page: Page, query: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${service.base}sparql#${new URLSearchParams({query})}`)
  await page.getByRole('button', {name: 'Run', exact: true}).click()
  await page.locator('[data-status]', {hasText: / ms\.$/}).waitFor()
}

function column(page: Page, name: string) {
  const cells = page.locator('.rows tbody tr')
  return cells.evaluateAll(
    (rows, wanted) =>
      (rows as unknown as HTMLTableRowElement[]).map(row => {
        const head = Array.from(row.closest('table')?.tHead?.rows[0]?.cells ?? [])
        const index = head.findIndex(one => one.querySelector('button')?.innerText === wanted)
        return row.cells[index]?.innerText ?? ''
      }),
    name,
  )
}

type HTMLTableRowElement = {
  readonly cells: readonly {readonly innerText: string}[]
  readonly closest: (selector: string) => {
    readonly tHead: {readonly rows: readonly {readonly cells: readonly Cell[]}[]} | null
  } | null
}
type Cell = {readonly querySelector: (selector: string) => {readonly innerText: string} | null}

testInBrowser('rows come in pages, sorted by a column, and filtered by a text', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, members)
  const panel = page.getByRole('tabpanel')
  t.is((await column(page, 'age')).length, 50)
  await panel.getByRole('button', {name: 'Next page'}).click()
  t.is((await column(page, 'age')).length, people - 50)
  t.regex(await panel.innerText(), /51–60 of 60 rows/)

  await panel.getByRole('button', {name: 'age', exact: true}).click()
  t.is(await panel.getByRole('columnheader', {name: /age/}).getAttribute('aria-sort'), 'ascending')
  await panel.getByRole('button', {name: 'Previous page'}).click()
  t.deepEqual(
    (await column(page, 'age')).map(Number),
    Array.from({length: 50}, (_, n) => n + 20),
  )
  await panel.getByRole('button', {name: 'age', exact: true}).click()
  t.is((await column(page, 'age'))[0], '79')

  await panel.getByLabel('Filter rows').fill('ember 5')
  const found = await column(page, 'member')
  t.true(found.length > 10 && found.length < 30)
  t.regex(await panel.innerText(), /of 60 contain this text/)
  await panel.getByLabel('Filter rows').fill('nothing like it')
  t.regex(await panel.innerText(), /No row contains this text/)
  t.deepEqual(await accessibilityFaults(page), [])
  t.deepEqual(complaints, [])
})

testInBrowser('IRIs have labels, columns their datatype, and numbers are on the right', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, `${members} ORDER BY ?share LIMIT 3`)
  await page.getByRole('link', {name: 'Member 0', exact: true}).waitFor()

  t.deepEqual(await column(page, 'member'), ['Member 0', 'Member 1', 'Member 2'])
  t.deepEqual(
    (await page.getByRole('columnheader').allInnerTexts()).map(text => text.replace(/\s+/g, ' ')),
    ['member', 'age xsd:integer', 'share xsd:decimal', 'knows'],
  )
  const aligned = await page.evaluate(
    'Array.from(document.querySelectorAll(".rows tbody tr:first-child td"), cell => getComputedStyle(cell).textAlign)',
  )
  t.deepEqual(aligned, ['left', 'right', 'right', 'left'])
  await page.getByLabel('Labels').uncheck()
  t.deepEqual(await column(page, 'member'), ['/people/p0/', '/people/p1/', '/people/p2/'])
})

testInBrowser('columns keep whole words on a phone, and the table scrolls within the page', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`, {viewport: {width: 390, height: 800}})
  const columns = Array.from({length: 12}, (_, n) => `?column${n}`)
  await ask(
    page,
    `SELECT ${columns.join(' ')} { VALUES (${columns.join(' ')}) { (${columns.map(() => '"Parliament"').join(' ')}) } }`,
  )

  const heights = await page
    .locator('.rows tbody td')
    .evaluateAll(cells => cells.map(cell => (cell as never as {clientHeight: number}).clientHeight))
  t.true(Math.max(...heights) < 50, 'no word is broken')
  t.true(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'))
})

testInBrowser('numbers are drawn as bars, a line or a pie, and coordinates on a map', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(
    page,
    `${sparqlPrefixes} SELECT ?member ?age ?lat ?long { ?member ex:age ?age ; ex:lat ?lat ; ex:long ?long }`,
  )
  await page.getByRole('tab', {name: 'Chart'}).click()
  const chart = page.getByRole('combobox', {name: 'Chart'})
  await chart.waitFor()
  t.is(await chart.inputValue(), 'map')
  t.regex(await page.getByRole('tabpanel').innerText(), /60 of 60 rows have coordinates/)

  const drawn = 'Chart.getChart(document.querySelector(".chart canvas"))'
  await page.waitForFunction(`${drawn} !== undefined`) // the coastlines are fetched first
  t.is(await page.evaluate(`${drawn}.data.datasets[0].data.length`), people)
  t.true(((await page.evaluate(`${drawn}.data.datasets.length`)) as number) > 100, 'the coastlines')
  await page.setViewportSize({width: 390, height: 844})
  await chart.selectOption('bar')
  await chart.selectOption('map')
  await page.waitForFunction(`${drawn}?.config.type === 'scatter' && ${drawn}.width < 390`)
  const degree = `(({x, y}) => (x.getPixelForValue(1) - x.getPixelForValue(0)) /
    (y.getPixelForValue(0) - y.getPixelForValue(1)))(${drawn}.scales)`
  const stretch = (await page.evaluate(degree)) as number
  t.true(stretch > 0.8 && stretch < 1.25, `a degree is ${stretch} times as wide as high`)
  const across = `${drawn}.data.datasets.slice(1).flatMap(({data}) => data.filter(({x, y}, index) =>
    y > -90 && index > 0 && data[index - 1].y > -90 && Math.abs(x - data[index - 1].x) > 180))`
  t.deepEqual(await page.evaluate(across), [], 'no coastline runs across the map')
  for (const kind of ['bar', 'line', 'pie']) {
    await chart.selectOption(kind)
    t.is(await page.evaluate(`${drawn}.config.type`), kind)
  }
  t.deepEqual(await page.evaluate(`${drawn}.data.labels.at(-1)`), '49 others')
  t.is(
    await page.evaluate(`${drawn}.data.datasets[0].data.reduce((sum, value) => sum + value)`),
    Array.from({length: people}, (_, n) => n + 20).reduce((sum, age) => sum + age),
  )
  t.deepEqual(await accessibilityFaults(page), [])
  t.deepEqual(complaints, [])
})

testInBrowser('on a phone no name of a drawing covers another, and zooming shows more of them', async t => {
  const {page} = await openPage(t, browser, `${service.base}sparql`, {viewport: {width: 390, height: 844}})
  await ask(page, `${sparqlPrefixes} CONSTRUCT { ?s ?p ?o } { ?s a ex:Member ; ?p ?o } LIMIT 500`)
  await page.getByRole('tab', {name: 'Graph'}).click()
  await page.locator('.drawing canvas').first().waitFor()
  const drawing = 'document.querySelector(".drawing")._cyreg.cy'
  const shownNames = `${drawing}.nodes().filter(node => Number(node.style('text-opacity')) > 0)`
  const boxes = `${shownNames}.map(node => node.boundingBox({includeNodes: false, includeEdges: false, includeOverlays: false}))`
  const covered = `(boxes => boxes.filter(a => boxes.some(b =>
    a !== b && a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2)).length)(${boxes})`

  const named = (await page.evaluate(`${shownNames}.length`)) as number
  const nodes = (await page.evaluate(`${drawing}.nodes().length`)) as number
  t.true(named > 5 && named < nodes, `${named} of ${nodes} names`)
  t.is(await page.evaluate(covered), 0)
  await page.evaluate(`${drawing}.zoom(4)`)
  await page.waitForFunction(`${shownNames}.length > ${named}`)
  t.is(await page.evaluate(covered), 0)
})

testInBrowser('a graph of 200 triples is drawn in legible letters, and a click describes a node', async t => {
  const {page, complaints} = await openPage(t, browser, `${service.base}sparql`)
  await ask(page, `${sparqlPrefixes} CONSTRUCT { ?s ?p ?o } { ?s a ex:Member ; ?p ?o } LIMIT 200`)
  await page.getByRole('tab', {name: 'Graph'}).click()
  await page.locator('.drawing canvas').first().waitFor()

  const drawing = 'document.querySelector(".drawing")._cyreg.cy'
  const letters = `${drawing}.nodes().map(node => parseFloat(node.style('font-size')) * ${drawing}.zoom())`
  const sizes = (await page.evaluate(letters)) as readonly number[]
  t.true(sizes.length > 10 && sizes.length < 60, 'literals are no nodes')
  t.true(Math.min(...sizes) > 8, `letters of ${Math.min(...sizes)} px`)
  const overlaps = `${drawing}.nodes().filter(a => ${drawing}.nodes().some(b => a !== b &&
    Math.hypot(a.position('x') - b.position('x'), a.position('y') - b.position('y')) < 18)).length`
  t.is(await page.evaluate(overlaps), 0)

  await page.evaluate(`${drawing}.nodes('[label = "Member 0"]').emit('tap')`)
  t.regex(await page.locator('.beside').innerText(), /Member 0[\s\S]*ex:age[\s\S]*20/)
  t.deepEqual(await accessibilityFaults(page), [])
  t.deepEqual(complaints, [])
})
