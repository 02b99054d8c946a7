/** Ranges of ids have the same meaning as comparisons of the inline numbers and instants. */
import test from 'ava'
import fc from 'fast-check'
import {packLiteral} from '../../../src/rdf/inline.ts'
import {literal} from '../../../src/rdf/term.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import {type Comparison, rangeOf} from '../../../src/sparql/plan/expression/range.ts'
import {number, type Scalar} from '../../../src/sparql/plan/relation.ts'

const unknown: Scalar = {kind: 'null', type: 'int8'} // stands for the comparison by a function
const variable: Scalar = {kind: 'column', table: 't', name: 'o'}
const comparisons: readonly Comparison[] = ['=', '<', '>', '<=', '>=']

/** Whether a condition of ranges is true for an id; the function's part counts as false. */
function holds(scalar: Scalar, id: bigint): boolean {
  const value = (side: Scalar): bigint => (side.kind === 'number' ? BigInt(side.value) : id)
  switch (scalar.kind) {
    case 'all':
      return scalar.conditions.every(condition => holds(condition, id))
    case 'any':
      return scalar.conditions.some(condition => holds(condition, id))
    case 'operator':
      return scalar.operator === '>='
        ? value(scalar.left) >= value(scalar.right)
        : scalar.operator === '<='
          ? value(scalar.left) <= value(scalar.right)
          : value(scalar.left) === value(scalar.right)
    case 'case':
      return scalar.otherwise !== undefined && holds(scalar.otherwise, id) // the values below include no float
    default:
      return false
  }
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
        const range = rangeOf(variable, comparison, constant, number(packLiteral(constant) ?? 0n), unknown)

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
      const range = rangeOf(variable, comparison, constant, number(packLiteral(constant) ?? 0n), unknown)

      return range !== undefined && holds(range, id) === compare(comparison, left, right)
    }),
    {numRuns: 1000},
  )
  t.pass()
})

test('equality with an IRI, a string or an unknown datatype is one id; other constants have no range', t => {
  const one: Scalar = {kind: 'operator', operator: '=', left: variable, right: number(7)}
  const range = (constant: Parameters<typeof rangeOf>[2], comparison: Comparison = '=') =>
    rangeOf(variable, comparison, constant, number(7), unknown)

  t.deepEqual(range({termType: 'NamedNode', value: 'http://e/'}), one)
  t.deepEqual(range(literal('a')), one)
  t.deepEqual(range(literal('a', 'http://e/type')), one)
  t.is(range(literal('a'), '<'), undefined)
  t.is(range(literal('true', xsd.boolean)), undefined)
  t.is(range(literal('1.5', xsd.float)), undefined)
  t.is(range(literal('x', xsd.integer)), undefined)
})
