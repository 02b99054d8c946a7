/**
 * The functions of SPARQL that are strict: each as a value made of its arguments' values.
 *
 * Floor 2. Source: SPARQL 1.1 §17.4. Forms that see errors or patterns (||, IF, BOUND, COALESCE, EXISTS …) are
 * expression.ts's.
 */
import {firstBlankNodeId, firstLiteralId} from '../../rdf/term-id.ts'
import {xsdNamespace} from '../../rdf/vocabulary.ts'
import type {FunctionName} from '../algebra.ts'
import {concat} from './concat.ts'
import {firstAfterNodes, isNodes, isWithin, nodes} from './extent.ts'
import {calculate, compare, partOfTime, round} from './number.ts'
import {translatePattern, translateReplacement} from './regex.ts'
import {call, equal, operator, type Scalar, text} from './relation.ts'
import {lexOfId, type Planner, partOfId} from './scope.ts'
import {booleanValue, integerValue, keyValue, textValue, toKey, toText, type Value} from './value.ts'

type Make = (planner: Planner, ...values: readonly Value[]) => Value

const nullText: Scalar = {kind: 'null', type: 'text'}

/** A SQL function of the arguments' keys, its operator's name first. */
const named =
  (sqlName: string, word: string): Make =>
  (planner, ...values) =>
    keyValue(call(sqlName, text(word), ...values.map(value => toKey(planner, value))))

const test =
  (sqlName: string, word: string): Make =>
  (planner, ...values) =>
    booleanValue(call(sqlName, text(word), ...values.map(value => toKey(planner, value))))

const keyed =
  (sqlName: string): Make =>
  (planner, ...values) =>
    keyValue(call(sqlName, ...values.map(value => toKey(planner, value))))

/** A simple literal is compatible with every string (§17.4.3.1.2); two others are compared by the rules for that. */
const holds =
  (word: string): Make =>
  (planner, value, part) => {
    if (value === undefined || part === undefined) return nothing
    const known = simpleConstant(part)
    if (known === undefined) return test('sparql_holds', word)(planner, value, part)
    const whole = toText(planner, value)
    if (word === 'contains') return booleanValue(operator('>', call('strpos', whole, text(known)), zero))
    if (word === 'strstarts') return booleanValue(call('starts_with', whole, text(known)))
    return booleanValue(call('sparql_ends', whole, text(known)))
  }

const nothing: Value = {scalar: nullText, type: 'key'}

function simpleConstant({constant}: Value): string | undefined {
  if (constant?.termType !== 'Literal' || constant.language !== '') return undefined
  return constant.datatype.value === 'http://www.w3.org/2001/XMLSchema#string' ? constant.value : undefined
}

const regex: Make = (planner, value, pattern, flags) => {
  if (value === undefined || pattern === undefined) return nothing
  const subject = toText(planner, value)
  return booleanValue(call('sparql_matches', subject, patternOf(planner, pattern, flags)))
}

function patternOf(planner: Planner, pattern: Value, flags: Value | undefined): Scalar {
  const constant = simpleConstant(pattern)
  const constantFlags = flags === undefined ? '' : simpleConstant(flags)
  if (constant === undefined || constantFlags === undefined) {
    return call(
      'sparql_pattern',
      toKey(planner, pattern),
      flags === undefined ? call('sparql_string', text('')) : toKey(planner, flags),
    )
  }
  const translated = translatePattern(constant, constantFlags)
  return translated === undefined ? nullText : text(translated)
}

const replace: Make = (planner, value, pattern, replacement, flags) => {
  if (value === undefined || pattern === undefined || replacement === undefined) return nothing
  const constant = simpleConstant(replacement)
  const translated = constant === undefined ? undefined : translateReplacement(constant)
  const written =
    constant === undefined
      ? call('sparql_replacement', toKey(planner, replacement))
      : translated === undefined
        ? nullText
        : text(translated)
  return keyValue(call('sparql_replace', toKey(planner, value), patternOf(planner, pattern, flags), written))
}

