/**
 * The ids of computed terms that operands are joined by.
 *
 * Pure. The id of a computed term is looked up once for each row that has the term, and not for each pair of a join.
 */
import {type Block, type Column, derive, idOfColumn, type Planner} from '../block.ts'
import type {Step} from './estimate.ts'
import {namesOf} from './operand.ts'

/**
 * Replaces computed terms that triples are joined by with their ids, so that each is looked up once, and not for each
 * pair of a join. A term that is not stored gets an id that no triple has.
 */
export function withIds(planner: Planner, block: Block, names: readonly string[]): Block {
  const computed = names.flatMap((name): [string, Column][] => {
    const held = block.columns.get(name)
    return held === undefined || held.rep === 'id' ? [] : [[name, held]]
  })
  if (computed.length === 0) return block
  const ids = computed.map(([name, held]): [string, Column] => {
    const {isNullable} = held
    return [name, {scalar: idOfColumn(planner, held), rep: 'id', isNullable, isNode: false}]
  })
  return derive(planner, {...block, columns: new Map([...block.columns, ...ids])}, {isFenced: true})
}

/** An operand with ids for the computed terms for which the solutions so far always have an id. */
export function matchable(planner: Planner, operand: Block, {columns}: Block): Block {
  const isSure = ([, {rep, isNullable}]: readonly [string, Column]) => rep === 'id' && !isNullable
  return withIds(
    planner,
    operand,
    [...columns].filter(isSure).map(([name]) => name),
  )
}

/** Whether two blocks share a computed term. It should be computed for each of their rows, and not for each pair. */
export function sharesComputed({columns}: Block, other: Block): boolean {
  return [...other.columns].some(([name, held]) => {
    const known = columns.get(name)
    return known !== undefined && (known.rep !== 'id' || held.rep !== 'id')
  })
}

const mostAhead = 10 // steps, so that the time to plan grows with their number

/**
 * The variables of the triple pattern of a step, and of the next ones that are joined to no fewer solutions: an id is
 * looked up before the solutions that share it become more. Only sub-selects and the like compute terms.
 */
export function namesFrom(steps: readonly Step[], index: number): readonly string[] {
  const made = steps[index - 1]
  const later = steps.slice(index, made?.operand.type === 'other' ? index + mostAhead : index + 1)
  const fewer = later.findIndex(({rows}) => rows < (made?.rows ?? 0))
  const joined = fewer < 0 ? later : later.slice(0, fewer + 1)
  return joined.flatMap(({operand}) => (operand.type === 'triple' ? [...namesOf(operand)] : []))
}
