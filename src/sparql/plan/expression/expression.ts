/**
 * Plans expressions as SQL values. An error is null, so that SQL's three-valued logic implements SPARQL's.
 *
 * Source: SPARQL 1.1 §17.2 (filter evaluation), §17.4.1 (functional forms).
 */

import {literal} from '../../../rdf/term.ts'
import {blankNodeKey, iriKey} from '../../../rdf/term-key.ts'
import {xsd, xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {Algebra, Expression} from '../../algebra.ts'
import {conjuncts, filterBy} from '../../analyse/conjuncts.ts'
import {isPlainPattern} from '../../analyse/plain-pattern.ts'
import {certainVariables, variablesIn} from '../../analyse/variables.ts'
import {
  type Column,
  type Columns,
  type Constant,
  type Environment,
  matchColumns,
  noColumns,
  type Planner,
  substitution,
} from '../block.ts'
import {estimateNode} from '../join/estimate.ts'
import {boundTo, probeCost} from '../join/estimate-triple.ts'
import {givable} from '../join/lateral.ts'
import {isAmong, longList} from '../join/membership.ts'
import {hashCost} from '../join/method.ts'
import {call, isNotNull, number, type Scalar, text} from '../relation.ts'
import {cast} from './cast.ts'
import {choose, chooseId, chooseKey, coalesceKey} from './choose.ts'
import {isSimple, simpleText} from './compare-texts.ts'
import {canonicalKey, floatOfColumn} from './float.ts'
import {isStrict, type StrictName, strictFunctions} from './functions.ts'
import {
  booleanValue,
  errorValue,
  isError,
  keyValue,
  simpleValue,
  textOfKey,
  textValue,
  toBoolean,
  toKey,
  type Value,
} from './value.ts'
import {toColumn, valueOfKey} from './value-column.ts'

/** The scope of an expression: the columns of the solution and, inside EXISTS, those of the tested solution. */
export type Sight = {
  readonly columns: Columns
  readonly environment: Environment
  readonly rows?: number // estimated number of solutions
}

export function planExpression(planner: Planner, expression: Expression, sight: Sight): Value {
  switch (expression.type) {
    case 'term':
      return constantValue(planner, expression.term)
    case 'variable':
      return variableValue(planner, expression.name, sight)
    case 'exists':
      return booleanValue(planExists(planner, expression, sight))
    case 'function':
      return planCast(planner, expression, sight)
    case 'call':
      return planCall(planner, expression, sight)
  }
}

/** A condition as SQL: true, false, or null for an error. */
export function planCondition(planner: Planner, expression: Expression, sight: Sight): Scalar {
  return toBoolean(planner, planExpression(planner, expression, sight))
}

function constantValue(planner: Planner, term: Constant): Value {
  return {scalar: number(planner.idOf(term)), type: 'id', constant: term}
}

/** Inside EXISTS, a variable that the pattern leaves unbound has the tested solution's value (§18.6, substitute). */
function visible(planner: Planner, name: string, {columns, environment}: Sight): Column | undefined {
  const [inner, outer] = [columns.get(name), environment.outer.get(name)]
  if (inner === undefined || outer === undefined || !inner.isNullable) return inner ?? outer
  return matchColumns(planner, inner, {...outer, isNullable: true}).column
}

/** The column of an expression's value. A variable's column keeps the facts about it: isNullable, isNode, extent. */
export function planColumn(planner: Planner, expression: Expression, sight: Sight): Column {
  const held = expression.type === 'variable' ? visible(planner, expression.name, sight) : undefined
  return held ?? toColumn(planner, planExpression(planner, expression, sight))
}

function variableValue(planner: Planner, name: string, sight: Sight): Value {
  const held = visible(planner, name, sight)
  if (held === undefined) return errorValue
  const {scalar, rep, extent, constants, number} = held
  if (rep === 'integer' || rep === 'decimal') return {scalar, type: 'number', isInteger: rep === 'integer'}
  if (rep === 'float' || rep === 'double') return floatOfColumn(scalar, rep)
  if (rep === 'duration') return {scalar, type: rep}
  const computed = rep === 'key' ? valueOfKey(scalar) : undefined
  if (computed !== undefined) return computed
  if (rep === 'key' && number !== undefined) return canonicalKey(scalar, number)
  const text = rep === 'key' ? textOfKey(scalar) : undefined
  if (text !== undefined) return textValue(text)
  if (rep === 'key' && held.isSimple === true) return simpleValue(scalar)
  return {
    scalar,
    type: rep,
    ...(extent === undefined ? {} : {extent}),
    ...(constants === undefined ? {} : {constants}),
  }
}

/**
 * Plans EXISTS by substitution (§18.6): a solution of the pattern is compatible; filters see the tested one too.
 *
 * The pattern is either probed for each tested solution, which ends at the first row, or read once and joined.
 */
function planExists(
  planner: Planner,
  {pattern, isNegated}: Extract<Expression, {type: 'exists'}>,
  sight: Sight,
): Scalar {
  const {columns, environment} = sight
  const outer = new Map(
    [...environment.outer.keys(), ...columns.keys()].flatMap((name): [string, Column][] => {
      const held = visible(planner, name, sight)
      return held === undefined ? [] : [[name, held]]
    }),
  )
  const context = {planner, graph: environment.graph, tests: []}
  const given = new Map([...givable(outer)].map(([name, held]) => [name, {...held, isSubstituted: true}] as const))
  const each = estimateNode(pattern, {...context, bound: boundTo(given.keys())})
  const whole = estimateNode(pattern, {...context, bound: boundTo([])})
  const untilFirst = Math.max(probeCost, each.cost / Math.max(1, each.rows))
  const rows = sight.rows ?? 1
  const joined = whole.cost - whole.rows + hashCost * (rows + whole.rows)
  const isProbed = rows * untilFirst < joined
  const {rest, taken} = isProbed ? {rest: pattern, taken: []} : splitTests(pattern, outer)
  const inside: Environment = {...environment, outer, given: isProbed ? given : noColumns, isPartial: true}
  const isWhole = !isProbed && isPlainPattern(rest)
  const block = planner.plan(rest, isWhole ? {...inside, outer: noColumns, isPartial: false} : inside)
  const inner: Sight = {columns: block.columns, environment: inside}
  const conditions = [
    ...substitution(planner, block.columns, outer),
    ...taken.map(test => planCondition(planner, test, inner)),
  ]
  const test: Scalar = {
    kind: 'exists',
    query: {
      kind: 'select',
      columns: [{name: 'c0', scalar: number(1)}],
      from: block.from,
      where: [...block.where, ...conditions],
      isFenced: isProbed,
    },
  }
  return isNegated ? {kind: 'not', condition: test} : test
}

/**
 * Separates the filters of a pattern that need the tested solution. PostgreSQL joins a subquery of EXISTS only if it
 * reads the tested row in its own WHERE, not inside its FROM.
 */
function splitTests(pattern: Algebra, outer: Columns): {readonly rest: Algebra; readonly taken: readonly Expression[]} {
  if (pattern.type !== 'filter') return {rest: pattern, taken: []}
  const {rest, taken} = splitTests(pattern.input, outer)
  const certain = certainVariables(rest)
  const needsOuter = (test: Expression) => variablesIn(test).some(name => outer.has(name) && !certain.has(name))
  const tests = conjuncts(pattern.condition)
  return {
    rest: filterBy(
      rest,
      tests.filter(test => !needsOuter(test)),
    ),
    taken: [...taken, ...tests.filter(needsOuter)],
  }
}

/** Constructor functions (§17.5). An unknown function (§17.6) is an error of the expression. */
function planCast(
  planner: Planner,
  {iri, arguments: args}: Extract<Expression, {type: 'function'}>,
  sight: Sight,
): Value {
  const [argument] = args
  const name = iri.startsWith(xsdNamespace) ? iri.slice(xsdNamespace.length) : ''
  if (argument === undefined || args.length !== 1) return errorValue
  return cast(planner, name, planExpression(planner, argument, sight)) ?? errorValue
}

function planCall(planner: Planner, expression: Extract<Expression, {type: 'call'}>, sight: Sight): Value {
  const {name, arguments: args} = expression
  const values = () => args.map(argument => planExpression(planner, argument, sight))
  if (isStrict(name)) return planStrict(planner, name, values())
  const conditions = () => args.map(argument => planCondition(planner, argument, sight))
  switch (name) {
    case '||':
      return booleanValue({kind: 'any', conditions: conditions()})
    case '&&':
      return booleanValue({kind: 'all', conditions: conditions()})
    case '!':
      return booleanValue({kind: 'not', condition: {kind: 'all', conditions: conditions()}})
    case 'in':
    case 'notIn':
      return planIn(planner, values(), name === 'notIn')
    case 'bound':
      return planBound(planner, args, sight)
    case 'if':
      return planIf(planner, args, sight)
    case 'coalesce':
      return planCoalesce(planner, values())
    case 'now':
    case 'rand':
    case 'uuid':
    case 'struuid':
    case 'bnode':
      return planFresh(planner, name, values(), sight)
  }
}

/** A function whose result is an error if an argument is one. */
function planStrict(planner: Planner, name: StrictName, values: readonly Value[]): Value {
  const made = strictFunctions[name](planner, ...values)
  if (!values.some(isError)) return made
  return made.type === 'boolean' ? booleanValue({kind: 'null', type: 'boolean'}) : errorValue
}

/** IN and NOT IN (§17.4.1.9). An error only if no item is equal and a comparison is an error. */
function planIn(planner: Planner, [tested, ...list]: readonly Value[], isNegated: boolean): Value {
  if (tested === undefined) return errorValue
  const isEqual = (item: Value): Scalar => strictFunctions['='](planner, tested, item).scalar
  const items = longList(list.map(({constant}) => constant))
  const found: Scalar =
    items === undefined ? {kind: 'any', conditions: list.map(isEqual)} : isAmong(planner, tested, items, isEqual)
  return booleanValue(isNegated ? {kind: 'not', condition: found} : found)
}

function planBound(planner: Planner, args: readonly Expression[], sight: Sight): Value {
  const [variable] = args
  const held = variable?.type === 'variable' ? visible(planner, variable.name, sight) : undefined
  if (held === undefined) return booleanValue({kind: 'boolean', value: false})
  return booleanValue(isNotNull(held.scalar))
}

/** An error of the condition is an error of IF. The CASE has no ELSE, which would take the second branch instead. */
function planIf(planner: Planner, [condition, yes, no]: readonly Expression[], sight: Sight): Value {
  if (condition === undefined || yes === undefined || no === undefined) return errorValue
  const test = planCondition(planner, condition, sight)
  const values = [yes, no].map(branch => planExpression(planner, branch, sight))
  const either = (scalars: readonly Scalar[]): Scalar => ({
    kind: 'case',
    of: test,
    branches: scalars.map((scalar, index) => [{kind: 'boolean', value: index === 0}, scalar] as const),
  })
  const known = choose(planner, values, either) ?? chooseId(values, either)
  if (known !== undefined) return known
  if (values.every(isSimple)) return textValue(either(values.map(value => simpleText(planner, value))))
  return chooseKey(planner, values, either) ?? keyValue(either(values.map(value => toKey(planner, value))))
}

function planCoalesce(planner: Planner, values: readonly Value[]): Value {
  const first = (scalars: readonly Scalar[]): Scalar => call('coalesce', ...scalars)
  const keys = () => [...values.map(value => toKey(planner, value)), errorValue.scalar]
  const known = choose(planner, values, first) ?? chooseId(values, first) ?? coalesceKey(planner, values)
  return known ?? keyValue(first(keys()))
}

/** The variable with an identifier of the solution, on which BNODE with a label depends. */
export const solutionVariable = '.solution'

/** Functions whose value does not depend on their arguments alone. */
function planFresh(
  planner: Planner,
  name: 'now' | 'rand' | 'uuid' | 'struuid' | 'bnode',
  values: readonly Value[],
  sight: Sight,
): Value {
  const uuid: Scalar = call('sparql_uuid')
  switch (name) {
    case 'now':
      return constantValue(planner, literal(planner.now(), xsd.dateTime))
    case 'rand':
      return keyValue(call('sparql_random'))
    case 'uuid':
      return keyValue({kind: 'operator', operator: '||', left: text(iriKey('urn:uuid:')), right: uuid})
    case 'struuid':
      return textValue(uuid)
    case 'bnode': {
      const [label] = values
      if (label === undefined)
        return keyValue({kind: 'operator', operator: '||', left: text(blankNodeKey('n')), right: uuid})
      const solution = variableValue(planner, solutionVariable, sight)
      return keyValue(call('sparql_blank_node', toKey(planner, label), solution.scalar))
    }
  }
}

/** Whether an expression contains BNODE with a label, which is the same node throughout one solution. */
export function hasLabelledNode(expression: Expression): boolean {
  switch (expression.type) {
    case 'call':
      return (
        (expression.name === 'bnode' && expression.arguments.length > 0) || expression.arguments.some(hasLabelledNode)
      )
    case 'function':
      return expression.arguments.some(hasLabelledNode)
    default:
      return false
  }
}
