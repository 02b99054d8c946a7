/** The layout of written documents, and the properties of streaming. */
import {isDeepStrictEqual} from 'node:util'
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {formatOfMediaType, formats, serialise} from '../../../src/format/registry.ts'
import type {Format} from '../../../src/format/types.ts'
import {blankNode, literal, namedNode, type Quad, quad} from '../../../src/rdf/term.ts'
import {rdf, rdfNamespace} from '../../../src/rdf/vocabulary.ts'
import {isIsomorphic} from '../../support/isomorphism.ts'
import {readBody} from '../../support/read-body.ts'

const prefixes = {ex: 'http://example.org/ns#', xsd: 'http://www.w3.org/2001/XMLSchema#', unused: 'http://u/'}

function formatOf(mediaType: string): Format {
  const format = formatOfMediaType(mediaType)
  if (format === undefined) throw new Error(mediaType)
  return format
}

async function written(mediaType: string, trig: string): Promise<string> {
  return String(serialise(formatOf(mediaType), await readBody('application/trig', trig), {prefixes}))
}

const example = `PREFIX ex: <http://example.org/ns#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
  <> { <> ex:name "Project \\"X\\"\\n"@en-US ; a ex:Project ; ex:count 1, "01"^^xsd:int, 2.50 ;
    ex:list ( "a" ( 1 ) ), () ;
    ex:odd ex:a\\,b .
       _:qs12 ex:knows <#me> . }
  <free:node> ex:p true .`

test('Turtle declares the prefixes it uses, puts types first, writes lists as lists', async t => {
  t.is(
    await written('text/turtle', example),
    `@prefix ex: <http://example.org/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<http://h/doc/> a ex:Project ;
  ex:name "Project \\"X\\"\\n"@en-US ;
  ex:count 1, "01"^^xsd:int, 2.50 ;
  ex:list ( "a" ( 1 ) ), () ;
  ex:odd <http://example.org/ns#a,b> .

_:qs12 ex:knows <http://h/doc/#me> .

<free:node> ex:p true .
`,
  )
})

test('TriG writes a block for each graph, and the default graph without one', async t => {
  t.is(
    await written('application/trig', '<> { <> a <T> . <#a> <p:p> 1 . } <> <p:q> 2 . _:g { <> a <U> }'),
    `
<http://h/doc/> {
  <http://h/doc/> a <http://h/doc/T> .

  <http://h/doc/#a> <p:p> 1 .
}

<http://h/doc/> <p:q> 2 .

_:g {
  <http://h/doc/> a <http://h/doc/U> .
}
`.slice(1),
  )
})

test('JSON-LD is an array of graphs and free nodes, values are strings, one node a line', async t => {
  const xsd = 'http://www.w3.org/2001/XMLSchema#'
  t.deepEqual(JSON.parse(await written('application/ld+json', example)), [
    {
      '@id': 'http://h/doc/',
      '@graph': [
        {
          '@id': 'http://h/doc/',
          '@type': ['http://example.org/ns#Project'],
          'http://example.org/ns#name': [{'@value': 'Project "X"\n', '@language': 'en-US'}],
          'http://example.org/ns#count': [
            {'@value': '1', '@type': `${xsd}integer`},
            {'@value': '01', '@type': `${xsd}int`},
            {'@value': '2.50', '@type': `${xsd}decimal`},
          ],
          'http://example.org/ns#list': [
            {'@list': [{'@value': 'a'}, {'@list': [{'@value': '1', '@type': `${xsd}integer`}]}]},
            {'@list': []},
          ],
          'http://example.org/ns#odd': [{'@id': 'http://example.org/ns#a,b'}],
        },
        {'@id': '_:qs12', 'http://example.org/ns#knows': [{'@id': 'http://h/doc/#me'}]},
      ],
    },
    {'@id': 'free:node', 'http://example.org/ns#p': [{'@value': 'true', '@type': `${xsd}boolean`}]},
  ])
})

test('no quads give an empty document in every format', t => {
  const documents = Object.fromEntries(formats.map(format => [format.id, String(serialise(format, [], {prefixes}))]))

  t.deepEqual(documents, {
    turtle: '',
    'json-ld': '[]\n',
    trig: '',
    'rdf-xml': `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF\n  xmlns:rdf="${rdfNamespace}">\n</rdf:RDF>\n`,
    'n-triples': '',
    'n-quads': '',
    binary: 'BRDF\0\0\0\u0001\u007f',
    trix: '<?xml version="1.0" encoding="UTF-8"?>\n<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">\n</TriX>\n',
    'rdf-json': '{}\n',
    n3: '',
  })
})

test('quads of one node are written together, in whatever order they come', async t => {
  const quads = await readBody(
    'application/trig',
    '<a> <p:p> 1 . <b> <p:p> 1 . <a> <p:p> 2 . <g> { <a> <p:p> 3 } <b> <p:p> 2 .',
  )

  const document = JSON.parse(String(serialise(formatOf('application/ld+json'), quads)))

  t.deepEqual(
    document.map((node: {readonly '@id': string}) => node['@id']),
    ['http://h/doc/a', 'http://h/doc/b', 'http://h/doc/g'],
  )
})

