/**
 * ORDER BY … LIMIT without a sort of all solutions: walks the index on (predicate, object) in order and probes the
 * rest of the pattern for each triple, until there are enough solutions.
 *
 *   slice(k, orderBy(?v, join(?s <p> ?v, REST)))  =  the first k triples of <p>, ordered by ?v, that join with REST
 *
 * This needs ids of <p>'s objects in the order of their values (extent.ts). With further sort keys, the walk takes all
 * solutions that tie with the k-th, and only these are sorted. With DISTINCT, REST must not mention ?v; if ?v is not
 * projected either, only the first triple of each subject counts. The estimated cost decides: if few triples join with
 * REST, to find and sort them is cheaper. The SQL has an ORDER BY in any case, so it is correct with every plan.
 *
 * A walk that expects few solutions among many triples may find them at the far end only. It reads a limited number of
 * triples. If these have too few solutions, all solutions are found and sorted instead:
 *
 *   W = the solutions of the first triples;  W if it has k solutions, else slice(k, orderBy(?v, join(?s <p> ?v, REST)))
 */
import type {Algebra, Expression, OrderKey} from '../../algebra.ts'
import {conjuncts} from '../../analyse/conjuncts.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {type Block, type Column, derive, type Environment, type Planner} from '../block.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import {planTests} from '../expression/test.ts'
import {formBitsOf} from '../extent.ts'
import {attach} from '../join/attach.ts'
import {extendBlock, filterBlock} from '../join/combine.ts'
import {orderFrom, type Step} from '../join/estimate.ts'
import {boundTo} from '../join/estimate-triple.ts'
import {joinInOrder} from '../join/join.ts'
import {only} from '../join/lateral.ts'
import {leftJoinBlocks} from '../join/left-join.ts'
import {certainOf, isConjunction, namesOf, type Operand, operandsOf} from '../join/operand.ts'
import {extentIn, planTriple} from '../join/pattern.ts'
import {frequencyOf} from '../join/predicate-frequency.ts'
import {isUnionOfAll} from '../join/quads.ts'
import {searchedOrder} from '../join/text-search.ts'
import {equal, type From, not, number, operator, type Scalar, type SqlQuery} from '../relation.ts'
import {withTests} from '../tested.ts'
import {counted, firstOf, hasFewer, inOrder, ofTable, selectOf} from './enough.ts'
import {keepsOrder} from './keeps-order.ts'
import {orderOf} from './order.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
type Triple = Extract<Operand, {type: 'triple'}>

/** The parts of a slice. `after` holds the operators between the conjunction and ORDER BY, innermost first. */
type Ranking = {
  readonly operands: readonly Operand[]
  readonly tests: readonly Expression[]
  readonly after: readonly Extract<Algebra, {type: 'leftJoin' | 'filter' | 'extend'}>[]
  readonly variable: string
  readonly isDescending: boolean
  readonly keys: readonly OrderKey[] // the variable, then further sort keys
  readonly shown: readonly string[] | undefined
  readonly isDistinct: boolean
  readonly count: number // solutions up to the end of the slice
}

/** The triple pattern that is walked, and the steps that are probed for each of its triples. */
type Route = {
  readonly first: Triple
  readonly steps: readonly Step[]
  readonly limit?: number | undefined // of the triples that are walked
  readonly ranking: Ranking
  readonly environment: Environment
}

const countLimit = 10_000
const leastLimit = 500 // of the triples that are walked: fewer cost less than the plan of a sort
const limitFactor = 4 // triples that are walked, for each that is expected to be needed
const leastShare = 4 // a walk is limited if it could read so many times more triples

/**
 * @param planSorted  plans the solutions before LIMIT and OFFSET without a walk
 * @returns           the ordered solutions before LIMIT and OFFSET; undefined if a walk is impossible or too expensive
 */
export function planRanked(
  planner: Planner,
  node: Slice,
  environment: Environment,
  planSorted: (planner: Planner, node: Slice, environment: Environment) => Block,
): Block | undefined {
  const route = findRoute(planner, node, environment)
  if (route === undefined) return undefined
  const {keys, shown, variable} = route.ranking
  if (keys.length === 1 && route.limit === undefined) return walk(planner, route)
  const variables = keys.flatMap(({expression}) => variablesIn(expression))
  const needed = shown && [...new Set([...shown, variable, ...variables])]
  const sorted = () => planSorted(planner, showing(node, needed), environment)
  return walkAndSort(planner, route, {needed, sorted})
}

/** The slice with other variables in its projection. */
function showing(node: Slice, variables: readonly string[] | undefined): Slice {
  const {input} = node
  return input.type !== 'project' || variables === undefined ? node : {...node, input: {...input, variables}}
}

