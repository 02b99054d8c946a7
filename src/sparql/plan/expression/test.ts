/**
 * Plans the conditions of filters. A filter drops solutions for which its condition is false or an error, so the SQL
 * need not distinguish the two.
 *
 * Splits conjunctions, and turns comparisons of stored terms with constants into ranges of ids.
 * Source: SPARQL 1.1 §17.2.
 */
import type {Expression} from '../../algebra.ts'
import type {Column, Planner} from '../block.ts'
import {type Extent, everyTerm, isInside} from '../extent.ts'
import {mayBeOwn} from '../id-parts.ts'
import {hasIdOf, isBeyondRanges, listedBy, longList} from '../join/membership.ts'
import {all, any, isNotNull, number, type Scalar} from '../relation.ts'
import {withinExtent} from '../within-extent.ts'
import {comparisonOf} from './comparisons.ts'
import {datatypeTest} from './datatype.ts'
import {planCondition, type Sight} from './expression.ts'
import {rangeOf} from './range.ts'
import {needsLookup} from './scalars.ts'

/** @returns  conditions that must all be true */
export function planTests(planner: Planner, condition: Expression, sight: Sight): readonly Scalar[] {
  if (condition.type === 'call' && condition.name === '&&') {
    return condition.arguments.flatMap(argument => planTests(planner, argument, sight))
  }
  const test = planTest(planner, condition, sight)
  const ranges = rangesOfAny(condition, sight, test)
  // As a CASE the test does not use the ranges again, nor does PostgreSQL count them twice in its estimates.
  return ranges === undefined ? [test] : [ranges, {kind: 'case', branches: [[test, {kind: 'boolean', value: true}]]}]
}

/**
 * The ranges of ids outside which a comparison of objects of any predicate is false; undefined for other tests.
 * PostgreSQL tests them where it reads each table of triples, by an index if they are few: a condition with a
 * sub-select stays above the union of the tables.
 */
function rangesOfAny(condition: Expression, sight: Sight, test: Scalar): Scalar | undefined {
  const compared = comparisonOf(condition)
  const held = compared && columnOf({type: 'variable', name: compared.name}, sight)
  if (held?.extent?.isOfAny !== true || !needsLookup(test)) return undefined
  return withoutStored(test)
}

/** A weaker condition that reads no terms; undefined if there is none. */
function withoutStored(condition: Scalar): Scalar | undefined {
  switch (condition.kind) {
    case 'all': {
      const kept = condition.conditions.flatMap(one => withoutStored(one) ?? [])
      return kept.length === 0 ? undefined : all(kept)
    }
    case 'any': {
      const kept = condition.conditions.map(withoutStored)
      return kept.every(one => one !== undefined) ? any(kept) : undefined
    }
    default:
      return needsLookup(condition) ? undefined : condition
  }
}

function planTest(planner: Planner, condition: Expression, sight: Sight): Scalar {
  const generic = () => planCondition(planner, condition, sight)
  if (condition.type !== 'call') return generic()
  switch (condition.name) {
    case '||':
      return (
        listTest(planner, condition, sight) ??
        any(condition.arguments.map(argument => planTest(planner, argument, sight)))
      )
    case '=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparisonTest(planner, condition, sight) ?? typeTest(planner, condition, sight, generic) ?? generic()
    case 'in': {
      const listed = listTest(planner, condition, sight)
      if (listed !== undefined) return listed
      const [tested, ...list] = condition.arguments
      if (columnOf(tested, sight) === undefined || tested === undefined) return generic()
      const items = longList(list.map(item => (item.type === 'term' ? item.term : undefined)))
      if (items !== undefined && isBeyondRanges(items)) return generic()
      return any(list.map(item => planTest(planner, {type: 'call', name: '=', arguments: [tested, item]}, sight)))
    }
    default:
      return generic()
  }
}

/** Plans a test that a variable has one of several terms, of which each is equal only to itself. */
function listTest(planner: Planner, condition: Expression, sight: Sight): Scalar | undefined {
  const {name = '', items = []} = listedBy(condition) ?? {}
  const held = columnOf({type: 'variable', name}, sight)
  return held === undefined || items.length < 2 ? undefined : hasIdOf(planner, held.scalar, items)
}

function comparisonTest(planner: Planner, condition: Expression, sight: Sight): Scalar | undefined {
  const compared = comparisonOf(condition)
  const held = compared && columnOf({type: 'variable', name: compared.name}, sight)
  if (compared === undefined || held === undefined) return undefined
  const {extent = everyTerm} = held
  if (compared.isYear && isInside(everyTerm, extent)) return undefined // the ranges of all kinds would be many
  const within = (one: Extent): Sight => ({
    ...sight,
    columns: new Map([...sight.columns, [compared.name, {...held, extent: one}]]),
  })
  const test = {
    generic: () => planCondition(planner, condition, sight),
    ofExtent: (one: Extent) => planCondition(planner, condition, within(one)),
    hasOwn: mayBeOwn(planner, held.extent),
  }
  return narrowed(held, rangeOf(held.scalar, compared, number(planner.idOf(compared.constant)), test))
}

/** Plans DATATYPE(?x) = <iri>, in either order; undefined for other conditions. */
function typeTest(
  planner: Planner,
  condition: Extract<Expression, {type: 'call'}>,
  sight: Sight,
  generic: () => Scalar,
): Scalar | undefined {
  if (condition.name !== '=') return undefined
  const [left, right] = condition.arguments
  const [type, iri] = left?.type === 'term' ? [right, left] : [left, right]
  if (type?.type !== 'call' || type.name !== 'datatype') return undefined
  if (iri?.type !== 'term' || iri.term.termType !== 'NamedNode') return undefined
  const held = columnOf(type.arguments[0], sight)
  if (held === undefined) return undefined
  const own = mayBeOwn(planner, held.extent) ? generic() : undefined
  return narrowed(held, datatypeTest(held.scalar, iri.term.value, own))
}

function narrowed({scalar, extent, isNullable}: Column, range: Scalar | undefined): Scalar | undefined {
  if (range === undefined || extent === undefined) return range
  const left = withinExtent(range, scalar, extent)
  return isNullable ? all([isNotNull(scalar), left]) : left
}

/** The column of a variable, if it contains ids and belongs to the solution itself; otherwise undefined. */
function columnOf(expression: Expression | undefined, {columns, environment}: Sight): Column | undefined {
  if (expression?.type !== 'variable' || environment.outer.has(expression.name)) return undefined
  const held = columns.get(expression.name)
  return held?.rep === 'id' && held.scalar.kind === 'column' ? held : undefined
}
