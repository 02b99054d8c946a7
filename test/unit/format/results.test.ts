/** Formats of query results: whole documents, and round trips through small readers. */
import test from 'ava'
import fc from 'fast-check'
import {resultsFormats, solutionTexts} from '../../../src/format/results.ts'
import type {ResultsFormat, SolutionRow} from '../../../src/format/results-types.ts'
import {blankNode, langLiteral, literal, namedNode, type Term} from '../../../src/rdf/term.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import {readCsv, readJson, readTsv, readXml} from './results-readers.ts'

const rows: readonly SolutionRow[] = [
  [namedNode('http://e/?a&b'), literal('say "hi", <you>\n')],
  [blankNode('b1'), langLiteral('chat', 'fr-BE')],
  [undefined, literal('1.0', xsd.decimal)],
  [undefined, undefined],
]

const [json, xml, csv, tsv] = ['json', 'xml', 'csv', 'tsv'].map(name => {
  const format = resultsFormats.find(({id}) => id === `results-${name}`)
  if (format === undefined) throw new Error(`no format ${name}`)
  return format
}) as [ResultsFormat, ResultsFormat, ResultsFormat, ResultsFormat]

function writeAll(format: ResultsFormat, variables: readonly string[], all: readonly SolutionRow[]): string {
  const writer = format.createWriter(variables)
  return [...all.map(row => writer.write(solutionTexts(row, format))), writer.end()].join('')
}

test('solutions are written as JSON, without unbound variables', t => {
  t.is(
    writeAll(json, ['x', 'y'], rows),
    [
      '{"head":{"vars":["x","y"]},"results":{"bindings":[',
      '{"x":{"type":"uri","value":"http://e/?a&b"},"y":{"type":"literal","value":"say \\"hi\\", <you>\\n"}},',
      '{"x":{"type":"bnode","value":"b1"},"y":{"type":"literal","value":"chat","xml:lang":"fr-BE"}},',
      `{"y":{"type":"literal","value":"1.0","datatype":"${xsd.decimal}"}},`,
      '{}',
      ']}}',
      '',
    ].join('\n'),
  )
})

test('solutions are written as XML, with every special character escaped', t => {
  t.is(
    writeAll(xml, ['x', 'y'], rows),
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<sparql xmlns="http://www.w3.org/2005/sparql-results#">',
      '<head><variable name="x"/><variable name="y"/></head>',
      '<results>',
      '<result><binding name="x"><uri>http://e/?a&amp;b</uri></binding>' +
        '<binding name="y"><literal>say "hi", &lt;you&gt;',
      '</literal></binding></result>',
      '<result><binding name="x"><bnode>b1</bnode></binding>' +
        '<binding name="y"><literal xml:lang="fr-BE">chat</literal></binding></result>',
      `<result><binding name="y"><literal datatype="${xsd.decimal}">1.0</literal></binding></result>`,
      '<result></result>',
      '</results>',
      '</sparql>',
      '',
    ].join('\n'),
  )
})

test('solutions are written as CSV with quotes where they are needed', t => {
  t.is(
    writeAll(csv, ['x', 'y'], [...rows, [literal(''), literal('a "b"')]]),
    'x,y\r\nhttp://e/?a&b,"say ""hi"", <you>\n"\r\n_:b1,chat\r\n,1.0\r\n,\r\n"","a ""b"""\r\n',
  )
})

test('solutions are written as TSV with terms in the syntax of Turtle', t => {
  t.is(
    writeAll(tsv, ['x', 'y'], [...rows, [literal('5', xsd.int), literal('tab\there')]]),
    '?x\t?y\n<http://e/?a&b>\t"say \\"hi\\", <you>\\n"\n_:b1\t"chat"@fr-BE\n\t1.0\n\t\n' +
      `"5"^^<${xsd.int}>\t"tab\\there"\n`,
  )
})

test('in TSV a number is bare only where Turtle reads the same term', t => {
  const written = (term: Term) => writeAll(tsv, ['x'], [[term]]).split('\n')[1]
  const spoken = (value: string, datatype: string) => written(literal(value, datatype))

  t.deepEqual(
    [spoken('-05', xsd.integer), spoken('.5', xsd.decimal), spoken('1.E0', xsd.double), spoken('1e0', xsd.double)],
    ['-05', '.5', '1.E0', '1e0'],
  )
  t.deepEqual(
    [spoken('five', xsd.integer), spoken('5', xsd.decimal), spoken('1.5', xsd.double), spoken('INF', xsd.double)],
    [`"five"^^<${xsd.integer}>`, `"5"^^<${xsd.decimal}>`, `"1.5"^^<${xsd.double}>`, `"INF"^^<${xsd.double}>`],
  )
})

