/**
 * Plans comparisons of simple literals by the code points of their texts, or by ids alone where these decide.
 *
 * The id of a dictionary literal contains its class (sql/functions/term/term.sql). For most classes it is enough to
 * know the class. Dates, numbers and unknown datatypes need a comparison of keys.
 * Source: SPARQL 1.1 §17.3, §17.4.1.7 (RDFterm-equal).
 */
import {firstLiteralId, firstOfClass, firstOwnLiteral, literalClass, literalClasses} from '../../../rdf/id-layout.ts'
import type {Term} from '../../../rdf/term.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Planner} from '../block.ts'
import {isNodes, isOfClass, isWithin} from '../extent.ts'
import {all, any, call, equal, not, number, operator, type Scalar, text} from '../relation.ts'
import {isSpan} from './compare-spans.ts'
import type {Comparison} from './comparisons.ts'
import {areNumbers} from './stored-number.ts'
import {simpleConstant} from './strings.ts'
import {areListedSimple, booleanValue, simpleKind, storedText, toSimple, type Value} from './value.ts'

/** The query's own literals, of any datatype, also have ids of this class, at its end (rdf/id-layout.ts). */
const firstAfterSimple = firstOwnLiteral

/** @returns  undefined if only the general comparison applies, because no text or id decides */
export function compareTexts(
  planner: Planner,
  comparison: Comparison,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const ofLanguage = withLanguage(comparison, [left, right], generic) ?? twoLanguages(comparison, left, right)
  if (ofLanguage !== undefined) return ofLanguage
  if (comparison === '=' && isOnlySame(left) && isOnlySame(right)) return booleanValue(equal(left.scalar, right.scalar))
  if (comparison === '=') {
    const ofSimple = () => equal(simpleText(planner, left), simpleText(planner, right))
    if (isSimple(left) && isSimple(right)) return booleanValue(ofSimple())
    const known = equalToSimple(left, right, generic) ?? equalToSimple(right, left, generic)
    if (known !== undefined || (left.type !== 'text' && right.type !== 'text')) return known
    return booleanValue(call('coalesce', ofSimple(), generic()))
  }
  const inOrder = () => booleanValue(ordered(comparison, simpleText(planner, left), simpleText(planner, right)))
  if (isSimple(left) || isSimple(right)) return inOrder()
  if (left.type !== 'id' || right.type !== 'id' || !mayBeSimple(left) || !mayBeSimple(right)) return undefined
  if ([left, right].some(({extent}) => areNumbers(extent))) return undefined
  if (isSimpleExtent(left) && isSimpleExtent(right)) return inOrder()
  const areOrdered = all([left, right].map(({scalar}) => hasOrder(scalar)))
  const branches = simpleIdTest(left, right).map(areSimple => [areSimple, inOrder().scalar] as const)
  return booleanValue({kind: 'case', branches: [...branches, [areOrdered, generic()]]})
}

/** Whether no term is before or after one of these: nodes, and a constant of a datatype without an order. */
export function isUnordered(value: Value): boolean {
  return value.constant?.termType === 'NamedNode' || isNodes(value.extent) || isOfUnknownType(value)
}

/** Whether a value is a constant of a datatype that has no operators. It is equal to itself, or an error. */
export function isOfUnknownType({constant}: Value): boolean {
  return constant?.termType === 'Literal' && literalClass(constant) === literalClasses.other && !isSpan(constant)
}

/** The condition that a term is a literal. */
function hasOrder(id: Scalar): Scalar {
  return any([operator('<', id, number(0)), operator('>=', id, number(firstLiteralId))])
}

/** The condition that two ids are simple literals; empty if one of them cannot be. */
export function simpleIdTest(left: Value, right: Value): readonly Scalar[] {
  if (!mayBeSimple(left) || !mayBeSimple(right)) return []
  return [all([left, right].map(({scalar}) => isWithin(scalar, firstLiteralId, firstAfterSimple)))]
}

/** Compares a term with a constant that has a language: strings of the same language by their texts. */
function withLanguage(
  comparison: Comparison,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const [known, other] = left.constant === undefined ? [right.constant, left] : [left.constant, right]
  if (known?.termType !== 'Literal' || known.language === '') return undefined
  if (other.type !== 'id' || other.constant !== undefined) return undefined
  const id = other.scalar
  const part = (name: 'text' | 'language'): Scalar => ({kind: 'stored', id, part: name})
  const isSame = equal(call('lower', part('language')), text(known.language.toLowerCase()))
  const sides =
    other === left
      ? ([part('text'), storedText(known.value)] as const)
      : ([storedText(known.value), part('text')] as const)
  const test: Scalar =
    comparison === '='
      ? all([isSame, equal(...sides)])
      : {kind: 'case', branches: [[isSame, ordered(comparison, ...sides)]]}
  const isTagged = isOfClass(id, literalClasses.langString)
  return booleanValue({kind: 'case', branches: [[isTagged, test]], otherwise: generic()})
}

