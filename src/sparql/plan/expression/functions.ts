/**
 * Plans the strict functions and operators of SPARQL, which depend on the values of their arguments only.
 *
 * `expression.ts` plans the forms that handle errors or patterns (||, IF, BOUND, COALESCE, EXISTS …).
 * Source: SPARQL 1.1 §17.4.
 */

import {
  endOfKind,
  firstAfterNodes,
  firstAfterOwnLiterals,
  firstBlankNodeId,
  firstLiteralId,
  firstOfKind,
  firstOwnLiteral,
  inlineKinds,
  literalClasses,
  type TermKind,
} from '../../../rdf/id-layout.ts'
import {iriKey, keyLetters} from '../../../rdf/term-key.ts'
import {xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {FunctionName} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import {isNodes, isOfClass, isWithin, isWithoutValue, nodes} from '../extent.ts'
import {lexOfId, mayBeOwn, ofInline, partOfId} from '../id-parts.ts'
import {any, call, equal, isNotNull, number, operator, type Scalar, text} from '../relation.ts'
import {arithmetic} from './arithmetic.ts'
import {compareTexts, isOfUnknownType, isUnordered, simpleIdTest} from './compare-texts.ts'
import {concat} from './concat.ts'
import type {Arithmetic} from './integer.ts'
import {compare, round} from './number.ts'
import {mayBeStoredNumber} from './stored-number.ts'
import {beside, changeCase, holds, regex, replace, simpleConstant, strlen, substring} from './strings.ts'
import {partOfTime, secondsOfTime, zoneOfTime} from './time-parts.ts'
import {
  areListedSimple,
  booleanValue,
  errorValue,
  formOf,
  keyValue,
  simpleValue,
  textValue,
  toGenericKey,
  toKey,
  toSimple,
  type Value,
} from './value.ts'

type Make = (planner: Planner, ...values: readonly Value[]) => Value

/** The hash functions. Their results are simple literals. */
const digest =
  (name: string): Make =>
  (planner, ...values) =>
    simpleValue(call('sparql_digest', text(name), ...values.map(value => toKey(planner, value))))

const encodeForUri: Make = (planner, ...values) =>
  simpleValue(call('sparql_encode', ...values.map(value => toKey(planner, value))))

const keyed =
  (sqlName: string): Make =>
  (planner, ...values) =>
    keyValue(call(sqlName, ...values.map(value => toKey(planner, value))))

/** Tests the kind of a term by the range of its id or the first letter of its key. */
const kindTest =
  (kind: TermKind, idTest: (id: Scalar) => Scalar): Make =>
  (planner, value) => {
    if (value === undefined) return errorValue
    if (value.type === 'id' && value.constant === undefined) return booleanValue(idTest(value.scalar))
    return booleanValue(call('starts_with', toKey(planner, value), text(keyLetters[kind])))
  }

const firstBlankNode = number(firstBlankNodeId)
const firstLiteral = number(firstLiteralId)
const zero = number(0)
const either = (...conditions: Scalar[]): Scalar => ({kind: 'any', conditions})
const both = (...conditions: Scalar[]): Scalar => ({kind: 'all', conditions})

const equality: Make = (planner, left, right) => {
  if (left === undefined || right === undefined) return errorValue
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    // An IRI is equal to itself only.
    if (one.constant?.termType !== 'NamedNode') continue
    if (other.type === 'id') return booleanValue(equal(other.scalar, one.scalar))
    if (other.type === 'key') return booleanValue(equal(other.scalar, toKey(planner, one)))
  }
  const generic = () => call('sparql_equal', toGenericKey(planner, left), toGenericKey(planner, right))
  const ofLiterals = () => compare(planner, '=', [left, right], generic)?.scalar ?? generic()
  return (
    compareTexts(planner, '=', [left, right], generic) ??
    nodeEquality(left, right, ofLiterals) ??
    booleanValue(ofLiterals())
  )
}

