/**
 * Rewrite: OPTIONAL whose matches a filter excludes becomes NOT EXISTS, which SQL tests as soon as its variables are
 * bound.
 *
 *   filter(!bound(?v), leftJoin(A, B, c))  =>  filter(!exists(filter(c, B)), A)      B always binds ?v, A never
 *
 * Pure. Applies if each solution of A binds all variables that it shares with B. Then B has the same solutions in
 * EXISTS as in the join. Variables of B are unbound in all solutions that remain.
 * Source: SPARQL 1.0 §11.4.1 (negation by OPTIONAL and BOUND), SPARQL 1.1 §18.5 (LeftJoin), §18.6 (EXISTS).
 */
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'
import {conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {isPlainPattern} from '../analyse/plain-pattern.ts'
import {isPlainTest} from '../analyse/plain-test.ts'
import {certainVariables, possibleVariables} from '../analyse/variables.ts'
import {isVolatile} from '../analyse/volatile.ts'

export function unboundAsExists(tree: Algebra): Algebra {
  const node = mapChildren(tree, unboundAsExists)
  if (node.type !== 'filter') return node
  let {input} = node
  const left: Expression[] = []
  for (const condition of conjuncts(node.condition)) {
    const variable = unboundBy(condition)
    const next = variable === undefined ? undefined : withoutMatches(input, variable)
    if (next === undefined) left.push(condition)
    else input = next
  }
  return input === node.input ? node : filterBy(input, left)
}

/** The variable of `!bound(?v)`. */
function unboundBy(condition: Expression): string | undefined {
  if (condition.type !== 'call' || condition.name !== '!') return undefined
  const [test] = condition.arguments
  if (test?.type !== 'call' || test.name !== 'bound') return undefined
  const [argument] = test.arguments
  return argument?.type === 'variable' ? argument.name : undefined
}

/** The solutions of a left join, or of one on its left, that do not bind a variable of the right side. */
function withoutMatches(node: Algebra, variable: string): Algebra | undefined {
  if (node.type !== 'leftJoin') return undefined
  if (!possibleVariables(node.right).has(variable)) {
    const left = withoutMatches(node.left, variable)
    return left && {...node, left}
  }
  const {left, right, condition} = node
  if (condition !== undefined && (!isPlainTest(condition) || isVolatile(condition))) return undefined
  const [possible, certain, matched] = [possibleVariables(left), certainVariables(left), certainVariables(right)]
  if (possible.has(variable) || !matched.has(variable) || !isPlainPattern(right)) return undefined
  if (![...matched].every(name => certain.has(name) || !possible.has(name))) return undefined
  const pattern = filterBy(right, condition === undefined ? [] : [condition])
  return {type: 'filter', condition: {type: 'exists', isNegated: true, pattern}, input: left}
}
