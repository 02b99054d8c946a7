/**
 * Rewrite: filters move to the conjunction that binds their variables. The planner then chooses after which pattern it
 * tests them, and knows that they leave fewer solutions.
 *
 *   filter(c, leftJoin(A, B))    =>  leftJoin(filter(c, A), B)
 *   join(filter(c, A), B)        =>  filter(c, join(A, B))            A a conjunction
 *   filter(c, extend(A, ?v, e))  =>  extend(filter(c', A), ?v, e)     c' is c with e in place of ?v
 *   filter(c, graph(g, A))       =>  graph(g, filter(c, A))           c without EXISTS, which would read other graphs
 *   filter(c, filter(d, A))      =>  filter(d && c, A)
 *
 * Pure. The first two apply if B binds no variable of c that A may leave unbound: then c has the same value before and
 * after the join with B. The third one applies unless c has ?v in BOUND or EXISTS: elsewhere an unbound variable is an
 * error like its expression. The fourth one applies if A always binds the variables of c, and g is none of them; also
 * where GRAPH is joined with other patterns. A condition that has another value at each evaluation stays where it is.
 * Source: SPARQL 1.1 §18.5 (Filter, Join, LeftJoin); Pérez et al., Semantics and Complexity of SPARQL, proposition 1.
 */
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'
import {conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {isPlainTest} from '../analyse/plain-test.ts'
import {replaceVariable} from '../analyse/replace-variable.ts'
import {certainVariables, possibleVariables, variablesIn} from '../analyse/variables.ts'
import {isVolatile} from '../analyse/volatile.ts'

export function moveFilters(tree: Algebra): Algebra {
  const node = mapChildren(tree, moveFilters)
  if (node.type === 'filter') return filtered(node.input, conjuncts(node.condition))
  return node.type === 'join' ? withFiltersOutside(node) : node
}

type Extend = Extract<Algebra, {type: 'extend'}>

/** A filtered pattern, with the conditions inside it that have the same value there. */
function filtered(input: Algebra, conditions: readonly Expression[]): Algebra {
  if (input.type === 'leftJoin') {
    const [early, late] = divide(conditions, input.left, input.right)
    return filterBy(early.length === 0 ? input : {...input, left: filtered(input.left, early)}, late)
  }
  if (input.type === 'extend') {
    const early = conditions.flatMap(condition => beforeExtend(condition, input) ?? [])
    const late = conditions.filter(condition => beforeExtend(condition, input) === undefined)
    return filterBy(early.length === 0 ? input : {...input, input: filtered(input.input, early)}, late)
  }
  if (input.type === 'graph' || input.type === 'join') {
    const {rest, taken} = intoGraphs(input, conditions)
    return filterBy(
      rest,
      conditions.filter(one => !taken.includes(one)),
    )
  }
  return input.type === 'filter'
    ? filterBy(input.input, [...conjuncts(input.condition), ...conditions])
    : filterBy(input, conditions)
}

const longest = 100 // operators and operands of a condition into which expressions are put

/** The condition before BIND that has the same value as one after it; undefined if there is none. */
function beforeExtend(condition: Expression, {variable, expression}: Extend): Expression | undefined {
  if (isVolatile(condition)) return undefined
  if (!variablesIn(condition).includes(variable)) return condition
  if (isVolatile(expression) || !isPlainTest(expression) || !isPlainTest(condition)) return undefined
  const put = replaceVariable(condition, variable, expression)
  return put !== undefined && sizeOf(put) <= longest ? put : undefined
}

function sizeOf(expression: Expression): number {
  if (expression.type !== 'call' && expression.type !== 'function') return 1
  return expression.arguments.reduce((sum, one) => sum + sizeOf(one), 1)
}

function withFiltersOutside({left, right}: Extract<Algebra, {type: 'join'}>): Algebra {
  const [l, r] = [takeFilters(left, right), takeFilters(right, left)]
  return filterBy({type: 'join', left: l.rest, right: r.rest}, [...l.taken, ...r.taken])
}

type Taken = {readonly rest: Algebra; readonly taken: readonly Expression[]}

/** A pattern whose parts with GRAPH have taken those conditions whose variables they always bind. */
function intoGraphs(node: Algebra, conditions: readonly Expression[]): Taken {
  if (node.type === 'join') {
    const left = intoGraphs(node.left, conditions)
    const right = intoGraphs(
      node.right,
      conditions.filter(one => !left.taken.includes(one)),
    )
    const taken = [...left.taken, ...right.taken]
    return {rest: taken.length === 0 ? node : {...node, left: left.rest, right: right.rest}, taken}
  }
  if (node.type !== 'graph') return {rest: node, taken: []}
  const certain = certainVariables(node.input)
  const isOfInput = (name: string) => certain.has(name) && name !== node.name.value
  const taken = conditions.filter(one => isPlainTest(one) && !isVolatile(one) && variablesIn(one).every(isOfInput))
  return {rest: taken.length === 0 ? node : {...node, input: filtered(node.input, taken)}, taken}
}

/** Takes the filters of an operand that can be tested after it has been joined with the other one. */
function takeFilters(operand: Algebra, other: Algebra): Taken {
  if (operand.type !== 'filter' || !isConjunction(operand.input)) return {rest: operand, taken: []}
  const [taken, others] = divide(conjuncts(operand.condition), operand.input, other)
  return {rest: filterBy(operand.input, others), taken}
}

function isConjunction({type}: Algebra): boolean {
  return type === 'bgp' || type === 'path' || type === 'join'
}

/** The conditions on solutions of a pattern that have the same value after a join with another one, and the others. */
function divide(
  conditions: readonly Expression[],
  pattern: Algebra,
  other: Algebra,
): readonly [readonly Expression[], readonly Expression[]] {
  const [certain, added] = [certainVariables(pattern), possibleVariables(other)]
  const isSame = (condition: Expression) =>
    !isVolatile(condition) && variablesIn(condition).every(name => certain.has(name) || !added.has(name))
  return partition(conditions, isSame)
}

function partition(
  conditions: readonly Expression[],
  test: (condition: Expression) => boolean,
): readonly [readonly Expression[], readonly Expression[]] {
  return [conditions.filter(test), conditions.filter(one => !test(one))]
}
