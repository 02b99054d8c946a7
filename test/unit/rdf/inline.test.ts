/** Inline ids are lossless and ordered by value, and other literals are not inline. */
import test from 'ava'
import fc from 'fast-check'
import {kindOfInline} from '../../../src/rdf/id-layout.ts'
import {packLiteral, unpackLiteral} from '../../../src/rdf/inline.ts'
import {type Literal, literal} from '../../../src/rdf/term.ts'
import {xsd, xsdNamespace} from '../../../src/rdf/vocabulary.ts'

const inlineTypes = ['boolean', 'integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger']
  .concat(['nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'])
  .concat(['decimal', 'float', 'double', 'dateTime', 'date'])

const two = (n: number) => String(n).padStart(2, '0')
const zone = fc.oneof(
  fc.constantFrom('', 'Z', '+00:00', '-00:00', '+14:00', '-14:00', '+05:45', '+05:37', '-06:00', '+15:00'),
  fc.tuple(fc.constantFrom('+', '-'), fc.nat(15), fc.nat(61)).map(([sign, h, m]) => `${sign}${two(h)}:${two(m)}`),
)
const day = fc
  .tuple(fc.integer({min: 0, max: 9999}), fc.integer({min: 0, max: 13}), fc.integer({min: 0, max: 32}))
  .map(([y, m, d]) => `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`)
const time = fc
  .tuple(fc.nat(24), fc.nat(60), fc.nat(60), fc.stringMatching(/^(\.[0-9]{0,5})?$/))
  .map(([h, m, s, f]) => `${two(h)}:${two(m)}:${two(s)}${f}`)

const form = fc.oneof(
  fc.bigInt({min: -(2n ** 64n), max: 2n ** 64n}).map(String),
  fc.integer({min: -200, max: 300}).map(String),
  fc.stringMatching(/^[+-]?[0-9]{0,12}(\.[0-9]{0,8})?([eE][+-]?[0-9]{1,3})?$/),
  fc.stringMatching(/^-?[0-9]\.(0|[0-9]{0,8}[1-9])[Ee](-?[0-9]|[0-9]{2})$/),
  fc.constantFrom('true', 'false', '1', '0', '-0', '-0.0', '01', '+1', '.5', '5.', 'NaN', 'INF', ' 1', '1 ', ''),
  fc.tuple(day, time, zone).map(([d, t, z]) => `${d}T${t}${z}`),
  fc.tuple(day, zone).map(([d, z]) => d + z),
  fc.string(),
)
const anyLiteral = fc
  .tuple(form, fc.constantFrom(...inlineTypes))
  .map(([value, type]) => literal(value, xsdNamespace + type))

test('a packed literal is unpacked unchanged', t => {
  let packed = 0
  fc.assert(
    fc.property(anyLiteral, given => {
      const id = packLiteral(given)
      if (id === undefined) return
      packed += 1
      t.true(id < 0n && id >= -(2n ** 63n))
      t.deepEqual(unpackLiteral(id), given)
    }),
    {numRuns: 20_000},
  )
  t.true(packed > 1000)
})

test('ids of numbers of a kind have the order of the numbers', t => {
  const number = (type: string, form: fc.Arbitrary<string>) => form.map(value => literal(value, xsdNamespace + type))
  const ordered = (literals: fc.Arbitrary<Literal>) =>
    fc.assert(
      fc.property(literals, literals, (left, right) => {
        const [a, b] = [packLiteral(left), packLiteral(right)]
        if (a === undefined || b === undefined || Number(left.value) === Number(right.value)) return
        if (kindOfInline(a) !== kindOfInline(b)) return
        t.is(a < b, Number(left.value) < Number(right.value), `${left.value} and ${right.value}`)
      }),
      {numRuns: 5000},
    )

  ordered(number('integer', fc.integer().map(String)))
  const decimal = fc.stringMatching(/^-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,6})?$/)
  ordered(number('decimal', decimal))
  ordered(
    number(
      'double',
      fc.oneof(decimal, fc.stringMatching(/^-?[1-9](\.(0|[0-9]{0,6}[1-9]))?[Ee]([+-]0[0-9]|-[1-6]|[0-9])$/)),
    ),
  )
  const fine = fc.oneof(
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})\.[0-9]{7,8}$/),
    fc.double({min: -1, max: 1}).map(String),
  )
  ordered(number('decimal', fine))
  ordered(number('double', fine))
})

