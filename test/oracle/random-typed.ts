/**
 * Random data as in applications, with one datatype for each predicate, and queries on it: stars, ranges, pages,
 * groups.
 *
 * Here the compiler knows the datatype of a predicate's objects, so it walks indexes, narrows ranges, and sorts and
 * counts by ids.
 */
import fc from 'fast-check'
import {langLiteral, literal, namedNode, type Quad, quad, type Term} from '../../src/rdf/term.ts'
import {xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'
import type {Frequencies} from '../../src/sparql/compile.ts'
import {namespace} from './random-data.ts'
import {sparqlText} from './random-query.ts'

type Text = fc.Arbitrary<string>

const iri = (name: string) => namedNode(namespace + name)
const subjects = ['a', 'b', 'c', 'd', 'e', 'f'].map(iri)
const graphs = ['g', 'h'].map(iri)

function dateTimes(...forms: readonly string[]): readonly Term[] {
  return forms.map(form => literal(form, xsd.dateTime))
}

/** The objects of each predicate, by its local name. */
export const typedValues: Readonly<Record<string, readonly Term[]>> = {
  int: ['-3', '0', '1', '2', '7', '10', '36028797018963967', '-36028797018963968']
    .map(value => literal(value, xsd.integer))
    .concat(literal('2', xsd.int)),
  dec: ['-0.5', '1.0', '1.00', '2.5', '7'].map(value => literal(value, xsd.decimal)).concat(literal('2.5', xsd.float)),
  mix: [literal('1', xsd.integer), literal('1.5', xsd.decimal), literal('2.0E0', xsd.double), literal('x')],
  num: ['-3', '0', '2', '10']
    .map(value => literal(value, xsd.integer))
    .concat(['-0.5', '2.0', '2.5', '0.0'].map(value => literal(value, xsd.decimal)))
    .concat(['2.5', '-0.5', '2.5E0', '-5.0e-1', '0.0E0'].map(value => literal(value, xsd.double)))
    .concat(literal('2.5', xsd.float)),
  time: ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00', '2021-05-05T12:00:00.500Z', '1999-01-01T00:00:00Z'].map(
    value => literal(value, xsd.dateTime),
  ),
  local: ['2020-01-01T00:00:00', '2021-01-01T00:00:00'].map(value => literal(value, xsd.dateTime)),
  stamp: ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00', '2020-01-01T13:59:59.999Z', '2020-01-01T14:00:00.001Z']
    .concat('2020-01-01T14:00:00Z', '2019-12-31T10:00:00-05:00', '2020-01-01T00:00:00.000001Z')
    .concat('2020-01-01T00:00:00.000001', '2020-01-01T13:59:59.9991Z', '2020-02-29T24:00:00')
    .map(value => literal(value, xsd.dateTime)),
  micro: dateTimes(
    ...['2020-01-01T00:00:00.000001Z', '2020-01-01T01:00:00.000001+01:00', '1969-12-31T23:59:59.999999Z'],
    ...['2020-01-01T00:00:00.500000Z', '2021-05-05T12:00:00.500000-05:00'],
  ),
  tick: dateTimes(
    ...['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000000Z', '2020-01-01T00:00:00.000001Z'],
    ...['2019-12-31T23:59:59.999Z', '2020-01-01T01:00:00.001+01:00', '2020-01-01T00:00:00.001000Z'],
    '1850-01-01T00:00:00Z',
  ),
  tock: dateTimes(
    ...['2020-01-01T00:00:00', '2020-01-01T00:00:00.000000', '2020-01-01T00:00:00.000001'],
    ...['2020-01-01T14:00:00.000001Z', '2020-01-01T14:00:00Z', '2020-01-01T13:59:59.999999Z'],
    '2019-12-31T10:00:00.000001Z',
  ),
  day: ['2020-01-01', '2020-01-01Z', '2019-12-31-05:00', '2021-01-01'].map(value => literal(value, xsd.date)),
  old: ['0001-01-02', '0001-01-02+14:00', '0001-01-01', '-0300-06-15', '-0299-01-01Z', '2020-01-01', '12020-01-01']
    .map(value => literal(value, xsd.date))
    .concat(
      ['0001-01-01T00:00:00Z', '-0300-06-15T12:00:00', '0001-01-02T00:00:00'].map(value =>
        literal(value, xsd.dateTime),
      ),
    ),
  moment: ['2020-01-01', '2020-01-01Z', '2021-01-01', '2019-12-31-05:00']
    .map(value => literal(value, xsd.date))
    .concat(
      ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00', '2021-05-05T12:00:00.5'].map(value =>
        literal(value, xsd.dateTime),
      ),
    ),
  loose: [literal('2020-01-01', xsd.date), literal('2020-01-01T00:00:00Z', xsd.dateTime), literal('2', xsd.integer)]
    .concat(literal('-3', xsd.integer), literal('2020'), literal('2020-01-01T00:00:00.0000010Z', xsd.dateTime))
    .concat(literal('2.50', xsd.decimal), literal('2.5', xsd.double), literal('1.5E3', xsd.double))
    .concat(literal('2.500000001', xsd.decimal), literal('2.5', xsd.float), langLiteral('b', 'en')),
  half: ['-1.5', '-0.5', '-0.4', '0', '0.4', '0.5', '2.5', '3', '-4.0E-1', '5.0e-1', '5.0E-1', '3.0E0'].map(value =>
    literal(value, xsd.double),
  ),
  power: ['-1.5E0', '0.0E0', '5.21e-01', '1e+03', '12.5E0', '1.0E-6', '2.5E3', '1.23456E0', '1.23456e0', '4.0E9'].map(
    value => literal(value, xsd.double),
  ),
  fine: ['2.500000001', '-7.000000001', '0.3000000000000001', '12345678901.0']
    .map(value => literal(value, xsd.decimal))
    .concat(['2.500000001', '-7.000000001', '0.30000000000000004'].map(value => literal(value, xsd.double))),
  sensor: ['0.3', '2.5', '2.5000000001', '0.30000000000000004', '-0.30000000000000004', '25E-1', '0.30000001']
    .map(value => literal(value, xsd.double))
    .concat(literal('0.3', xsd.decimal), literal('0.30000000000000004', xsd.decimal), literal('0', xsd.integer))
    .concat(literal('0.3', xsd.float), literal('true', xsd.boolean)),
  // The next kinds do not fit into ids.
  wide: ['012', '+12', '-99999999999999999999', '99999999999999999999'].map(value => literal(value, xsd.integer)),
  precise: ['2.5', '2.5000000010', '-7.00000000100', '+2.50'].map(value => literal(value, xsd.decimal)),
  real: ['15E2', '1500', '1.500E+3', '-2e-3', '12.50E0', '0.1', '0', '-0', '-0.4', 'INF', 'NaN']
    .map(value => literal(value, xsd.double))
    .concat(literal('0.1', xsd.float)),
  measure: ['-2', '3', '+3', '99999999999999999999']
    .map(value => literal(value, xsd.integer))
    .concat(['2.5', '-7.000000001', '+3.0', '4.'].map(value => literal(value, xsd.decimal)))
    .concat(['1.5E3', '2.5', '-0', '1e300', 'NaN'].map(value => literal(value, xsd.double)))
    .concat(literal('2', xsd.int), literal('2.5E0', xsd.float)),
  instant: [
    '2020-01-01T00:00:00.0000010Z',
    '1820-01-01T00:00:00.000000Z',
    '1850-02-28T23:59:59.1234567Z',
    '2090-06-30T12:00:00.9999-05:00',
  ].map(value => literal(value, xsd.dateTime)),
  bool: ['true', 'false'].map(value => literal(value, xsd.boolean)),
  name: ['', 'a', 'B', 'b', 'é'].map(value => literal(value)),
  label: [langLiteral('a', 'en'), langLiteral('b', 'en'), langLiteral('a', 'de'), langLiteral('a', 'EN')],
  caption: ['a', 'b', 'B'].map(value => literal(value)).concat(langLiteral('a', 'en'), langLiteral('c', 'de')),
  form: ['5', '-12', '+5', ' 5\n', '007', '5.0', '.5', '2.50', '-0', '1e3', '99999999999999999999', '', 'x'].map(
    value => literal(value),
  ),
  clock: ['10:00:00', '10:00:00.0', '09:30:00', '24:00:00', '00:00:00', '10:00:00Z', '09:00:00-01:00', '9:00:00']
    .map(value => literal(value, xsd.time))
    .concat(literal('2020-01-01T00:00:00.0000010', xsd.dateTime)),
  odd: ['1990', '1991', '01991', '1990Z', '-0044']
    .map(value => literal(value, xsd.gYear))
    .concat(['1990-01', '1989-12', '1990-13'].map(value => literal(value, xsd.gYearMonth)))
    .concat(literal('1990', 'http://e/t')),
  long: ['PT90M', 'PT1H30M', 'P1D', 'PT24H', '-PT1S', 'PT0.5S', 'P1Y', 'P12M', 'P1M1D', 'PT', 'P']
    .map(value => literal(value, xsd.duration))
    .concat(literal('PT1H30M', xsd.dayTimeDuration), literal('P1Y', xsd.yearMonthDuration)),
  // Values of one kind, and others among them.
  dirty: [
    ...['1', '2', '-3', '36028797018963967'].map(value => literal(value, xsd.integer)),
    literal('n/a'),
    ...subjects,
  ],
  untidy: ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000001Z', '2021-05-05T12:00:00.500Z', '2020-01-01T00:00:00']
    .map(value => literal(value, xsd.dateTime))
    .concat(literal('2020-01-01', xsd.date), literal('2020'), literal('2020', xsd.gYear), langLiteral('a', 'en')),
  link: subjects,
}
const predicates = Object.keys(typedValues)