/** @returns  undefined if a walk is impossible or too expensive */
export function findRoute(planner: Planner, node: Slice, environment: Environment): Route | undefined {
  const {graph, outer} = environment
  if (!isUnionOfAll(planner, graph) || outer.size > 0) return undefined
  const ranking = takeApart(node)
  if (ranking === undefined) return undefined
  if (ranking.isDistinct && (ranking.after.length > 0 || ranking.keys.length > 1)) return undefined
  for (const operand of ranking.operands) {
    if (operand.type !== 'triple' || !isWalkable(planner, operand, ranking)) continue
    const found = walkSteps(planner, operand, ranking, environment)
    if (found === undefined) continue
    const route = {first: operand, ...found, ranking, environment}
    if (keepsOrder(rankedFrom(planner, route, () => []).block)) return route
  }
  return undefined
}

function takeApart(node: Slice): Ranking | undefined {
  let inner = node.input
  const isDistinct = inner.type === 'distinct'
  if (inner.type === 'distinct') inner = inner.input
  const shown = inner.type === 'project' ? inner.variables : undefined
  if (inner.type === 'project') inner = inner.input
  if (inner.type !== 'orderBy' || node.limit === undefined) return undefined
  const {keys} = inner
  const [key] = keys
  if (key?.expression.type !== 'variable') return undefined
  const after: Ranking['after'][number][] = []
  inner = inner.input
  let tests: readonly Expression[] = []
  while (!isConjunction(inner)) {
    if (inner.type !== 'leftJoin' && inner.type !== 'filter' && inner.type !== 'extend') return undefined
    const isInnermost = inner.type === 'filter' && isConjunction(inner.input)
    if (isInnermost && inner.type === 'filter') tests = conjuncts(inner.condition)
    else after.unshift(inner)
    inner = inner.type === 'leftJoin' ? inner.left : inner.input
  }
  const count = node.offset + node.limit
  const {expression, isDescending} = key
  const variable = expression.name
  return {operands: operandsOf(inner), tests, after, variable, isDescending, keys, shown, isDistinct, count}
}

function isWalkable(planner: Planner, {pattern}: Triple, {variable, count}: Ranking): boolean {
  const {subject, predicate, object} = pattern
  if (count > countLimit || object.termType !== 'Variable' || object.value !== variable) return false
  if (subject.termType !== 'Variable' || subject.value === variable || predicate.termType === 'Variable') return false
  return formBitsOf(extentIn(planner, pattern, variable)) !== undefined
}

/** The order of the other operands; undefined if a walk is impossible or costs more than a sort. */
function walkSteps(
  planner: Planner,
  first: Triple,
  ranking: Ranking,
  environment: Environment,
): Pick<Route, 'steps' | 'limit'> | undefined {
  const {operands, tests, variable, count, isDistinct, shown} = ranking
  const rest = operands.filter(operand => operand !== first)
  if (isDistinct) {
    const [subject] = certainOf(first)
    if (shown === undefined || subject === undefined || !shown.includes(subject)) return undefined
    if (rest.some(operand => namesOf(operand).has(variable))) return undefined
    if (tests.some(test => variablesIn(test).includes(variable) && variablesIn(test).length > 1)) return undefined
  }
  const context = {planner, graph: environment.graph, bound: boundTo([]), tests}
  const sorted = searchedOrder(operands, context)
  const {steps, rows: found, cost} = orderFrom(first, operands, context)
  const rows = Math.min(found, sorted.rows) // both have the same solutions, and a walk for few of them goes far
  const whole = steps[0]?.rows ?? 1
  const matching = Math.min(...steps.map(step => step.rows)) // a triple that has solutions may have many
  const spread = Math.sqrt(Math.max(1, whole / matching)) // with few matches their distance is uncertain
  const needed = whole * spread * Math.max(count / rows, 1 / matching)
  const walked = Math.min(whole, Math.max(needed, tiesOfFirst(planner, first, ranking)))
  const isCheaper = (cost * walked) / whole < sorted.cost + 3 * sorted.rows
  if (!(planner.forced?.isWalked ?? isCheaper)) return undefined
  const limit = Math.max(leastLimit, limitFactor * Math.ceil(walked))
  const isUncertain = matching < whole / 2 || ranking.after.some(({type}) => type === 'filter')
  const isLimited = isUncertain && !isDistinct && leastShare * limit < whole
  return {steps: steps.slice(1).map(step => ({...step, method: 'probe'})), limit: isLimited ? limit : undefined}
}

