/**
 * Drops the sort keys that cannot change the order of the solutions that a query shows.
 *
 *   project(?v, orderBy(?v ?w, A))  =>  project(?v, orderBy(?v, A))
 *
 * A key is idle if the keys before it decide all variables that are shown, because only equal solutions are left to be
 * sorted. It is also idle if it repeats a key. A variable is decided if different terms have different places in the
 * order, or if the specification leaves their order open: nodes, and strings of one kind. Numbers are not: 1 and 1.0
 * are equal.
 *
 * Source: SPARQL 1.1 §15.1.
 */
import type {Algebra, OrderKey, TriplePattern} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import {isNodes, isText} from '../extent.ts'
import {isConjunction, operandsOf} from '../join/operand.ts'
import {extentIn} from '../join/pattern.ts'

/** @param node  the input of DISTINCT or of a slice */
export function withoutIdleKeys(planner: Planner, node: Algebra): Algebra {
  if (node.type === 'distinct') return over(node, withoutIdleKeys(planner, node.input))
  if (node.type !== 'project' || node.input.type !== 'orderBy') return node
  const {keys, input} = node.input
  const patterns = keys.length > 1 ? patternsOf(input) : []
  const isDecided = (name: string) => patterns.some(pattern => hasOnePlaceEach(planner, pattern, name))
  const kept = keysThatCount(keys, node.variables, isDecided)
  return kept.length === keys.length ? node : {...node, input: {...node.input, keys: kept}}
}

function over(node: Extract<Algebra, {type: 'distinct'}>, input: Algebra): Algebra {
  return input === node.input ? node : {...node, input}
}

function keysThatCount(
  keys: readonly OrderKey[],
  shown: readonly string[],
  isDecided: (name: string) => boolean,
): readonly OrderKey[] {
  const before = new Set<string>()
  const open = new Set(shown)
  return keys.filter(({expression}, place) => {
    if (place > 0 && open.size === 0) return false
    if (expression.type !== 'variable') return true
    if (before.has(expression.name)) return false
    before.add(expression.name)
    if (open.has(expression.name) && isDecided(expression.name)) open.delete(expression.name)
    return true
  })
}

/** Triple patterns that every solution matches. */
function patternsOf(node: Algebra): readonly TriplePattern[] {
  if (isConjunction(node)) return operandsOf(node).flatMap(one => (one.type === 'triple' ? [one.pattern] : []))
  switch (node.type) {
    case 'filter':
    case 'extend':
    case 'graph':
      return patternsOf(node.input)
    case 'leftJoin':
    case 'minus':
      return patternsOf(node.left)
    default:
      return []
  }
}

/** Whether a pattern binds a variable to terms that are nodes or strings of one kind. */
function hasOnePlaceEach(planner: Planner, pattern: TriplePattern, name: string): boolean {
  const extent = extentIn(planner, pattern, name)
  return isNodes(extent) || isText(extent)
}