const typedQuad: fc.Arbitrary<Quad> = fc
  .tuple(fc.constantFrom(...subjects), fc.constantFrom(...predicates), fc.constantFrom(...graphs))
  .chain(([subject, predicate, graph]) =>
    fc.constantFrom(...(typedValues[predicate] ?? [])).map(object => quad(subject, iri(predicate), object, graph)),
  )

export const typedQuads: fc.Arbitrary<readonly Quad[]> = fc.array(typedQuad, {maxLength: 40})

/** Random statistics. They determine orders and methods of joins, but not answers. */
export const randomCounts: fc.Arbitrary<readonly number[]> = fc.array(fc.constantFrom(1, 30, 1000, 1e6), {
  minLength: 3 * predicates.length,
  maxLength: 3 * predicates.length,
})

/** @param idOf  ids of the stored predicates */
export function frequenciesOf(counts: readonly number[], idOf: (key: string) => string | undefined): Frequencies {
  const counted = predicates.flatMap((name, index) => {
    const id = idOf(`I${namespace}${name}`)
    const [triples = 1, subjects = 1, objects = 1] = counts.slice(3 * index)
    return id === undefined ? [] : [[id, {triples, subjects, objects, quantiles: []}] as const]
  })
  return {triples: 1e6, predicates: new Map(counted), values: new Map()}
}

