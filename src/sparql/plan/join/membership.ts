/**
 * Long lists after IN and NOT IN: as arrays, where a condition for each item would be a statement of its own length.
 *
 * Three-valued, like the conditions that it stands for (SPARQL 1.1 §17.4.1.9): an IRI is equal to itself
 * alone, a simple literal to itself among strings, an inline integer to all forms of its value; what else there is is
 * compared with one key after the other.
 */
import {packLiteral} from '../../../rdf/inline.ts'
import {termKey} from '../../../rdf/term.ts'
import {firstLiteralId} from '../../../rdf/term-id.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {firstOwnLiteral} from '../../analyse/constants.ts'
import type {Constant, Planner} from '../block.ts'
import {keyValue, type Value} from '../expression/value.ts'
import {firstAfterNodes, firstOfKind, isWithin} from '../extent.ts'
import {column, not, number, operator, type Scalar, type SelectQuery} from '../relation.ts'

const conditionLimit = 100 // items that a condition each is written for
const rangeLimit = 1000 // the same where each is a range, which an index can read
const formBits = 4 // of an inline integer: its datatype

/** The list's items, when they are constants and so many that they go into an array. */
export function longList(list: readonly (Constant | undefined)[]): readonly Constant[] | undefined {
  return list.length > conditionLimit && list.every(item => item !== undefined) ? list : undefined
}

/** Whether so many items are not looked for by a range of ids each. */
export function isBeyondRanges(items: readonly Constant[]): boolean {
  return items.length > rangeLimit
}

/** Whether equality with one of the items is having its id: they are IRIs and simple literals. */
export function isByIdentity(item: Constant): boolean {
  return item.termType === 'NamedNode' || isSimple(item)
}

function isSimple(item: Constant): boolean {
  return item.termType === 'Literal' && item.datatype.value === xsd.string
}

/** The condition that an id is one of the items' ids. */
export function hasIdOf(planner: Planner, id: Scalar, items: readonly Constant[]): Scalar {
  return {kind: 'isOneOf', of: id, ids: items.map(item => planner.idOf(item))}
}

/**
 * Whether a value is equal to one of the items; null for an error.
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
      isWithin(id, firstOfKind(1n), firstOfKind(2n)),
      {kind: 'isOneOf', of: operator('>>', id, number(formBits)), ids: integers.map(String)},
    ])
  if (items.every(isByIdentity))
    branches.push([isWithin(id, firstLiteralId, firstOwnLiteral), hasIdOf(planner, id, items)])
  return {kind: 'case', branches, otherwise: other}
}

/** What all forms of an inline integer have in common. */
function integerOf(item: Constant): bigint | undefined {
  const id = item.termType === 'Literal' ? packLiteral(item) : undefined
  return id !== undefined && id >= firstOfKind(1n) && id < firstOfKind(2n) ? id >> BigInt(formBits) : undefined
}

/** One item after the other: true if one is equal, else null if one cannot be compared. */
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
