/** Reads JSON-LD: bodies of existing clients, content that would be lost, and invalid bodies. */
import test, {type ExecutionContext} from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {documentIri, lines, readBody} from '../../support/read-body.ts'

const ld = 'application/ld+json'
const read = async (value: unknown) => lines(await readBody(ld, JSON.stringify(value)))

/** Sorts the names of objects, because jsonld processes them in this order, not in that of the body. */
function sameLines(t: ExecutionContext, actual: readonly string[], expected: readonly string[]): void {
  t.deepEqual([...actual].sort(), [...expected].sort())
}

async function problemOf(body: string, options = {}): Promise<Problem> {
  try {
    await readBody(ld, body, options)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('accepted')
}

test('prefixes in the expanded form of JSON-LD 1.0 are prefixes (documents guide, 1)', async t => {
  const quads = await read({
    '@context': {
      c: {'@id': 'https://carbonldp.com/ns/v1/platform#'},
      ex: {'@id': 'http://example.org/ns#'},
      xsd: {'@id': 'http://www.w3.org/2001/XMLSchema#'},
      'ex:literalProperty': {'@type': 'xsd:string'},
      'ex:numericalProperty': {'@type': 'xsd:int'},
    },
    '@id': '',
    '@type': ['c:Document'],
    'ex:literalProperty': 'Example property',
    'ex:numericalProperty': '1',
  })

  sameLines(t, quads, [
    `${documentIri} http://www.w3.org/1999/02/22-rdf-syntax-ns#type https://carbonldp.com/ns/v1/platform#Document`,
    `${documentIri} http://example.org/ns#literalProperty "Example property"^^string`,
    `${documentIri} http://example.org/ns#numericalProperty "1"^^int`,
  ])
})

test('expanded prefixes also work in nested, array and scoped contexts', async t => {
  const quads = await read({
    '@context': [{'@version': 1.1}, {p: {'@id': 'http://p/#', '@context': {q: {'@id': 'http://q/'}}}}],
    '@id': '',
    'p:a': {'@context': {r: {'@id': 'http://r/?'}}, '@id': '#x', 'r:b': '1'},
    p: {'@id': '#y', 'q:c': '2'},
  })

  sameLines(t, quads, [
    `${documentIri}#x http://r/?b "1"^^string`,
    `${documentIri} http://p/#a ${documentIri}#x`,
    `${documentIri}#y http://q/c "2"^^string`,
    `${documentIri} http://p/# ${documentIri}#y`,
  ])
})

test('a context inside the first element of an array applies there (documents guide, 7)', async t => {
  const quads = await read([
    {
      '@context': {ex: {'@id': 'http://example.org/ns#'}},
      '@id': documentIri,
      '@graph': [{'@id': documentIri, '@type': ['ex:PUTExample', 'http://x/T']}],
    },
  ])

  sameLines(t, quads, [
    `${documentIri} http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://example.org/ns#PUTExample ${documentIri}`,
    `${documentIri} http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://x/T ${documentIri}`,
  ])
})

test('a language together with the type xsd:string counts, the type does not', async t => {
  for (const type of ['xsd:string', 'http://www.w3.org/2001/XMLSchema#string']) {
    const value = {'@value': 'cat', '@type': type, '@language': 'en'}
    t.deepEqual(await read({'@id': '', 'http://e/p': value}), [`${documentIri} http://e/p "cat"@en`])
  }
})

test('a language together with any other type is refused', async t => {
  const error = await problemOf('{"http://e/p": {"@value": "1", "@type": "http://e/t", "@language": "en"}}')

  t.like(error, {status: 400, rule: 'jsonld-invalid', members: {code: 'invalid value object'}})
})

test('a body without triples is an empty graph', async t => {
  for (const body of [
    '{}',
    '[]',
    '{"@id":"","@graph":[{"@id":""}]}',
    '{"@id":"","@graph":[]}',
    '{"@context":{}}',
    'null',
  ]) {
    t.deepEqual(await readBody(ld, body), [], body)
  }
})

test('blank nodes keep the labels of the client, one node in all graphs', async t => {
  const quads = await read([
    {'@id': '', '@graph': [{'@id': '_:uuid-1', 'http://e/p': {'@id': '_:b0'}}]},
    {'@id': '_:b0', 'http://e/q': 'orphan or not'},
    {'@id': '_:orphan', 'http://e/q': {'http://e/r': '1'}},
  ])

  sameLines(t, quads, [
    `_:uuid-1 http://e/p _:b0 ${documentIri}`,
    '_:b0 http://e/q "orphan or not"^^string',
    '_:!1 http://e/r "1"^^string',
    '_:orphan http://e/q _:!1',
  ])
})

test('language tags keep their case, in every place for a tag', async t => {
  const quads = await read({
    '@context': {
      '@language': 'DE-ch',
      map: {'@id': 'http://e/map', '@container': '@language'},
      fixed: {'@id': 'http://e/fixed', '@language': 'PT-br'},
      tag: '@language',
    },
    '@id': '',
    map: {'en-GB': 'colour', 'EN-us': ['color']},
    fixed: 'cor',
    'http://e/value': {'@value': 'x', tag: 'eN'},
    'http://e/plain': 'y',
  })

  sameLines(t, quads, [
    `${documentIri} http://e/map "colour"@en-GB`,
    `${documentIri} http://e/map "color"@EN-us`,
    `${documentIri} http://e/fixed "cor"@PT-br`,
    `${documentIri} http://e/value "x"@eN`,
    `${documentIri} http://e/plain "y"@DE-ch`,
  ])
})

test('native numbers and booleans take the forms of the specification', async t => {
  const quads = await read({
    '@id': '',
    'http://e/p': [1, -7, 0.5, 1e21, true, {'@value': 3, '@type': 'http://www.w3.org/2001/XMLSchema#double'}],
  })

  sameLines(
    t,
    quads.map(line => line.slice(line.indexOf('"'))),
    ['"1"^^integer', '"-7"^^integer', '"5.0E-1"^^double', '"1.0E21"^^double', '"true"^^boolean', '"3.0E0"^^double'],
  )
})

test('the lexical form of a typed string does not change', async t => {
  const value = {'@value': '01.50', '@type': 'http://www.w3.org/2001/XMLSchema#double'}

  t.deepEqual(await read({'@id': '', 'http://e/p': value}), [`${documentIri} http://e/p "01.50"^^double`])
})

test('content that the algorithms would drop is refused and named', async t => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{'@id': '', name: 'x'}, '"name\\"'],
    [{'@id': '', 'http://e/p': {name: 'x'}}, 'name'],
    [{'@graph': ['free']}, 'free'],
    [{'@context': {x: null}, x: 'y'}, 'x'],
    [{'_:p': 'blank'}, '_:p'],
    [{'@id': '', '@foo': 'x'}, '@foo'],
    [{'http://e/p': {'@value': 'x', '@direction': 'rtl'}}, 'direction'],
    [[{'@list': ['x']}], 'outside'],
    [[{'@list': [{'@id': ''}]}], 'list'],
    [{'@id': '', 'http://e/p': {'@id': '@foo'}}, 'reserved'],
    [{'@id': '', '@container': 'x'}, '@container'],
  ]
  for (const [body, named] of cases) {
    const error = await problemOf(JSON.stringify(body))
    t.is(error.rule, 'jsonld-lossless', JSON.stringify(body))
    t.true(error.message.replaceAll('\\', '').includes(named.replaceAll('\\', '')), error.message)
  }
})

