/** Forms in a real browser: editing with LD Patch and If-Match, conflicts, creation, deletion. */
import test from 'ava'
import type {Browser, Page} from 'playwright-core'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {create, ldp, readValue, saidOf} from '../support/documents.ts'
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

const dct = 'http://purl.org/dc/terms/'
const at = (path: string) => new URL(path, service.base).href

/** The row of a property in the edit form. */
function rowOf(page: Page, property: string) {
  return page.locator('.row').filter({has: page.locator(`input[name=property][value="${property}"]`)})
}

function patch(path: string, body: string) {
  return service.send({method: 'PATCH', path, headers: {'Content-Type': 'text/ldpatch'}, body})
}

testInBrowser('the form saves exactly its changes, additions and removals', async t => {
  const body = `<> <${dct}title> "Old \\"title\\"\\n2"@en ; <${dct}issued> "1815" ; <${dct}extent> 12 ;
    <http://x.example/n> [ <http://x.example/m> "kept" ] .`
  const {path} = await create(t, service, {slug: 'edited', body})
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=edit`))

  await rowOf(page, 'dct:title').locator('[name=value]').fill('New\n"title" \\ <é>')
  await rowOf(page, 'dct:issued').getByRole('button', {name: 'Remove'}).click()
  await page.getByRole('button', {name: 'Add a property'}).last().click()
  const added = page.locator('.row').last()
  await added.locator('[name=property]').fill('dct:date')
  await added.locator('[name=kind]').selectOption('typed')
  await added.locator('[name=value]').fill('2026-11-21')
  await added.locator('[name=detail]').fill('xsd:date')
  await page.getByText('LD Patch', {exact: true}).first().click()
  await page.locator('[name=patch]').fill('Add { <> dct:creator <http://x.example/me> . } .')
  t.regex((await page.locator('[data-preview]').textContent()) ?? '', /^@prefix dct: .*\nAdd \{.*\nDelete \{\n/)
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))

  const said = (await saidOf(service, path)).filter(line => line.includes(dct))
  t.deepEqual(said.sort(), [
    `<> <${dct}creator> <http://x.example/me>`,
    `<> <${dct}date> "2026-11-21"^^<http://www.w3.org/2001/XMLSchema#date>`,
    `<> <${dct}extent> "12"^^<http://www.w3.org/2001/XMLSchema#integer>`,
    `<> <${dct}title> "New\n"title" \\ <é>"@en`,
  ])
  t.deepEqual(complaints, [])
})

const ex = 'http://x.example/'

/** The fields of a list or a node, found by its property. */
function blockOf(page: Page, property: string) {
  return page.locator('fieldset.nested').filter({
    has: page.locator(`:scope > .head input[name=property][value="${property}"]`),
  })
}