test('ids of dateTimes with a zone have the order of the instants, apart from those with six fraction digits', t => {
  const dateTime = (clock: typeof time, micros: fc.Arbitrary<string>) =>
    fc
      .tuple(day, clock, micros, fc.constantFrom('Z', '+14:00', '-06:00'))
      .map(([d, c, more, z]) => ({at: [Date.parse(`${d}T${c}${z}`), Number(more)], form: `${d}T${c}${more}${z}`}))
  const ordered = (dateTimes: ReturnType<typeof dateTime>) =>
    fc.assert(
      fc.property(dateTimes, dateTimes, (left, right) => {
        const [a, b] = [left, right].map(({form}) => packLiteral(literal(form, xsd.dateTime)))
        const [apart = 0, later = 0] = [0, 1].map(place => (left.at[place] ?? 0) - (right.at[place] ?? 0))
        if (a === undefined || b === undefined || (apart === 0 && later === 0)) return
        t.is(a < b, apart < 0 || (apart === 0 && later < 0), `${left.form} and ${right.form}`)
      }),
      {numRuns: 5000},
    )

  ordered(dateTime(time, fc.constant('')))
  const milliseconds = fc.constantFrom('00:00:00.000', '00:00:00.001', '23:59:59.999')
  ordered(dateTime(milliseconds, fc.constantFrom('000', '001', '500', '999')))
})

const fits = [
  ['0', 'integer'],
  ['-12', 'int'],
  ['255', 'unsignedByte'],
  ['3.140', 'decimal'],
  ['-0.5', 'double'],
  ['0.0E0', 'double'],
  ['1.0E0', 'double'],
  ['-5.21E1', 'double'],
  ['4.0e-6', 'double'],
  ['9.007199254E9', 'double'],
  ['5.21e-01', 'double'],
  ['-5E+00', 'double'],
  ['0e+00', 'double'],
  ['12.5E0', 'double'],
  ['0.5282e0', 'double'],
  ['0.1234567', 'decimal'],
  ['-9.990511757720341', 'double'],
  ['562949953421311.9', 'double'],
  ['-562949953421311.9', 'decimal'],
  ['0.0001220703125', 'double'],
  ['12345678901.0', 'double'],
  ['2026-02-28T23:59:59.120-06:00', 'dateTime'],
  ['2026-02-28T23:59:59', 'dateTime'],
  ['2026-02-28T23:59:59.120000-06:00', 'dateTime'],
  ['1969-12-31T23:59:59.999999', 'dateTime'],
  ['2112-09-17T23:53:47.370495Z', 'dateTime'],
  ['2026-02-28', 'date'],
  ['true', 'boolean'],
] as const
for (const [value, type] of fits)
  test(`"${value}"^^xsd:${type} fits into an id`, t => {
    t.not(packLiteral(literal(value, xsdNamespace + type)), undefined)
  })

const kept = [
  ['01', 'integer'],
  ['+1', 'integer'],
  ['-0', 'integer'],
  ['256', 'unsignedByte'],
  ['0', 'positiveInteger'],
  ['.5', 'decimal'],
  ['5.', 'decimal'],
  ['-0.0', 'decimal'],
  ['0.12345670', 'decimal'],
  ['0.0001234', 'float'],
  ['12345678901', 'double'],
  ['-12345678901.00', 'decimal'],
  ['562949953421312.0', 'double'],
  ['0.0001220703124', 'double'],
  ['0.12345678901234567', 'double'],
  ['16777217', 'float'],
  ['1.0E0', 'float'],
  ['1E0', 'double'],
  ['1.50E0', 'double'],
  ['12.50E0', 'double'],
  ['1.0E+01', 'double'],
  ['10E+00', 'double'],
  ['1e+1', 'double'],
  ['1e-07', 'double'],
  ['-0e+00', 'double'],
  ['0.1234567E0', 'double'],
  ['1.0E+0', 'double'],
  ['1.0E00', 'double'],
  ['1.5E-6', 'double'],
  ['9.1E9', 'double'],
  ['0.0E1', 'double'],
  ['-0.0E0', 'double'],
  ['1', 'boolean'],
  ['2026-02-30T00:00:00Z', 'dateTime'],
  ['2026-02-28T24:00:00Z', 'dateTime'],
  ['2026-02-28T23:59:59.1234Z', 'dateTime'],
  ['2026-02-28T23:59:59.1234567Z', 'dateTime'],
  ['2112-09-17T23:53:47.370496Z', 'dateTime'],
  ['2026-02-28T23:59:59-00:00', 'dateTime'],
  ['2026-02-28T23:59:59+05:37', 'dateTime'],
  ['5', 'string'],
] as const
for (const [value, type] of kept)
  test(`"${value}"^^xsd:${type} goes to the dictionary`, t => {
    t.is(packLiteral(literal(value, xsdNamespace + type)), undefined)
  })