test('a context that is not known is a 422 that names it, imported ones too', async t => {
  for (const context of ['"https://schema.org/"', '{"@import": "https://schema.org/"}', '["ctx"]']) {
    const error = await problemOf(`{"@context": ${context}, "name": "x"}`)
    const url = context.includes('schema') ? 'https://schema.org/' : `${documentIri}ctx`
    t.like(error, {status: 422, rule: 'remote-context-refused', members: {context: url}})
  }
})

test('contexts the caller knows, and those bundled, are used', async t => {
  const contexts = new Map([['http://ctx/', {'@context': {name: 'http://e/name'}}]])
  const body =
    '{"@context": ["http://ctx/", "https://carbonldp.com/ns/v1/platform"], "@id": "", "name": "x", "@' +
    'type": "c:Document"}'

  sameLines(t, lines(await readBody(ld, body, {contexts})), [
    `${documentIri} http://e/name "x"^^string`,
    `${documentIri} http://www.w3.org/1999/02/22-rdf-syntax-ns#type https://carbonldp.com/ns/v1/platform#Document`,
  ])
})

test('a JSON syntax error has its line and column', async t => {
  const cases: readonly (readonly [string, number, number])[] = [
    ['{\n  "a": 1,\n}', 3, 1],
    ['{"a" 1}', 1, 6],
    ['[1 2]', 1, 4],
    ['{"a": tru}', 1, 7],
    ['', 1, 1],
    ['{"a": "x', 1, 7],
    ['{"a": "\\x"}', 1, 8],
    ['{} {}', 1, 4],
    ['{"a":1,\r\n"a":2}', 2, 1],
  ]
  for (const [body, line, column] of cases) {
    t.like(await problemOf(body), {status: 400, rule: 'body-syntax', members: {line, column}}, body)
  }
})

