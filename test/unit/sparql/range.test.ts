/** Ranges of ids have the same meaning as comparisons of the inline numbers and instants. */
import test from 'ava'
import fc from 'fast-check'
import {packLiteral} from '../../../src/rdf/inline.ts'
import {type Literal, literal, type NamedNode} from '../../../src/rdf/term.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import type {Comparison} from '../../../src/sparql/plan/expression/comparisons.ts'
import {rangeOf} from '../../../src/sparql/plan/expression/range.ts'
import {number, type Scalar} from '../../../src/sparql/plan/relation.ts'
import {compareTimes, readTime} from '../../oracle/times.ts'

const unknown: Scalar = {kind: 'null', type: 'int8'} // stands for the comparison by a function
const variable: Scalar = {kind: 'column', table: 't', name: 'o'}
const comparisons: readonly Comparison[] = ['=', '<', '>', '<=', '>=']

/** Whether a condition of ranges is true for an id. @param decided  the result of the function */
function holds(scalar: Scalar, id: bigint, decided = false): boolean {
  const value = (side: Scalar): bigint => (side.kind === 'number' ? BigInt(side.value) : id)
  switch (scalar.kind) {
    case 'all':
      return scalar.conditions.every(condition => holds(condition, id, decided))
    case 'any':
      return scalar.conditions.some(condition => holds(condition, id, decided))
    case 'operator':
      return scalar.operator === '>='
        ? value(scalar.left) >= value(scalar.right)
        : scalar.operator === '<='
          ? value(scalar.left) <= value(scalar.right)
          : value(scalar.left) === value(scalar.right)
    case 'case':
      return scalar.otherwise !== undefined && holds(scalar.otherwise, id, decided) // the values below include no float
    default:
      return scalar === unknown && decided
  }
}

function rangeFor(comparison: Comparison, constant: NamedNode | Literal, isYear = false): Scalar | undefined {
  const id = constant.termType === 'Literal' ? (packLiteral(constant) ?? 7n) : 7n
  const test = {generic: () => unknown, ofExtent: () => unknown, hasOwn: false}
  return rangeOf(variable, {comparison, constant, isYear}, number(id), test)
}

const compare = (comparison: Comparison, left: number, right: number): boolean =>
  ({'=': left === right, '<': left < right, '>': left > right, '<=': left <= right, '>=': left >= right})[comparison]

const hundredths = fc.integer({min: -200_000_000, max: 200_000_000})

/** A literal for this many hundredths; an integer if possible and `isInteger`. */
function show(value: number, isInteger: boolean) {
  if (isInteger && value % 100 === 0) return literal(String(value / 100), xsd.integer)
  const digits = String(Math.abs(value)).padStart(3, '0')
  return literal(`${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`, xsd.decimal)
}

test('numbers', t => {
  fc.assert(
    fc.property(
      fc.oneof(hundredths, fc.constantFrom(0, 100, -100)),
      fc.oneof(hundredths, fc.constantFrom(0, 100, -100, 1)),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(...comparisons),
      (left, right, isLeftInteger, isRightInteger, comparison) => {
        const id = packLiteral(show(left, isLeftInteger)) ?? 0n
        const constant = show(right, isRightInteger)
        const range = rangeFor(comparison, constant)

        return range !== undefined && holds(range, id) === compare(comparison, left, right)
      },
    ),
    {numRuns: 3000},
  )
  t.pass()
})

test('instants', t => {
  const instant = (ms: number) => literal(new Date(ms).toISOString(), xsd.dateTime)
  const time = fc.oneof(fc.integer({min: -1e12, max: 4e12}), fc.constantFrom(0, 1, -1))
  fc.assert(
    fc.property(time, time, fc.constantFrom(...comparisons), (left, right, comparison) => {
      const id = packLiteral(instant(left)) ?? 0n
      const constant = instant(right)
      const range = rangeFor(comparison, constant)

      return range !== undefined && holds(range, id) === compare(comparison, left, right)
    }),
    {numRuns: 1000},
  )
  t.pass()
})

const zones = ['', 'Z', '+14:00', '-14:00', '+05:45', '-08:00']
const dayMs = 86_400_000
const days = fc.integer({min: -400_000, max: 900_000})

/** A literal for this day since 1970, or for its noon. */
function dayOf(day: number, zone: string, clock = '') {
  const text = new Date(day * dayMs).toISOString().slice(0, 10)
  return literal(`${text}${clock}${zone}`, clock === '' ? xsd.date : xsd.dateTime)
}

const zoneMs = (zone: string): number =>
  zone.length < 6 ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * 60_000

