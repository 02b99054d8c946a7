/**
 * Checks a syntax tree for errors that the notes of the grammar forbid and that the parser accepts.
 *
 * Pure. Throws a TreeFault for:
 *   - a blank node label in two basic graph patterns (§19.6)
 *   - BIND, VALUES and AS to a variable that is already in scope (§18.2.1, §19.8 notes 12 and 13)
 *   - an aggregate inside another, or in a place that does not allow one (§19.8 note 11)
 *   - a projected variable that is not grouped (§11.4)
 */
import {scopeOf, scopeOfAll} from '../translate/scope.ts'
import type {
  Projection,
  QuerySyntax,
  SelectSyntax,
  SolutionSyntax,
  SyntaxArgument,
  SyntaxExpression,
  SyntaxGroup,
  SyntaxPattern,
  SyntaxTriple,
  VariableTerm,
} from './syntax.ts'

export function checkQuery(query: QuerySyntax): void {
  checkLabels([query.where ?? []])
  checkSolution(query)
  if (query.queryType === 'SELECT') checkProjection(query)
}

/** An error in a syntax tree. parse.ts finds the place of the node in the text. */
export class TreeFault extends Error {
  readonly node: object

  /** @param sentence  without its full stop */
  constructor(node: object, sentence: string) {
    super(sentence)
    this.node = node
  }
}

/** @param sentence  without its full stop */
export function refuse(node: object, sentence: string): never {
  throw new TreeFault(node, sentence)
}

/**
 * A label belongs to one basic graph pattern: a sequence of triples, in which filters may occur.
 *
 * @param groups  the WHERE clause of each operation; a query has one
 */
export function checkLabels(groups: readonly (readonly SyntaxPattern[])[]): void {
  const owners = new Map<string, number>()
  let block = 0
  const visit = (group: readonly SyntaxPattern[]): void => {
    block += 1
    for (const pattern of group) {
      if (pattern.type === 'bgp') for (const triple of pattern.triples) claim(triple)
      else if (pattern.type !== 'filter') {
        for (const inner of groupsIn(pattern)) visit(inner)
        block += 1
      }
      if (pattern.type === 'filter') {
        const here = block
        for (const {patterns} of groupsOfExists(pattern.expression)) visit(patterns)
        block = here
      }
    }
  }
  const claim = ({subject, object}: SyntaxTriple): void => {
    for (const term of [subject, object]) {
      if (term.termType !== 'BlankNode') continue
      const owner = owners.get(term.value) ?? block
      if (owner !== block) refuse(term, `The blank node _:${term.value} stands in two basic graph patterns`)
      owners.set(term.value, block)
    }
  }
  for (const group of groups) visit(group)
}

/** The groups directly inside a pattern. Each branch of a union is one. */
function groupsIn(pattern: SyntaxPattern): readonly (readonly SyntaxPattern[])[] {
  switch (pattern.type) {
    case 'union':
      return pattern.patterns.map(({patterns}) => patterns)
    case 'group':
    case 'optional':
    case 'minus':
    case 'graph':
    case 'service':
      return [pattern.patterns]
    case 'query':
      return [pattern.where ?? []]
    case 'bind':
      return groupsOfExists(pattern.expression).map(({patterns}) => patterns)
    default:
      return []
  }
}

function isGroup(argument: SyntaxArgument): argument is SyntaxGroup {
  return 'type' in argument && argument.type === 'group'
}

/** The direct operands of an expression, which may be an aggregate. */
function operandsOf(expression: SyntaxExpression): readonly SyntaxExpression[] {
  if ('termType' in expression) return []
  if (expression.type === 'aggregate') {
    const {expression: operand} = expression
    return 'termType' in operand && operand.termType === 'Wildcard' ? [] : [operand]
  }
  return expression.args.flatMap(argument => (isGroup(argument) ? [] : argument))
}

/** The group of an EXISTS. */
function ownGroups(expression: SyntaxExpression): readonly SyntaxGroup[] {
  return 'args' in expression && expression.type === 'operation' ? expression.args.filter(isGroup) : []
}

/** The groups of EXISTS at any depth of an expression. */
function groupsOfExists(expression: SyntaxExpression): readonly SyntaxGroup[] {
  return [...ownGroups(expression), ...operandsOf(expression).flatMap(groupsOfExists)]
}

export function hasAggregate(expression: SyntaxExpression): boolean {
  return aggregateIn(expression) !== undefined
}

