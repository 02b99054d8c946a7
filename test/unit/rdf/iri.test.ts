/** IRIs: the examples of RFC 3986 §5.4, absolute IRIs, and the tree of documents. */
import test from 'ava'
import fc from 'fast-check'
import {isAbsoluteIri, isUnder, parentOf, resolveIri} from '../../../src/rdf/iri.ts'

const base = 'http://a/b/c/d;p?q'

/** RFC 3986 §5.4.1, normal examples. */
const normal: [string, string][] = [
  ['g:h', 'g:h'],
  ['g', 'http://a/b/c/g'],
  ['./g', 'http://a/b/c/g'],
  ['g/', 'http://a/b/c/g/'],
  ['/g', 'http://a/g'],
  ['//g', 'http://g'],
  ['?y', 'http://a/b/c/d;p?y'],
  ['g?y', 'http://a/b/c/g?y'],
  ['#s', 'http://a/b/c/d;p?q#s'],
  ['g#s', 'http://a/b/c/g#s'],
  ['g?y#s', 'http://a/b/c/g?y#s'],
  [';x', 'http://a/b/c/;x'],
  ['g;x', 'http://a/b/c/g;x'],
  ['g;x?y#s', 'http://a/b/c/g;x?y#s'],
  ['', 'http://a/b/c/d;p?q'],
  ['.', 'http://a/b/c/'],
  ['./', 'http://a/b/c/'],
  ['..', 'http://a/b/'],
  ['../', 'http://a/b/'],
  ['../g', 'http://a/b/g'],
  ['../..', 'http://a/'],
  ['../../', 'http://a/'],
  ['../../g', 'http://a/g'],
]

/** RFC 3986 §5.4.2, abnormal examples; the strict reading of the last. */
const abnormal: [string, string][] = [
  ['../../../g', 'http://a/g'],
  ['../../../../g', 'http://a/g'],
  ['/./g', 'http://a/g'],
  ['/../g', 'http://a/g'],
  ['g.', 'http://a/b/c/g.'],
  ['.g', 'http://a/b/c/.g'],
  ['g..', 'http://a/b/c/g..'],
  ['..g', 'http://a/b/c/..g'],
  ['./../g', 'http://a/b/g'],
  ['./g/.', 'http://a/b/c/g/'],
  ['g/./h', 'http://a/b/c/g/h'],
  ['g/../h', 'http://a/b/c/h'],
  ['g;x=1/./y', 'http://a/b/c/g;x=1/y'],
  ['g;x=1/../y', 'http://a/b/c/y'],
  ['g?y/./x', 'http://a/b/c/g?y/./x'],
  ['g?y/../x', 'http://a/b/c/g?y/../x'],
  ['g#s/./x', 'http://a/b/c/g#s/./x'],
  ['g#s/../x', 'http://a/b/c/g#s/../x'],
  ['http:g', 'http:g'],
]

for (const [reference, target] of [...normal, ...abnormal])
  test(`<${reference}> resolves to <${target}>`, t => {
    t.is(resolveIri(reference, base), target)
  })

/** Cases without an example: bases without a path, with dots, with a fragment, without an authority; empty parts. */
const others: [string, string, string][] = [
  ['', 'http://h/doc/', 'http://h/doc/'],
  ['#fragment', 'http://h/doc/', 'http://h/doc/#fragment'],
  ['#', 'http://h/doc/', 'http://h/doc/#'],
  ['?', 'http://h/doc/?q', 'http://h/doc/?'],
  ['', 'http://h/doc/#part', 'http://h/doc/'],
  ['john-doe/', 'http://localhost:8083/', 'http://localhost:8083/john-doe/'],
  ['x', 'http://h', 'http://h/x'],
  ['x', 'http://h?q', 'http://h/x'],
  ['..', 'http://h', 'http://h/'],
  ['../x', 'http://h/a/../b/', 'http://h/x'],
  ['/x//y/..', 'http://h/', 'http://h/x//'],
  ['//', 'http://h/a', 'http://'],
  ['//g/..', 'http://h/a', 'http://g/'],
  ['x', 'urn:a:b', 'urn:x'],
  ['x', 'file:///a/b', 'file:///a/x'],
  ['http://h/a/../b/./c', 'urn:a', 'http://h/b/c'],
  ['urn:a/../b', 'http://h/', 'urn:b'],
  ['a:b/c', 'http://h/', 'a:b/c'],
  ['./a:b', 'http://h/', 'http://h/a:b'],
  ['日本/é', 'http://h/x/', 'http://h/x/日本/é'],
  ['a\nb', 'http://h/', 'http://h/a\nb'],
]