test('dates in any time zones; those within one day of each other are left to the function', t => {
  const near = fc.integer({min: -3, max: 3})
  const zone = fc.constantFrom(...zones)
  fc.assert(
    fc.property(days, near, zone, zone, fc.constantFrom(...comparisons), (day, apart, mine, theirs, comparison) => {
      const id = packLiteral(dayOf(day, mine)) ?? 0n
      const range = rangeFor(comparison, dayOf(day + apart, theirs))
      if (range === undefined) return false
      const [left, right] = [day * dayMs - zoneMs(mine), (day + apart) * dayMs - zoneMs(theirs)]
      const isKnown = (mine === '') === (theirs === '') || Math.abs(left - right) > 14 * 3_600_000
      const expected = isKnown && compare(comparison, left, right)

      const isFar = Math.abs(apart) > 1
      return holds(range, id, expected) === expected && (!isFar || holds(range, id, !expected) === expected)
    }),
    {numRuns: 3000},
  )
  t.pass()
})

test('times with constants that are not inline: of another year, with more digits, at the ends of what is inline', t => {
  const zone = fc.constantFrom(...zones)
  const year = fc.constantFrom('-12345', '-0300', '-0002', '0001', '2020', '4199', '9999', '10000', '123456')
  const monthDay = fc.constantFrom('01-01', '01-02', '06-15', '11-23', '12-30', '12-31', '02-29')
  const clock = fc.constantFrom('', 'T00:00:00', 'T12:34:56.7891', 'T23:59:59.999999')
  const constant = fc.tuple(year, monthDay, clock, zone).map(([year, day, time, zone]) => {
    return literal(`${year}-${day}${time}${zone}`, time === '' ? xsd.date : xsd.dateTime)
  })
  const hours = fc.constantFrom(-40, -27, -25, -15, -13, -1, 0, 1, 13, 15, 25, 27, 40)
  const ends = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('4199-11-20T23:59:59.999Z')] as const
  const inline = (at: number, zone: string, isDate: boolean) => {
    const text = new Date(Math.min(ends[1], Math.max(ends[0], at))).toISOString().slice(0, isDate ? 10 : 23)
    return literal(text + zone, isDate ? xsd.date : xsd.dateTime)
  }
  fc.assert(
    fc.property(constant, hours, zone, fc.constantFrom(...comparisons), (constant, apart, mine, comparison) => {
      const isDate = constant.datatype.value === xsd.date
      const theirs = readTime(constant)
      if (theirs === undefined) return true // 29 February of another year
      const at = Number(theirs.instant / 1_000_000_000n) + apart * 3_600_000
      const value = inline(at, mine, isDate)
      const [id, range, known] = [packLiteral(value), rangeFor(comparison, constant), readTime(value)]
      if (id === undefined || known === undefined || range === undefined) return false
      const order = compareTimes(known, theirs)
      const expected = order !== undefined && compare(comparison, order, 0)

      const isFar = Math.abs(Number(known.instant - theirs.instant)) > 53 * 3600e12
      return holds(range, id, expected) === expected && (!isFar || holds(range, id, !expected) === expected)
    }),
    {numRuns: 5000},
  )
  t.pass()
})

test('YEAR of dates and dateTimes in any time zones', t => {
  const turn = fc
    .tuple(fc.integer({min: 1000, max: 3999}), fc.integer({min: -2, max: 2}))
    .map(([year, apart]) => Date.UTC(year, 0) / dayMs + apart)
  const clock = fc.constantFrom('', 'T00:00:00', 'T12:34:56', 'T23:59:59')
  const zone = fc.constantFrom(...zones)
  const apart = fc.integer({min: -1, max: 1})
  fc.assert(
    fc.property(turn, clock, zone, apart, fc.constantFrom(...comparisons), (day, time, mine, more, comparison) => {
      const value = dayOf(day, mine, time)
      const year = Math.min(3999, Math.max(1000, Number(value.value.slice(0, 4)) + more))
      const range = rangeFor(comparison, literal(String(year), xsd.integer), true)
      if (range === undefined) return false
      const [id, expected] = [packLiteral(value) ?? 0n, compare(comparison, Number(value.value.slice(0, 4)), year)]

      const isUnzoned = time === '' || mine === ''
      return holds(range, id, expected) === expected && (!isUnzoned || holds(range, id, !expected) === expected)
    }),
    {numRuns: 3000},
  )
  t.pass()
})

test('equality with an IRI, a string or an unknown datatype is one id; other constants have no range', t => {
  const one: Scalar = {kind: 'operator', operator: '=', left: variable, right: number(7)}

  t.deepEqual(rangeFor('=', {termType: 'NamedNode', value: 'http://e/'}), one)
  t.deepEqual(rangeFor('=', literal('a')), one)
  t.deepEqual(rangeFor('=', literal('a', 'http://e/type')), one)
  t.is(rangeFor('<', literal('a')), undefined)
  t.is(rangeFor('=', literal('true', xsd.boolean)), undefined)
  t.is(rangeFor('=', literal('1.5', xsd.float)), undefined)
  t.is(rangeFor('=', literal('x', xsd.integer)), undefined)
  t.is(rangeFor('=', literal('999', xsd.integer), true), undefined)
  t.is(rangeFor('=', literal('2020.0', xsd.decimal), true), undefined)
})