testInBrowser('lists are edited: items change, move, come and go, and nodes in them stay', async t => {
  const body = `<> <${ex}list> ( "one" 2 [ <${ex}m> "kept" ] ( 1 [ <${ex}m> "inner" ] ) [ <${ex}m> "gone" ] ) ;
    <${ex}two> ( "a" ), ( "b" ) ; <${ex}none> () .`
  const {path} = await create(t, service, {slug: 'lists', body})
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=edit`))
  const list = blockOf(page, `${ex}list`)
  const items = list.locator(':scope > [data-rows] > *')
  t.is(await items.count(), 5)
  t.deepEqual(await accessibilityFaults(page), [])

  await items.nth(0).locator('[name=value]').fill('eins')
  await items.nth(2).getByRole('button', {name: 'Move up'}).click()
  await items.nth(3).locator('[name=value]').first().fill('7')
  await items.nth(4).getByRole('button', {name: 'Remove'}).first().click()
  await list.getByRole('button', {name: 'Add an item'}).last().click()
  await items.nth(5).locator('[name=value]').fill('new')
  await blockOf(page, `${ex}two`).nth(1).locator('[name=value]').fill('c')
  await blockOf(page, `${ex}none`).getByRole('button', {name: 'Add an item'}).click()
  await blockOf(page, `${ex}none`).locator('[name=value]').fill('some')
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))

  const {text} = await service.send({path})
  const flat = text.replace(/\s+/g, ' ').replaceAll(/<http:\/\/x\.example\/(\w+)>/g, ':$1')
  t.regex(flat, /:list \( "eins" (_:\w+) 2 \( 7 (_:\w+) \) "new" \).* \1 :m "kept" \. \2 :m "inner" \./)
  t.regex(flat, /:two \( "[ac]" \) ?, \( "[ac]" \)/)
  t.regex(flat, /:none \( "some" \)/)
  t.notRegex(text, /gone/)
  const cells = (await service.send({path, headers: {Accept: 'application/n-triples'}})).text
  t.is(cells.split('rdf-syntax-ns#first').length - 1, 5 + 2 + 1 + 1 + 1, 'no cell of the old lists stays')
  t.deepEqual(complaints, [])
})

testInBrowser('nodes are edited where they are referred to: values, nodes below them, new nodes and lists', async t => {
  const body = `<> <${ex}node> [ <${ex}m> "before", 5 ; <${ex}below> [ <${ex}m> "deep" ] ], [ <${ex}m> "gone" ;
      <${ex}below> [ <${ex}m> "gone too" ] ] ; <${ex}shared> _:s . <#part> <${ex}shared> _:s . _:s <${ex}m> "shared" .`
  const {path} = await create(t, service, {slug: 'nodes', body})
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=edit`))
  const rowWith = (text: string) =>
    page
      .locator('.row')
      .filter({has: page.getByRole('textbox', {name: 'Value', exact: true}).and(page.getByText(text))})
  await rowWith('before').locator('[name=value]').fill('after')
  await rowWith('deep').locator('[name=value]').fill('deeper')
  await rowWith('shared').locator('[name=value]').last().fill('still shared')
  const nodes = blockOf(page, `${ex}node`)
  await nodes.nth(1).getByRole('button', {name: 'Remove'}).first().click()
  await nodes.nth(0).getByRole('button', {name: 'Add a node'}).last().click()
  const fresh = nodes.nth(0).locator('[data-subject="_:new1"]')
  await fresh.locator('[name=property]').fill(`<${ex}added>`)
  await fresh.getByRole('button', {name: 'Add a list'}).click()
  await fresh.locator('[data-list] [name=property]').fill(`<${ex}items>`)
  await fresh.getByRole('button', {name: 'Add an item'}).click()
  await fresh.locator('.row [name=value]').fill('first')
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))

  const {text} = await service.send({path})
  const flat = text.replace(/\s+/g, ' ').replaceAll(/<http:\/\/x\.example\/(\w+)>/g, ':$1')
  t.notRegex(flat, /"before"|"deep"|"gone|"shared"/)
  t.regex(flat, /:added (_:\w+) .* \1 :items \( "first" \) \./)
  t.regex(flat, /:below (_:\w+) .* \1 :m "deeper" \./)
  t.is(flat.split(':shared _:').length - 1, 2)
  t.regex(flat, /:m "still shared"/)
  t.is(flat.split(/ :node /).length - 1, 1, 'one node stays')
  t.deepEqual(complaints, [])
})

testInBrowser('a child is created with nodes and lists', async t => {
  const {path, iri} = await create(t, service, {slug: 'nested-parent'})
  const {page} = await openPage(t, browser, at(`${path}?view=create`))
  await page.locator('[name=slug]').fill('child')
  await page.getByRole('button', {name: 'Add a list'}).click()
  await page.locator('[data-list] [name=property]').fill(`<${ex}list>`)
  for (const text of ['a', 'b']) {
    await page.getByRole('button', {name: 'Add an item'}).click()
    await page.locator('[data-list] .row [name=value]').last().fill(text)
  }
  await page.getByRole('button', {name: 'Create'}).click()
  await page.waitForURL(`${iri}child/`)
  t.regex((await service.send({path: `${path}child/`})).text, /list> \( "a" "b" \)/)
})

testInBrowser('a form without changes sends nothing; invalid input is reported at once', async t => {
  const {path, etag} = await create(t, service, {slug: 'unchanged', body: `<> <${dct}title> "T" .`})
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  const told = page.locator('[data-outcome]')

  await page.getByRole('button', {name: 'Save'}).click()
  t.regex(await told.innerText(), /Nothing has been changed yet/)
  await rowOf(page, 'dct:title').locator('[name=property]').fill('no name')
  await page.getByRole('button', {name: 'Save'}).click()
  t.regex(await told.innerText(), /"no name" is no name/)
  t.is((await service.send({path})).headers.etag, etag)
})

testInBrowser('an error of the service is shown with its rule', async t => {
  const {path} = await create(t, service, {slug: 'refused'})
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  await page.getByText('LD Patch', {exact: true}).first().click()
  await page.locator('[name=patch]').fill('Add { <> a }')
  await page.getByRole('button', {name: 'Save'}).click()

  const told = page.locator('[data-outcome]', {hasText: 'This was refused'})
  await told.waitFor()
  t.regex(await told.innerText(), /line 1, column \d+[\s\S]*Rule: patch-syntax/)
  t.true(await page.evaluate('document.activeElement?.matches("[data-outcome]")'))
})

testInBrowser('a conflict shows the changes of the other client, and the user can save anyway', async t => {
  const {path, iri} = await create(t, service, {
    slug: 'contested',
    body: `<> <${dct}title> "Mine" ; <${dct}extent> 1 ; <${ex}n> ${Array.from({length: 30}, (_, n) => n).join(', ')} .`,
  })
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  await rowOf(page, 'dct:title').locator('[name=value]').fill('Changed by me')
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('button', {name: 'Save'}).click()
  await page.getByText('The service cannot be reached. Nothing is saved yet').waitFor()
  await page.context().setOffline(false)
  t.is((await patch(path, `Delete { <> <${dct}extent> 1 . } . Add { <> <${dct}extent> 2 . } .`)).status, 204)

  await page.getByRole('button', {name: 'Save'}).click()
  const told = page.locator('[data-outcome]', {hasText: 'The document has changed'})
  await told.waitFor()
  t.regex(await told.innerText(), /Nothing of yours is saved yet/)
  t.deepEqual(
    await told.locator('.change-removed, .change-added').allInnerTexts(),
    ['1', '2'].map(n => `<${iri}> <${dct}extent> "${n}"^^<http://www.w3.org/2001/XMLSchema#integer> .`),
  )
  t.is((await saidOf(service, path)).filter(line => line.includes('"Mine"')).length, 1, 'nothing is saved')

  const again = page.getByRole('button', {name: 'Save my changes on top of it'})
  const [choice, bar] = [await again.boundingBox(), await page.locator('.buttons.stay').boundingBox()]
  t.true(choice !== null && bar !== null && choice.y > 0 && choice.y + choice.height <= bar.y, 'not behind the buttons')
  await again.click()
  await page.waitForURL(at(path))
  t.deepEqual((await saidOf(service, path)).filter(line => line.includes(dct)).sort(), [
    `<> <${dct}extent> "2"^^<http://www.w3.org/2001/XMLSchema#integer>`,
    `<> <${dct}title> "Changed by me"`,
  ])
})

