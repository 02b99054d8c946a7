/**
 * Translates group graph patterns to algebra.
 *
 * Pure. Source: SPARQL 1.1 §18.2.2.5 (basic graph patterns), §18.2.2.6 (groups), §18.2.2.8 (simplification).
 */

import {
  type Algebra,
  type Expression,
  isUnit,
  join,
  type PatternTerm,
  type TriplePattern,
  unit,
  variable,
} from '../algebra.ts'
import {conjunction} from '../analyse/conjuncts.ts'
import type {SelectSyntax, SyntaxExpression, SyntaxPattern, SyntaxTerm, SyntaxTriple} from '../parse/syntax.ts'
import {translateExpression} from './expression.ts'
import {pathPattern, translatePath} from './path.ts'
import {takeTextQueries} from './text-query.ts'

export type GroupContext = {
  readonly fresh: () => string // a new variable, which no result shows
  readonly translateSelect: (select: SelectSyntax) => Algebra
}

/** A group: its pattern, and the filters, which apply to the whole group. */
type Group = {readonly pattern: Algebra; readonly filter: Expression | undefined}

export function translateGroup(patterns: readonly SyntaxPattern[], context: GroupContext): Algebra {
  const {pattern, filter} = openGroup(patterns, context)
  return filter === undefined ? pattern : {type: 'filter', condition: filter, input: pattern}
}

function openGroup(patterns: readonly SyntaxPattern[], context: GroupContext): Group {
  const filters: Expression[] = []
  let group: Algebra = unit
  for (const pattern of patterns) {
    if (pattern.type === 'filter') filters.push(translateCondition(pattern.expression, context))
    else group = addToGroup(group, pattern, context)
  }
  return {pattern: group, filter: conjunction(filters)}
}

/** An expression in a place that does not allow aggregates. */
function translateCondition(expression: SyntaxExpression, context: GroupContext): Expression {
  return translateExpression(expression, {
    translatePattern: ({patterns}) => translateGroup(patterns, context),
    nameAggregate: () => {
      throw new Error('an aggregate outside of a grouped query was not refused')
    },
    rename: name => ({type: 'variable', name}),
  })
}

function addToGroup(group: Algebra, pattern: Exclude<SyntaxPattern, {type: 'filter'}>, context: GroupContext): Algebra {
  switch (pattern.type) {
    case 'bgp': {
      const {triples, calls} = takeTextQueries(pattern.triples, patternTerm, context.fresh)
      return calls.reduce(join, translateTriples(triples, context).reduce(joinAdjacent, group))
    }
    case 'optional': {
      const {pattern: right, filter} = openGroup(pattern.patterns, context)
      return {type: 'leftJoin', left: group, right, condition: filter}
    }
    case 'minus':
      return {type: 'minus', left: group, right: translateGroup(pattern.patterns, context)}
    case 'bind': {
      const expression = translateCondition(pattern.expression, context)
      return {type: 'extend', input: group, variable: pattern.variable.value, expression}
    }
    case 'group':
      return join(group, translateGroup(pattern.patterns, context))
    case 'union':
      return join(group, {
        type: 'union',
        inputs: pattern.patterns.map(({patterns}) => translateGroup(patterns, context)),
      })
    case 'graph': {
      const input = translateGroup(pattern.patterns, context)
      return join(group, {type: 'graph', name: patternName(pattern.name), input})
    }
    case 'service': {
      const input = translateGroup(pattern.patterns, context)
      return join(group, {type: 'service', name: patternName(pattern.name), isSilent: pattern.silent, input})
    }
    case 'values':
      return join(group, {type: 'values', ...pattern.values})
    case 'query':
      return join(group, context.translateSelect(pattern))
  }
}

function patternName(name: Extract<SyntaxPattern, {type: 'graph'}>['name']) {
  return name.termType === 'Variable' ? variable(name.value) : name
}

/** Joins two patterns. Adjacent triple patterns become one basic graph pattern (§18.2.2.5). */
function joinAdjacent(left: Algebra, right: Algebra): Algebra {
  if (left.type === 'bgp' && right.type === 'bgp') return {type: 'bgp', patterns: [...left.patterns, ...right.patterns]}
  if (left.type === 'join' && left.right.type === 'bgp' && right.type === 'bgp') {
    return {...left, right: joinAdjacent(left.right, right)}
  }
  return isUnit(left) ? right : join(left, right)
}

function translateTriples(triples: readonly SyntaxTriple[], context: GroupContext): readonly Algebra[] {
  return triples.flatMap(({subject, predicate, object}): readonly Algebra[] => {
    const [s, o] = [patternTerm(subject), patternTerm(object)]
    if ('termType' in predicate) {
      const pattern: TriplePattern = {
        subject: s,
        predicate: predicate.termType === 'Variable' ? variable(predicate.value) : predicate,
        object: o,
      }
      return [{type: 'bgp', patterns: [pattern]}]
    }
    return flattenJoins(pathPattern(s, translatePath(predicate), o, context.fresh))
  })
}

function flattenJoins(node: Algebra): readonly Algebra[] {
  return node.type === 'join' ? [...flattenJoins(node.left), ...flattenJoins(node.right)] : [node]
}

export function patternTerm(term: SyntaxTerm): PatternTerm {
  switch (term.termType) {
    case 'Variable':
      return variable(term.value)
    case 'BlankNode':
      return variable(`_:${term.value}`)
    default:
      return term
  }
}
