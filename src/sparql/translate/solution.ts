/**
 * Translates grouping, projection and solution modifiers to algebra.
 *
 * Pure. Source: SPARQL 1.1 §18.2.4 (grouping, HAVING, VALUES, SELECT expressions), §18.2.5 (modifiers).
 */

import type {Aggregate, Algebra, Expression} from '../algebra.ts'
import {join} from '../algebra.ts'
import {conjunction} from '../analyse/conjuncts.ts'
import {hasAggregate} from '../parse/check.ts'
import type {Projection, SelectSyntax, SolutionSyntax, SyntaxExpression} from '../parse/syntax.ts'
import {type ExpressionContext, translateExpression} from './expression.ts'
import {type GroupContext, translateGroup} from './group.ts'

/**
 * Translates a query from its WHERE clause up to ORDER BY. The caller adds projection and slice.
 *
 * @param projections  each `(expression AS ?variable)` of SELECT
 */
export function translateSolution(
  syntax: SolutionSyntax,
  projections: readonly Projection[],
  context: GroupContext,
): Algebra {
  const where = translateGroup(syntax.where ?? [], context)
  const grouping = openGrouping(syntax, projections, context)
  const condition = conjunction((syntax.having ?? []).map(expression => grouping.translate(expression)))
  const extensions = projections.map(({variable, expression}) => {
    const extension = {variable: variable.value, expression: grouping.translate(expression)}
    grouping.assigned.add(variable.value)
    return extension
  })
  const order = (syntax.order ?? []).map(({expression, descending}) => ({
    expression: grouping.translate(expression),
    isDescending: descending === true,
  }))

  let pattern = grouping.close(where)
  if (condition !== undefined) pattern = {type: 'filter', condition, input: pattern}
  if (syntax.values !== undefined) pattern = join(pattern, {type: 'values', ...syntax.values})
  for (const extension of extensions) pattern = {type: 'extend', input: pattern, ...extension}
  return order.length === 0 ? pattern : {type: 'orderBy', input: pattern, keys: order}
}

export function translateSlice(pattern: Algebra, {limit, offset}: SolutionSyntax): Algebra {
  if (limit === undefined && offset === undefined) return pattern
  const most = limit === undefined ? undefined : countable(limit)
  return {type: 'slice', input: pattern, offset: countable(offset ?? 0), limit: most}
}

/** Caps LIMIT and OFFSET at a number that JavaScript and SQL both read exactly. No result has more rows. */
function countable(rows: number): number {
  return Math.min(rows, Number.MAX_SAFE_INTEGER)
}

type Grouping = {
  readonly translate: (expression: SyntaxExpression) => Expression
  readonly assigned: Set<string> // by SELECT so far
  readonly close: (where: Algebra) => Algebra
}

/** Starts grouping (§18.2.4.1). Aggregates become variables of the group node; ungrouped variables become SAMPLE. */
function openGrouping(syntax: SolutionSyntax, projections: readonly Projection[], context: GroupContext): Grouping {
  const assigned = new Set<string>()
  const aggregates = new Map<string, {variable: string; aggregate: Aggregate}>()
  const base: ExpressionContext = {
    translatePattern: ({patterns}) => translateGroup(patterns, context),
    nameAggregate: aggregate => {
      const key = JSON.stringify(aggregate)
      const known = aggregates.get(key) ?? {variable: context.fresh(), aggregate}
      aggregates.set(key, known)
      return known.variable
    },
    rename: name => ({type: 'variable', name}),
  }
  if (!isGrouped(syntax, projections)) {
    return {translate: expression => translateExpression(expression, base), assigned, close: where => where}
  }
  const keys = (syntax.group ?? []).map(({expression, variable}) => {
    const key = translateExpression(expression, base)
    return {variable: variable?.value ?? (key.type === 'variable' ? key.name : context.fresh()), expression: key}
  })
  const known = new Set(keys.map(({variable}) => variable))
  const sample = (name: string): Expression => {
    if (known.has(name) || assigned.has(name)) return {type: 'variable', name}
    const argument: Expression = {type: 'variable', name}
    const variable = base.nameAggregate({name: 'sample', isDistinct: false, argument, separator: ' '})
    return {type: 'variable', name: variable}
  }
  return {
    translate: expression => translateExpression(expression, {...base, rename: sample}),
    assigned,
    close: where => ({type: 'group', input: where, keys, aggregates: [...aggregates.values()]}),
  }
}

function isGrouped({group, having, order}: SolutionSyntax, projections: readonly Projection[]): boolean {
  if (group !== undefined) return true
  const expressions = [...(having ?? []), ...[...projections, ...(order ?? [])].map(({expression}) => expression)]
  return expressions.some(hasAggregate)
}

/** Translates SELECT: ORDER BY, then projection, then DISTINCT or REDUCED, then the slice (§18.2.5). */
export function translateSelect(select: SelectSyntax, variables: readonly string[], context: GroupContext): Algebra {
  const projections = select.variables.filter((item): item is Projection => 'expression' in item)
  const input = translateSolution(select, projections, context)
  const projected: Algebra = {type: 'project', input, variables}
  if (select.distinct === true) return translateSlice({type: 'distinct', input: projected}, select)
  if (select.reduced === true) return translateSlice({type: 'reduced', input: projected}, select)
  return translateSlice(projected, select)
}