const predicate = fc.constantFrom(...predicates)
const name = fc.constantFrom('?x', '?y', '?z')
const root: Text = fc.oneof({weight: 5, arbitrary: fc.constant('?s')}, fc.constant(':a'))

/** A pattern of the star; its object may be a constant. */
const arm: Text = fc.tuple(root, predicate, fc.boolean()).chain(([subject, verb, isConstant]) => {
  const object = isConstant ? fc.constantFrom(...(typedValues[verb] ?? []).map(sparqlText)) : name
  return object.map(text => `${subject} :${verb} ${text} .`)
})
const chain: Text = fc.tuple(predicate, name).map(([verb, object]) => `?s :link ?t . ?t :${verb} ${object} .`)

const constant = predicate.chain(verb => fc.constantFrom(...(typedValues[verb] ?? []).map(sparqlText)))
const test: Text = fc.oneof(
  fc.tuple(name, fc.constantFrom('<', '>', '<=', '>=', '='), constant).map(parts => parts.join(' ')),
  fc.tuple(constant, fc.constantFrom('<', '>', '<=', '>=', '='), name).map(parts => parts.join(' ')),
  fc.tuple(name, constant, constant).map(([x, low, high]) => `${x} >= ${low} && ${x} < ${high}`),
  fc.tuple(name, constant, constant).map(([x, one, two]) => `${x} IN (${one}, ${two})`),
  name.map(x => `CONTAINS(STR(${x}), "a")`),
  name.map(x => `BOUND(${x})`),
  name.map(x => `isNumeric(${x})`),
  name.map(x => `DATATYPE(${x}) = <${xsd.dateTime}>`),
  arm.map(text => `NOT EXISTS { ${text} }`),
  fc.tuple(arm, name, name).map(([text, x, y]) => `NOT EXISTS { ${text} FILTER(${x} < ${y}) }`),
)

