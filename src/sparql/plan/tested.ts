/**
 * Adds tests of filters to a block, with what they tell of the terms that pass them: their extents.
 *
 * Pure. `FILTER(isNumeric(?x))` leaves inline numbers and numbers of the dictionary, whatever else ?x is bound to, and
 * the extent of the objects of its predicate may exclude those of the dictionary. Then a sum needs the ids alone.
 */
import type {Block, Column, Columns} from './block.ts'
import {withIdTests} from './expression/compares-ids.ts'
import {type Extent, everyTerm, hullOf, isInside, kindExtent, partsOf} from './extent.ts'
import {all, isSameScalar, type Scalar} from './relation.ts'

/** A block with further tests, and with the extents of columns whose terms pass them. */
export function withTests(block: Block, tests: readonly Scalar[]): Block {
  if (tests.length === 0) return block
  return {...block, where: withIdTests([...block.where, ...tests]), columns: testedColumns(block.columns, tests)}
}

/** Columns after tests, with the extents of the terms that pass them. */
export function testedColumns(columns: Columns, tests: readonly Scalar[]): Columns {
  if (tests.length === 0) return columns
  const tested = [...columns].map(([name, held]): [string, Column] => {
    if (held.rep !== 'id' || held.scalar.kind !== 'column' || held.extent === undefined) return [name, held]
    const extent = testedExtent(tests, held.scalar, held.extent)
    return [name, extent === undefined ? held : {...held, extent}]
  })
  return new Map(tested)
}

/**
 * The extent of a column after tests that only some kinds of terms of its extent can pass. It contains whole kinds.
 *
 * @returns  undefined if all kinds can pass, or none
 */
function testedExtent(tests: readonly Scalar[], id: Scalar, extent: Extent): Extent | undefined {
  const passing = passingExtent(all(tests), id, extent)
  if (passing === undefined) return undefined
  const kinds = common(kindExtent(passing), extent) ?? extent
  if (isInside(extent, kinds)) return undefined
  const hasBoth = kinds.low < 0n && kinds.high >= 0n
  return {...kinds, ...(hasBoth && extent.stored !== undefined ? {stored: extent.stored} : {}), isTested: true}
}

/** An extent of the ids for which a condition can be true; undefined if there are none. */
function passingExtent(condition: Scalar, id: Scalar, extent: Extent): Extent | undefined {
  const passing = (one: Scalar, within: Extent | undefined) => within && passingExtent(one, id, within)
  switch (condition.kind) {
    case 'all':
      return condition.conditions.reduce((within: Extent | undefined, one) => passing(one, within), extent)
    case 'any':
      return hullOf(condition.conditions.flatMap(one => passing(one, extent) ?? []))
    case 'case': {
      if (condition.of !== undefined) return extent
      const ofBranches = condition.branches.map(([test, value]) => passing(value, passing(test, extent)))
      const ofRest = condition.otherwise && passing(condition.otherwise, extent)
      return hullOf([...ofBranches, ofRest].filter(one => one !== undefined))
    }
    case 'boolean':
      return condition.value ? extent : undefined
    case 'null':
      return undefined
    case 'operator': {
      const {left, right} = condition
      if (right.kind !== 'number' || !isSameScalar(left, id)) return extent
      return common(idsOf(condition.operator, BigInt(right.value)), extent)
    }
    default:
      return extent
  }
}

/** The ids of which a comparison with a bound is true. */
function idsOf(operator: string, bound: bigint): Extent {
  const {low, high} = everyTerm
  switch (operator) {
    case '>=':
      return {low: bound, high}
    case '>':
      return {low: bound + 1n, high}
    case '<=':
      return {low, high: bound}
    case '<':
      return {low, high: bound - 1n}
    case '=':
      return {low: bound, high: bound}
    default:
      return everyTerm
  }
}

/** The ids in both of two extents; undefined if there are none. */
function common(one: Extent, other: Extent): Extent | undefined {
  const ranges = partsOf(one).flatMap(({low, high}) =>
    partsOf(other).map(part => ({low: low > part.low ? low : part.low, high: high < part.high ? high : part.high})),
  )
  return hullOf(ranges.filter(({low, high}) => low <= high))
}
