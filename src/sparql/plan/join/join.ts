/**
 * Joins two blocks, and plans conjunctions of patterns in the cheapest order.
 *
 * PostgreSQL's own estimates are poor for self-joins of one large table of quads, so the order is chosen here.
 * join_collapse_limit = 1 makes PostgreSQL keep it. Fences make it keep the method: a probe is a lateral sub-select, a
 * scan is a sub-select into which PostgreSQL cannot push conditions.
 * Source: SPARQL 1.1 §18.5 (Join).
 */
import type {Algebra, Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {
  type ActiveGraph,
  areAllNeeded,
  type Block,
  type Column,
  type Columns,
  derive,
  type Environment,
  joinable,
  matchColumns,
  noColumns,
  type Planner,
  rowsOf,
  unitBlock,
} from '../block.ts'
import {areMany, lookUpForRows} from '../expression/joined-terms.ts'
import {planTests} from '../expression/test.ts'
import {wantedFrom} from '../order/first-rows.ts'
import {planPath} from '../path/path.ts'
import {isNotNull, isSameScalar, number, type Scalar, type SqlQuery} from '../relation.ts'
import {withTests} from '../tested.ts'
import {attach, joinBlocks} from './attach.ts'
import {matchable, namesFrom, sharesComputed, withIds} from './computed-ids.ts'
import {areCountable, countedOf} from './counted.ts'
import {chooseOrder, type JoinContext, type JoinOrder, type Step} from './estimate.ts'
import {expensiveIn, isIndexed, isOfMost, unknownShare} from './estimate-test.ts'
import {boundTo} from './estimate-triple.ts'
import {splitInHalves} from './halves.ts'
import {givable, givenTo, lateral, lateralFirst, only} from './lateral.ts'
import {contextOf, type Linked, linkOf, splitByTests} from './linked.ts'
import {listedBy} from './membership.ts'
import {safeSteps, withoutLast} from './needed.ts'
import {joinOpen} from './open-join.ts'
import {certainOf, isGraphless, namesOf, type Operand, operandsOf} from './operand.ts'
import {planTriple} from './pattern.ts'
import {placeTests} from './place-tests.ts'
import {probeDifferent} from './probe-different.ts'
import {planTexts, searchedOrder} from './text-search.ts'
import {unionBlocks} from './union.ts'

type Triple = Extract<Operand, {type: 'triple'}>

/** Plans a join, basic graph pattern or path, together with the filters on its solutions. */
export function planConjunction(
  planner: Planner,
  node: Algebra,
  environment: Environment,
  tests: readonly Expression[] = [],
): Block {
  const operands = operandsOf(node)
  const given = givenTo(operands, environment)
  // Values from outside and the name of the graph connect all operands.
  const isSplit = given.size === 0 && environment.graph.kind !== 'each'
  const linked = isSplit ? splitByTests(operands, tests) : undefined
  const needed = neededOf(environment, node, tests)
  if (linked !== undefined) return joinLinked(planner, linked, environment, needed)
  const bound = boundTo(given.keys())
  const count = environment.wanted?.node === node ? environment.wanted.count : undefined
  const isAttempted = count === 1 && given.size + environment.outer.size === 0
  const wanted = isAttempted ? undefined : count
  const context = {planner, graph: environment.graph, bound, tests, wanted, needed}
  const order = searchedOrder(operands, context)
  const isFree = isSplit && wanted === undefined && environment.outer.size === 0
  const halves = isFree ? splitInHalves(order, context) : undefined
  const steps = withoutLast(safeSteps(order.steps, context))
  const block =
    halves === undefined
      ? joinInOrder(planner, steps, firstRowsOf(steps, environment, wanted), tests)
      : {...joinLinked(planner, halves, environment, needed), rows: order.rows}
  if (isAttempted) return withAttempt(planner, block, order, {...context, environment, operands})
  return wanted === undefined ? block : {...block, rows: Math.min(rowsOf(block), wanted)}
}

/**
 * All solutions after those that the first triples lead to, if one solution is enough. The first triples are so few
 * that they take an eighth of the time that all solutions take, so little is lost if they lead to none.
 */
function withAttempt(planner: Planner, all: Block, order: JoinOrder, context: AttemptContext): Block {
  if (order.cost < leastAttempted) return all
  const {operands, tests, environment} = context
  const {steps, rows} = chooseOrder(operands, {...context, wanted: 1})
  const [first, ...rest] = steps
  if (first?.operand.type !== 'triple' || rest.length === 0) return all
  const costOfFirst = steps.reduce((cost, step) => cost + step.cost, 0) / first.rows
  const limit = Math.floor(order.cost / 8 / costOfFirst)
  if (limit < (likelyEnough * first.rows) / rows || rest.some(({method}) => method !== 'probe')) return all
  const bound = certainOf(first.operand)
  const isOwn = (test: Expression) => isPlainTest(test) && variablesIn(test).every(name => bound.has(name))
  const [own, others] = [tests.filter(isOwn), tests.filter(test => !isOwn(test))]
  const start = derive(planner, joinInOrder(planner, [first], environment, own, unitBlock), {limit})
  const few = joinInOrder(planner, rest, environment, others, {...start, rows: limit})
  return unionBlocks(planner, [few, all])
}

type AttemptContext = JoinContext & {readonly operands: readonly Operand[]; readonly environment: Environment}

const leastAttempted = 3000 // some tenths of a millisecond
const likelyEnough = 4 // times the triples that lead to a solution, if these are spread evenly

const mostReduced = 30 // operands: the time to find what is still used grows with their square

/** The variables whose different values count, if duplicate solutions of a conjunction do not. */
function neededOf({needed, given, graph}: Environment, node: Algebra, tests: readonly Expression[]) {
  const names = needed?.get(node)
  if (names === undefined || tests.some(isVolatile) || operandsOf(node).length > mostReduced) return undefined
  return new Set([...names, ...given.keys(), ...(graph.kind === 'each' ? [graph.variable] : [])])
}

/** Plans each part of a conjunction, and joins the parts by the tests that compare them. */
function joinLinked(
  planner: Planner,
  linked: Linked,
  environment: Environment,
  needed: ReadonlySet<string> | undefined,
): Block {
  const {parts, tests} = linked
  const blocks = parts.map(part => {
    const context = contextOf(part, linked, {planner, graph: environment.graph, bound: boundTo([]), needed})
    return joinInOrder(
      planner,
      safeSteps(searchedOrder(part.operands, context).steps, context),
      environment,
      part.tests,
    )
  })
  const sightOf = ({columns}: Block) => ({columns, environment})
  return blocks.reduce((left, right, place) => {
    const ready = tests.flatMap(({test, last}) => (last === place ? [test] : []))
    const links = ready.map(test => linkOf(planner, test, sightOf(left), sightOf(right)))
    const [lefts, rights] = (['left', 'right'] as const).map(side => links.flatMap(link => link?.[side] ?? []))
    const isPlain = lefts?.every(({kind}) => kind === 'column') === true
    const one = withLinks(planner, left, lefts)
    const other = derive(planner, withLinks(planner, right, rights), {isFenced: true})
    const both = joinBlocks(planner, isPlain ? one : derive(planner, one, {isFenced: true}), other)
    const columns = new Map([...both.columns].filter(([name]) => !name.startsWith(linkName)))
    const others = ready.filter((_, index) => links[index]?.isExact !== true)
    const where = others.flatMap(test => planTests(planner, test, {columns, environment}))
    return withTests({...both, columns, rows: Math.max(rowsOf(left), rowsOf(right))}, where)
  })
}

const linkName = '.link' // and a number: a variable that the planner adds to both sides of a join

/**
 * A block with the values of links as variables. What is computed is computed in the side, so that the join compares
 * columns: a condition that reads terms could be tested after it (expression/joined-terms.ts).
 */
function withLinks(planner: Planner, block: Block, links: readonly Scalar[] = []): Block {
  if (links.length === 0) return block
  const added = links.map((scalar, index): [string, Column] => [
    `${linkName}${index}`,
    {scalar, rep: 'key', isNullable: false, isNode: false}, // no solution has an error as the value of a link
  ])
  const all = {...block, columns: new Map([...block.columns, ...added])}
  return links.every(({kind}) => kind === 'column') ? all : lookUpForRows(planner, all)
}

/** If the first solutions of a conjunction are enough, so are the first solutions of its first step. */
function firstRowsOf([first]: readonly Step[], environment: Environment, wanted: number | undefined): Environment {
  if (wanted === undefined || first?.operand.type !== 'other') return environment
  return {...environment, wanted: wantedFrom(first.operand.node, wanted)}
}

/**
 * Joins the steps of a conjunction in their order, and adds each test at its place.
 *
 * @param steps   steps that bind variables of `environment.given` look these up by value
 * @param before  the block that the steps are joined to
 */
export function joinInOrder(
  planner: Planner,
  steps: readonly Step[],
  environment: Environment,
  tests: readonly Expression[],
  before?: Block,
): Block {
  const operands = steps.map(({operand}) => operand)
  let block: Block = before ?? {...unitBlock, columns: givenTo(operands, environment)}
  if (before === undefined && environment.given.size === 0 && areCountable(planner, environment.graph))
    planner.onCount?.onConjunction(
      steps.flatMap(({operand}) => countedOf(operand) ?? []),
      tests,
    )
  const isExpensive = expensiveIn(planner, steps)
  const placed = placeTests(tests, steps, isExpensive)
  const placeOf = environmentsOf(steps, environment)
  for (const [index, step] of steps.entries()) {
    const ready = placed.get(index) ?? []
    const rows = step.untested / step.share
    const isCostly = (test: Expression) => isPlainTest(test) && isExpensive(test)
    const isTogether =
      areAllNeeded(environment) && areMany(rows) && step.isOnce !== true && ready.some(({test}) => isCostly(test))
    const isLate = (test: Expression) => !isPlainTest(test) || (isTogether && isCostly(test))
    const isOfScan = (test: Expression) => step.method === 'scan' && index > 0 && isOwn(test, step, block)
    const others = ready.filter(({test, isApart}) => isApart || (isLate(test) && !isOfScan(test)))
    const plain = ready.filter(one => !others.includes(one)).map(({test}) => test)
    const sightOf = (columns: Columns) => ({columns, environment, rows: step.untested})
    const planned = (some: readonly Expression[], columns: Columns) =>
      some.flatMap(test => {
        const conditions = planTests(planner, test, sightOf(columns))
        return isOfMost(planner, step.operand, test) ? conditions.map(withoutIndex) : conditions
      })
    const looked = step.operand.type === 'triple' ? withIds(planner, block, namesFrom(steps, index)) : block
    const isRead = (test: Expression) => isOwn(test, step, looked) && (isTogether || isIndexedBy(planner, test, step))
    const [read, unread] = [plain.filter(isRead), plain.filter(test => !isRead(test))]
    const testsOf: TestsOf = {
      all: (...parts) => (plain.length === 0 ? [] : planned(plain, together(parts))),
      read: columns => planned(read, columns),
      unread: (...parts) => (unread.length === 0 ? [] : planned(unread, together(parts))),
      isTogether,
      isListed: plain.some(test => listsPredicate(test, step)),
    }
    block = {...addStep(planner, looked, step, placeOf(step), testsOf), rows: step.rows}
    if (others.some(({isApart}) => isApart)) block = derive(planner, block, {isFenced: true})
    const late = others.map(({test}) => test)
    block = withTests(block, planned(late, block.columns))
    if (isTogether) block = lookUpForRows(planner, block, rows)
    if (step.different !== undefined) block = differentValues(planner, block, step.different)
    else if (index < steps.length - 1)
      block = others.length > 0 ? derive(planner, block, {isFenced: true}) : joinable(planner, block)
  }
  if (steps.length > 0) return block
  const sight = {columns: block.columns, environment}
  return withTests(
    block,
    tests.flatMap(test => planTests(planner, test, sight)),
  )
}

/** Columns of several parts; of two with the same name the later one. */
function together(parts: readonly Columns[]): Columns {
  return new Map(parts.flatMap(part => [...part]))
}

/** Whether only this step, a triple pattern, binds the variables of a test. */
function isOwn(test: Expression, {operand}: Step, {columns}: Block): boolean {
  return operand.type === 'triple' && variablesIn(test).every(name => !columns.has(name))
}

/** Whether a test lists the values of a predicate: `?p IN (…)`. */
function listsPredicate(test: Expression, {operand}: Step): boolean {
  const predicate = operand.type === 'triple' ? operand.pattern.predicate : undefined
  return predicate?.termType === 'Variable' && listedBy(test)?.name === predicate.value
}

/**
 * A condition that is tested for each row that an index scan reads. For several ranges PostgreSQL would collect the
 * rows by a bitmap and read the table, which costs ten times as much per row.
 */
function withoutIndex(condition: Scalar): Scalar {
  return condition.kind === 'any' ? {kind: 'case', branches: [[condition, {kind: 'boolean', value: true}]]} : condition
}

function isIndexedBy(planner: Planner, test: Expression, {operand}: Step): boolean {
  return operand.type === 'triple' && isIndexed(planner, operand.pattern, test)
}

/** The different values of some variables, or one empty solution if there are none. */
function differentValues(planner: Planner, block: Block, names: readonly string[]): Block {
  const columns = only(block.columns, names)
  const how = columns.size === 0 ? {limit: 1} : {isDistinct: true, isFenced: true}
  return derive(planner, {...block, columns}, how)
}

/** Under GRAPH ?g, operands without triples skip the join with all graphs if another operand binds the graph. */
function environmentsOf(steps: readonly Step[], environment: Environment): (step: Step) => Environment {
  const isGraphBound = environment.graph.kind === 'each' && steps.some(({operand}) => !isGraphless(operand))
  const elsewhere: Environment = isGraphBound ? {...environment, graph: {kind: 'default'}} : environment
  return ({operand}) => (isGraphless(operand) ? elsewhere : environment)
}

/** Plans the tests of a step over these columns; of two columns with the same name the later one counts. */
type TestsOf = {
  readonly all: (...parts: readonly Columns[]) => readonly Scalar[]
  readonly read: (columns: Columns) => readonly Scalar[] // those that are tested where a scan reads its operand
  readonly unread: (...parts: readonly Columns[]) => readonly Scalar[]
  readonly isTogether: boolean // whether terms are looked up for all rows together
  readonly isListed: boolean // whether a test lists the values of the predicate
}

function addStep(planner: Planner, block: Block, step: Step, environment: Environment, testsOf: TestsOf): Block {
  const {operand, method, isOnce = false} = step
  if (operand.type === 'path' && (method === 'probe' || block.from === undefined)) {
    const use = {isOfAll: isWhole(environment), starts: step.probes?.values}
    return tested(planPath(planner, block, operand.node, environment.graph, use), testsOf.all)
  }
  if (block.from === undefined && operand.type === 'triple') {
    const {pattern} = operand
    const {from, where, columns} = planTriple(planner, block.columns, pattern, environment.graph, testsOf.isListed)
    return tested({from, where: [...block.where, ...where], columns, order: undefined}, testsOf.all)
  }
  if (block.from === undefined) {
    return tested(
      joinBlocks(planner, block, planOperand(planner, operand, environment, environment.given)),
      testsOf.all,
    )
  }
  if (step.shared !== undefined && operand.type === 'triple' && isWhole(environment)) {
    const joined = probeDifferent(planner, block, operand, environment, step.shared)
    if (joined !== undefined) return tested(joined, testsOf.all)
  }
  const isOpen = operand.type === 'triple' && openName(block.columns, operand) !== undefined
  if (method === 'scan' && !isOpen) {
    const whole = planOperand(planner, operand, environment, noColumns)
    if (isOnce) return matching(planner, block, whole, testsOf)
    if (operand.type !== 'other') {
      const tests = withTests(whole, testsOf.read(whole.columns))
      const read = testsOf.isTogether ? lookUpForRows(planner, tests, step.read / unknownShare) : tests
      const side = isFewBeside(block, step) ? derive(planner, block, {isFenced: true}) : block
      return tested(joinBlocks(planner, side, derive(planner, read, {isFenced: true})), testsOf.unread)
    }
    const table = matchable(planner, joinable(planner, whole), block)
    const open = isWhole(environment) ? joinOpen(planner, block, table) : undefined
    if (open !== undefined) return tested(open, testsOf.all)
    const sides = sharesComputed(block, table)
      ? [block, table].map(side => derive(planner, side, {isFenced: true}))
      : []
    const [left = block, right = table] = sides
    return tested(joinBlocks(planner, left, right), testsOf.all)
  }
  return probe(planner, block, step, environment, testsOf)
}

const manyTimes = 3 // as many rows as a block has

/**
 * Whether a scan reads many more rows than a block has. Then the block should be hashed. PostgreSQL often hashes the
 * scan instead: it expects that each value of a table's column has as many rows as the most frequent value. For a
 * fenced block it expects the mean.
 */
function isFewBeside(block: Block, {read}: Step): boolean {
  return block.order === undefined && block.from?.kind !== 'query' && read > manyTimes * rowsOf(block)
}

function isWhole(environment: Environment): boolean {
  return areAllNeeded(environment) && environment.wanted === undefined
}

/** The solutions that match a table which is read once. Its values are not used. */
function matching(planner: Planner, block: Block, {from, where, columns}: Block, testsOf: TestsOf): Block {
  const conditions = [...columns].flatMap(([name, held]) => {
    const known = block.columns.get(name)
    return known === undefined ? [] : matchColumns(planner, known, held).conditions
  })
  const tests = testsOf.all(columns, block.columns)
  const query: SqlQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: number(1)}],
    from,
    where: [...where, ...conditions, ...tests],
  }
  return {...block, where: [...block.where, {kind: 'exists', query}], order: undefined}
}