const inside: Text = fc
  .tuple(
    fc.array(fc.oneof({weight: 4, arbitrary: arm}, {weight: 1, arbitrary: chain}), {minLength: 1, maxLength: 3}),
    fc.array(
      fc.oneof(
        arm.map(text => `OPTIONAL { ${text} }`),
        chain.map(text => `OPTIONAL { ${text} }`),
        fc.tuple(arm, test).map(([text, tested]) => `OPTIONAL { ${text} FILTER(${tested}) }`),
        fc.tuple(arm, arm).map(([one, two]) => `{ ${one} } UNION { ${two} }`),
        arm.map(text => `MINUS { ${text} }`),
        fc.tuple(predicate, name).map(([verb, x]) => `OPTIONAL { ?s :${verb} ${x} } FILTER(!BOUND(${x}))`),
        test.map(text => `FILTER(${text})`),
        test.map(text => `FILTER(${text})`),
      ),
      {maxLength: 3},
    ),
  )
  .map(parts => parts.flat().join(' '))

const key: Text = fc.tuple(fc.boolean(), name).map(([isDescending, x]) => (isDescending ? `DESC(${x})` : x))
const order: Text = fc.array(key, {minLength: 1, maxLength: 2}).map(keys => `ORDER BY ${keys.join(' ')}`)
const slice: Text = fc.constantFrom('LIMIT 1', 'LIMIT 2', 'LIMIT 3', 'LIMIT 2 OFFSET 1', 'LIMIT 30', '')

const selected: Text = fc
  .tuple(fc.constantFrom('*', '?s ?x ?y ?z', 'DISTINCT ?s ?x ?y ?z', 'DISTINCT ?s ?x'), inside, order, slice)
  .map(([head, where, by, some]) => {
    const isShown = head !== 'DISTINCT ?s ?x' || !/[yz]/.test(by)
    return `SELECT ${head} WHERE { ${where} } ${isShown ? by : ''} ${some}`
  })

const aggregated: Text = fc
  .tuple(fc.constantFrom('', '?s', '?y'), fc.constantFrom('MIN', 'MAX', 'SUM', 'AVG', 'COUNT'), name, inside)
  .map(([by, aggregate, x, where]) => {
    const alias = /MIN|MAX/.test(aggregate) ? '?m' : '?n'
    return `SELECT ${by} (${aggregate}(${x}) AS ${alias}) WHERE { ${where} } ${by === '' ? '' : `GROUP BY ${by}`}`
  })

const constructed: Text = inside.map(
  where => `CONSTRUCT { ?s :x ?x . ?s :y ?y . ?t :z ?z . ?s :t ?t } WHERE { ${where} }`,
)

/** Objects of one predicate each, and expressions that are computed from them without their terms. */
const typed: fc.Arbitrary<readonly string[]> = fc.array(
  predicate.filter(verb => verb !== 'link'),
  {minLength: 2, maxLength: 3},
)
const number = fc.constantFrom(
  '?x',
  '?y',
  '?z',
  '1',
  '2',
  '7',
  '-3',
  '0.5',
  '01',
  '3.0e0',
  '-0e0',
  '0e0',
  'STRLEN(STR(?x))',
  'YEAR(?y)',
)
const timeOrDuration = fc.constantFrom(
  ...['PT36H', '-P1DT0.5S', 'PT0S', 'P3D'].map(text => `"${text}"^^<${xsd.dayTimeDuration}>`),
  ...['P1Y2M', '-P1M'].map(text => `"${text}"^^<${xsd.yearMonthDuration}>`),
  ...['P1M', 'P1DT1H', 'P1Y1D'].map(text => `"${text}"^^<${xsd.duration}>`),
  ...['2020-02-29T12:00:00Z', '2021-12-31T23:59:59.25'].map(text => `"${text}"^^<${xsd.dateTime}>`),
  ...['2020-01-31', '2021-01-01+01:00'].map(text => `"${text}"^^<${xsd.date}>`),
  `"10:30:00"^^<${xsd.time}>`,
  'NOW()',
)
const written = fc.constantFrom('?x', '?y', 'STR(?x)', 'STR(?y)', 'SUBSTR(?x, 1, 2)', '" 07 "')
const cast: Text = fc
  .tuple(fc.constantFrom('integer', 'decimal', 'double', 'float'), written)
  .map(([type, text]) => `<${xsdNamespace}${type}>(${text})`)
const simple = fc.oneof({weight: 3, arbitrary: number}, cast)
const sum: Text = fc
  .tuple(simple, fc.constantFrom('+', '-', '*', '/'), simple)
  .map(([one, sign, two]) => `(${one} ${sign} ${two})`)
const rounded: Text = fc
  .tuple(fc.constantFrom('ABS', 'CEIL', 'FLOOR', 'ROUND', '-', '+'), fc.oneof(simple, sum))
  .map(([word, x]) => `${word}(${x})`)
