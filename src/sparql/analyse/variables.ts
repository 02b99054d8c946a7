/**
 * The variables of a pattern: those that every solution binds, those in scope, and all that are mentioned.
 *
 * Pure. Source: SPARQL 1.1 §18.2.1 for the operators' scopes.
 */
import type {Algebra, Expression, PatternTerm} from '../algebra.ts'
import {children, expressionsOf} from '../algebra.ts'

type Names = ReadonlySet<string>

const none: Names = new Set()

const certain = new WeakMap<Algebra, Names>()

/** The variables that each solution binds. */
export function certainVariables(node: Algebra): Names {
  const known = certain.get(node)
  if (known !== undefined) return known
  const found = findCertain(node)
  certain.set(node, found)
  return found
}

function findCertain(node: Algebra): Names {
  switch (node.type) {
    case 'bgp':
      return new Set(
        node.patterns.flatMap(({subject, predicate, object}) => [subject, predicate, object].flatMap(nameOf)),
      )
    case 'path':
      return new Set([node.subject, node.object].flatMap(nameOf))
    case 'join':
      return new Set([...certainVariables(node.left), ...certainVariables(node.right)])
    case 'leftJoin':
    case 'minus':
      return certainVariables(node.left)
    case 'union': {
      const [first = none, ...others] = node.inputs.map(certainVariables)
      return new Set([...first].filter(name => others.every(other => other.has(name))))
    }
    case 'graph':
      return new Set([...certainVariables(node.input), ...nameOf(node.name)])
    case 'values':
      return new Set(node.variables.filter((_, index) => node.rows.every(row => row[index] !== undefined)))
    case 'project': {
      const inner = certainVariables(node.input)
      return new Set(node.variables.filter(name => inner.has(name)))
    }
    case 'group': {
      const inner = certainVariables(node.input)
      const isBound = ({expression}: (typeof node.keys)[number]) =>
        expression.type === 'variable' && inner.has(expression.name)
      return new Set(node.keys.filter(isBound).map(({variable}) => variable))
    }
    case 'filter':
    case 'extend':
    case 'orderBy':
    case 'distinct':
    case 'reduced':
    case 'slice':
      return certainVariables(node.input)
    case 'service':
      return none
    case 'search':
      return new Set([node.literal, node.score])
    case 'table':
      return new Set(node.columns.filter(({values}) => !values.includes(null)).map(({variable}) => variable))
  }
}

/** The variables that a solution may bind: those in scope (§18.2.1). */
export function possibleVariables(node: Algebra): Names {
  switch (node.type) {
    case 'minus':
      return possibleVariables(node.left)
    case 'project':
      return new Set(node.variables)
    case 'group':
      return new Set([...node.keys, ...node.aggregates].map(({variable}) => variable))
    default:
      return new Set([...children(node).flatMap(child => [...possibleVariables(child)]), ...ownVariables(node)])
  }
}

/** The variables that occur anywhere in a pattern, also inside EXISTS. */
export function mentionedVariables(node: Algebra): Set<string> {
  const found = new Set<string>()
  collectMentioned(node, found)
  return found
}

/** Adds to one set for the whole tree. A set per level would take time quadratic in the depth. */
function collectMentioned(node: Algebra, found: Set<string>): void {
  for (const child of children(node)) collectMentioned(child, found)
  for (const name of ownVariables(node)) found.add(name)
  for (const expression of expressionsOf(node)) for (const name of variablesIn(expression)) found.add(name)
}

function ownVariables(node: Algebra): readonly string[] {
  switch (node.type) {
    case 'bgp':
    case 'path':
      return [...certainVariables(node)]
    case 'graph':
    case 'service':
      return nameOf(node.name)
    case 'values':
    case 'project':
      return node.variables
    case 'extend':
      return [node.variable]
    case 'group':
      return [...node.keys, ...node.aggregates].map(({variable}) => variable)
    case 'search':
      return [node.literal, node.score]
    case 'table':
      return node.columns.map(({variable}) => variable)
    default:
      return []
  }
}

/** The keys of GROUP BY that are plain variables. A condition on them can be tested before grouping. */
export function groupedBy({keys}: Pick<Extract<Algebra, {type: 'group'}>, 'keys'>): readonly string[] {
  return keys.flatMap(({variable, expression}) =>
    expression.type === 'variable' && expression.name === variable ? [variable] : [],
  )
}

const named = new WeakMap<Expression, readonly string[]>()

export function variablesIn(expression: Expression): readonly string[] {
  const known = named.get(expression)
  if (known !== undefined) return known
  const found = findVariables(expression)
  named.set(expression, found)
  return found
}

function findVariables(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'term':
      return []
    case 'variable':
      return [expression.name]
    case 'exists':
      return [...mentionedVariables(expression.pattern)]
    case 'call':
    case 'function':
      return expression.arguments.flatMap(variablesIn)
  }
}

function nameOf(term: PatternTerm): readonly string[] {
  return term.termType === 'Variable' ? [term.value] : []
}
