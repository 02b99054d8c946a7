/**
 * Evaluates a pattern once for each solution to its left, as a lateral sub-select.
 *
 *   join(L, R)  =  for each solution of L: the solutions of R with the same values for the shared variables
 *
 * A condition on a variable's value can move down into R as long as every solution there binds the variable. The
 * planners of operators that it cannot pass (groups, slices, variables that OPTIONAL may leave unbound) remove the
 * variable from `given`.
 */

import {type Block, type Column, type Columns, derive, type Environment, noColumns, type Planner} from '../block.ts'
import {isSameScalar, type Probes} from '../relation.ts'
import {namesOf, type Operand} from './operand.ts'

/** The columns that may be passed to a pattern on the right: ids that are never null. */
export function givable(columns: Columns): Columns {
  return new Map([...columns].filter(([, held]) => !held.isNullable && held.rep === 'id'))
}

/** What is held for some variables, in their order. */
export function only<Held>(columns: ReadonlyMap<string, Held>, names: Iterable<string>): ReadonlyMap<string, Held> {
  return new Map(
    Array.from(new Set(names)).flatMap((name): [string, Held][] => {
      const held = columns.get(name)
      return held === undefined ? [] : [[name, held]]
    }),
  )
}

/**
 * The columns that operands can look up by: of variables that they always bind, and of the name of the graph, if a
 * triple shows that there is such a graph. A path of no steps does not.
 */
export function givenTo(operands: readonly Operand[], {given, graph}: Environment): Columns {
  const certain = operands.flatMap(operand => (operand.type === 'other' ? [] : [...namesOf(operand)]))
  const isInGraph = graph.kind === 'each' && operands.some(({type}) => type === 'triple')
  return only(given, isInGraph ? [...certain, graph.variable] : certain)
}

/** Wraps a block, planned with `given`, into a lateral sub-select with only the columns that it adds. */
export function lateral(planner: Planner, block: Block, given: Columns, probes?: Probes): Block {
  const own = [...block.columns].filter(([name, held]) => !isGiven(given.get(name), held))
  return asLateral(derive(planner, {...block, columns: new Map(own)}, {isFenced: true}), probes)
}

/** The same without columns, with one row at most: whether there is a solution. */
export function lateralFirst(planner: Planner, block: Block, probes?: Probes): Block {
  return asLateral(derive(planner, {...block, columns: noColumns}, {limit: 1}), probes)
}

function asLateral(table: Block, probes: Probes | undefined): Block {
  if (table.from?.kind !== 'query') throw new Error('a derived block is no query')
  return {...table, from: {...table.from, isLateral: true, probes}}
}

function isGiven(given: Column | undefined, held: Column): boolean {
  return given !== undefined && isSameScalar(given.scalar, held.scalar)
}
