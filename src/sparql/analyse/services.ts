/**
 * Finds the SERVICE calls of a query and the patterns that they are joined with (their partners).
 *
 * Pure. A request to an endpoint may include the solutions of the partner L as VALUES, because of these equations:
 *
 *   join(L, S)       =  join(L, join(distinct(project(L)), S))
 *   leftJoin(L, S)   =  leftJoin(L, join(distinct(project(L)), S))
 *
 * if the projection contains only variables that each solution of L binds: then each solution of L matches one of the
 * projection. A partner applies inside unions, because joins distribute over them. It does not apply inside operators
 * that count, slice or test solutions.
 * Source: SPARQL 1.1 §18.5; SPARQL 1.1 Federated Query §2.4, §3.
 */
import type {Algebra, Expression} from '../algebra.ts'
import {children, innerPatterns, join, mapChildren, patternsIn} from '../algebra.ts'
import {conjuncts} from './conjuncts.ts'
import {certainVariables, variablesIn} from './variables.ts'
import {isVolatile} from './volatile.ts'

export type Service = Extract<Algebra, {type: 'service'}>

export type ServiceCall = {
  readonly service: Service
  readonly partner: Algebra | undefined // a pattern without SERVICE that is joined with the service
}

type Surroundings = {
  readonly partner: Algebra | undefined
  readonly conditions: readonly Expression[] // filters above the join
  readonly graph: Extract<Algebra, {type: 'graph'}>['name'] | undefined
}

const nowhere: Surroundings = {partner: undefined, conditions: [], graph: undefined}

/** All SERVICE calls of a tree, except those inside a SERVICE, which its endpoint evaluates. */
export function findServices(tree: Algebra): readonly ServiceCall[] {
  return find(tree, nowhere)
}

export function hasService(node: Algebra): boolean {
  return node.type === 'service' || children(node).some(hasService) || innerPatterns(node).some(hasService)
}

function find(node: Algebra, around: Surroundings): readonly ServiceCall[] {
  if (!hasService(node)) return []
  const tested = innerPatterns(node).flatMap(pattern => find(pattern, nowhere))
  switch (node.type) {
    case 'service':
      return [{service: node, partner: partnerOf(around)}]
    case 'join': {
      const operands = operandsOf(node)
      const locals = operands.filter(operand => !hasService(operand))
      const partner = joinAll([...(around.partner === undefined ? [] : [around.partner]), ...locals])
      return operands.flatMap(operand => find(operand, {...around, partner}))
    }
    case 'leftJoin': {
      const {conditions, graph} = around
      const partner = hasService(node.left) ? undefined : node.left
      const right = find(node.right, {partner, conditions, graph})
      return [...find(node.left, {...nowhere, graph}), ...right, ...tested]
    }
    case 'union':
      return node.inputs.flatMap(input => find(input, around))
    case 'filter': {
      const {graph} = around
      return [...find(node.input, {partner: undefined, conditions: conjuncts(node.condition), graph}), ...tested]
    }
    case 'graph':
      return find(node.input, {...nowhere, graph: node.name})
    case 'minus':
      return [node.left, node.right].flatMap(side => find(side, {...nowhere, graph: around.graph}))
    default:
      return [...children(node).flatMap(child => find(child, {...nowhere, graph: around.graph})), ...tested]
  }
}

function operandsOf(node: Algebra): readonly Algebra[] {
  return node.type === 'join' ? [...operandsOf(node.left), ...operandsOf(node.right)] : [node]
}

function joinAll(nodes: readonly Algebra[]): Algebra | undefined {
  const [head, ...others] = nodes
  return head === undefined ? undefined : others.reduce(join, head)
}

/** The partner in its graph, with the filters above it that it can test. */
function partnerOf({partner, conditions, graph}: Surroundings): Algebra | undefined {
  if (partner === undefined) return undefined
  const placed: Algebra = graph === undefined ? partner : {type: 'graph', name: graph, input: partner}
  const known = certainVariables(placed)
  const decided = conditions.filter(
    condition => isTestable(condition) && variablesIn(condition).every(name => known.has(name)),
  )
  return decided.reduce<Algebra>((input, condition) => ({type: 'filter', condition, input}), placed)
}

/** Whether a condition gives the same result at another place. EXISTS depends on the graph around it. */
function isTestable(condition: Expression): boolean {
  return patternsIn(condition).length === 0 && !isVolatile(condition)
}

/** Replaces a node of a tree, also inside EXISTS. */
export function replaceNode(tree: Algebra, node: Algebra, by: Algebra): Algebra {
  if (tree === node) return by
  const replace = (one: Algebra) => replaceNode(one, node, by)
  const inner = mapChildren(tree, replace)
  return innerPatterns(inner).length === 0 ? inner : mapPatterns(inner, replace)
}

function mapPatterns(node: Algebra, map: (pattern: Algebra) => Algebra): Algebra {
  const change = (expression: Expression): Expression => {
    switch (expression.type) {
      case 'exists':
        return {...expression, pattern: map(expression.pattern)}
      case 'call':
      case 'function':
        return {...expression, arguments: expression.arguments.map(change)}
      default:
        return expression
    }
  }
  switch (node.type) {
    case 'filter':
      return {...node, condition: change(node.condition)}
    case 'leftJoin':
      return node.condition === undefined ? node : {...node, condition: change(node.condition)}
    case 'extend':
      return {...node, expression: change(node.expression)}
    case 'orderBy':
      return {...node, keys: node.keys.map(key => ({...key, expression: change(key.expression)}))}
    case 'group':
      return {
        ...node,
        keys: node.keys.map(key => ({...key, expression: change(key.expression)})),
        aggregates: node.aggregates.map(({variable, aggregate}) => {
          const {argument} = aggregate
          return {variable, aggregate: argument === undefined ? aggregate : {...aggregate, argument: change(argument)}}
        }),
      }
    default:
      return node
  }
}