function tested(block: Block, testsOf: TestsOf['all']): Block {
  return withTests(block, testsOf(block.columns))
}

function planOperand(planner: Planner, operand: Operand, environment: Environment, known: Columns): Block {
  switch (operand.type) {
    case 'triple':
      return planTriple(planner, known, operand.pattern, environment.graph)
    case 'texts':
      return planTexts(planner, operand)
    case 'path':
    case 'other':
      return planner.plan(operand.node, {...environment, given: givable(known)})
  }
}

/** A variable of a triple pattern that some of the solutions so far may leave unbound. */
function openName(columns: Columns, operand: Triple): string | undefined {
  return [...namesOf(operand)].find(name => {
    const held = columns.get(name)
    return held?.isNullable === true && held.rep === 'id'
  })
}

/** The triples compatible with a solution: an index lookup if the nullable variable has a value, otherwise all. */
function matchTriple(planner: Planner, known: Columns, operand: Triple, graph: ActiveGraph): Block {
  const {pattern} = operand
  const open = openName(known, operand)
  const held = open === undefined ? undefined : known.get(open)
  if (open === undefined || held === undefined) return planTriple(planner, known, pattern, graph)
  const others = [...known].filter(([name]) => name !== open)
  const bound = planTriple(planner, new Map([...others, [open, {...held, isNullable: false}]]), pattern, graph)
  const free = planTriple(planner, new Map(others), pattern, graph)
  return unionBlocks(planner, [
    {...bound, where: [isNotNull(held.scalar), ...bound.where]},
    {...free, where: [{kind: 'isNull', of: held.scalar}, ...free.where]},
  ])
}