/** The triples that a walk with further sort keys takes at least: those with the first value of the order. */
function tiesOfFirst(planner: Planner, {pattern}: Triple, {keys, variable, isDescending}: Ranking): number {
  const bits = formBitsOf(extentIn(planner, pattern, variable))
  const {quantiles, triples, objects} = frequencyOf(planner, pattern)
  const first = isDescending ? quantiles.at(-1) : quantiles[0]
  if (keys.length === 1 || bits === undefined || first === undefined) return 0
  const tying = quantiles.filter(value => value >> BigInt(bits) === first >> BigInt(bits)).length
  const most = (triples * tying) / quantiles.length
  return tying === 1 ? Math.min(most, triples / objects) : most
}

/** The solutions in the order of the index. */
function walk(planner: Planner, route: Route): Block {
  const {block, held} = rankedFrom(planner, route, () => [])
  return {...block, columns: inOrder(block.columns, route.ranking.shown), ...walkedBy(held, route.ranking)}
}

/** The order of an index on the ids of a column. */
function walkedBy({scalar}: Column, {variable, isDescending}: Ranking): Pick<Block, 'order' | 'isWalked'> {
  const keys = [{scalar, isDescending, isText: false, isBound: true}]
  return {order: {keys, expressions: [], variables: new Set([variable])}, isWalked: true}
}

type SortOptions = {
  readonly needed: readonly string[] | undefined // variables that are shown or sorted
  readonly sorted: () => Block // all solutions, without a walk
}

/**
 * The solutions that can be the first by all keys, to be sorted by these: the first of the walk, and those whose value
 * equals the last of them in another lexical form. Their ids follow in the index. After a limited walk that has found
 * too few, the first of all solutions.
 */
