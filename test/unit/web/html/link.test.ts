/** Links: IRIs that a browser may follow. */
import test from 'ava'
import {linkTo, localPath, viewPath} from '../../../../src/web/pages/link.ts'

const base = 'http://h:8080/ldp/'

for (const [iri, href, isExternal] of [
  ['http://h:8080/ldp/', '/ldp/', false],
  ['http://h:8080/ldp/a/?x=1#f', '/ldp/a/?x=1#f', false],
  ['http://h:8080/other/', 'http://h:8080/other/', true],
  ['HTTPS://example.org/', 'HTTPS://example.org/', true],
  ['mailto:a@example.org', 'mailto:a@example.org', true],
] as const) {
  test(`<${iri}> becomes a link`, t => {
    t.deepEqual(linkTo(iri, base), {href, isExternal})
  })
}

for (const iri of [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:http://h/x',
  'file:///etc/passwd',
  'urn:isbn:1',
  'view-source:http://h/',
  'http://[bad',
  '/no/iri',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
]) {
  test(`<${JSON.stringify(iri)}> does not become a link`, t => {
    t.is(linkTo(iri, base), undefined)
  })
}

test('an IRI does not become a path that a browser would take for a host', t => {
  t.deepEqual(linkTo('http://h//evil.example/', 'http://h/'), {href: 'http://h//evil.example/', isExternal: false})
  t.is(localPath('http://h//evil.example/'), 'http://h//evil.example/')
})

test('a view of a document is its path with a query', t => {
  t.is(viewPath('http://h/a/', {}), '/a/')
  t.is(
    viewPath('http://h/a/', {view: 'values', property: 'http://e/#p q', after: undefined}),
    '/a/?view=values&property=http%3A%2F%2Fe%2F%23p+q',
  )
})