/** The first aggregate of an expression that is not inside another. */
function aggregateIn(expression: SyntaxExpression): SyntaxExpression | undefined {
  if ('termType' in expression) return undefined
  if (expression.type === 'aggregate') return expression
  for (const operand of operandsOf(expression)) {
    const found = aggregateIn(operand)
    if (found !== undefined) return found
  }
  return undefined
}

function checkNesting(expression: SyntaxExpression): void {
  if (!('termType' in expression) && expression.type === 'aggregate' && operandsOf(expression).some(hasAggregate)) {
    refuse(expression, `${expression.aggregation.toUpperCase()} holds another aggregate`)
  }
  for (const operand of operandsOf(expression)) checkNesting(operand)
  for (const {patterns} of ownGroups(expression)) checkGroup(patterns)
}

function checkPlain(expression: SyntaxExpression, place: string): void {
  const aggregate = aggregateIn(expression)
  if (aggregate !== undefined) refuse(aggregate, `An aggregate cannot stand in ${place}`)
  for (const {patterns} of groupsOfExists(expression)) checkGroup(patterns)
}

export function checkSolution({where = [], group = [], having = [], order = []}: SolutionSyntax): void {
  checkGroup(where)
  const inScope = scopeOfAll(where)
  for (const {expression, variable} of group) {
    checkPlain(expression, 'GROUP BY')
    if (variable !== undefined && inScope.has(variable.value)) refuseAssigned(variable)
  }
  for (const expression of having) checkNesting(expression)
  for (const {expression} of order) checkNesting(expression)
}

function refuseAssigned(variable: VariableTerm): never {
  refuse(variable, `The variable ?${variable.value} is assigned, but it is already in scope`)
}

function checkGroup(patterns: readonly SyntaxPattern[]): void {
  const inScope = new Set<string>()
  const lastBind = patterns.findLastIndex(({type}) => type === 'bind')
  for (const [index, pattern] of patterns.entries()) {
    if (pattern.type === 'filter') checkPlain(pattern.expression, 'FILTER')
    if (pattern.type === 'bind') {
      checkPlain(pattern.expression, 'BIND')
      if (inScope.has(pattern.variable.value)) refuseAssigned(pattern.variable)
    }
    if (index < lastBind) for (const name of scopeOf(pattern)) inScope.add(name)
    if (pattern.type === 'query') {
      checkSolution(pattern)
      checkProjection(pattern)
    } else if (pattern.type !== 'filter' && pattern.type !== 'bind') {
      for (const inner of groupsIn(pattern)) checkGroup(inner)
    }
  }
}

function isProjection(item: SelectSyntax['variables'][number]): item is Projection {
  return 'expression' in item
}

function checkProjection({variables, where = [], group, having = [], order = []}: SelectSyntax): void {
  const projections = variables.filter(isProjection)
  for (const {expression} of projections) checkNesting(expression)
  const isGrouped =
    group !== undefined ||
    [...projections, ...order].some(({expression}) => hasAggregate(expression)) ||
    having.some(hasAggregate)

  const inScope = scopeOfAll(where)
  const assigned = new Set<string>()
  for (const {variable} of group ?? []) if (variable !== undefined) inScope.add(variable.value)
  for (const {variable} of projections) {
    if (inScope.has(variable.value) || assigned.has(variable.value)) refuseAssigned(variable)
    assigned.add(variable.value)
  }
  if (isGrouped) checkGrouped(variables, groupedNames(group))
}

function groupedNames(group: SelectSyntax['group']): Set<string> {
  return new Set(
    (group ?? []).flatMap(({expression, variable}) => {
      if (variable !== undefined) return [variable.value]
      return 'termType' in expression && expression.termType === 'Variable' ? [expression.value] : []
    }),
  )
}

function checkGrouped(variables: SelectSyntax['variables'], known: Set<string>): void {
  for (const item of variables) {
    if (!isProjection(item)) {
      if (item.termType === 'Wildcard') refuse(variables, 'SELECT * cannot stand with GROUP BY or an aggregate')
      if (!known.has(item.value)) refuse(item, `?${item.value} is projected, but neither grouped nor aggregated`)
      continue
    }
    for (const used of plainVariables(item.expression)) {
      const sentence = `?${used.value} is used in the projection, but neither grouped nor aggregated`
      if (!known.has(used.value)) refuse(used, sentence)
    }
    known.add(item.variable.value)
  }
}

/** The variables of an expression that are outside its aggregates. */
function plainVariables(expression: SyntaxExpression): readonly VariableTerm[] {
  if ('termType' in expression) return expression.termType === 'Variable' ? [expression] : []
  if (expression.type === 'aggregate') return []
  return operandsOf(expression).flatMap(plainVariables)
}
