/** Pages for browsers: which requests get them, and their content. Other requests never get them. */
import test from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {answerOf, c, create, ldp, turtle} from '../support/documents.ts'
import {add, createAccessPoint, ruleOf} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const asPage = {Accept: browser}

/** The text of a page, without its markup. */
function textOf(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
}

test('a browser gets a page, whose header fields forbid foreign content', async t => {
  const {path, etag} = await create(t, service, {slug: 'page', body: '<> <http://purl.org/dc/terms/title> "A title" .'})

  const {status, headers, text} = await service.send({path, headers: asPage})

  t.is(status, 200)
  t.is(headers['content-type'], 'text/html; charset=utf-8')
  t.is(headers.vary, 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin, Accept-Language')
  t.is(headers['cache-control'], 'no-cache')
  t.regex(headers.etag ?? '', new RegExp(`^W/"${etag.replaceAll('"', '')}-html-[\\w-]{16}"$`))
  t.is(headers['last-modified'], undefined)
  t.is(headers['x-frame-options'], 'DENY')
  t.is(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  t.regex(text, /<title>A title · Quadstead<\/title>/)
  t.notRegex(text, /<script(?! type="module" src=)|<style| style=| on\w+=|\bhttps?:\/\/[^"]*\.(?:js|css)/)
})

test('a request that does not prefer HTML gets data', async t => {
  const {path} = await create(t, service, {slug: 'data'})

  for (const Accept of ['*/*', 'text/*', 'text/html;q=0.1, text/turtle', 'text/turtle, text/html']) {
    const {headers} = await service.send({path, headers: {Accept}})
    t.is(headers['content-type'], 'text/turtle; charset=utf-8', Accept)
  }
  const {headers} = await service.send({path: `${path}?format=json-ld&view=edit`})
  t.is(headers['content-type'], 'text/turtle; charset=utf-8')
})

test('a page is a 304 until something on it changes, and its tag does not match If-Match', async t => {
  const {path} = await create(t, service, {slug: 'tagged'})
  const first = await service.send({path, headers: asPage})
  const tag = first.headers.etag ?? ''

  const again = await service.send({path, headers: {...asPage, 'If-None-Match': tag}})
  t.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag])
  const data = await service.send({path, headers: {'If-None-Match': tag}})
  t.is(data.status, 200, 'a page that somebody keeps never answers for data')
  const write = await service.send({
    method: 'PATCH',
    path,
    headers: {'Content-Type': 'text/ldpatch', 'If-Match': tag},
    body: 'Add { <> <http://x.example/p> 1 . } .',
  })
  t.is(write.status, 412)

  await create(t, service, {parent: path, slug: 'child'})
  t.is(
    (await service.send({path, headers: {...asPage, 'If-None-Match': tag}})).status,
    200,
    'a new child is on the page',
  )
})

test('HEAD of a page has its headers and no body', async t => {
  const {path} = await create(t, service, {slug: 'headed'})
  const {headers} = await service.send({path, headers: asPage})

  const head = await service.send({method: 'HEAD', path, headers: asPage})

  t.deepEqual([head.status, head.text], [200, ''])
  const own = {date: '', 'x-request-id': ''}
  t.deepEqual({...head.headers, ...own}, {...headers, ...own})
})

test('links lead to every format', async t => {
  const {path} = await create(t, service, {slug: 'formats', body: '<> <http://x.example/p> "v" .'})
  const {text} = await service.send({path, headers: asPage})
  const links = Array.from(text.matchAll(/href="([^"]*\?format=[^"]*)" type="([^"]*)"/g), ([, href, type]) => [
    href,
    type,
  ])

  t.is(links.length, 10)
  for (const [href = '', type = ''] of links) {
    const {status, headers} = await service.send({path: href, headers: asPage})
    t.is(status, 200, href)
    t.is((headers['content-type'] ?? '').replace(/;.*/, ''), type)
    t.regex(headers['content-disposition'] ?? '', /^inline; filename="formats\.\w+"$/)
  }
  const byType = await service.send({path: `${path}?format=application/n-triples`, headers: asPage})
  t.is(byType.headers['content-type'], 'application/n-triples')
  const unknown = await service.send({path: `${path}?format=pdf`, headers: asPage})
  t.is(unknown.status, 406)
  t.is(unknown.headers['content-type'], 'text/html; charset=utf-8')
})