for (const [reference, from, target] of others)
  test(`<${JSON.stringify(reference)}> against <${from}> resolves to ${JSON.stringify(target)}`, t => {
    t.is(resolveIri(reference, from), target)
  })

test('resolving is idempotent', t => {
  const pieces = fc.constantFrom('/', '.', '..', 'a', ';', '?', '#', '//', ':', 'é')
  const reference = fc.array(pieces, {maxLength: 12}).map(parts => parts.join(''))
  fc.assert(
    fc.property(reference, text => {
      const target = resolveIri(text, base)
      return resolveIri(target, base) === target
    }),
    {numRuns: 1000},
  )
  t.pass()
})

const absolute = [
  'http://h/',
  'HTTP://h',
  'http://h:8080/a?b#c',
  'http://user@h/',
  'http://user:password@h:80/',
  'http://[::1]:80/',
  'http://[v7.a:b]/',
  'http://h:/',
  'urn:x',
  'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
  'cldp-sdk://metadata-1',
  'mailto:a@b',
  'file:///a',
  'a+b-c.d:e',
  'x:',
  'http://h/日本',
  'http://h/😀',
  "http://h/!$&'()*+,;=:@[]%20%zz",
  'http://h/?a=b&c#d#e',
]

for (const iri of absolute)
  test(`<${iri}> is an absolute IRI`, t => {
    t.true(isAbsoluteIri(iri))
  })

const notAbsolute = [
  '',
  'a',
  '/a',
  '//h/a',
  '#a',
  '?a',
  './a:b',
  '1a:b',
  ':a',
  'é:a',
  'http://[bad',
  'http://bad]',
  'http://[::1',
  'http://[x]y/',
  'http://h:80a/',
  'http://h:80:90/',
  'http://h/a b',
  'http://h/<a>',
  'http://h/"',
  'http://h/{}',
  'http://h/|',
  'http://h/\\',
  'http://h/^',
  'http://h/`',
  'http://h/\n',
  'http://h/\u0000',
  'http://h/\u001f',
  'http://h/\ud800',
  'http://h/\udc00a',
]

for (const iri of notAbsolute)
  test(`${JSON.stringify(iri)} is not an absolute IRI`, t => {
    t.false(isAbsoluteIri(iri))
  })

const root = 'http://h/ldp/'

const parents: [string, string | undefined][] = [
  ['http://h/ldp/', undefined],
  ['http://h/ldp/a/', 'http://h/ldp/'],
  ['http://h/ldp/a/b/', 'http://h/ldp/a/'],
  ['http://h/ldp/a%2Fb/', 'http://h/ldp/'],
  ['http://h/', undefined],
  ['http://h/ldpx/', undefined],
  ['http://other/ldp/a/', undefined],
]

for (const [iri, parent] of parents)
  test(`the parent of <${iri}> is ${parent}`, t => {
    t.is(parentOf(iri, root), parent)
  })

test('the root is below itself, its sibling is not', t => {
  t.deepEqual(
    [root, 'http://h/ldp/a/', 'http://h/ldp', 'http://h/ldpx/', 'http://h/'].map(iri => isUnder(iri, root)),
    [true, true, false, false, false],
  )
})