const type = fc.constantFrom('integer', 'decimal', 'double', 'float')
const nested: Text = fc.oneof(
  fc.tuple(fc.constantFrom('ABS', 'CEIL', 'FLOOR', 'ROUND', '-'), rounded).map(([word, x]) => `${word}(${x})`),
  fc.tuple(type, fc.oneof(rounded, sum)).map(([name, x]) => `<${xsdNamespace}${name}>(${x})`),
  fc
    .tuple(fc.constantFrom('ABS', 'FLOOR', 'ROUND'), type, fc.oneof(rounded, sum))
    .map(([word, name, x]) => `${word}(<${xsdNamespace}${name}>(${x}))`),
)
const piece: Text = fc
  .tuple(
    fc.constantFrom('SUBSTR', 'STRBEFORE', 'STRAFTER'),
    fc.oneof(
      name,
      name.map(x => `STR(${x})`),
    ),
    fc.constantFrom('-', '0', ':', '', 'a', '1'),
  )
  .map(([word, x, text]) => {
    if (word !== 'SUBSTR') return `${word}(${x}, "${text}")`
    return text < '1' ? `SUBSTR(${x}, 1, 4)` : `SUBSTR(${x}, STRLEN(${x}) - 3, STRLEN(STR(${x})) - 4)`
  })
/** Operators on times and durations. */
const span: Text = fc
  .tuple(
    fc.oneof(name, timeOrDuration),
    fc.constantFrom('+', '-', '-', '-', '*', '/'),
    fc.oneof(name, timeOrDuration, number),
  )
  .map(([one, sign, two]) => `(${one} ${sign} ${two})`)
const nestedSpan: Text = fc.oneof(
  fc
    .tuple(span, fc.constantFrom('+', '-', '*', '/'), fc.oneof(span, timeOrDuration, number))
    .map(([one, sign, two]) => `(${one} ${sign} ${two})`),
  fc.tuple(fc.constantFrom('STR', 'DATATYPE'), span).map(([word, x]) => `${word}(${x})`),
)
const part = fc.oneof(sum, rounded, number, nested, span)
const computed: Text = fc.oneof(
  {weight: 2, arbitrary: sum},
  {weight: 2, arbitrary: rounded},
  {weight: 2, arbitrary: nested},
  {weight: 2, arbitrary: span},
  nestedSpan,
  piece,
  fc.tuple(type, piece).map(([name, x]) => `<${xsdNamespace}${name}>(${x})`),
  fc
    .tuple(type, piece, fc.constantFrom('+', '-', '*'), number)
    .map(([name, x, sign, y]) => `(<${xsdNamespace}${name}>(${x}) ${sign} ${y})`),
  fc.tuple(fc.constantFrom('LANG', 'DATATYPE', 'STRLEN', 'UCASE'), piece).map(([word, x]) => `${word}(${x})`),
  fc.tuple(part, fc.constantFrom('*', '/', '-'), part).map(([one, sign, two]) => `(${one} ${sign} ${two})`),
  fc.tuple(part, part).map(([one, two]) => `COALESCE(${one}, ${two})`),
  fc.tuple(name, part, part).map(([x, one, two]) => `IF(${x} > 1, ${one}, ${two})`),
  fc.tuple(fc.constantFrom('YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES'), name).map(([word, x]) => `${word}(${x})`),
  fc.tuple(fc.constantFrom('LANG', 'DATATYPE', 'STRLEN', 'UCASE', 'LCASE', 'STR'), name).map(([w, x]) => `${w}(${x})`),
)
const operand: Text = fc.oneof({weight: 2, arbitrary: computed}, {weight: 2, arbitrary: name}, fc.oneof(number, cast))
/** A test that only terms of some kinds pass. */
const kindTest: Text = fc
  .tuple(
    name,
    fc.oneof(
      fc.constantFrom('isNumeric($)', '!isNumeric($)', 'isLiteral($)', 'isIRI($)', '!isIRI($)', 'LANG($) = "en"'),
      fc
        .constantFrom('integer', 'decimal', 'double', 'dateTime', 'date', 'string', 'gYear')
        .map(local => `DATATYPE($) = <${xsdNamespace}${local}>`),
    ),
  )
  .map(([x, text]) => text.replace('$', x))