test('labels are in the language of the reader, from any document', async t => {
  const body = '<> <http://www.w3.org/2004/02/skos/core#prefLabel> "Dog"@en, "Hund"@de, "chien"@fr .'
  const {path, iri} = await create(t, service, {slug: 'labelled', body})
  const other = await create(t, service, {slug: 'labelling', body: `<> <http://x.example/about> <${iri}> .`})

  for (const [language, label] of [
    ['de-CH, en;q=0.5', 'Hund'],
    ['xx, fr', 'chien'],
    ['', 'Dog'],
  ]) {
    const {text} = await service.send({path: other.path, headers: {...asPage, 'Accept-Language': language ?? ''}})
    t.true(text.includes(`<a href="${path}" title="${iri}"><bdi>${label}</bdi></a>`), language)
  }
})

/** Follows a list through its pages, and checks that the links back lead through the same pages. */
async function walk(first: string) {
  const read = async (path: string) => (await service.send({path, headers: asPage})).text
  const linkOf = (text: string, relation: string) =>
    new RegExp(`rel="${relation}" href="([^"#]*)`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  const forth = [first]
  for (let next = linkOf(await read(first), 'next'); next !== undefined; next = linkOf(await read(next), 'next'))
    forth.push(next)
  const back: string[] = []
  for (let at = forth.at(-1); at !== undefined; at = linkOf(await read(at), 'prev')) back.push(at)
  return {pages: forth.length, same: back.reverse().join(' ') === forth.join(' ')}
}

test('members and values have links to the next and the previous page', async t => {
  const {path, iri} = await create(t, service, {slug: 'lists'})
  const point = await createAccessPoint(t, service, {parent: path, slug: 'point', relation: 'http://x.example/m'})
  const members = []
  for (let n = 0; n < 120; n += 1) members.push((await create(t, service, {parent: path, slug: `m${n}`})).iri)
  await add(service, point.path, members)
  const body = Array.from({length: 250}, (_, n) => `<> <http://x.example/n> ${n - 100}, "${n}" .`).join('\n')
  const {path: full} = await create(t, service, {slug: 'values', body})
  const values = `${full}?${new URLSearchParams({view: 'values', property: 'http://x.example/n'})}`

  t.deepEqual(await walk(point.path), {pages: 3, same: true}, iri)
  t.deepEqual(await walk(values), {pages: 6, same: true}) // the last page is empty: 500 values fill five
})

test('children are listed in pages', async t => {
  const {path} = await create(t, service, {slug: 'many'})
  for (let n = 0; n < 60; n += 1) await create(t, service, {parent: path, slug: `child-${n}`})
  const found: string[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const {text} = await service.send({path: next, headers: asPage})
    t.regex(textOf(text), /Children 60 /)
    const [, listed = ''] = /id="page-children">([\s\S]*?)<\/section>/.exec(text) ?? []
    found.push(...Array.from(listed.matchAll(/<li><input[^>]*>\s*<span><a href="([^"]*)"/g), ([, href = '']) => href))
    next = /rel="next" href="([^"#]*)/.exec(listed)?.[1]
  }

  t.deepEqual(
    found,
    Array.from({length: 60}, (_, n) => `${path}child-${n}/`),
  )
  for (let n = 60; n < 110; n += 1) await create(t, service, {parent: path, slug: `child-${n}`})
  t.deepEqual(await walk(path), {pages: 3, same: true})
  const bad = await service.send({path: `${path}?after=99999999999999999999`, headers: asPage})
  t.is(bad.status, 400)
  t.regex(bad.text, /page-known/)
})

test('an access point shows its relation and its members; its document lists it', async t => {
  const project = await create(t, service, {slug: 'project'})
  const member = await create(t, service, {slug: 'member-1'})
  const point = await createAccessPoint(t, service, {
    parent: project.path,
    slug: 'people',
    relation: 'http://example.org/ns#person',
    inverse: 'http://example.org/ns#worksOn',
  })
  await add(service, point.path, [member.iri])

  const onProject = textOf((await service.send({path: project.path, headers: asPage})).text)
  t.regex(onProject, /Access points people .*members under ex:person .*they refer back by ex:worksOn/)
  t.regex(onProject, /Mentioned in .*member-1/)
  const onPoint = (await service.send({path: point.path, headers: asPage})).text
  const [, members = ''] = /id="page-members">([\s\S]*?)<\/section>/.exec(onPoint) ?? []
  t.regex(members, new RegExp(`href="${member.path}"`))
  t.notRegex(onPoint, /Add a child/)
})

test('a large document is shown in part, its values in pages', async t => {
  const values = Array.from({length: 1200}, (_, n) => n).join(', ')
  const {path} = await create(t, service, {
    slug: 'large',
    body: `<> <http://x.example/n> ${values} ; <http://x.example/m> "m" .`,
  })

  const statements: string[] = []
  const end = subscribe(seen => {
    if (seen.kind === 'statement' && seen.requestIds.includes('large-1')) statements.push(seen.name)
  })
  t.teardown(end)
  const {text} = await service.send({path, headers: {...asPage, 'X-Request-Id': 'large-1'}})
  t.deepEqual(statements, ['read_page', 'labels_of'])
  t.regex(textOf(text), /This document is large/)
  t.true(text.length < 50_000)
  const found: string[] = []
  let next: string | undefined = /href="([^"]*view=values[^"]*)"/.exec(text)?.[1]
  for (; next !== undefined; ) {
    const page = await service.send({path: next.replaceAll('&amp;', '&'), headers: asPage})
    t.is(page.status, 200)
    found.push(...Array.from(page.text.matchAll(/title="\d+ \(xsd:integer\)">(\d+)</g), ([, value = '']) => value))
    next = /rel="next" href="([^"]*)"/.exec(page.text)?.[1]
  }
  t.deepEqual(
    found,
    Array.from({length: 1200}, (_, n) => String(n)),
  )
})