testInBrowser('a large document is edited in pages of fields, chosen by subject and property', async t => {
  const values = Array.from({length: 3000}, (_, n) => `<> <${dct}extent> ${n} .`).join('\n')
  const body = `${values} <> <${dct}title> "Large" . <#part> <${dct}title> "Part" .`
  const {path, iri} = await create(t, service, {slug: 'large', body})
  const size = (await service.send({path})).text.length
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=edit`))
  const extents = async () =>
    rowOf(page, 'dct:extent')
      .locator('[name=value]')
      .evaluateAll(all => all.map(one => (one as never as {value: string}).value))

  const seen: string[] = []
  for (;;) {
    t.true((await page.locator('.row').count()) <= 200)
    seen.push(...(await extents()))
    const next = page.getByRole('link', {name: 'Next page'})
    if ((await next.count()) === 0) break
    await follow(page, next)
  }
  t.deepEqual(
    seen.map(Number),
    Array.from({length: 3000}, (_, n) => n),
  )
  const last = await extents()
  await follow(page, page.getByRole('link', {name: 'Previous page'}))
  t.is(Number((await extents()).at(-1)) + 1, Number(last[0]))

  await page.getByLabel('From the property').fill('dct:title')
  await follow(page, page.getByRole('button', {name: 'Show its fields'}))
  await rowOf(page, 'dct:title').locator('[name=value]').fill('Changed')
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))
  await page.goto(at(`${path}?view=edit`))
  await page.getByLabel('Subject').fill('#part')
  await follow(page, page.getByRole('button', {name: 'Show its fields'}))
  t.is(await page.locator('.row [name=value]').inputValue(), 'Part')
  t.deepEqual(await accessibilityFaults(page), [])
  await page.locator('.row [name=value]').fill('Changed part')
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))

  t.deepEqual((await saidOf(service, path)).filter(line => line.includes('title')).sort(), [
    `<> <${dct}title> "Changed"`,
    `<${iri}#part> <${dct}title> "Changed part"`,
  ])
  t.is((await service.send({path})).text.length, size + 'Changed'.length - 'Large'.length + 'Changed '.length)
  t.deepEqual(complaints, [])
})

