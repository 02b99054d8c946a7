/**
 * Plans lists of constants after IN and NOT IN as arrays of ids, which an index serves with one condition. Long lists
 * of any values are arrays too, because one condition per item would make the SQL too long.
 *
 * The result is true, false or null for an error, like the conditions that it replaces (SPARQL 1.1 §17.4.1.9). Ids
 * decide where they can: an IRI is equal to itself only; among strings, a simple literal is equal to itself only; an
 * inline integer is equal to every inline integer with the same value. Other terms are compared by key, item by item.
 */
import {
  firstAfterNodes,
  firstLiteralId,
  firstOwnLiteral,
  formBitsOfKind,
  inlineKinds,
  kindOfInline,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import {termKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Expression} from '../../algebra.ts'
import type {Constant, Planner} from '../block.ts'
import {comparisonOf} from '../expression/comparisons.ts'
import {keyValue, type Value} from '../expression/value.ts'
import {isOfKind, isWithin} from '../extent.ts'
import {column, not, number, operator, type Scalar, type SelectQuery} from '../relation.ts'

const conditionLimit = 100 // items that get a condition each
const rangeLimit = 1000 // items that get a range of ids each, which an index can serve
const {integer} = inlineKinds
const formBits = formBitsOfKind(integer)

/** The items of a list that goes into an array; undefined if it is short or has items that are not constants. */
export function longList(list: readonly (Constant | undefined)[]): readonly Constant[] | undefined {
  return list.length > conditionLimit && list.every(item => item !== undefined) ? list : undefined
}

/** Whether there are too many items for a range of ids each. */
export function isBeyondRanges(items: readonly Constant[]): boolean {
  return items.length > rangeLimit
}

/** Whether a term is equal to the item only if it has the same id: the item is an IRI or a simple literal. */
function isByIdentity(item: Constant): boolean {
  return item.termType === 'NamedNode' || isSimple(item)
}

function isSimple(item: Constant): boolean {
  return item.termType === 'Literal' && item.datatype.value === xsd.string
}

type Listed = {readonly name: string; readonly items: readonly [Constant, ...Constant[]]}

const listedTests = new WeakMap<Expression, Listed | 'other'>()

/**
 * The variable and the terms of a test that is true exactly if the variable has one of the terms: `?x = <a>`,
 * `?x IN (<a>, <b>)`, and any of these after ||. Each term is equal only to itself.
 */
export function listedBy(test: Expression): Listed | undefined {
  const found = listedTests.get(test) ?? findListed(test) ?? 'other'
  listedTests.set(test, found)
  return found === 'other' ? undefined : found
}

function findListed(test: Expression): Listed | undefined {
  const compared = comparisonOf(test)
  if (compared?.comparison === '=' && !compared.isYear && isByIdentity(compared.constant))
    return {name: compared.name, items: [compared.constant]}
  if (test.type !== 'call') return undefined
  if (test.name === '||') {
    const [first, ...others] = test.arguments.map(listedBy)
    if (first === undefined) return undefined
    const items = others.flatMap(other => (other?.name === first.name ? [other.items] : []))
    return items.length === others.length ? {...first, items: [...first.items, ...items.flat()]} : undefined
  }
  const [tested, ...list] = test.name === 'in' ? test.arguments : []
  const [item, ...items] = list.flatMap(one => (one.type === 'term' && isByIdentity(one.term) ? [one.term] : []))
  if (tested?.type !== 'variable' || item === undefined || items.length + 1 < list.length) return undefined
  return {name: tested.name, items: [item, ...items]}
}

/** The condition that an id is one of the items' ids. */
export function hasIdOf(planner: Planner, id: Scalar, items: readonly Constant[]): Scalar {
  return {kind: 'isOneOf', of: id, ids: items.map(item => planner.idOf(item))}
}

/**
 * The condition that a value is equal to one of the items; null for an error.
 *
 * @param equality  of two values; null for an error
 */
export function isAmong(
  planner: Planner,
  tested: Value,
  items: readonly Constant[],
  equality: (item: Value) => Scalar,
): Scalar {
  const other = equalToKey(planner, items, equality)
  if (tested.type !== 'id' || tested.constant !== undefined) return other
  const id = tested.scalar
  const branches: (readonly [Scalar, Scalar])[] = []
  const iris = items.filter(item => item.termType === 'NamedNode')
  branches.push([isWithin(id, 1n, firstAfterNodes), hasIdOf(planner, id, iris)])
  const integers = items.flatMap(item => integerOf(item) ?? [])
  if (iris.length + integers.length === items.length)
    branches.push([
      isOfKind(id, integer),
      {kind: 'isOneOf', of: operator('>>', id, number(formBits)), ids: integers.map(String)},
    ])
  if (items.every(isByIdentity))
    branches.push([isWithin(id, firstLiteralId, firstOwnLiteral), hasIdOf(planner, id, items)])
  return {kind: 'case', branches, otherwise: other}
}

/** The part of an inline integer's id that contains its value; undefined for other terms. */
function integerOf(item: Constant): bigint | undefined {
  const id = item.termType === 'Literal' ? packLiteral(item) : undefined
  return id !== undefined && kindOfInline(id) === integer ? id >> BigInt(formBits) : undefined
}

/** Compares by key: true if an item is equal; otherwise null if a comparison is an error; otherwise false. */
function equalToKey(planner: Planner, items: readonly Constant[], equality: (item: Value) => Scalar): Scalar {
  const someIs = (condition: (equal: Scalar) => Scalar): Scalar => {
    const alias = planner.fresh()
    const query: SelectQuery = {
      kind: 'select',
      columns: [{name: 'c0', scalar: number(1)}],
      from: {kind: 'arrays', alias, columns: [{values: items.map(termKey), type: 'text[]'}]},
      where: [condition(equality(keyValue(column(alias, 'c0'))))],
    }
    return {kind: 'exists', query}
  }
  const [isTrue, isFalse]: readonly [Scalar, Scalar] = [
    {kind: 'boolean', value: true},
    {kind: 'boolean', value: false},
  ]
  const isError = someIs(of => ({kind: 'isNull', of}))
  return {
    kind: 'case',
    branches: [
      [someIs(equal => equal), isTrue],
      [not(isError), isFalse],
    ],
  }
}
