/**
 * Rewrite: OPTIONAL disappears where nothing uses what it binds, and repeated solutions count once.
 *
 *   distinct(project(V, leftJoin(A, B, c)))  =>  distinct(project(V, A))     A always binds what V has of B
 *
 * It also disappears in a group whose aggregates are the same with and without duplicates. A left join keeps each
 * solution of its left side, and repeats those with several matches.
 *
 * Pure. Source: SPARQL 1.1 §18.5 (LeftJoin, Distinct).
 */
import {type Algebra, expressionsOf, mapChildren} from '../algebra.ts'
import {decidingExpressions} from '../analyse/deciding.ts'
import {hasService} from '../analyse/services.ts'
import {certainVariables, mentionedVariables, possibleVariables, variablesIn} from '../analyse/variables.ts'
import {isVolatile} from '../analyse/volatile.ts'

export function dropOptional(tree: Algebra): Algebra {
  const node = mapChildren(tree, dropOptional)
  if (node.type === 'distinct') return {...node, input: without(node.input, new Set(possibleVariables(node.input)))}
  if (node.type !== 'group') return node
  const deciding = decidingExpressions(node)
  return deciding === undefined ? node : {...node, input: without(node.input, new Set(deciding.flatMap(variablesIn)))}
}

/** @param used  variables whose values count; those that are used inside are added */
function without(node: Algebra, used: Set<string>): Algebra {
  const add = (names: Iterable<string>): void => {
    for (const name of names) used.add(name)
  }
  switch (node.type) {
    case 'project':
      return {...node, input: without(node.input, new Set(node.variables.filter(name => used.has(name))))}
    case 'filter':
    case 'extend':
    case 'orderBy':
      if (expressionsOf(node).some(isVolatile)) return node
      add(expressionsOf(node).flatMap(variablesIn))
      return {...node, input: without(node.input, used)}
    case 'union':
      return {...node, inputs: node.inputs.map(input => without(input, new Set(used)))}
    case 'join':
    case 'minus':
      add(mentionedVariables(node.right))
      return {...node, left: without(node.left, used)}
    case 'leftJoin':
      return withoutMatches(node, used)
    default:
      return node
  }
}

function withoutMatches(node: Extract<Algebra, {type: 'leftJoin'}>, used: Set<string>): Algebra {
  const {left, right} = node
  const bound = certainVariables(left)
  const isUsed = [...possibleVariables(right)].some(name => used.has(name) && !bound.has(name))
  if (!isUsed && !hasService(right)) return without(left, used)
  for (const name of [...mentionedVariables(right), ...expressionsOf(node).flatMap(variablesIn)]) used.add(name)
  return {...node, left: without(left, used)}
}