testInBrowser('a conflict on a large document shows the changes among the fields of the page', async t => {
  const values = Array.from({length: 1200}, (_, n) => `<> <${dct}extent> ${n} .`).join('\n')
  const {path, iri} = await create(t, service, {slug: 'large-contest', body: `${values} <> <${dct}title> "Mine" .`})
  const {page} = await openPage(t, browser, at(`${path}?view=edit&property=dct:title`))
  await rowOf(page, 'dct:title').locator('[name=value]').fill('Changed by me')
  t.is((await patch(path, `Add { <> <${dct}title> "Theirs" . } . Delete { <> <${dct}extent> 7 . } .`)).status, 204)

  await page.getByRole('button', {name: 'Save'}).click()
  const told = page.locator('[data-outcome]', {hasText: 'The document has changed'})
  await told.waitFor()
  const changes = await told.locator('.change-removed, .change-added').allInnerTexts()
  t.deepEqual(
    changes.filter(line => line.includes('title')),
    [`<${iri}> <${dct}title> "Theirs" .`],
  )
  t.is((await saidOf(service, path)).filter(line => line.includes('"Mine"')).length, 1, 'nothing is saved')

  await page.getByRole('button', {name: 'Save my changes on top of it'}).click()
  await page.waitForURL(at(path))
  t.deepEqual((await saidOf(service, path)).filter(line => line.includes('title')).sort(), [
    `<> <${dct}title> "Changed by me"`,
    `<> <${dct}title> "Theirs"`,
  ])
})

testInBrowser('a child is created; an error in its body is shown with line and column', async t => {
  const {path} = await create(t, service, {slug: 'parent'})
  const {page} = await openPage(t, browser, at(`${path}?view=create`))
  const turtle = page.locator('[name=turtle]')
  await page.locator('[name=slug]').fill('ein Käfer')
  await page.getByText('Turtle', {exact: true}).click()
  await turtle.fill('<> a .')
  await page.getByRole('button', {name: 'Create'}).click()
  const told = page.locator('[data-outcome]', {hasText: 'This was refused'})
  await told.waitFor()
  t.regex(await told.innerText(), /line 1, column \d+/)

  await turtle.fill(`<> <${dct}title> "Beetle"@en .`)
  await page.getByRole('button', {name: 'Create'}).click()
  await page.locator('h1', {hasText: 'Beetle'}).waitFor()
  t.is(new URL(page.url()).pathname, `${path}ein%20K%C3%A4fer/`)
})

