/**
 * Rewrite: two variables that a filter makes equal become one variable in the patterns, if one of them is the subject
 * of a triple. Joins then look it up as if the query had one variable there.
 *
 *   filter(?x = ?y && c, A)                     =>  extend(filter(c', A'), ?y, ?x)
 *   filter(exists(filter(?x = ?y && c, B)), A)  =>  filter(exists(filter(c', B')), A)
 *   leftJoin(A, B, ?x = ?y && c)                =>  leftJoin(A, extend(B', ?y, ?x), c')
 *
 * A', B' and c' have ?x in place of ?y. In the second and the third form A always binds ?x, and never ?y. Pure. Applies
 * if A in the first form, and B in the others, is a conjunction, perhaps filtered, that always binds ?y by triples.
 * A subject is an IRI or a blank node, which is equal to itself alone.
 * Source: SPARQL 1.1 §17.4.1.7 (RDFterm-equal), §18.5 (LeftJoin), §18.6 (EXISTS).
 */
import {type Algebra, type Expression, mapChildren, variable} from '../algebra.ts'
import {conjunction, conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {isBoundAt, isJoinedPattern, isVariable, placesOf, putTerm} from '../analyse/put-term.ts'
import {replaceInTests} from '../analyse/replace-variable.ts'
import {certainVariables, possibleVariables} from '../analyse/variables.ts'

export function variableForVariable(tree: Algebra): Algebra {
  const node = mapChildren(tree, variableForVariable)
  if (node.type === 'leftJoin') return joinedByOne(node)
  if (node.type !== 'filter') return node
  const {input} = node
  const conditions = conjuncts(node.condition)
  const changed = conditions.map(condition => existsWithOne(input, condition))
  if (isJoinedPattern(input)) return withOne(input, changed)
  return changed.every((one, index) => one === conditions[index]) ? node : filterBy(input, changed)
}

type Equal = {readonly kept: string; readonly replaced: string}

/** The variables of `?x = ?y` or of sameTerm, in both orders. */
function equalIn(condition: Expression): readonly Equal[] {
  if (condition.type !== 'call' || (condition.name !== '=' && condition.name !== 'sameTerm')) return []
  const [left, right] = condition.arguments
  if (left?.type !== 'variable' || right?.type !== 'variable' || left.name === right.name) return []
  return [
    {kept: left.name, replaced: right.name},
    {kept: right.name, replaced: left.name},
  ]
}

/** The first form. */
function withOne(input: Algebra, conditions: readonly Expression[]): Algebra {
  for (const condition of conditions) {
    const equal = equalIn(condition)[0]
    if (equal === undefined || !isEitherSubject(equal, [input])) continue
    const {kept, replaced} = equal
    const others = replaceAll(
      conditions.filter(one => one !== condition),
      equal,
    )
    if (others === undefined || !binds(input, kept) || !binds(input, replaced)) continue
    const inside = withOne(putTerm(input, replaced, variable(kept)), others)
    return {type: 'extend', input: inside, variable: replaced, expression: {type: 'variable', name: kept}}
  }
  return filterBy(input, conditions)
}

/** The second form: EXISTS in which a variable of the outer solution replaces one of the pattern. */
function existsWithOne(outer: Algebra, condition: Expression): Expression {
  if (condition.type !== 'exists' || condition.pattern.type !== 'filter') return condition
  const {input, condition: test} = condition.pattern
  const found = replaceIn(outer, input, conjuncts(test))
  return found === undefined ? condition : {...condition, pattern: filterBy(found.pattern, found.tests)}
}

/** The third form. */
function joinedByOne(node: Extract<Algebra, {type: 'leftJoin'}>): Algebra {
  const {left, right, condition} = node
  const found = condition && replaceIn(left, right, conjuncts(condition))
  if (found === undefined) return node
  const {equal, pattern, tests} = found
  const expression: Expression = {type: 'variable', name: equal.kept}
  return {
    type: 'leftJoin',
    left,
    right: {type: 'extend', input: pattern, variable: equal.replaced, expression},
    condition: conjunction(tests),
  }
}

/** Puts a variable that one pattern always binds in place of one of another pattern. */
function replaceIn(
  outer: Algebra,
  pattern: Algebra,
  tests: readonly Expression[],
): {readonly equal: Equal; readonly pattern: Algebra; readonly tests: readonly Expression[]} | undefined {
  const {input, own} =
    pattern.type === 'filter' ? {input: pattern.input, own: conjuncts(pattern.condition)} : {input: pattern, own: []}
  if (!isJoinedPattern(input)) return undefined
  for (const test of tests) {
    for (const equal of equalIn(test)) {
      const {kept, replaced} = equal
      const isOuter = certainVariables(outer).has(kept) && !possibleVariables(outer).has(replaced)
      if (!isOuter || !binds(input, replaced) || !isEitherSubject(equal, [outer, input])) continue
      const others = replaceAll(
        tests.filter(one => one !== test),
        equal,
      )
      const inside = replaceAll(own, equal)
      if (others === undefined || inside === undefined) continue
      return {equal, pattern: filterBy(putTerm(input, replaced, variable(kept)), inside), tests: others}
    }
  }
  return undefined
}

function binds(node: Algebra, name: string): boolean {
  return isBoundAt(placesOf(node, name))
}

function replaceAll(tests: readonly Expression[], {kept, replaced}: Equal): readonly Expression[] | undefined {
  return replaceInTests(tests, replaced, {type: 'variable', name: kept})
}

function isEitherSubject({kept, replaced}: Equal, patterns: readonly Algebra[]): boolean {
  return patterns.some(node => isSubject(node, kept) || isSubject(node, replaced))
}

/** Whether each solution of a pattern has a variable as the subject of a triple. */
function isSubject(node: Algebra, name: string): boolean {
  switch (node.type) {
    case 'bgp':
      return node.patterns.some(({subject}) => isVariable(subject, name))
    case 'join':
      return isSubject(node.left, name) || isSubject(node.right, name)
    case 'leftJoin':
    case 'minus':
      return isSubject(node.left, name)
    case 'filter':
    case 'extend':
    case 'graph':
    case 'orderBy':
    case 'distinct':
    case 'reduced':
    case 'slice':
      return isSubject(node.input, name)
    case 'project':
      return node.variables.includes(name) && isSubject(node.input, name)
    default:
      return false
  }
}