/** Equality of two ids of which one may be a node, which is equal to itself only; undefined if neither may be. */
function nodeEquality(left: Value, right: Value, generic: () => Scalar): Value | undefined {
  if (left.type !== 'id' || right.type !== 'id') return undefined
  const same = equal(left.scalar, right.scalar)
  const isTrue: Scalar = {kind: 'boolean', value: true}
  if ([left, right].every(value => isOfUnknownType(value) || isWithoutValue(value.extent))) {
    const isError = [left, right].some(isOfUnknownType)
    const branches = [[same, isTrue] as const]
    return booleanValue(isError ? {kind: 'case', branches} : {kind: 'case', branches, otherwise: generic()})
  }
  if ([left, right].some(({extent}) => isNodes(extent))) return booleanValue(same)
  const tests = [left, right].flatMap(({scalar, constant, extent}) => {
    const canBe =
      constant === undefined && (extent === undefined || (extent.low <= nodes.high && extent.high >= nodes.low))
    return canBe ? [isWithin(scalar, nodes.low, firstAfterNodes)] : []
  })
  if (tests.length === 0) return undefined
  const decided = any([...tests, ...simpleIdTest(left, right)])
  return booleanValue({kind: 'case', branches: [[decided, same]], otherwise: generic()})
}

const unequal: Make = (planner, left, right) =>
  booleanValue({kind: 'not', condition: equality(planner, left ?? errorValue, right ?? errorValue).scalar})

const sameTerm: Make = (planner, left, right) => {
  if (left === undefined || right === undefined) return errorValue
  if (left.type === 'id' && right.type === 'id') return booleanValue(equal(left.scalar, right.scalar))
  return booleanValue(equal(toKey(planner, left), toKey(planner, right)))
}

const str: Make = (planner, value) => {
  if (value === undefined || value.type === 'text') return value ?? errorValue
  if (areListedSimple(value)) return textValue(toSimple(planner, value))
  if (value.type === 'id' && value.constant === undefined)
    return formOf(value, textValue(lexOfId(planner, value.scalar, value.extent)))
  if (value.type === 'number' && value.isInteger === true && value.otherwise === undefined)
    return textValue(call('text', call('trunc', call('sparql_numeric', value.scalar))))
  if (value.isIri === true) return textValue(call('substr', value.scalar, call('int4', number(2))))
  return textValue(call('sparql_lex', toKey(planner, value)))
}

const lang: Make = (planner, value) => {
  if (value?.type !== 'id' || value.constant !== undefined)
    return textValue(call('sparql_lang', toKey(planner, value ?? errorValue)))
  const stored = partOfId(planner, value, 'language', key => call('sparql_lang', key))
  return textValue(ofInline(value, text(''), stored))
}

const datatype: Make = (planner, value) => {
  const ofKey = (key: Scalar) => operator('||', text(keyLetters.iri), call('sparql_datatype', key))
  const iriValue = (key: Scalar): Value => ({...keyValue(key), isIri: true})
  if (value?.type !== 'id' || value.constant !== undefined) return iriValue(ofKey(toKey(planner, value ?? errorValue)))
  const inline = operator('||', text(iriKey(xsdNamespace)), call('inline_datatype', value.scalar))
  return iriValue(ofInline(value, inline, partOfId(planner, value, 'datatype', ofKey)))
}

/** Basic filtering (RFC 4647 §3.3.1). A constant language range becomes a comparison of texts. */
const langMatches: Make = (planner, tag, range) => {
  const known = range === undefined ? undefined : simpleConstant(range)
  if (tag?.type !== 'text' || known === undefined || !/^[A-Za-z0-9-]+$/.test(known))
    return booleanValue(
      call('sparql_lang_matches', ...[tag ?? errorValue, range ?? errorValue].map(one => toKey(planner, one))),
    )
  const lower = call('sparql_lower', tag.scalar)
  const prefix = known.toLowerCase()
  return booleanValue(either(equal(lower, text(prefix)), call('starts_with', lower, text(`${prefix}-`))))
}

const timeNumber =
  (name: string): Make =>
  (planner, value = errorValue) =>
    partOfTime(name, value, call('sparql_time_number', text(name), toKey(planner, value)))

const seconds: Make = (planner, value = errorValue) =>
  secondsOfTime(value, call('sparql_time_part', text('seconds'), toKey(planner, value)))

const tz: Make = (planner, value = errorValue) =>
  zoneOfTime(value, call('sparql_simple', call('sparql_time_part', text('tz'), toKey(planner, value))))

const timezone: Make = (...asked) => keyValue(call('sparql_timezone', tz(...asked).scalar))

const ordered =
  (comparison: '<' | '>' | '<=' | '>='): Make =>
  (planner, left = errorValue, right = errorValue) => {
    if (isUnordered(left) || isUnordered(right)) return booleanValue({kind: 'null', type: 'boolean'})
    const generic = () =>
      call('sparql_ordered', text(comparison), toGenericKey(planner, left), toGenericKey(planner, right))
    const sides = [left, right] as const
    const ofOthers = () => compare(planner, comparison, sides, generic)?.scalar ?? generic()
    return compareTexts(planner, comparison, sides, ofOthers) ?? booleanValue(ofOthers())
  }