test('empty solutions and no variables give complete documents too', t => {
  t.is(writeAll(json, [], []), '{"head":{"vars":[]},"results":{"bindings":[\n\n]}}\n')
  t.is(
    writeAll(xml, ['x'], []),
    '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n' +
      '<head><variable name="x"/></head>\n<results>\n</results>\n</sparql>\n',
  )
  t.is(writeAll(csv, ['x'], []), 'x\r\n')
  t.is(writeAll(tsv, ['x'], []), '?x\n')
  t.is(writeAll(tsv, [], [[], []]), '\n\n\n')
})

test('a character that XML cannot represent is refused and named', t => {
  const error = t.throws(() => xml.termText(literal('a\u0001b')))

  t.like(error, {status: 406, rule: 'results-xml-text', message: 'XML cannot represent a character of "a\\u0001b"'})
})

test('the result of ASK is written in each format', t => {
  t.deepEqual(Object.fromEntries(resultsFormats.map(({id, writeBoolean}) => [id, writeBoolean(true)])), {
    'results-json': '{"head":{},"boolean":true}',
    'results-xml':
      '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n' +
      '<head/>\n<boolean>true</boolean>\n</sparql>\n',
    'results-csv': 'true\r\n',
    'results-tsv': 'true\n',
  })
})

test('no media type belongs to two formats', t => {
  const types = resultsFormats.flatMap(({mediaTypes}) => mediaTypes)

  t.is(new Set(types).size, types.length)
})

const xmlCharacter = fc
  .string({unit: 'binary', minLength: 1, maxLength: 1})
  .filter(character => /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]$/u.test(character))
const text = fc.string({unit: fc.oneof(xmlCharacter, fc.constantFrom(...'"\'\\<>&,;\t\r\n]')), maxLength: 8})
const iri = fc.webUrl().map(url => url.replaceAll(/[`{}|\\^]/g, ''))
const number = fc.constantFrom('1', '-01', '1.', '.5', '1e5', '1.5E-3', 'INF', 'x')
const term: fc.Arbitrary<Term> = fc.oneof(
  iri.map(namedNode),
  fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/).map(blankNode),
  text.map(value => literal(value)),
  fc.tuple(text, iri).map(([value, datatype]) => literal(value, datatype)),
  fc
    .tuple(number, fc.constantFrom(xsd.integer, xsd.decimal, xsd.double, xsd.int))
    .map(([value, type]) => literal(value, type)),
  fc.tuple(text, fc.constantFrom('en', 'de-AT', 'zh-Hans')).map(([value, language]) => langLiteral(value, language)),
)
const table = fc
  .uniqueArray(fc.stringMatching(/^[a-zé][a-z0-9_]{0,4}$/u), {minLength: 1, maxLength: 3})
  .chain(variables =>
    fc.record({
      variables: fc.constant(variables),
      rows: fc.array(
        fc.array(fc.option(term, {nil: undefined}), {minLength: variables.length, maxLength: variables.length}),
        {maxLength: 4},
      ),
    }),
  )

test('JSON is read back unchanged', t => {
  fc.assert(
    fc.property(table, given => {
      t.deepEqual(readJson(writeAll(json, given.variables, given.rows)), given)
    }),
  )
})

test('XML is read back unchanged', t => {
  fc.assert(
    fc.property(table, given => {
      t.deepEqual(readXml(writeAll(xml, given.variables, given.rows)), given)
    }),
  )
})

test('TSV is read back unchanged', async t => {
  await fc.assert(
    fc.asyncProperty(table, async given => {
      t.deepEqual(await readTsv(writeAll(tsv, given.variables, given.rows)), given)
    }),
  )
})

test('CSV is read back as texts, except unbound variables', t => {
  const cell = (value: Term | undefined) => (value?.termType === 'BlankNode' ? `_:${value.value}` : value?.value)
  fc.assert(
    fc.property(table, given => {
      t.deepEqual(readCsv(writeAll(csv, given.variables, given.rows)), [
        given.variables,
        ...given.rows.map(row => row.map(cell)),
      ])
    }),
  )
})