function walkAndSort(planner: Planner, route: Route, {needed, sorted}: SortOptions): Block {
  const {ranking, environment, limit} = route
  const {isDescending, count, keys, shown} = ranking
  const walked = walk(planner, {...route, ranking: {...ranking, shown: needed}})
  const [name, first, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const query = {
    ...selectOf(walked),
    orderBy: walked.order?.keys ?? [],
    limit: count,
    hasTies: true,
    isWalked: true,
  }
  const from: From = {kind: 'common', name, alias: first}
  const fewer = limit === undefined ? undefined : hasFewer(planner, name, count)
  const where = fewer === undefined ? [] : [not(fewer)]
  const queries = [selectOf({...walked, from, where, columns: namedIn(walked.columns, first)})]
  if (keys.length > 1) {
    const isOther = (held: Column) => isOtherForm(held, endOf(planner, name, walked.columns, route), isDescending)
    const rest = rankedFrom(planner, {...route, limit: undefined}, isOther).block
    // Without the fence, PostgreSQL would sort these triples before it probes the rest.
    queries.push({...selectOf({...rest, columns: inOrder(rest.columns, needed)}), isFenced: true})
  }
  if (fewer !== undefined) {
    const all = firstOf(planner, sorted(), walked.columns, count)
    if (all === undefined) return walkAndSort(planner, {...route, limit: undefined}, {needed, sorted})
    queries.push(selectOf({...all, where: [fewer]}))
  }
  const columns = namedIn(walked.columns, alias)
  const body: SqlQuery = {kind: 'unionAll', queries}
  return {
    from: {kind: 'query', query: {kind: 'with', name, query, body}, alias, isLateral: false},
    where: [],
    columns: inOrder(columns, shown),
    order: orderOf(planner, keys, {columns, environment}),
    rows: count,
  }
}

/** The last id of the walk in its table; null if it has too few solutions. */
function endOf(planner: Planner, table: string, columns: Block['columns'], {ranking, limit}: Route): Scalar {
  const {variable, isDescending, count} = ranking
  const alias = planner.fresh()
  const held = namedIn(columns, alias).get(variable)
  if (held === undefined) throw new Error("the order's variable has no column")
  const end = isDescending ? 'min' : 'max'
  const last: Scalar = {kind: 'aggregate', name: end, isDistinct: false, arguments: [held.scalar]}
  const isEnough = operator('>=', counted, number(count))
  return ofTable(table, alias, limit === undefined ? last : {kind: 'case', branches: [[isEnough, last]]})
}

/** The conditions that an id comes after the last of the walk and is another form of its value. */
function isOtherForm({scalar, extent}: Column, last: Scalar, isDescending: boolean): readonly Scalar[] {
  const bits = formBitsOf(extent)
  if (bits === undefined) throw new Error('the ids of the walked triples are in no order')
  const forms = 2n ** BigInt(bits)
  const least = operator('*', operator('>>', last, number(bits)), number(forms)) // id of the value's forms
  if (isDescending) return [operator('<', scalar, last), operator('>=', scalar, least)]
  return [operator('>', scalar, last), operator('<', scalar, operator('+', least, number(forms)))]
}

/** The solutions of a route. @param testsOf  further conditions on the walked column of the sort variable */
function rankedFrom(
  planner: Planner,
  {first, steps, limit, ranking, environment}: Route,
  testsOf: (held: Column) => readonly Scalar[],
): {readonly block: Block; readonly held: Column} {
  const {tests, variable, isDistinct, after} = ranking
  const own = tests.filter(test => variablesIn(test).every(name => name === variable) && test.type !== 'exists')
  const others = tests.filter(test => !own.includes(test))
  const triples = planTriple(planner, new Map(), first.pattern, environment.graph)
  const walked = triples.columns.get(variable)
  if (walked === undefined) throw new Error("the order's variable has no column")
  const ownTestsOf = (columns: Block['columns']): readonly Scalar[] =>
    own.flatMap(test => planTests(planner, test, {columns, environment}))
  const tested = withTests(triples, [...ownTestsOf(triples.columns), ...testsOf(walked)])
  let block: Block = {...tested, rows: ranking.count}
  if (limit !== undefined) block = derive(planner, {...block, ...walkedBy(walked, ranking)}, {limit, hasTies: true})
  if (isDistinct)
    block = distinctRest(planner, block, first, steps, {ranking, environment, others, testsOf: ownTestsOf})
  else block = {...joinInOrder(planner, steps, environment, others, block), rows: ranking.count}
  for (const node of after) block = afterwards(planner, block, node, environment)
  return {block, held: block.columns.get(variable) ?? walked}
}

function afterwards(planner: Planner, block: Block, node: Ranking['after'][number], environment: Environment): Block {
  switch (node.type) {
    case 'leftJoin':
      return leftJoinBlocks(planner, block, node.right, node.condition, environment)
    case 'filter':
      return filterBlock(planner, block, node.condition, environment)
    case 'extend':
      return extendBlock(planner, block, node, environment)
  }
}

type DistinctOptions = {
  readonly ranking: Ranking
  readonly environment: Environment
  readonly others: readonly Expression[]
  readonly testsOf: (columns: Block['columns']) => readonly Scalar[]
}

/** DISTINCT: joins with the distinct solutions of the rest. Takes a subject once if the sort variable is not shown. */
function distinctRest(
  planner: Planner,
  block: Block,
  first: Triple,
  steps: readonly Step[],
  {ranking, environment, others, testsOf}: DistinctOptions,
): Block {
  const {variable, shown = [], isDescending} = ranking
  const where = shown.includes(variable)
    ? block.where
    : [...block.where, not(earlier(planner, block, first, {isDescending, testsOf, environment}))]
  const start: Block = {...block, where}
  if (steps.length === 0) return joinInOrder(planner, steps, environment, others, start)
  const [subject = ''] = certainOf(first)
  const given = only(block.columns, [subject])
  const rest = joinInOrder(planner, steps, {...environment, given}, others)
  const own = [...rest.columns].filter(([name]) => shown.includes(name) && name !== subject)
  const columns = new Map(own)
  const table = derive(planner, {...rest, columns}, own.length === 0 ? {limit: 1} : {isDistinct: true})
  if (table.from?.kind !== 'query') throw new Error('a derived block is no query')
  return {
    ...attach(start, {...table.from, isLateral: true}, []),
    columns: new Map([...block.columns, ...table.columns]),
    order: undefined,
    rows: ranking.count,
  }
}

/** Whether the subject has another object that passes the tests and comes earlier in the order. */
function earlier(
  planner: Planner,
  block: Block,
  {pattern}: Triple,
  {
    isDescending,
    testsOf,
    environment,
  }: {isDescending: boolean; environment: Environment} & Pick<DistinctOptions, 'testsOf'>,
): Scalar {
  const other = planTriple(planner, new Map(), pattern, environment.graph)
  const scalarOf = (columns: Block['columns'], {termType, value: name}: {termType: string; value: string}): Scalar => {
    const held = termType === 'Variable' ? columns.get(name) : undefined
    if (held === undefined) throw new Error('an end of the walked pattern has no column')
    return held.scalar
  }
  const [mine, theirs] = [block.columns, other.columns]
  return {
    kind: 'exists',
    query: {
      kind: 'select',
      columns: [{name: 'c0', scalar: number(1)}],
      from: other.from,
      where: [
        ...other.where,
        equal(scalarOf(theirs, pattern.subject), scalarOf(mine, pattern.subject)),
        operator(isDescending ? '>' : '<', scalarOf(theirs, pattern.object), scalarOf(mine, pattern.object)),
        ...testsOf(theirs),
      ],
      isFenced: true,
    },
  }
}