testInBrowser('a child is created without Turtle, with the type and properties of its siblings', async t => {
  const {path, iri} = await create(t, service, {slug: 'novels'})
  const body = (n: number) =>
    `<> a <http://example.org/ns#Novel> ; <${dct}title> "Novel ${n}"@en ; <${dct}extent> ${n} .`
  for (const n of [1, 2]) await create(t, service, {parent: path, slug: `n${n}`, body: body(n)})
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=create`))
  await page.locator('.row input[name=property]').first().waitFor()

  t.is(await page.getByLabel('Type', {exact: true}).inputValue(), 'ex:Novel')
  t.is(await page.getByLabel('Language', {exact: true}).inputValue(), 'en')
  t.is(await page.locator('.row [name=property]').inputValue(), 'dct:extent')
  await page.locator('[name=slug]').fill('n3')
  await page.getByLabel('Label', {exact: true}).fill('Third "novel"')
  await page.locator('.row [name=value]').fill('three')
  await page.getByRole('button', {name: 'Create'}).click()
  t.regex(await page.locator('[data-outcome]').innerText(), /"three" is not a whole number/)
  t.deepEqual(await accessibilityFaults(page), [])
  await page.locator('.row [name=value]').fill('3')
  await page.getByRole('button', {name: 'Create'}).click()
  await page.waitForURL(`${iri}n3/`)

  const said = (await saidOf(service, `${path}n3/`)).filter(line => line.includes(dct))
  t.deepEqual(said.sort(), [
    `<> <${dct}extent> "3"^^<http://www.w3.org/2001/XMLSchema#integer>`,
    `<> <${dct}title> "Third "novel""@en`,
  ])
  t.regex((await service.send({path: `${path}n3/`})).text, /a [^;]*<http:\/\/example\.org\/ns#Novel>/)
  t.deepEqual(complaints, [])
})