/** Tests of a term's kind: ranges of ids, first letters of keys. */
const kindTest =
  (letter: string, idTest: (id: Scalar) => Scalar): Make =>
  (planner, value) => {
    if (value === undefined) return nothing
    if (value.type === 'id' && value.constant === undefined) return booleanValue(idTest(value.scalar))
    return booleanValue(call('starts_with', toKey(planner, value), text(letter)))
  }

const firstBlankNode: Scalar = {kind: 'number', value: String(firstBlankNodeId)}
const firstLiteral: Scalar = {kind: 'number', value: String(firstLiteralId)}
const zero: Scalar = {kind: 'number', value: '0'}
const either = (...conditions: Scalar[]): Scalar => ({kind: 'any', conditions})
const both = (...conditions: Scalar[]): Scalar => ({kind: 'all', conditions})

const equality: Make = (planner, left, right) => {
  if (left === undefined || right === undefined) return nothing
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    // What an IRI equals is that IRI alone.
    if (one.constant?.termType !== 'NamedNode') continue
    if (other.type === 'id') return booleanValue(equal(other.scalar, one.scalar))
    if (other.type === 'key') return booleanValue(equal(other.scalar, toKey(planner, one)))
  }
  const [known, subject] = left.type === 'text' ? [simpleConstant(right), left] : [simpleConstant(left), right]
  if (known !== undefined && subject.type === 'text') return booleanValue(equal(subject.scalar, text(known)))
  if (left.type === 'text' && right.type === 'text') return booleanValue(equal(left.scalar, right.scalar))
  const generic = () => call('sparql_equal', toKey(planner, left), toKey(planner, right))
  return nodeEquality(left, right, generic) ?? compare(planner, '=', [left, right], generic) ?? booleanValue(generic())
}

/** Where one may be an IRI or a blank node: it equals that node alone. */
function nodeEquality(left: Value, right: Value, generic: () => Scalar): Value | undefined {
  if (left.type !== 'id' || right.type !== 'id') return undefined
  const same = equal(left.scalar, right.scalar)
  if ([left, right].some(({extent}) => isNodes(extent))) return booleanValue(same)
  const tests = [left, right].flatMap(({scalar, constant, extent}) => {
    const canBe =
      constant === undefined && (extent === undefined || (extent.low <= nodes.high && extent.high >= nodes.low))
    return canBe ? [isWithin(scalar, nodes.low, firstAfterNodes)] : []
  })
  if (tests.length === 0) return undefined
  return booleanValue({kind: 'case', branches: [[{kind: 'any', conditions: tests}, same]], otherwise: generic()})
}

const unequal: Make = (planner, left, right) =>
  booleanValue({kind: 'not', condition: equality(planner, left ?? nothing, right ?? nothing).scalar})

const sameTerm: Make = (planner, left, right) => {
  if (left === undefined || right === undefined) return nothing
  if (left.type === 'id' && right.type === 'id') return booleanValue(equal(left.scalar, right.scalar))
  return booleanValue(equal(toKey(planner, left), toKey(planner, right)))
}

const str: Make = (planner, value) => {
  if (value === undefined || value.type === 'text') return value ?? nothing
  if (value.type === 'id' && value.constant === undefined)
    return textValue(lexOfId(planner, value.scalar, value.extent))
  return textValue(call('sparql_lex', toKey(planner, value)))
}

const lang: Make = (planner, value) => {
  if (value?.type !== 'id' || value.constant !== undefined)
    return textValue(call('sparql_lang', toKey(planner, value ?? nothing)))
  const stored = partOfId(planner, value, 'language', key => call('sparql_lang', key))
  return textValue(ofInline(value.scalar, text(''), stored))
}

const datatype: Make = (planner, value) => {
  const ofKey = (key: Scalar) => operator('||', text('I'), call('sparql_datatype', key))
  if (value?.type !== 'id' || value.constant !== undefined) return keyValue(ofKey(toKey(planner, value ?? nothing)))
  const inline = operator('||', text(`I${xsdNamespace}`), call('inline_datatype', value.scalar))
  return keyValue(ofInline(value.scalar, inline, partOfId(planner, value, 'datatype', ofKey)))
}