test('of many subjects the first are shown, and the others are folded', async t => {
  const subjects = Array.from({length: 25}, (_, n) => `<#n${n}> <http://x.example/p> ${n} .`).join('\n')
  const {path} = await create(t, service, {slug: 'subjects', body: subjects})

  const {text} = await service.send({path, headers: asPage})
  const [shown = '', folded = ''] = text.split('<details class="folded">')
  const sections = (part: string) => part.match(/<section class="card" id="n\d+">/g)?.length
  t.deepEqual([sections(shown), sections(folded)], [20, 5])
  t.regex(textOf(folded), /^ ?5 further subjects /)
})

test('a page has no dead link to a node without properties, and no drawing of the parent alone', async t => {
  const {path} = await create(t, service, {slug: 'node', body: '<> <http://x.example/p> [] .'})

  const {text} = await service.send({path, headers: asPage})
  t.regex(textOf(text), /x\.example\/p _:\w+ /)
  t.notRegex(text, /href="#node-|Neighbourhood/)
  t.regex((await service.send({path: '/', headers: asPage})).text, /Neighbourhood/)
})

test('errors and redirects are shown as pages', async t => {
  const none = await service.send({path: '/none/', headers: asPage})
  t.deepEqual([none.status, none.headers['content-type']], [404, 'text/html; charset=utf-8'])
  t.regex(textOf(none.text), /There is nothing here .*<?http:\/\/.*\/none\/.* Status 404, rule document-exists/)
  t.is(none.headers['cache-control'], 'no-store')

  for (const view of ['edit', 'create', 'delete', 'values&property=http://x.example/p'])
    t.is((await service.send({path: `/none/?view=${view}`, headers: asPage})).status, 404, view)
  const {path} = await create(t, service, {slug: 'slashed'})
  t.is((await service.send({path: path.slice(0, -1), headers: asPage})).status, 308)
  const refused = await service.send({method: 'PUT', path, headers: {...asPage, ...turtle}, body: ''})
  t.deepEqual([refused.status, refused.headers['content-type']], [428, 'text/html; charset=utf-8'])
  t.is(ruleOf(await service.send({path: '/none/', headers: {Accept: '*/*'}})), 'document-exists')
})

test('the forms have the document, its entity tag and its editable values', async t => {
  const body = '<> <http://purl.org/dc/terms/title> "A & B"@en ; <http://x.example/n> [ <http://x.example/m> 1 ] .'
  const {path, iri, etag} = await create(t, service, {slug: 'forms', body})

  const edit = (await service.send({path: `${path}?view=edit`, headers: asPage})).text
  t.true(edit.includes(`data-etag=${etag}`))
  t.true(
    edit.includes(`data-triples="&lt;${iri}&gt; &lt;http://purl.org/dc/terms/title&gt; &quot;A &amp; B&quot;@en ."`),
  )
  t.is(edit.match(/data-triples="/g)?.length, 3, 'the title, the node and its value; not what the service keeps')
  const remove = (await service.send({path: `${path}?view=delete`, headers: asPage})).text
  t.true(remove.includes(`data-etag=${etag}`))
  t.regex(textOf(remove), /Do you want to delete .* This cannot be undone/)
  t.regex((await service.send({path: `${path}?view=create`, headers: asPage})).text, /data-form="create"/)
})

test('without a query the query endpoint is a page for browsers, and the service description for others', async t => {
  const page = await service.send({path: '/sparql', headers: asPage})
  t.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.regex(page.text, /<form[^>]* data-query/)
  const description = await service.send({path: '/sparql'})
  t.is(description.headers['content-type'], 'text/turtle; charset=utf-8')
})

test('with a query the query endpoint is a page for browsers that has the query, and the answer for others', async t => {
  const query = 'ASK { ?s ?p "</textarea>" }'
  const path = `/sparql?${new URLSearchParams({query, contexts: '1'})}`
  const page = await service.send({path, headers: asPage})
  t.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.true(page.text.includes('\nASK { ?s ?p &quot;&lt;/textarea&gt;&quot; }</textarea>'), page.text)
  t.regex(page.text, /name="contexts"\s+value="1" checked>/)
  t.notRegex(page.text, /name="checksums"\s+value="1" checked>/)
  const types: Record<string, string> = {
    [path]: 'application/sparql-results+json',
    [`${path}&at=2100-01-01T00:00:00Z`]: 'application/xml', // the page has no field for the time
    [`${path}&default-graph-uri=${service.base}`]: 'application/xml',
  }
  for (const [asked, type] of Object.entries(types)) {
    const answer = await service.send({path: asked, headers: asked === path ? {} : asPage})
    t.deepEqual([answer.status, answer.headers['content-type']], [200, type])
  }
})

test('the form of the query page sends a query and gets a file', async t => {
  const {iri} = await create(t, service, {slug: 'asked', body: '<> <http://x.example/asked> "v" .'})
  const post = (fields: Record<string, string>, headers: Record<string, string> = asPage) =>
    service.send({
      method: 'POST',
      path: '/sparql',
      headers: {...headers, 'Content-Type': 'application/x-www-form-urlencoded'},
      body: new URLSearchParams(fields).toString(),
    })

  const csv = await post({query: 'SELECT ?s { ?s <http://x.example/asked> ?o }', format: 'results-csv'})
  t.deepEqual(
    [csv.status, csv.headers['content-type'], csv.headers['content-disposition'], csv.text],
    [200, 'text/csv; charset=utf-8', 'attachment; filename="answer.csv"', `s\r\n${iri}\r\n`],
  )
  const construct = 'CONSTRUCT { ?s ?p ?o } { ?s <http://x.example/asked> ?o ; ?p ?o }'
  const graph = await post({query: construct, format: 'n-quads', contexts: '1', checksums: '1'})
  t.true(graph.text.includes(`<${iri}> <http://x.example/asked> "v" <${iri}> .`))
  t.true(graph.text.includes(`<${c}checksum>`))

  const wrong = await post({query: 'SELECT', format: 'results-csv'})
  t.deepEqual([wrong.status, wrong.headers['content-type']], [400, 'text/html; charset=utf-8'])
  t.is((await post({query: 'ASK {}', format: 'pdf'})).status, 406)
  const client = await post({query: 'ASK {}', format: 'results-csv'}, {Accept: 'application/sparql-results+json'})
  t.is(client.headers['content-type'], 'application/sparql-results+json', 'a client says it by Accept')
})

test('assets are cacheable for ever at a path that changes with them, and exist nowhere else', async t => {
  const {text} = await service.send({path: '/sparql', headers: asPage})
  const paths = Array.from(text.matchAll(/(?:href|src)="(\/\.system\/assets\/[^"]*)"/g), ([, path = '']) => path)

  t.is(paths.length, 7)
  for (const path of [
    ...paths,
    ...['yasqe.js', 'cytoscape.js'].map(name => (paths[0] ?? '').replace(/[^/]*$/, name)),
  ]) {
    const {status, headers} = await service.send({path})
    t.is(status, 200, path)
    t.is(headers['cache-control'], 'public, max-age=31536000, immutable')
    t.is(headers['x-content-type-options'], 'nosniff')
  }
  t.is((await service.send({path: '/.system/assets/0000000000000000/page.css'})).status, 404)
  t.is((await service.send({path: (paths[0] ?? '').replace(/[^/]*$/, 'package.json')})).status, 404)
})

test('an asset is the same in every coding, also when it is compressed as far as possible', async t => {
  const {text} = await service.send({path: '/sparql', headers: asPage})
  const path = /"(\/\.system\/assets\/[^"]*page\.css)"/.exec(text)?.[1] ?? ''
  const read = async (coding: string) => {
    const response = await fetch(new URL(path, service.url), {headers: {'Accept-Encoding': coding}})
    return {coding: response.headers.get('content-encoding'), text: await response.text()}
  }
  const plain = await read('identity')
  t.is(plain.coding, null)
  for (const coding of ['br', 'gzip', 'br', 'gzip', 'br', 'gzip']) t.deepEqual(await read(coding), {...plain, coding})
})

test('the names in use are available as JSON', async t => {
  await create(t, service, {slug: 'names', body: '<> a <http://x.example/Class> ; <http://x.example/property> 1 .'})

  const {headers, text} = await service.send({path: '/.system/names'})

  const {prefixes, properties, classes} = JSON.parse(text)
  t.is(headers['content-type'], 'application/json')
  t.like(prefixes, {c, ldp, dct: 'http://purl.org/dc/terms/'})
  t.true(properties.includes('http://x.example/property'))
  t.true(classes.includes('http://x.example/Class'))
})

test('the list of errors leads to its page in the documentation, which has an anchor for each rule', async t => {
  const {status, headers} = await service.send({path: '/errors', headers: asPage})
  t.deepEqual([status, headers.location], [303, '/docs/errors'])

  const page = await service.send({path: headers.location ?? '', headers: asPage})
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  const listed = Array.from(page.text.matchAll(/<tr id="([^"]*)"><td><code>\1<\/code>/g), ([, rule]) => rule)
  const rules = (await service.send({path: '/errors'})).text.matchAll(/^\| `([a-z][a-z0-9-]*)` \| \d{3} \|/gm)
  const missing = Array.from(rules, ([, rule]) => rule).filter(rule => !listed.includes(rule))
  t.deepEqual(missing, [])
  t.true(listed.length > 100)
  t.is((await service.send({path: '/errors'})).headers['content-type'], 'text/markdown; charset=utf-8')
})

test('the root has a page without deletion', async t => {
  const answer = answerOf(t, await service.send({path: '/', headers: asPage}))

  t.is(answer.status, 200)
  const {text} = await service.send({path: '/', headers: asPage})
  t.regex(text, /<h1><bdi>All documents<\/bdi><\/h1>/)
  t.notRegex(text, /view=delete/)
})

test('members of an access point are listed in pages', async t => {
  const team = await create(t, service, {slug: 'team'})
  const relation = 'http://example.org/ns#member'
  const point = await createAccessPoint(t, service, {parent: team.path, slug: 'all', relation})
  const members: string[] = []
  for (let n = 0; n < 60; n += 1) members.push((await create(t, service, {parent: team.path, slug: `m${n}`})).iri)
  t.is((await add(service, point.path, members)).status, 204)

  const found: string[] = []
  for (let next: string | undefined = point.path; next !== undefined; ) {
    const {text}: {readonly text: string} = await service.send({path: next, headers: asPage})
    const [, listed = ''] = /id="page-members">([\s\S]*?)<\/section>/.exec(text) ?? []
    found.push(
      ...Array.from(listed.matchAll(/<li><span class="iri"><a href="[^"]*" title="([^"]*)"/g), ([, iri = '']) => iri),
    )
    t.notRegex(text, /id="page-children"/)
    next = /rel="next" href="([^"#]*)/.exec(listed)?.[1]
  }
  t.deepEqual(found, members)
})

test('a large document has fields for the subject and property in the URL, a limited number on each page', async t => {
  const many = Array.from({length: 1001}, (_, n) => `<> <http://x.example/n> ${n} .`).join('\n')
  const {path} = await create(t, service, {
    slug: 'fields',
    body: `${many} <#part> <http://purl.org/dc/terms/title> "Part" .`,
  })
  const rowsOf = async (query: string) => {
    const {status, text} = await service.send({path: `${path}?view=edit${query}`, headers: asPage})
    t.is(status, 200)
    const rows = Array.from(text.matchAll(/data-triples="([^"]+)"/g), ([, triple = '']) => triple)
    return {rows, next: /<a rel="next" href="([^"]+)"/.exec(text)?.[1]}
  }

  const first = await rowsOf('&property=http://x.example/n')
  t.is(first.rows.length, 200)
  t.true(first.rows.every(row => row.includes('http://x.example/n')))
  t.is(first.next, `${path}?view=edit&amp;after=${/after=([\d.-]+)/.exec(first.next ?? '')?.[1]}`)
  for (const subject of ['%23part', encodeURIComponent(`${service.base}fields/#part`)]) {
    const {rows, next} = await rowsOf(`&subject=${subject}`)
    t.deepEqual([rows.length, next], [1, undefined])
    t.true(rows[0]?.includes('"Part"') || rows[0]?.includes('&quot;Part&quot;'))
  }
  t.deepEqual((await rowsOf('&subject=http://x.example/none')).rows, [])
  t.deepEqual(await rowsOf('&property=ht%20tp'), await rowsOf(''))
  for (const after of ['1', '1.2.3', '99999999999999999999.1', "1.1'", '1.9223372036854775808']) {
    const bad = await service.send({path: `${path}?view=edit&after=${encodeURIComponent(after)}`, headers: asPage})
    t.is(bad.status, 400, after)
    t.regex(bad.text, /page-known/)
  }
})
