/**
 * Joins: blocks into one block, and conjunctions of patterns in the order that costs least.
 *
 * Floor 2. PostgreSQL keeps the order of joins that is written here (join_collapse_limit = 1) and chooses their
 * methods.
 * Sources: SPARQL 1.1 §18.5 (Join); storage-measured facts: PostgreSQL's own estimates of joins of one table are no
 * guide.
 */
import type {Algebra} from '../algebra.ts'
import {attach} from './attach.ts'
import {estimate} from './estimate.ts'
import {type Operand, operandsOf} from './operand.ts'
import {planPath} from './path.ts'
import {addTriple} from './pattern.ts'
import type {Scalar} from './relation.ts'
import {type Block, type Column, type Environment, matchColumns, type Planner, unitBlock} from './scope.ts'

/** Joins two blocks; the result has no order. */
export function joinBlocks(planner: Planner, left: Block, right: Block): Block {
  const columns = new Map<string, Column>(left.columns)
  const conditions: Scalar[] = []
  for (const [name, held] of right.columns) {
    const known = left.columns.get(name)
    const match = known === undefined ? undefined : matchColumns(planner, known, held)
    if (match !== undefined) conditions.push(...match.conditions)
    columns.set(name, match?.column ?? held)
  }
  return {...attach(left, right.from, conditions, right.where), columns, order: undefined}
}

/** A join, basic graph pattern or path: always the cheapest operand next, those that share variables first. */
export function planConjunction(planner: Planner, node: Algebra, environment: Environment): Block {
  let block = unitBlock
  const waiting = [...operandsOf(node)]
  while (waiting.length > 0) {
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (const [index, operand] of waiting.entries()) {
      const cost = estimate(planner, operand, block.columns, block.from === undefined)
      if (cost < least) [best, least] = [index, cost]
    }
    const [operand] = waiting.splice(best, 1)
    if (operand !== undefined) block = addOperand(planner, block, operand, environment)
  }
  return block
}

function addOperand(planner: Planner, block: Block, operand: Operand, environment: Environment): Block {
  switch (operand.type) {
    case 'triple':
      return addTriple(planner, block, operand.pattern, environment.graph)
    case 'path':
      return planPath(planner, block, operand.node, environment.graph)
    case 'other':
      return joinBlocks(planner, block, planner.plan(operand.node, environment))
  }
}
