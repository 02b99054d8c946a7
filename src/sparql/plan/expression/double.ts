/**
 * Plans arithmetic and comparisons of inline doubles on PostgreSQL's float8.
 *
 * Operands are inline numbers and constants only. Their size is limited, so that no result overflows, which PostgreSQL
 * would report as an error of the query. No operand and no result is a negative zero.
 * Source: SPARQL 1.1 §17.3 (operators and type promotion).
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {inlineKind} from '../extent.ts'
import {all, any, call, number, type Operator, operator, type Scalar, text} from '../relation.ts'
import {constantNumber, type Double, type Value} from './value.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'

type Operand = {
  readonly scalar: Scalar // float8; null for a float
  readonly isDouble: Scalar | boolean // otherwise an integer or a decimal, which is promoted
  readonly isNullable: boolean
}

/** An operand as float8; undefined if it may be something other than a number, or of any size. */
export function doubleOperand({type, scalar: id, constant, extent, double}: Value): Operand | undefined {
  if (double !== undefined) return {...double, isNullable: false}
  if (constant !== undefined) return constantOperand(constant)
  if (type !== 'id') return undefined
  switch (inlineKind(extent)) {
    case inlineKinds.integer:
      return {scalar: call('float8', call('sparql_integer_of', id)), isDouble: false, isNullable: false}
    case inlineKinds.decimal:
      return {scalar: call('sparql_as_double', id), isDouble: call('sparql_is_double', id), isNullable: true}
    default:
      return undefined
  }
}

function constantOperand(constant: NonNullable<Value['constant']>): Operand | undefined {
  const exact = constantNumber(constant)
  const isDouble = exact === undefined
  const scalar = (of: Scalar): Scalar => call('float8', call('sparql_numeric', of))
  if (!isDouble) return {scalar: scalar(exact.scalar), isDouble, isNullable: false}
  if (constant.termType !== 'Literal' || constant.datatype.value !== `${xsd}double`) return undefined
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d)?$/.test(constant.value)) return undefined
  if (Object.is(Number(constant.value), -0)) return undefined
  return {scalar: scalar(text(constant.value)), isDouble, isNullable: false}
}

/** The result of `+`, `-`, `*` or `/` of stored numbers and constants, if it is a double; undefined if it cannot be. */
export function calculateDouble(name: string, left: Value, right: Value): Double | undefined {
  if (left.double !== undefined || right.double !== undefined) return undefined // may grow with each step
  const [a, b] = [doubleOperand(left), doubleOperand(right)]
  if (a === undefined || b === undefined) return undefined
  const isDouble = isAnyDouble(a, b)
  if (isDouble === undefined) return undefined
  const factors = name === '*' || name === '/' ? [a.scalar, b.scalar] : []
  const areNonzero = factors.map(scalar => operator('<>', scalar, call('float8', number(0))))
  const scalar = call('sparql_float_result', text(name), a.scalar, b.scalar)
  return {isDouble: all([...isDouble, ...areNonzero]), scalar}
}

/** A branch for two numbers of which one is a double: its condition, and the comparison. */
export function compareDoubles(comparison: Operator, left: Value, right: Value): readonly [Scalar, Scalar] | undefined {
  const [a, b] = [doubleOperand(left), doubleOperand(right)]
  if (a === undefined || b === undefined) return undefined
  const isDouble = isAnyDouble(a, b)
  return isDouble && [all(isDouble), operator(comparison, a.scalar, b.scalar)]
}

/** The conditions that one of two operands is a double and none is a float; undefined if none can be a double. */
function isAnyDouble(...operands: readonly Operand[]): readonly Scalar[] | undefined {
  const tests = operands.flatMap(({isDouble}) => (typeof isDouble === 'boolean' ? [] : [isDouble]))
  const isCertain = operands.some(({isDouble}) => isDouble === true)
  if (!isCertain && tests.length === 0) return undefined
  const noFloats = operands.flatMap(({scalar, isNullable}): Scalar[] =>
    isNullable ? [{kind: 'isNotNull', of: scalar}] : [],
  )
  return isCertain ? noFloats : [any(tests), ...noFloats]
}