/** The columns of a block that are those of another one: a pattern may have narrowed their extents. */
function sameColumns({columns}: Block, other: Block): Columns {
  return new Map(
    [...columns].filter(([name, {scalar}]) => {
      const held = other.columns.get(name)
      return held !== undefined && isSameScalar(held.scalar, scalar)
    }),
  )
}

/** Joins each solution so far with the compatible solutions of an operand, or keeps it if there is one. */
function probe(
  planner: Planner,
  block: Block,
  {operand, isOnce = false, probes}: Step,
  environment: Environment,
  testsOf: TestsOf,
): Block {
  if (operand.type === 'triple') {
    const {graph} = environment
    const known = only(block.columns, [...namesOf(operand), ...(graph.kind === 'each' ? [graph.variable] : [])])
    const matched = matchTriple(planner, known, operand, graph)
    const tests = testsOf.all(block.columns, matched.columns)
    const found = withTests(matched, tests)
    const table = isOnce ? lateralFirst(planner, found, probes) : lateral(planner, found, block.columns, probes)
    return {
      ...attach(block, table.from, []),
      columns: new Map([...block.columns, ...sameColumns(found, block), ...table.columns]),
      order: undefined,
    }
  }
  const given = new Map([...environment.given, ...givable(block.columns)])
  const inner = matchable(planner, planOperand(planner, operand, environment, given), block)
  return tested(joinBlocks(planner, block, lateral(planner, inner, block.columns, probes)), testsOf.all)
}
