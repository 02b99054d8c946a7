/**
 * Plans GRAPH with an IRI, and GRAPH with a variable.
 *
 * Source: SPARQL 1.1 §18.5, evaluation of Graph.
 */
import type {Algebra} from '../../algebra.ts'
import {type Block, derive, type Environment, idColumn, type Planner, rowsOf} from '../block.ts'
import {column, equal, type From, number, type Scalar, type SqlQuery} from '../relation.ts'
import {attach, joinBlocks} from './attach.ts'
import {readGraphNames} from './quads.ts'

type Node<Type extends Algebra['type']> = Extract<Algebra, {type: Type}>

/** Under GRAPH ?g, joins a block without triples with all graph names: its solutions hold in every graph. */
export function inGraphs(planner: Planner, block: Block, {graph}: Environment): Block {
  if (graph.kind !== 'each') return block
  const {from, alias, conditions} = readGraphNames(planner)
  const columns = new Map([...block.columns, [graph.variable, idColumn(column(alias, 'g'), false)]])
  return {...attach(block, from, [], conditions), columns, order: undefined}
}

/** Plans GRAPH: its patterns match in the named graph, or in each graph with the variable bound to its name. */
export function planGraph(planner: Planner, node: Node<'graph'>, environment: Environment): Block {
  const {name, input} = node
  if (name.termType === 'NamedNode') {
    const scalar = number(planner.idOf(name))
    const block = planner.plan(input, {...environment, graph: {kind: 'named', scalar}})
    return hasPattern(input) ? block : onlyIfGraph(planner, block, scalar)
  }
  const variable = `.g${planner.fresh()}`
  const known = environment.given.get(name.value)
  const given = known === undefined ? environment.given : new Map([...environment.given, [variable, known]])
  const block = isTakenByGraph(input)
    ? eachGraph(planner, input, {...environment, given}, variable)
    : planner.plan(input, {...environment, given, graph: {kind: 'each', variable}})
  const graph = block.columns.get(variable)
  if (graph === undefined) throw new Error('a pattern in GRAPH does not tell its graph')
  const columns = new Map([...block.columns].filter(([held]) => held !== variable))
  const own: Block = {from: undefined, where: [], columns: new Map([[name.value, graph]]), order: undefined}
  return {...joinBlocks(planner, {...block, columns}, own), rows: rowsOf(block)}
}

/** Whether a pattern reads a triple, so that it matches in existing graphs only. */
function hasPattern(node: Algebra): boolean {
  return node.type === 'bgp' && node.patterns.length > 0
}

function onlyIfGraph(planner: Planner, block: Block, name: Scalar): Block {
  const {from, alias, conditions} = readGraphNames(planner)
  const query: SqlQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: number(1)}],
    from,
    where: [...conditions, equal(column(alias, 'g'), name)],
  }
  return {...block, where: [...block.where, {kind: 'exists', query}]}
}

/**
 * Whether GRAPH ?g must evaluate a pattern separately for each graph. That is so if the pattern groups, sorts or
 * slices solutions, or if it contains another GRAPH, because the patterns in that do not bind the outer variable.
 */
function isTakenByGraph(node: Algebra): boolean {
  switch (node.type) {
    case 'group':
    case 'slice':
    case 'orderBy':
    case 'graph':
      return true
    case 'bgp':
    case 'path':
    case 'values':
    case 'table':
    case 'search':
      return false
    case 'join':
    case 'leftJoin':
    case 'minus':
      return isTakenByGraph(node.left) || isTakenByGraph(node.right)
    case 'union':
      return node.inputs.some(isTakenByGraph)
    default:
      return isTakenByGraph(node.input)
  }
}

/** Evaluates the pattern separately in each graph, as §18.5 defines it. */
function eachGraph(planner: Planner, input: Algebra, environment: Environment, variable: string): Block {
  const names = readGraphNames(planner)
  const scalar = column(names.alias, 'g')
  const inner = derive(planner, planner.plan(input, {...environment, graph: {kind: 'named', scalar}}))
  if (inner.from?.kind !== 'query') throw new Error('a derived block is no query')
  const from: From = {
    kind: 'join',
    type: 'cross',
    left: names.from,
    right: {...inner.from, isLateral: true},
    on: [],
  }
  const columns = new Map([...inner.columns, [variable, idColumn(scalar, false)]])
  const known = environment.given.get(variable)
  const isKnown = known === undefined ? [] : [equal(scalar, known.scalar)]
  return {from, where: [...names.conditions, ...isKnown], columns, order: undefined}
}