const compared: Text = fc.oneof(
  {weight: 2, arbitrary: kindTest},
  fc.tuple(kindTest, fc.constantFrom('&&', '||'), kindTest).map(parts => parts.join(' ')),
  fc
    .tuple(
      name,
      fc.constantFrom('<', '>', '<=', '>=', '=', '!='),
      fc.constantFrom('2019', '2020', '2021', '1', '2020.5'),
    )
    .map(([x, sign, year]) => `YEAR(${x}) ${sign} ${year}`),
  fc
    .tuple(operand, fc.constantFrom('<', '>', '<=', '>=', '=', '!='), fc.oneof(operand, constant))
    .map(parts => parts.join(' ')),
  fc
    .tuple(operand, fc.constantFrom('"en"', '"a"', '""', '<http://www.w3.org/2001/XMLSchema#integer>'))
    .map(([one, text]) => `${one} = ${text}`),
  fc
    .tuple(name, fc.constantFrom('en', 'EN', 'de', '*', 'en-GB'))
    .map(([x, range]) => `LANGMATCHES(LANG(${x}), "${range}")`),
  fc
    .tuple(fc.constantFrom('CONTAINS', 'STRSTARTS', 'STRENDS', 'REGEX'), operand, fc.constantFrom('a', 'B', '', 'é'))
    .map(([word, one, text]) => `${word}(${one}, "${text}")`),
  operand,
)
const bindings: readonly string[] = ['?x', '?y', '?z']
const calculated: Text = fc
  .tuple(typed, fc.array(compared, {maxLength: 2}), computed, fc.constantFrom('', 'OPTIONAL'), fc.nat(10), cast)
  .map(([verbs, tests, expression, optional, form, casted]) => {
    const patterns = verbs.map((verb, at) => `${at > 0 ? optional : ''} { ?s :${verb} ${bindings[at]} }`)
    const where = [...patterns, ...tests.map(text => `FILTER(${text})`)].join(' ')
    const aggregate = ['SUM', 'AVG', 'COUNT', 'MIN', 'MAX'][form]
    const byRoot = (total: string) => `{ SELECT ?s ${total} WHERE { ${where} } GROUP BY ?s }`
    if (form === 8)
      return `SELECT ?s ?c (?c * ?m AS ?d) WHERE { ${byRoot(`(AVG(${casted}) AS ?c) (MAX(${casted}) AS ?m)`)} } ORDER BY ?d ?c`
    if (form >= 9) {
      const [one, other] = form === 9 ? ['SUM', 'AVG'] : ['MIN', 'SUM']
      const inner = `${byRoot(`(${one}(${casted}) AS ?c)`)} ${byRoot(`(${other}(${expression}) AS ?d)`)}`
      return `SELECT ?s ?c ?d (?c / ?d AS ?e) WHERE { ${inner} FILTER(?c <= ?d || ?c > 1) } ORDER BY DESC(?e) ?c`
    }
    if (form === 6) return `SELECT ?c (COUNT(*) AS ?n) WHERE { ${where} } GROUP BY (${expression} AS ?c) ORDER BY ?c`
    if (form === 7)
      return `SELECT ?s ?d WHERE { ${where} BIND(${casted} AS ?c) BIND(${expression} * ?c AS ?d) } ORDER BY ?c`
    return aggregate === undefined
      ? `SELECT ?s ?x (${expression} AS ?c) WHERE { ${where} } ORDER BY ?c`
      : `SELECT ?s (${aggregate}(${expression}) AS ?c) WHERE { ${where} } GROUP BY ?s`
  })

export const typedQuery: Text = fc
  .oneof(
    {weight: 6, arbitrary: selected},
    {weight: 2, arbitrary: aggregated},
    {weight: 2, arbitrary: constructed},
    {weight: 5, arbitrary: calculated},
  )
  .map(text => `PREFIX : <${namespace}>\n${text}`)

/** A query whose pages together must be its whole answer, and the length of a page. */
export const pagedQuery: fc.Arbitrary<{readonly text: string; readonly length: number}> = fc
  .tuple(
    fc.constantFrom('?s', 'DISTINCT ?s', '?s ?x', 'DISTINCT ?s ?x', 'DISTINCT ?s ?y'),
    fc.array(arm, {maxLength: 2}),
    fc.oneof(fc.constantFrom('?x', 'DESC(?x)'), key),
    fc.constantFrom(1, 2, 3),
  )
  .map(([head, arms, by, length]) => ({
    text: `PREFIX : <${namespace}>\nSELECT ${head} WHERE { ?s :int ?x . ${arms.join(' ')} } ORDER BY ${by}`,
    length,
  }))

/** Most of them, so that subjects have several values. */
export const manyQuads: fc.Arbitrary<readonly Quad[]> = fc.array(typedQuad, {minLength: 40, maxLength: 80})