test('lists that are shared, broken, cyclic or have further triples stay explicit', async t => {
  const first = `<${rdf.first}>`
  const rest = `<${rdf.rest}>`
  const nil = `<${rdf.nil}>`
  const cases = [
    `<> <p:p> _:a, _:b . _:a ${first} 1 ; ${rest} _:c . _:b ${first} 1 ; ${rest} _:c . _:c ${first} 2` +
      ` ; ${rest} ${nil} .`,
    `<> <p:p> _:a . _:a ${first} 1 ; ${rest} _:b .`,
    `<> <p:p> _:a . _:a ${first} 1 ; ${rest} _:a .`,
    `<> <p:p> _:a . _:a ${first} 1 ; ${rest} ${nil} ; <p:q> 1 .`,
    `<> <p:p> _:a . _:a ${first} 1, 2 ; ${rest} ${nil} .`,
    `<> <p:p> _:a . _:a ${first} 1 ; ${rest} <b> . <b> ${first} 1 ; ${rest} ${nil} .`,
    `_:a ${first} 1 ; ${rest} ${nil} .`,
    `_:a ${first} _:b ; ${rest} ${nil} . _:b ${first} _:a ; ${rest} ${nil} .`,
    `<> { <> <p:p> _:a . _:a ${first} 1 ; ${rest} ${nil} } <g> { <> <p:p> _:a }`,
  ]
  for (const body of cases) {
    const quads = await readBody('application/trig', body)
    for (const mediaType of ['application/ld+json', 'application/trig']) {
      const document = String(serialise(formatOf(mediaType), quads))
      t.notRegex(document, /"@list":\[[^\]]|\( /, body)
      t.true(isIsomorphic(quads, await readBody(mediaType, document)), document)
    }
  }
})

test('lists nest in the output only as deep as readers accept', async t => {
  const deep = `<> <p:p> ${'( '.repeat(60)}1${' )'.repeat(60)} .`
  const quads = await readBody('text/turtle', deep)

  for (const mediaType of ['application/ld+json', 'text/turtle']) {
    const document = String(serialise(formatOf(mediaType), quads))
    t.true(isIsomorphic(quads, await readBody(mediaType, document)))
  }
})

test('labels that a syntax cannot write are encoded, each differently', async t => {
  const labels = ['ok', '!', '!1', '!2', 'a b', 'é', '1', 'enc-a', 'enc--0021', '-x', 'x.']
  const quads = labels.map((label, index) => quad(blankNode(label), namedNode('p:p'), literal(String(index))))

  for (const format of formats.filter(each => each.parse !== undefined)) {
    const back = await readBody(format.mediaTypes[0], String(serialise(format, quads)))
    t.deepEqual(new Set(back.map(each => each.subject.value)).size, labels.length, format.id)
    t.true(back.some(each => each.subject.value === 'ok'))
  }
})

test('RDF/XML names the triples that it cannot express', t => {
  const write = (predicate: string, value: string) => () =>
    serialise(formatOf('application/rdf+xml'), [quad(namedNode('s:s'), namedNode(predicate), literal(value))])

  for (const predicate of [
    'http://e/123',
    'http://e/',
    `${rdfNamespace}li`,
    `${rdfNamespace}about`,
    'http://www.w3.org/2000/xmlns/a',
  ]) {
    t.like(t.throws(write(predicate, 'x')), {status: 406, rule: 'rdfxml-predicate', members: {predicate}}, predicate)
  }
  t.like(t.throws(write('http://e/p', 'a\u0001')), {status: 406, rule: 'xml-character'})
  t.true(t.throws(write('http://e/p', '\ufffe')) instanceof Problem)
})

test('a stream of many nodes is written in constant memory, with and without lists', t => {
  for (const mediaType of ['text/turtle', 'application/ld+json', 'application/trig', 'application/n-quads']) {
    const writer = formatOf(mediaType).createWriter({prefixes})
    let longest = 0
    let length = 0
    for (const each of manyQuads(150_000)) {
      const chunk = writer.write(each)
      longest = Math.max(longest, chunk.length)
      length += chunk.length
    }
    const last = writer.end().length

    t.true(length > 3_500_000, `${mediaType} ${length}`)
    t.true(longest < 12_000_000 && last < 12_000_000, `${mediaType}: ${longest} and ${last} characters at once`)
  }
})

test('a node with more quads than the buffer is written in parts, and read as one', async t => {
  const many = Array.from({length: 60_000}, (_, index) =>
    quad(namedNode('s:s'), namedNode('p:p'), namedNode(`o:${index}`)),
  )
  for (const mediaType of ['text/turtle', 'application/ld+json', 'application/rdf+xml', 'application/rdf+json']) {
    const writer = formatOf(mediaType).createWriter({})
    const document = [...many.map(each => writer.write(each)), writer.end()].join('')

    t.is(document.match(/o:\d+/g)?.length, 60_000, mediaType)
    if (formatOf(mediaType).parse !== undefined)
      t.true(isDeepStrictEqual(await readBody(mediaType, document), many), mediaType) // t.deepEqual is slow here
  }
})

test('a stream that exceeds the memory for lists has the same graph', async t => {
  const first = namedNode(rdf.first)
  const rest = namedNode(rdf.rest)
  const quads: Quad[] = [quad(namedNode('s:s'), namedNode('p:p'), blankNode('c0'))]
  for (let index = 0; index < 30_000; index++) {
    quads.push(quad(blankNode(`c${index}`), first, literal(String(index))))
    quads.push(quad(blankNode(`c${index}`), rest, index === 29_999 ? namedNode(rdf.nil) : blankNode(`c${index + 1}`)))
  }
  const writer = formatOf('text/turtle').createWriter({})
  const document = [...quads.map(each => writer.write(each)), writer.end()].join('')

  t.is((await readBody('text/turtle', document)).length, quads.length)
})

function* manyQuads(count: number): Iterable<Quad> {
  for (let index = 0; index < count; index++) {
    const subject = index % 7 === 0 ? blankNode(`b${index >> 3}`) : namedNode(`http://h/${index >> 3}`)
    const object = index % 5 === 0 ? blankNode(`x${index}`) : literal(`value ${index}`)
    yield quad(subject, namedNode(`http://example.org/ns#p${index % 3}`), object)
  }
}
