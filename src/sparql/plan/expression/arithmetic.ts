/**
 * Plans the operators + - * /. What terms the operands may be, as far as their ids and constants tell, decides whether
 * they are planned as operators of numbers (number.ts), or of times and durations (durations.ts).
 *
 * Source: SPARQL 1.1 §17.3.
 */
import {durationTypes} from '../../../rdf/duration.ts'
import {endOfKind, firstOfKind, inlineKinds, literalClass, literalClasses} from '../../../rdf/id-layout.ts'
import {literal, type Term} from '../../../rdf/term.ts'
import {xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {Planner} from '../block.ts'
import {mayBeOfClass, reaches} from '../extent.ts'
import {mayBeOwn} from '../id-parts.ts'
import type {Scalar} from '../relation.ts'
import {calculateTimes} from './durations.ts'
import type {Arithmetic} from './integer.ts'
import {calculate} from './number.ts'
import {errorValue, keyValue, toKey, type Value} from './value.ts'

/** What terms with arithmetic a value may be. */
type Kinds = {readonly number: boolean; readonly time: boolean; readonly duration: boolean}

const anyKind: Kinds = {number: true, time: true, duration: true}
const noKind: Kinds = {number: false, time: false, duration: false}
const onlyNumber: Kinds = {...noKind, number: true}

export function arithmetic(planner: Planner, name: Arithmetic, left: Value, right: Value): Value {
  const [one, other] = [kindsOf(planner, left), kindsOf(planner, right)]
  const mayBeNumber = one.number && other.number
  const areTimes = name === '-' && one.time && other.time
  if (!areTimes && !hasDuration(name, one, other))
    return mayBeNumber ? calculate(planner, name, left, right) : errorValue
  if (mayBeNumber) return keyValue(toKey(planner, calculate(planner, name, left, right)))
  return calculateTimes(planner, name, [left, right], areTimes && !hasDuration(name, one, other))
}

/** Whether an operator with a duration may have a result. */
function hasDuration(name: Arithmetic, left: Kinds, right: Kinds): boolean {
  switch (name) {
    case '+':
      return (left.duration && (right.time || right.duration)) || (left.time && right.duration)
    case '-':
      return right.duration && (left.time || left.duration)
    case '*':
      return (left.duration && right.number) || (left.number && right.duration)
    case '/':
      return left.duration && (right.number || right.duration)
  }
}

function kindsOf(planner: Planner, value: Value): Kinds {
  const {type, constant, constants, extent} = value
  if (constant !== undefined) return kindsOfTerms([constant])
  switch (type) {
    case 'boolean':
    case 'text':
      return noKind
    case 'number':
      return onlyNumber
    case 'duration':
      return {...noKind, duration: true}
    case 'key':
      return kindsOfKey(value)
    case 'id':
      if (constants !== undefined) return kindsOfTerms(constants)
      if (extent === undefined || mayBeOwn(planner, extent)) return anyKind
      return {
        number:
          reaches(extent, firstOfKind(inlineKinds.fine), endOfKind(inlineKinds.decimal)) ||
          mayBeOfClass(extent, literalClasses.number),
        time:
          reaches(extent, firstOfKind(inlineKinds.dateTime), endOfKind(inlineKinds.date)) ||
          mayBeOfClass(extent, literalClasses.time),
        duration: mayBeOfClass(extent, literalClasses.other),
      }
  }
}

function kindsOfTerms(terms: readonly Term[]): Kinds {
  const literals = terms.flatMap(term => (term.termType === 'Literal' ? [term] : []))
  const hasClass = (one: bigint) => literals.some(literal => literalClass(literal) === one)
  return {
    number: hasClass(literalClasses.number),
    time: hasClass(literalClasses.time),
    duration: literals.some(({datatype}) => durationTypes.includes(datatype.value)),
  }
}

function kindsOfKey({scalar, string, isIri, float, exact, number, isInexact, moment}: Value): Kinds {
  if (moment !== undefined) return {...noKind, time: true}
  if (string !== undefined || isIri === true) return noKind
  if ([float, exact, number, isInexact].some(one => one !== undefined)) return onlyNumber
  const type = castType(scalar)
  return type === undefined ? anyKind : kindsOfTerms([literal('', xsdNamespace + type)])
}

/** The local name of the type to which a key is cast; undefined for other keys. */
function castType(key: Scalar): string | undefined {
  if (key.kind !== 'call' || (key.name !== 'sparql_cast' && key.name !== 'sparql_number_from')) return undefined
  const type = key.arguments[key.name === 'sparql_cast' ? 0 : 1]
  return type?.kind === 'parameter' && typeof type.value === 'string' ? type.value : undefined
}
