/** Reads Turtle, TriG, N-Triples and N-Quads: labels, places of errors, invalid bodies. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {isAnonymousLabel} from '../../../src/format/body-terms.ts'
import {documentIri, lines, readBody} from '../../support/read-body.ts'

async function problemOf(mediaType: string, body: string | Uint8Array): Promise<Problem> {
  try {
    await readBody(mediaType, body)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('accepted')
}

test('labels are kept; nodes without one get labels that no client can write', async t => {
  const quads = await readBody('application/trig', '<> { <> <p:p> _:x, [ <p:q> ( _:x ) ] } _:x <p:r> _:b0 .')

  t.deepEqual(lines(quads), [
    `${documentIri} p:p _:x ${documentIri}`,
    `_:!2 http://www.w3.org/1999/02/22-rdf-syntax-ns#first _:x ${documentIri}`,
    `_:!2 http://www.w3.org/1999/02/22-rdf-syntax-ns#rest http://www.w3.org/1999/02/22-rdf-syntax-ns#` +
      `nil ${documentIri}`,
    `_:!1 p:q _:!2 ${documentIri}`,
    `${documentIri} p:p _:!1 ${documentIri}`,
    '_:x p:r _:b0',
  ])
  t.deepEqual(['!1', 'b0', 'x'].map(isAnonymousLabel), [true, false, false])
})

test('lexical forms and language tags do not change', async t => {
  const body = "<> <p:p> 01, +1, -0, .5, 1.0E0, 1e-5, true, \"x\"@eN-Us, \"a\\r\\n\\u00e9\"^^<t:t>, '''\"'\"''' ."

  t.deepEqual(
    lines(await readBody('text/turtle', body)).map(line => line.slice(documentIri.length + 5)),
    [
      '"01"^^integer',
      '"+1"^^integer',
      '"-0"^^integer',
      '".5"^^decimal',
      '"1.0E0"^^double',
      '"1e-5"^^double',
      '"true"^^boolean',
      '"x"@eN-Us',
      '"a\r\né"^^t:t',
      '""\'""^^string',
    ],
  )
})

test('references resolve against the document, absolute IRIs stay as they are', async t => {
  const body = '<> <#p> <../x>, <//o/y>, <?q>, </z/./a>, <http://a/b/../c>, <HTTP://A> . @base <sub/> . <c> <p:p> <> .'
  const quads = await readBody('text/turtle', body)

  t.deepEqual(
    quads.map(quad => quad.object.value),
    ['http://h/x', 'http://o/y', 'http://h/doc/?q', 'http://h/z/a', 'http://a/b/../c', 'HTTP://A', 'http://h/doc/sub/'],
  )
  t.is(quads.at(-1)?.subject.value, 'http://h/doc/sub/c')
})

test('an error has the expected and the found token, and their place', async t => {
  const cases: readonly (readonly [string, string, number, number, string])[] = [
    ['text/turtle', '<> <p:p> 1\n<b> <p:p> 2 .', 2, 1, 'Expected ".", ";" or ",", found "<b>"'],
    ['text/turtle', '<> ex:p 1 .', 1, 4, 'The prefix "ex:" is not declared'],
    ['text/turtle', '<> <p:p> "x\n" .', 1, 10, 'Unexpected "\\"x"'],
    ['text/turtle', '<> <p:p> "x', 1, 10, 'Unexpected "\\"x"'],
    ['text/turtle', '<> <p:p> "\\q" .', 1, 10, 'Unexpected "\\"\\\\q\\""'],
    ['text/turtle', '\n\n<a b> <p:p> 1 .', 3, 1, 'Unexpected "<a"'],
    ['text/turtle', '<> <p:p> 1 .\r\n<> <p:p> ; .', 2, 10, 'Expected a term, found ";"'],
    ['text/turtle', '<> <p:p> ' + "'''a\nb''' # c\n <p:q> .", 3, 2, 'Expected ".", ";" or ",", found "<p:q>"'],
    ['text/turtle', '<> a ', 1, 6, 'Expected a term, found the end'],
    ['text/turtle', '<> <p:p> ^^<t:t> .', 1, 12, 'Unexpected "<t:t>"'],
    ['text/turtle', '<> <p:p> "x"@version .', 1, 13, 'Unexpected "@version"'],
    ['application/trig', '<g> { <> a <T> ', 1, 16, 'Expected ".", ";" or ",", found the end'],
    ['application/trig', '<g> { <h> { <> a <T> } }', 1, 11, 'Unexpected "{"'],
    ['application/trig', '{ <> a <T> . @prefix p: <p:> }', 1, 14, 'Unexpected "@prefix"'],
    ['application/n-triples', '<a:a> <a:b> <a:c> . <a:d>', 1, 21, 'Unexpected "<a:d>"'],
    ['application/n-triples', '<a:a> <a:b>\n<a:c> .', 2, 1, 'Unexpected "<a:c>"'],
    ['application/n-quads', '<a:a> "b" <a:c> .', 1, 7, 'Unexpected "\\"b\\""'],
  ]
  for (const [mediaType, body, line, column, message] of cases) {
    const error = await problemOf(mediaType, body)
    t.like(error, {status: 400, rule: 'body-syntax', members: {line, column}}, `${body}: ${error.message}`)
    t.true(error.message.startsWith(message), error.message)
  }
})

test('syntax beyond RDF 1.1 is an error, not dropped', async t => {
  const bodies = [
    '<> <p:p> <<( <a:a> <a:b> <a:c> )>> .',
    '<< <a:a> <a:b> <a:c> >> <p:p> 1 .',
    '<> <p:p> 1 ~ <r:r> .',
    '<> <p:p> 1 {| <a:a> 1 |} .',
    '<> <p:p> "x"@en--ltr .',
    'VERSION "1.2" <> <p:p> 1 .',
    '{ <> <p:p> 1 } => { <> <p:q> 2 } .',
    '<> <p:p> ?x .',
    '<> = <a:a> .',
  ]
  for (const body of bodies) t.is((await problemOf('text/turtle', body)).rule, 'body-syntax', body)
})

test('an IRI that no syntax can write is refused with its place', async t => {
  const error = await problemOf('text/turtle', '<> <p:p>\n <http://[bad> .')

  t.like(error, {
    status: 400,
    rule: 'iri-valid',
    message: 'Not an absolute IRI: <http://[bad>',
    members: {line: 2, column: 2},
  })
  t.is((await problemOf('text/turtle', '<> <p:p> <a:\\u0020> .')).rule, 'body-syntax')
  t.is((await problemOf('application/n-triples', '<a> <p:p> <a:b> .')).rule, 'iri-valid')
})

test('text that cannot be stored is refused with its place', async t => {
  t.like(await problemOf('text/turtle', '<> <p:p> "\\uD800" .'), {rule: 'body-syntax'})
  t.like(await problemOf('application/ld+json', '{"http://e/p": "\\ud800"}'), {rule: 'text-storable'})
  t.like(await problemOf('text/turtle', Uint8Array.of(0x22, 0xff)), {status: 400, rule: 'body-encoding'})
})

test('a language-tagged type without a tag is refused', async t => {
  const langString = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>'

  t.is((await problemOf('text/turtle', `<> <p:p> "x"^^${langString} .`)).rule, 'language-tag')
  t.like(await problemOf('text/turtle', '<> <p:p> "x"@abcdefghi .'), {
    rule: 'language-tag',
    members: {line: 1, column: 13},
  })
})

test('a byte order mark is skipped', async t => {
  t.is((await readBody('text/turtle', '\ufeff<> <p:p> 1 .')).length, 1)
  t.is((await readBody('application/ld+json', '\ufeff{}')).length, 0)
})

test('nesting beyond the limit is refused, long lists and strings are accepted', async t => {
  t.like(await problemOf('text/turtle', `<> <p:p> ${'[ <p:p> '.repeat(100_000)}`), {
    rule: 'body-depth',
    members: {line: 1},
  })
  t.like(await problemOf('text/turtle', `<> <p:p> ${'('.repeat(100_000)}`), {rule: 'body-depth'})
  t.is((await readBody('application/trig', `[${' '.repeat(2_000_000)}] {}`)).length, 0)
  t.is((await problemOf('text/turtle', `<> <p:p> "x"@a${'-a'.repeat(3_000_000)} .`)).rule, 'language-tag')
  t.is((await readBody('text/turtle', `<> <p:p> (${' 1'.repeat(50_000)}) .`)).length, 100_001)
  t.is((await readBody('text/turtle', `<> <p:p> "${'x\\n'.repeat(500_000)}" .`)).length, 1)
  t.is(
    (await readBody('text/turtle', `@prefix p: <p:> . <> p:${'x'.repeat(1_000_000)} p:${'\\~'.repeat(100_000)} .`))
      .length,
    1,
  )
})

test('a base without a path or with a fragment resolves by RFC 3986', async t => {
  const body =
    '@base <urn:a> . <b> <p:p> <#c> . BASE <http://h> <x> <p:p> <?q> . @base <http://h/a/b?c#d> . <> <p:p> <e> .'
  const quads = await readBody('text/turtle', body)

  t.deepEqual(
    quads.map(quad => [quad.subject.value, quad.object.value]),
    [
      ['urn:b', 'urn:a#c'],
      ['http://h/x', 'http://h?q'],
      ['http://h/a/b?c', 'http://h/a/e'],
    ],
  )
})

test('the time for very many statements is proportional to their number', async t => {
  const body = '<> <p:p> 1, "a\\tb", [ <p:q> ( 1 _:x ) ] .\n'.repeat(50_000)
  const start = performance.now()

  t.is((await readBody('text/turtle', body)).length, 400_000)
  t.true(performance.now() - start < 30_000, `${performance.now() - start} ms`)
})

test('a long namespace in very many names is refused before it uses much memory', async t => {
  const namespace = `http://e/${'x'.repeat(1_000_000)}#`

  for (const name of ['p:a', '<#a>']) {
    const body = `@prefix p: <${namespace}> . @base <${namespace}> . <> <p:p> ${Array(1_000).fill(name).join(', ')} .`
    t.like(await problemOf('text/turtle', body), {status: 400, rule: 'iri-size'})
  }
})