/** Compares two terms that both have a language: strings of the same language by their texts. */
function twoLanguages(comparison: Comparison, left: Value, right: Value): Value | undefined {
  if (![left, right].every(isTaggedExtent)) return undefined
  const part = ({scalar: id}: Value, name: 'text' | 'language'): Scalar => ({kind: 'stored', id, part: name})
  const isSame = equal(...both(left, right, value => call('lower', part(value, 'language'))))
  const sides = both(left, right, value => part(value, 'text'))
  if (comparison === '=') return booleanValue(all([isSame, equal(...sides)]))
  return booleanValue({kind: 'case', branches: [[isSame, ordered(comparison, ...sides)]]})
}

function both<Result>(left: Value, right: Value, map: (value: Value) => Result): readonly [Result, Result] {
  return [map(left), map(right)]
}

function isTaggedExtent({type, constant, extent}: Value): boolean {
  if (type !== 'id' || constant !== undefined || extent === undefined) return false
  return extent.low >= firstOfClass(1n) && extent.high < firstOfClass(2n)
}

/** Equality with a simple literal, if the other side is a text, a string or an id; otherwise undefined. */
function equalToSimple(known: Value, other: Value, generic: () => Scalar): Value | undefined {
  const constant = simpleConstant(known)
  if (known.type === 'text' && other.type === 'text') return booleanValue(equal(known.scalar, other.scalar))
  if (constant === undefined) return undefined
  if (other.type === 'text') return booleanValue(equal(other.scalar, storedText(constant)))
  if (other.string !== undefined)
    return booleanValue(equal(other.scalar, operator('||', simpleKind, storedText(constant))))
  if (other.type !== 'id' || other.constant !== undefined || known.type !== 'id') return undefined
  return booleanValue({
    kind: 'case',
    branches: [
      [equal(other.scalar, known.scalar), {kind: 'boolean', value: true}],
      [isOther(other.scalar), {kind: 'boolean', value: false}],
    ],
    otherwise: generic(),
  })
}

/** Whether a term can equal a simple literal only by being the same: it is a node, a string or an inline literal. */
function isOther(id: Scalar): Scalar {
  return any([operator('<', id, number(firstAfterSimple)), isOfClass(id, literalClasses.langString)])
}

/** Whether a value is the id of a node or of a simple literal, which is equal only to the same one of these. */
function isOnlySame(value: Value): boolean {
  const {type, extent, constant, constants} = value
  if (type !== 'id') return false
  if (isNodes(extent) || isSimpleExtent(value)) return true
  return constants === undefined ? constant !== undefined && isSimpleTerm(constant) : constants.every(isSimpleTerm)
}

function isSimpleTerm(term: Term): boolean {
  if (term.termType !== 'Literal') return term.termType === 'NamedNode'
  return term.datatype.value === xsd.string
}

/** Whether a value is a simple literal, whatever the solution. */
export function isSimple(value: Value): boolean {
  if (value.type === 'text' || value.string?.kind === simpleKind) return true
  return simpleConstant(value) !== undefined || areListedSimple(value)
}

/** Whether a value is the id of a stored simple literal. */
export function isSimpleExtent({extent}: Value): boolean {
  return extent !== undefined && extent.low >= firstLiteralId && extent.high < firstOfClass(literalClasses.string + 1n)
}

function mayBeSimple({constant, extent}: Value): boolean {
  return constant === undefined && (extent === undefined || extent.high >= firstLiteralId)
}

/** The text of a simple literal; null for other terms. */
export function simpleText(planner: Planner, value: Value): Scalar {
  const constant = simpleConstant(value)
  return constant === undefined ? toSimple(planner, value) : storedText(constant)
}

/** Compares by code points, independently of the collation of the texts. */
function ordered(comparison: Exclude<Comparison, '='>, left: Scalar, right: Scalar): Scalar {
  switch (comparison) {
    case '<':
      return call('sparql_text_before', left, right)
    case '>':
      return call('sparql_text_before', right, left)
    case '<=':
      return not(call('sparql_text_before', right, left))
    case '>=':
      return not(call('sparql_text_before', left, right))
  }
}
