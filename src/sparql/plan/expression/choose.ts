/**
 * Plans the choice of one of several terms by IF and COALESCE (SPARQL 1.1 §17.4.1.2, §17.4.1.3).
 *
 * A number in canonical form is its own term. Stored terms are chosen by their ids. Of other numbers the chosen term is
 * a key, with its value beside. A value that is always an error, as in IF(?c, ?x, ?unbound), is null in all of these.
 */
import {xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {Planner} from '../block.ts'
import {hullOf, inlineExtent} from '../extent.ts'
import {call, isNotNull, type Scalar} from '../relation.ts'
import {numberOf, toScaled} from './number-of.ts'
import {
  type ExactForm,
  exactPart,
  type Float,
  formOfNumber,
  isError,
  keyValue,
  mostConstants,
  toKey,
  type Value,
} from './value.ts'

const none: Scalar = {kind: 'null', type: 'int8'}

/** The form of a constant number that is also the canonical form of its value. */
const canonicalForms: ReadonlyMap<string, RegExp> = new Map([
  [`${xsdNamespace}integer`, /^(?:0|-?[1-9]\d{0,17})$/],
  [`${xsdNamespace}decimal`, /^(?:-?(?:[1-9]\d{0,17}\.(?:0|\d{0,17}[1-9])|0\.\d{0,17}[1-9])|0\.0)$/],
])

/** A value as an SQL number, if its term is always in canonical form: computed numbers and some constants. */
function canonicalNumber(planner: Planner, value: Value): Value | undefined {
  const {type, constant, otherwise} = value
  const isCanonical =
    constant?.termType === 'Literal'
      ? canonicalForms.get(constant.datatype.value)?.test(constant.value) === true
      : type === 'number' && otherwise === undefined
  return isCanonical ? numberOf(planner, value) : undefined
}

/**
 * Plans a choice between numbers, which stays a number if all are integers, or all decimals, in canonical form.
 *
 * @returns  undefined if a value may be no number
 */
export function choose(
  planner: Planner,
  values: readonly Value[],
  chosen: (numbers: readonly Scalar[]) => Scalar,
): Value | undefined {
  const numbers = values.map(value => (isError(value) ? undefined : canonicalNumber(planner, value)))
  const [form, ...others] = new Set(numbers.flatMap(one => (one === undefined ? [] : formOfNumber(one))))
  const areNumbers = values.every((value, index) => isError(value) || numbers[index] !== undefined)
  if (form === undefined || others.length > 0 || !areNumbers) return undefined
  const scalar = chosen(numbers.map(one => one?.scalar ?? none))
  return {scalar, type: 'number', isInteger: form === 'integer', isScaled: form === 'scaled'}
}

/** Plans a choice between terms that all have ids; undefined for others. */
export function chooseId(values: readonly Value[], chosen: (ids: readonly Scalar[]) => Scalar): Value | undefined {
  const terms = values.filter(value => !isError(value))
  if (terms.length === 0 || !terms.every(({type}) => type === 'id')) return undefined
  const ids = values.map(value => (isError(value) ? none : value.scalar))
  const extent = hullOf(
    terms.map(value => (value.constant === undefined ? value.extent : inlineExtent([value.scalar]))),
  )
  const listed = terms.map(({constant, constants}) => (constant === undefined ? constants : [constant]))
  const constants = listed.every(one => one !== undefined) ? listed.flat() : []
  const isListed = constants.length > 0 && constants.length <= mostConstants
  return {scalar: chosen(ids), type: 'id', ...(extent && {extent}), ...(isListed && {constants})}
}

/** A number that a choice may result in: null for a double, and null as a double otherwise. */
type Branch = {
  readonly exact: Scalar
  readonly form: ExactForm | undefined // undefined for an error
  readonly double: Scalar | undefined
  readonly size: number
}

/**
 * Plans a choice between numbers of several datatypes, or in any form: the key of the chosen one, and its value.
 *
 * @returns  undefined if a value may be no number
 */
export function chooseKey(
  planner: Planner,
  values: readonly Value[],
  chosen: (scalars: readonly Scalar[]) => Scalar,
): Value | undefined {
  const branches = values.flatMap(value => branchOf(planner, value) ?? [])
  if (branches.length < values.length) return undefined
  const [only, ...others] = new Set(branches.flatMap(({form}) => form ?? []))
  if (only === undefined) return undefined
  const form = others.length === 0 ? only : 'scaled'
  const exact = chosen(branches.map(one => (form === 'scaled' ? toScaled(one.exact, one.form ?? form) : one.exact)))
  const key: Value = {...keyValue(chosen(values.map(value => toKey(planner, value)))), exact, exactForm: form}
  if (branches.every(({double}) => double === undefined)) return key
  const float: Float = {
    scalar: chosen(branches.map(({double}) => double ?? call('float8', none))),
    rep: 'double',
    size: Math.max(...branches.map(({size}) => size)),
    isWhole: false,
    isCanonical: false,
  }
  return {...key, float}
}

/** Plans COALESCE between such numbers, if it is cheap to test which of them is the first that is no error. */
export function coalesceKey(planner: Planner, values: readonly Value[]): Value | undefined {
  const tests = values.slice(0, -1).flatMap(value => (isPlain(value) ? isNotNull(value.scalar) : []))
  if (tests.length < values.length - 1) return undefined
  return chooseKey(planner, values, scalars => {
    const branches = tests.flatMap((test, index) => {
      const then = scalars[index]
      return then === undefined ? [] : [[test, then] as const]
    })
    const otherwise = scalars.at(-1)
    return {kind: 'case', branches, ...(otherwise === undefined ? {} : {otherwise})}
  })
}

/** Whether a value is an error exactly if its scalar is null. */
function isPlain({type, otherwise}: Value): boolean {
  return type === 'id' || (type === 'number' && otherwise === undefined)
}

function branchOf(planner: Planner, value: Value): Branch | undefined {
  if (isError(value)) return {exact: none, form: undefined, double: undefined, size: 0}
  const known = value.exact === undefined ? numberOf(planner, value) : undefined
  const exact = known === undefined ? value.exact : exactPart(known)
  const form = known === undefined ? value.exactForm : formOfNumber(known)
  if (exact === undefined || form === undefined) return undefined
  const float = value.float ?? known?.float
  return float?.rep === 'double'
    ? {exact, form, double: float.scalar, size: float.size}
    : {exact, form, double: undefined, size: 0}
}