test('a number that is not exactly a double is refused, not rounded', async t => {
  t.like(await problemOf('{"http://e/p": 12345678901234567891}'), {rule: 'json-number', members: {line: 1, column: 16}})
  t.like(await problemOf('{"http://e/p": 1e999}'), {rule: 'json-number'})
  t.deepEqual((await readBody(ld, '{"@id":"","http://e/p": 9007199254740992}')).length, 1)
})

test('nesting beyond the limit is refused before recursion', async t => {
  const deep = (levels: number) => `${'[{"http://e/p":'.repeat(levels)}1${'}]'.repeat(levels)}`

  t.like(await problemOf(deep(100_000)), {status: 400, rule: 'body-depth', members: {line: 1}})
  t.is((await readBody(ld, deep(50))).length, 50)
})

test('contexts that need endless work are refused', async t => {
  const terms = Object.fromEntries(Array.from({length: 2_000}, (_, index) => [`t${index}`, 'http://e/']))
  const nodes = Array.from({length: 2_000}, (_, index) => ({
    '@context': {[`x${index}`]: 'http://x/'},
    'http://e/p': '1',
  }))
  const chain = Object.fromEntries(Array.from({length: 50_000}, (_, index) => [`t${index}`, `t${index + 1}:x`]))

  t.is((await problemOf(JSON.stringify({'@context': terms, '@graph': nodes}))).rule, 'context-size')
  t.is((await problemOf(JSON.stringify({'@context': chain}))).rule, 'jsonld-invalid')
})

test('a context scoped to a type is processed once for many nodes of the type', async t => {
  const terms = Object.fromEntries(Array.from({length: 300}, (_, index) => [`t${index}`, `http://e/${index}`]))
  const nodes = Array.from({length: 10_000}, () => ({'@type': 'T', t7: 'x'}))
  const body = JSON.stringify({'@context': {T: {'@id': 'http://e/T', '@context': terms}}, '@graph': nodes})

  t.is((await readBody(ld, body)).length, 20_000)
})

test('a member action under a declared base names its member (access points guide, 17)', async t => {
  const quads = await read({
    '@context': {'@base': 'http://localhost:8083/', c: {'@id': 'https://carbonldp.com/ns/v1/platform#'}},
    '@id': '_:b0',
    '@type': ['c:AddMemberAction'],
    'c:targetMember': {'@id': 'john-doe/'},
  })

  sameLines(t, quads, [
    '_:b0 http://www.w3.org/1999/02/22-rdf-syntax-ns#type https://carbonldp.com/ns/v1/platform#AddMemberAction',
    '_:b0 https://carbonldp.com/ns/v1/platform#targetMember http://localhost:8083/john-doe/',
  ])
})

test('names of inherited properties have no special meaning', async t => {
  const error = await problemOf('{"@id": "", "__proto__": "x"}')

  t.is(error.rule, 'jsonld-lossless')
  t.is((await problemOf('{"@id": "", "constructor": "x"}')).rule, 'jsonld-lossless')
  t.deepEqual(lines(await readBody(ld, '{"@context": {"__proto__": "http://e/p"}, "@id": "", "__proto__": "x"}')), [
    `${documentIri} http://e/p "x"^^string`,
  ])
})

test('a relative vocabulary depends on the document, also after a body with the same context', async t => {
  const body = JSON.stringify({'@context': {'@vocab': '#'}, '@id': '', p: 'x'})

  for (const base of ['http://h/a/', 'http://h/b/']) {
    t.deepEqual(lines(await readBody(ld, body, {base})), [`${base} ${base}#p "x"^^string`])
  }
})

test('references keep the port of the document', async t => {
  const quads = await readBody(ld, '{"@id": "a", "http://e/p": {"@id": "//o:443/"}}', {base: 'http://h:80/d/'})

  t.deepEqual(lines(quads), ['http://h:80/d/a http://e/p http://o:443/'])
})