const calculated =
  (name: Arithmetic): Make =>
  (planner, left = errorValue, right = errorValue) =>
    arithmetic(planner, name, left, right)

const rounded =
  (name: FunctionName, word: string): Make =>
  (planner, value = errorValue) =>
    round(planner, name, word, value)

const iri: Make = (planner, value) =>
  keyValue(call('sparql_iri', toKey(planner, value ?? errorValue), text(planner.base)))

/** Plans isNumeric. The id decides for inline literals; in the dictionary only terms of one class can be numeric. */
const numericTest: Make = (planner, value = errorValue) => {
  const {type, scalar: id, constant, extent} = value
  const generic = (): Scalar => {
    const key = toKey(planner, value)
    return {kind: 'case', branches: [[isNotNull(key), isNotNull(call('sparql_number', key))]]}
  }
  if (type !== 'id' || constant !== undefined) return booleanValue(generic())
  const hasOwn = mayBeOwn(planner, extent)
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const inline = isWithin(id, firstOfKind(inlineKinds.fine), endOfKind(inlineKinds.decimal))
  if (!mayBeStoredNumber(extent)) return booleanValue(inline)
  return booleanValue({
    kind: 'case',
    branches: [
      [isOfClass(id, literalClasses.number), isNotNull(call('sparql_number_of', part('text'), part('localName')))],
      ...(hasOwn ? [[isWithin(id, firstOwnLiteral, firstAfterOwnLiterals), generic()] as const] : []),
      [isNotNull(id), inline],
    ],
  })
}

/** Planned in expression.ts: they handle errors or patterns, or depend on more than the values of their arguments. */
type FormName = Extract<
  FunctionName,
  '||' | '&&' | '!' | 'in' | 'notIn' | 'bound' | 'if' | 'coalesce' | 'now' | 'rand' | 'uuid' | 'struuid' | 'bnode'
>

export type StrictName = Exclude<FunctionName, FormName>

export function isStrict(name: FunctionName): name is StrictName {
  return Object.hasOwn(strictFunctions, name)
}

// biome-ignore format: a table with one row per function
export const strictFunctions: Readonly<Record<StrictName, Make>> = {
  '=': equality,
  '!=': unequal,
  '<': ordered('<'),
  '>': ordered('>'),
  '<=': ordered('<='),
  '>=': ordered('>='),
  '+': calculated('+'),
  '-': calculated('-'),
  '*': calculated('*'),
  '/': calculated('/'),
  unaryPlus: rounded('unaryPlus', '+'),
  unaryMinus: rounded('unaryMinus', '-'),
  abs: rounded('abs', 'abs'),
  round: rounded('round', 'round'),
  ceil: rounded('ceil', 'ceil'),
  floor: rounded('floor', 'floor'),
  sameTerm,
  isIri: kindTest('iri', id => both(operator('>=', id, zero), operator('<', id, firstBlankNode))),
  isBlank: kindTest('blank', id => both(operator('>=', id, firstBlankNode), operator('<', id, firstLiteral))),
  isLiteral: kindTest('literal', id => either(operator('<', id, zero), operator('>=', id, firstLiteral))),
  isNumeric: numericTest,
  str,
  lang,
  datatype,
  iri,
  strdt: keyed('sparql_strdt'),
  strlang: keyed('sparql_strlang'),
  strlen,
  substr: substring,
  ucase: changeCase('ucase', 'sparql_upper'),
  lcase: changeCase('lcase', 'sparql_lower'),
  strstarts: holds('strstarts'),
  strends: holds('strends'),
  contains: holds('contains'),
  strbefore: beside('strbefore'),
  strafter: beside('strafter'),
  encode_for_uri: encodeForUri,
  concat,
  langmatches: langMatches,
  regex,
  replace,
  year: timeNumber('year'),
  month: timeNumber('month'),
  day: timeNumber('day'),
  hours: timeNumber('hours'),
  minutes: timeNumber('minutes'),
  seconds,
  timezone,
  tz,
  md5: digest('md5'),
  sha1: digest('sha1'),
  sha256: digest('sha256'),
  sha384: digest('sha384'),
  sha512: digest('sha512'),
}
