/**
 * Plans UNION: the solutions of several blocks as one block.
 *
 * Source: SPARQL 1.1 §18.5 (Union).
 */
import type {Algebra} from '../../algebra.ts'
import {type Block, type Column, type Environment, keyOf, type Planner, rowsOf, type TermRep} from '../block.ts'
import {hullOf} from '../extent.ts'
import {column, number, type Scalar, type SqlQuery} from '../relation.ts'

export function planUnion(planner: Planner, node: Extract<Algebra, {type: 'union'}>, environment: Environment): Block {
  return unionBlocks(
    planner,
    node.inputs.map(input => planner.plan(input, environment)),
  )
}

export function unionBlocks(planner: Planner, blocks: readonly Block[]): Block {
  const names = [...new Set(blocks.flatMap(block => [...block.columns.keys()]))]
  const alias = planner.fresh()
  const columns = new Map(names.map((name, index) => [name, unionColumn(blocks, name, column(alias, `c${index}`))]))
  const queries = blocks.map((block): SqlQuery => {
    const selected = names.map((name, index) => ({
      name: `c${index}`,
      scalar: branchScalar(planner, block.columns.get(name), columns.get(name)?.rep ?? 'id'),
    }))
    const shown = selected.length === 0 ? [{name: 'c0', scalar: number(1)}] : selected
    return {kind: 'select', columns: shown, from: block.from, where: block.where}
  })
  const query: SqlQuery = {kind: 'unionAll', queries}
  const rows = blocks.reduce((sum, block) => sum + rowsOf(block), 0)
  return {from: {kind: 'query', query, alias, isLateral: false}, where: [], columns, order: undefined, rows}
}

function unionColumn(blocks: readonly Block[], name: string, scalar: Scalar): Column & {readonly rep: TermRep} {
  const held = blocks.map(block => block.columns.get(name))
  const rep = held.every(one => one === undefined || one.rep === 'id') ? 'id' : 'key'
  const bound = rep === 'id' ? held.filter(one => one !== undefined) : []
  const extent = hullOf(bound.map(one => one.extent))
  const constants = bound.flatMap(one => one.constants ?? [])
  return {
    scalar,
    rep,
    ...(extent === undefined ? {} : {extent}),
    ...(bound.length > 0 && bound.every(one => one.constants !== undefined) ? {constants} : {}),
    isNullable: held.some(one => one === undefined || one.isNullable),
    isNode: held.every(one => one?.isNode === true),
  }
}

function branchScalar(planner: Planner, held: Column | undefined, rep: TermRep): Scalar {
  if (held === undefined) return {kind: 'null', type: rep === 'id' ? 'int8' : 'text'}
  return rep === 'id' ? held.scalar : keyOf(planner, held)
}
