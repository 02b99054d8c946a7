/**
 * Joins: blocks into one block, and conjunctions of patterns in the order that costs least.
 *
 * Floor 2. PostgreSQL keeps the order of joins that is written here (join_collapse_limit = 1), and fences keep it to
 * their method: what is probed is a lateral table, what is scanned one that cannot be looked into.
 * Sources: SPARQL 1.1 §18.5 (Join); storage-measured facts: PostgreSQL's own estimates of joins of one table are no
 * guide.
 */
import type {Algebra, Expression} from '../algebra.ts'
import {variablesIn} from '../analyse/variables.ts'
import {attach} from './attach.ts'
import {chooseOrder, namesOf, type Step} from './estimate.ts'
import {isVolatile} from './expression.ts'
import {givable, lateral, only} from './lateral.ts'
import {type Operand, operandsOf} from './operand.ts'
import {planPath} from './path.ts'
import {planTriple} from './pattern.ts'
import type {Scalar} from './relation.ts'
import {
  type Block,
  type Column,
  type Columns,
  derive,
  type Environment,
  matchColumns,
  noColumns,
  type Planner,
  unitBlock,
} from './scope.ts'
import {planTests} from './test.ts'

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

/**
 * A join, basic graph pattern or path, and the tests that its solutions have to pass, each as soon as it can be made.
 */
export function planConjunction(
  planner: Planner,
  node: Algebra,
  environment: Environment,
  tests: readonly Expression[] = [],
): Block {
  const operands = operandsOf(node)
  const certain = operands.flatMap(operand => (operand.type === 'other' ? [] : [...namesOf(operand)]))
  const given = only(environment.given, certain)
  const bound = new Set(given.keys())
  const {steps} = chooseOrder(operands, {planner, graph: environment.graph, bound, tests})
  return joinInOrder(planner, steps, environment, tests)
}

/**
 * @param steps   of a conjunction; variables of `environment.given` that they bind are looked for by value
 * @param before  what the steps are joined to
 */
export function joinInOrder(
  planner: Planner,
  steps: readonly Step[],
  environment: Environment,
  tests: readonly Expression[],
  before?: Block,
): Block {
  const certain = steps.flatMap(({operand}) => (operand.type === 'other' ? [] : [...namesOf(operand)]))
  let block: Block = before ?? {...unitBlock, columns: only(environment.given, certain)}
  let waiting = tests
  const lastUses = new Map(steps.flatMap(({operand}, index) => Array.from(namesOf(operand), name => [name, index])))
  const lastUse = Math.max(-1, ...lastUses.values())
  for (const [index, step] of steps.entries()) {
    const isOpen = (name: string) => (lastUses.get(name) ?? -1) > index
    const isReady = (test: Expression): boolean =>
      index >= lastUse || (isPlainTest(test) && !variablesIn(test).some(isOpen))
    const ready = waiting.filter(isReady)
    waiting = waiting.filter(test => !isReady(test))
    const testsOf = (...parts: readonly Columns[]): readonly Scalar[] => {
      const columns = ready.length === 0 ? noColumns : new Map(parts.flatMap(part => [...part]))
      return ready.flatMap(test => planTests(planner, test, {columns, environment, rows: step.rows}))
    }
    block = {...addStep(planner, block, step, environment, testsOf), rows: step.rows}
  }
  if (waiting.length === 0) return block // with any step, the last one has made them all
  const sight = {columns: block.columns, environment}
  return {...block, where: [...block.where, ...waiting.flatMap(test => planTests(planner, test, sight))]}
}

/** Whether it does not matter when a test is made. */
function isPlainTest(test: Expression): boolean {
  switch (test.type) {
    case 'exists':
      return false
    case 'call':
    case 'function':
      return !isVolatile(test) && test.arguments.every(isPlainTest)
    default:
      return true
  }
}

/** The tests that can be made where these columns are; of two with one name the later counts. */
type TestsOf = (...parts: readonly Columns[]) => readonly Scalar[]

function addStep(
  planner: Planner,
  block: Block,
  {operand, method}: Step,
  environment: Environment,
  testsOf: TestsOf,
): Block {
  if (operand.type === 'path') return tested(planPath(planner, block, operand.node, environment.graph), testsOf)
  if (block.from === undefined && operand.type === 'triple') {
    const {from, where, columns} = planTriple(planner, block.columns, operand.pattern, environment.graph)
    return tested({from, where: [...block.where, ...where], columns, order: undefined}, testsOf)
  }
  if (block.from === undefined) {
    return tested(joinBlocks(planner, block, planOperand(planner, operand, environment, environment.given)), testsOf)
  }
  if (method === 'scan') {
    const whole = planOperand(planner, operand, environment, noColumns)
    const table = operand.type === 'triple' ? derive(planner, whole, {isFenced: true}) : whole
    return tested(joinBlocks(planner, block, table), testsOf)
  }
  return probe(planner, block, operand, environment, testsOf)
}

function tested(block: Block, testsOf: TestsOf): Block {
  return {...block, where: [...block.where, ...testsOf(block.columns)]}
}

function planOperand(planner: Planner, operand: Operand, environment: Environment, known: Columns): Block {
  switch (operand.type) {
    case 'triple':
      return planTriple(planner, known, operand.pattern, environment.graph)
    case 'path':
    case 'other':
      return planner.plan(operand.node, {...environment, given: givable(known)})
  }
}

/** For each solution so far, the operand's that fit it. */
function probe(planner: Planner, block: Block, operand: Operand, environment: Environment, testsOf: TestsOf): Block {
  if (operand.type === 'triple') {
    const {graph} = environment
    const known = only(block.columns, [...namesOf(operand), ...(graph.kind === 'each' ? [graph.variable] : [])])
    const matched = planTriple(planner, known, operand.pattern, graph)
    const tests = testsOf(block.columns, matched.columns)
    const table = lateral(planner, {...matched, where: [...matched.where, ...tests]}, block.columns)
    return {
      ...attach(block, table.from, []),
      columns: new Map([...block.columns, ...table.columns]),
      order: undefined,
    }
  }
  const given = new Map([...environment.given, ...givable(block.columns)])
  const inner = planOperand(planner, operand, environment, given)
  return tested(joinBlocks(planner, block, lateral(planner, inner, block.columns)), testsOf)
}