testInBrowser('for lists and nodes of siblings the form proposes lists and nodes', async t => {
  const ex = 'http://example.org/ns#'
  const {path, iri} = await create(t, service, {slug: 'recipes'})
  const body = `<> <${dct}title> "Soup" ; <${ex}steps> ( "cut" "cook" ) ; <${ex}cook> [ <${ex}name> "Ann" ] .`
  await create(t, service, {parent: path, slug: 'soup', body})
  const {page, complaints} = await openPage(t, browser, at(`${path}?view=create`))
  await page.locator('[data-proposed]').nth(1).waitFor({state: 'attached'})
  const proposed = (kind: string) => page.locator(`[${kind}][data-proposed]`)
  t.is(await proposed('data-list').locator('[name=property]').inputValue(), 'ex:steps')
  t.is(await proposed('data-node').locator('[name=property]').inputValue(), 'ex:cook')
  t.is(await page.locator('.row').count(), 0)
  t.deepEqual(await accessibilityFaults(page), [])

  await page.locator('[name=slug]').fill('stew')
  await proposed('data-list').getByRole('button', {name: 'Add an item'}).click()
  await proposed('data-list').locator('[name=value]').fill('stir')
  await page.getByRole('button', {name: 'Create'}).click()
  await page.waitForURL(`${iri}stew/`)

  const said = (await saidOf(service, `${path}stew/`)).filter(line => /ns#(?!type)|"stir"/.test(line))
  t.true(said.some(line => line.includes(`<${ex}steps> _:`)))
  t.true(said.some(line => line.endsWith('"stir"')))
  t.false(said.some(line => line.includes(`<${ex}cook>`))) // nothing was written there
  t.deepEqual(complaints, [])
})

testInBrowser('an unknown prefix and a value that its datatype lacks are refused at the field', async t => {
  const {path, etag} = await create(t, service, {slug: 'checked', body: `<> <${dct}extent> 1 .`})
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  const row = rowOf(page, 'dct:extent')
  await row.locator('[name=value]').fill('one')
  await row.locator('[name=value]').blur()
  t.is(await row.locator('.fault').innerText(), '"one" is not a whole number, as xsd:integer needs.')
  t.is(await row.locator('[name=value]').getAttribute('aria-invalid'), 'true')
  t.deepEqual(await accessibilityFaults(page), [])

  await row.locator('[name=value]').fill('2')
  await row.locator('[name=property]').fill('nosuch:prop')
  await row.locator('[name=property]').blur()
  t.regex(await row.locator('.fault').innerText(), /^No prefix "nosuch" is known/)
  await page.getByRole('button', {name: 'Save'}).click()
  t.regex(await page.locator('[data-outcome]').innerText(), /No prefix "nosuch" is known/)
  t.is((await service.send({path})).headers.etag, etag)
  await row.locator('[name=property]').fill('<nosuch:prop>')
  await page.getByRole('button', {name: 'Save'}).click()
  await page.waitForURL(at(path))
  t.true((await saidOf(service, path)).some(line => line.startsWith('<> <nosuch:prop> "2"')))
})

testInBrowser('leaving with unsaved changes asks first, and Save stays in view', async t => {
  const values = Array.from({length: 60}, (_, n) => `<> <${dct}extent> ${n} .`).join('\n')
  const {path} = await create(t, service, {slug: 'unsaved', body: values})
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  const asked: string[] = []
  page.on('dialog', dialog => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('link', {name: 'Cancel'}).click()
  await page.waitForURL(at(path))
  t.deepEqual(asked, [], 'nothing is changed')

  await page.goto(at(`${path}?view=edit`))
  await page.locator('.row [name=value]').first().fill('1000')
  const box = await page.getByRole('button', {name: 'Save'}).boundingBox()
  t.true(box !== null && box.y < 720, 'in the window of 720 px')
  await page.getByRole('link', {name: 'Cancel'}).click()
  await page.waitForURL(at(path))
  t.deepEqual(asked, ['beforeunload'])
})

testInBrowser('properties are completed by name and label', async t => {
  const {path} = await create(t, service, {slug: 'completed', body: `<> <${dct}title> "T" .`})
  const body = `<http://x.example/shoeSize> <http://www.w3.org/2000/01/rdf-schema#label> "Shoe size" .
    <> <http://x.example/shoeSize> 42 .`
  await create(t, service, {slug: 'labelling', body})
  const {page} = await openPage(t, browser, at(`${path}?view=edit`))
  await page.locator('.row [name=property]').first().focus()
  const option = page.locator('#page-properties option[value="http://x.example/shoeSize"]')
  await option.waitFor({state: 'attached'})

  t.is(await option.textContent(), 'Shoe size')
  t.is(await page.locator('.row [name=property]').first().getAttribute('list'), 'page-properties')
})

testInBrowser('an access point is created with its relations', async t => {
  const {path} = await create(t, service, {slug: 'team'})
  const {page} = await openPage(t, browser, at(`${path}?view=create`))
  t.false(await page.locator('[name=relation]').isVisible())
  await page.getByLabel('An access point').check()
  await page.locator('[name=slug]').fill('people')
  await page.locator('[name=relation]').fill('ex:person')
  await page.locator('[name=inverse]').fill('<http://example.org/ns#memberOf>')
  await page.getByRole('button', {name: 'Create'}).click()
  await page.waitForURL(at(`${path}people/`))

  t.is(await readValue(service, `${path}people/`, `${ldp}hasMemberRelation`), 'http://example.org/ns#person')
  t.is(await readValue(service, `${path}people/`, `${ldp}isMemberOfRelation`), 'http://example.org/ns#memberOf')
})

testInBrowser('deletion asks for confirmation, lists what is deleted, and detects a conflict', async t => {
  const {path, iri} = await create(t, service, {slug: 'doomed'})
  await create(t, service, {parent: path, slug: 'child'})
  const other = await create(t, service, {slug: 'mourner', body: `<> <http://x.example/knows> <${iri}> .`})
  const {page} = await openPage(t, browser, at(path))
  await follow(page, page.getByRole('link', {name: 'Delete'}))
  const question = await page.locator('#page-main form').innerText()
  t.regex(question, /It contains 1 document\./)
  t.regex(question, /mourner/)

  await page.waitForLoadState('networkidle')
  await patch(path, 'Add { <> <http://x.example/p> 1 . } .')
  await page.getByRole('button', {name: 'Delete'}).click()
  await page.getByText('The document has changed').waitFor()
  t.is((await service.send({path})).status, 200)
  await page.getByRole('button', {name: 'Delete it nevertheless'}).click()
  await page.waitForURL(service.base)

  t.is((await service.send({path})).status, 404)
  t.false((await service.send({path: other.path})).text.includes('knows'))
})