test('a prefix in a JSON literal does not change', async t => {
  const value = {'@context': {ex: {'@id': 'http://e/#'}}, '@value': 'x', '@type': 'xsd:string', '@language': 'EN'}
  const quads = await read({'@id': '', 'http://e/p': {'@type': '@json', '@value': value}})

  t.is(quads.length, 1)
  t.deepEqual(JSON.parse(quads[0]?.replace(/^[^"]*"(.*)"\^\^JSON$/, '$1') ?? ''), value)
})

test('a context scoped to a nested property applies in it', async t => {
  const quads = await read({
    '@context': {n: {'@id': '@nest', '@context': {p: 'http://e/inside'}}, p: 'http://e/outside'},
    '@id': '',
    n: {p: '1'},
    p: '2',
  })

  sameLines(t, quads, [`${documentIri} http://e/inside "1"^^string`, `${documentIri} http://e/outside "2"^^string`])
})

test('an error in a scoped context has its own rule', async t => {
  const scoped = {'@context': {p: {'@id': 'http://e/p', '@context': 'https://schema.org/'}}, '@id': ''}

  t.like(await problemOf(JSON.stringify(scoped)), {status: 422, rule: 'remote-context-refused'})
  t.like(await problemOf('{"@context": {"p": {"@id": "http://e/p", "@context": {"@foo": "x"}}}, "p": "1"}'), {
    rule: 'jsonld-lossless',
  })
})

test('cyclic contexts end', async t => {
  const contexts = new Map<string, unknown>([
    ['http://ctx/a', {'@context': 'http://ctx/b'}],
    ['http://ctx/b', {'@context': ['http://ctx/a']}],
    ['http://ctx/c', {'@context': {p: {'@id': 'http://e/p', '@context': 'http://ctx/c'}}}],
  ])

  t.like(await problemOf('{"@context": "http://ctx/a"}', {contexts}), {members: {code: 'context overflow'}})
  t.is((await readBody(ld, '{"@context": "http://ctx/c", "@id": "", "p": {"p": "1"}}', {contexts})).length, 2)
  t.like(await problemOf('{"@context": {"a": "b:x", "b": "a:y"}}'), {members: {code: 'cyclic IRI mapping'}})
})

test('bodies that make naive readers slow are read or refused in time', async t => {
  const many = (size: number, item: (index: number) => unknown) => Array.from({length: size}, (_, index) => item(index))
  const terms = Object.fromEntries(many(50_000, index => [`a:${index}`, {'@id': `x:${index}`}]) as [string, unknown][])
  const scoped = Object.fromEntries(many(50_000, index => [`t${index}`, `http://e/${index}`]) as [string, unknown][])
  const bodies: readonly (readonly [unknown, number | string])[] = [
    [{'@id': '', 'http://e/p': many(100_000, index => [index])}, 100_000],
    [{'@context': {...terms, a: 'x:'}, '@id': '', 'a:7': '1'}, 1],
    [
      {
        '@context': {T: {'@id': 'http://e/T', '@context': scoped}},
        '@graph': many(20_000, () => ({'@type': 'T', t7: {'http://e/m': '1'}})),
      },
      60_000,
    ],
    [{'@context': [many(1_000, () => ({})), scoped].flat(), '@id': '', t7: '1'}, 1],
    [{'@context': many(2_000, index => ({[`u${index}`]: 'http://e/'})), '@id': '', u7: '1'}, 'context-size'],
  ]
  for (const [index, [body, outcome]] of bodies.entries()) {
    const start = process.cpuUsage()
    const got = await readBody(ld, JSON.stringify(body)).then(
      quads => quads.length,
      error => error.rule ?? error.stack,
    )
    t.is(got, outcome, `body ${index}`)
    const seconds = process.cpuUsage(start).user / 1e6
    t.true(seconds < 30, `body ${index}: ${seconds} s`)
  }
})

test('a label that resembles a generated one does not conflict with it', async t => {
  const quads = await read([{'@id': '_:!1', 'http://e/p': {'http://e/q': {'@id': '_:!1'}}}, {'http://e/r': '1'}])

  t.deepEqual(quads, ['_:!2 http://e/q _:!1', '_:!1 http://e/p _:!2', '_:!3 http://e/r "1"^^string'])
})

test('a value alone is not a document', async t => {
  for (const body of ['"http://e/doc"', '1']) t.is((await problemOf(body)).rule, 'jsonld-lossless', body)
})

test('a context whose IRIs are long is refused: each use would expand them', async t => {
  const long = `http://e/${'x'.repeat(3_000)}#`

  for (const context of [{p: long}, {'@vocab': long}, {'@base': long}, {'@vocab': 'http://e/', p: {'@id': long}}]) {
    t.is((await problemOf(JSON.stringify({'@context': context, '@id': ''}))).rule, 'context-size')
  }
})