/** One thing for inline literals, another for the dictionary's terms; nothing for what is unbound. */
function ofInline(id: Scalar, inline: Scalar, stored: Scalar): Scalar {
  return {kind: 'case', branches: [[operator('<', id, zero), inline]], otherwise: stored}
}

/** RFC 4647 §3.3.1, basic filtering: a known range is a comparison of texts. */
const langMatches: Make = (planner, tag, range) => {
  const known = range === undefined ? undefined : simpleConstant(range)
  if (tag?.type !== 'text' || known === undefined || !/^[A-Za-z0-9-]+$/.test(known))
    return booleanValue(
      call('sparql_lang_matches', ...[tag ?? nothing, range ?? nothing].map(one => toKey(planner, one))),
    )
  const lower = call('sparql_lower', tag.scalar)
  const prefix = known.toLowerCase()
  return booleanValue(either(equal(lower, text(prefix)), call('starts_with', lower, text(`${prefix}-`))))
}

const timePart =
  (name: string): Make =>
  (planner, value = nothing) =>
    partOfTime(name, value) ?? named('sparql_time_part', name)(planner, value)

const ordered =
  (comparison: '<' | '>' | '<=' | '>='): Make =>
  (planner, left = nothing, right = nothing) => {
    const generic = () => call('sparql_ordered', text(comparison), toKey(planner, left), toKey(planner, right))
    return compare(planner, comparison, [left, right], generic) ?? booleanValue(generic())
  }

const calculated =
  (name: FunctionName): Make =>
  (planner, left = nothing, right = nothing) =>
    calculate(planner, name, left, right)

const rounded =
  (name: FunctionName, word: string): Make =>
  (planner, value = nothing) =>
    round(planner, name, word, value)

const strlen: Make = (planner, value) => integerValue(call('length', toText(planner, value ?? nothing)))

const substring: Make = (planner, value, first, length) =>
  keyValue(
    call(
      'sparql_substring',
      toKey(planner, value ?? nothing),
      toKey(planner, first ?? nothing),
      length === undefined ? nullText : toKey(planner, length),
      {kind: 'boolean', value: length !== undefined},
    ),
  )

const changeCase =
  (word: string, ofText: string): Make =>
  (planner, value) => {
    if (value?.type === 'text') return textValue(call(ofText, value.scalar))
    const key = named('sparql_case', word)(planner, value ?? nothing)
    return {...key, string: call(ofText, toText(planner, value ?? nothing))}
  }

const iri: Make = (planner, value) => keyValue(call('sparql_iri', toKey(planner, value ?? nothing), text(planner.base)))

const numericTest: Make = (planner, value) => {
  const key = toKey(planner, value ?? nothing)
  const isNumber: Scalar = {kind: 'isNotNull', of: call('sparql_number', key)}
  return booleanValue({kind: 'case', branches: [[{kind: 'isNotNull', of: key}, isNumber]]})
}

// biome-ignore format: a table, a row a function
export const strictFunctions: Readonly<Partial<Record<FunctionName, Make>>> = {
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
  isIri: kindTest('I', id => both(operator('>=', id, zero), operator('<', id, firstBlankNode))),
  isBlank: kindTest('B', id => both(operator('>=', id, firstBlankNode), operator('<', id, firstLiteral))),
  isLiteral: kindTest('L', id => either(operator('<', id, zero), operator('>=', id, firstLiteral))),
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
  strbefore: named('sparql_beside', 'strbefore'),
  strafter: named('sparql_beside', 'strafter'),
  encode_for_uri: keyed('sparql_encode'),
  concat,
  langmatches: langMatches,
  regex,
  replace,
  year: timePart('year'),
  month: timePart('month'),
  day: timePart('day'),
  hours: timePart('hours'),
  minutes: timePart('minutes'),
  seconds: named('sparql_time_part', 'seconds'),
  timezone: named('sparql_time_part', 'timezone'),
  tz: named('sparql_time_part', 'tz'),
  md5: named('sparql_digest', 'md5'),
  sha1: named('sparql_digest', 'sha1'),
  sha256: named('sparql_digest', 'sha256'),
  sha384: named('sparql_digest', 'sha384'),
  sha512: named('sparql_digest', 'sha512'),
}
