/**
 * Writes algebra as SPARQL text, for requests to other endpoints.
 *
 * Pure. The inverse of translate/: parsing the text gives algebra with the same meaning. Variables that translation
 * adds (blank nodes of patterns, aggregates, steps of paths) get names that the query does not use.
 * Sources: SPARQL 1.1 §9.1 (paths), §19.2 and §19.8 (terms), §18.2.2.6 (groups), §18.2.4 (aggregates), §18.2.5
 * (modifiers).
 */

import {Problem} from '../../base/problem.ts'
import {quotedText} from '../../rdf/ntriples.ts'
import type {Term} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {type Aggregate, type Algebra, type Expression, isNamed, type PropertyPath, type Variable} from '../algebra.ts'
import {mentionedVariables, possibleVariables} from '../analyse/variables.ts'

/** Returns the name of a variable in the text, with its question mark. */
type NameOf = (variable: string) => string

export type Bindings = {readonly variables: readonly string[]; readonly rows: readonly (readonly Term[])[]}

const signs = {zeroOrOne: '?', zeroOrMore: '*', oneOrMore: '+'} as const

/**
 * Writes a SELECT query for the solutions of a pattern.
 *
 * @param variables  the variables to select
 * @param bindings   solutions to join with, as VALUES; ignored if it has no variables
 */
export function writeSelect(pattern: Algebra, variables: readonly string[], bindings?: Bindings): string {
  const nameOf = namer(pattern)
  const selected = variables.length === 0 ? `(1 AS ${nameOf('.row')})` : variables.map(nameOf).join(' ')
  const isBound = bindings !== undefined && bindings.variables.length > 0
  const before = isBound ? `${writeValues({type: 'values', ...bindings}, nameOf)} ` : ''
  return `SELECT ${selected} WHERE { ${before}${group(pattern, nameOf)} }`
}

function namer(pattern: Algebra): NameOf {
  const taken = mentionedVariables(pattern)
  const names = new Map<string, string>()
  const fresh = () => {
    for (let number = names.size; ; number += 1) if (!taken.has(`v${number}`)) return `v${number}`
  }
  return variable => {
    if (isNamed(variable)) return `?${variable}`
    const name = names.get(variable) ?? fresh()
    names.set(variable, name)
    taken.add(name)
    return `?${name}`
  }
}

function group(node: Algebra, nameOf: NameOf): string {
  return `{ ${body(node, nameOf)} }`
}

/** Writes a node as the first element of a group with further elements. A filter would apply to the whole group. */
function first(node: Algebra, nameOf: NameOf): string {
  return node.type === 'filter' || isSelect(node) ? group(node, nameOf) : body(node, nameOf)
}

/** Writes a node as one further element of a group. */
function next(node: Algebra, nameOf: NameOf): string {
  const isElement = ['bgp', 'path', 'union', 'graph', 'values', 'service'].includes(node.type)
  return isElement ? body(node, nameOf) : group(node, nameOf)
}

function isSelect({type}: Algebra): boolean {
  return ['group', 'orderBy', 'project', 'distinct', 'reduced', 'slice'].includes(type)
}

function body(node: Algebra, nameOf: NameOf): string {
  const term = (one: Parameters<typeof writeTerm>[0]) => writeTerm(one, nameOf)
  switch (node.type) {
    case 'bgp':
      return node.patterns
        .map(({subject, predicate, object}) => `${term(subject)} ${term(predicate)} ${term(object)} .`)
        .join(' ')
    case 'path':
      return `${term(node.subject)} ${writePath(node.path)} ${term(node.object)} .`
    case 'join':
      return `${first(node.left, nameOf)} ${next(node.right, nameOf)}`
    case 'leftJoin': {
      const {left, right, condition} = node
      const filter = condition === undefined ? '' : ` FILTER(${writeExpression(condition, nameOf)})`
      return `${first(left, nameOf)} OPTIONAL { ${first(right, nameOf)}${filter} }`
    }
    case 'filter':
      return `${first(node.input, nameOf)} FILTER(${writeExpression(node.condition, nameOf)})`
    case 'union':
      return node.inputs.map(input => group(input, nameOf)).join(' UNION ')
    case 'graph':
      return `GRAPH ${term(node.name)} ${group(node.input, nameOf)}`
    case 'minus':
      return `${first(node.left, nameOf)} MINUS ${group(node.right, nameOf)}`
    case 'extend': {
      const value = writeExpression(node.expression, nameOf)
      return `${first(node.input, nameOf)} BIND(${value} AS ${nameOf(node.variable)})`
    }
    case 'values':
      return writeValues(node, nameOf)
    case 'service': {
      const silent = node.isSilent ? 'SILENT ' : ''
      return `SERVICE ${silent}${term(node.name)} ${group(node.input, nameOf)}`
    }
    case 'search':
      throw new Problem(400, 'text-query', 'text:query is not possible within SERVICE.')
    case 'table':
      throw new Error('solutions of another endpoint are no part of a query')
    default:
      return subselect(node, nameOf)
  }
}

function writeValues({variables, rows}: Extract<Algebra, {type: 'values'}>, nameOf: NameOf): string {
  const cell = (value: Term | undefined) => (value === undefined ? 'UNDEF' : writeTerm(value, nameOf))
  const lines = rows.map(row => `(${row.map(cell).join(' ')})`)
  return `VALUES (${variables.map(nameOf).join(' ')}) { ${lines.join(' ')} }`
}

/** Writes a sub-select. Modifiers that nest in the order of §18.2.5 become one SELECT. */
function subselect(node: Algebra, nameOf: NameOf): string {
  let rest = node
  let [head, tail, isDistinct] = ['*', '', '']
  if (rest.type === 'slice') {
    const {offset, limit} = rest
    tail = `${limit === undefined ? '' : ` LIMIT ${limit}`}${offset === 0 ? '' : ` OFFSET ${offset}`}`
    rest = rest.input
  }
  if (rest.type === 'distinct' || rest.type === 'reduced') {
    isDistinct = `${rest.type.toUpperCase()} `
    rest = rest.input
  }
  if (rest.type === 'project') {
    head = rest.variables.length === 0 ? nameOf('.nothing') : rest.variables.map(nameOf).join(' ')
    rest = rest.input
  }
  if (rest.type === 'orderBy') {
    const keys = rest.keys.map(
      ({expression, isDescending}) => `${isDescending ? 'DESC' : 'ASC'}(${writeExpression(expression, nameOf)})`,
    )
    tail = ` ORDER BY ${keys.join(' ')}${tail}`
    rest = rest.input
  }
  if (rest === node && rest.type === 'group') return aggregation(rest, nameOf)
  return `SELECT ${isDistinct}${head} WHERE ${group(rest, nameOf)}${tail}`
}

function aggregation({input, keys, aggregates}: Extract<Algebra, {type: 'group'}>, nameOf: NameOf): string {
  const columns = [
    ...keys.map(({variable}) => nameOf(variable)),
    ...aggregates.map(({variable, aggregate}) => `(${writeAggregate(aggregate, nameOf)} AS ${nameOf(variable)})`),
  ]
  const grouped = keys.map(({variable, expression}) =>
    expression.type === 'variable' && expression.name === variable
      ? nameOf(variable)
      : `(${writeExpression(expression, nameOf)} AS ${nameOf(variable)})`,
  )
  const by = grouped.length === 0 ? '' : ` GROUP BY ${grouped.join(' ')}`
  const countsAll = aggregates.some(({aggregate}) => aggregate.argument === undefined && aggregate.isDistinct)
  // COUNT(DISTINCT *) would include the variables that translation added, because they have names here.
  const counted: Algebra = countsAll
    ? {type: 'project', input, variables: [...possibleVariables(input)].filter(isNamed)}
    : input
  return `SELECT ${columns.join(' ')} WHERE ${group(counted, nameOf)}${by}`
}

function writeAggregate({name, isDistinct, argument, separator}: Aggregate, nameOf: NameOf): string {
  const value = argument === undefined ? '*' : writeExpression(argument, nameOf)
  const after = name === 'group_concat' ? `; SEPARATOR=${quotedText(separator)}` : ''
  return `${name.toUpperCase()}(${isDistinct ? 'DISTINCT ' : ''}${value}${after})`
}

const operators = new Set(['||', '&&', '=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/'])
const prefixes: Readonly<Record<string, string>> = {'!': '!', unaryPlus: '+', unaryMinus: '-'}

function writeExpression(expression: Expression, nameOf: NameOf): string {
  switch (expression.type) {
    case 'term':
      return writeTerm(expression.term, nameOf)
    case 'variable':
      return nameOf(expression.name)
    case 'exists':
      return `${expression.isNegated ? 'NOT ' : ''}EXISTS ${group(expression.pattern, nameOf)}`
    case 'function':
      return `<${expression.iri}>(${expression.arguments.map(one => writeExpression(one, nameOf)).join(', ')})`
    case 'call':
      return writeCall(
        expression.name,
        expression.arguments.map(one => writeExpression(one, nameOf)),
      )
  }
}

function writeCall(name: string, args: readonly string[]): string {
  const [left = '', ...others] = args
  if (operators.has(name)) return `(${args.join(` ${name} `)})`
  if (prefixes[name] !== undefined) return `(${prefixes[name]} (${left}))`
  if (name === 'in' || name === 'notIn') return `(${left} ${name === 'in' ? 'IN' : 'NOT IN'} (${others.join(', ')}))`
  return `${name.toUpperCase()}(${args.join(', ')})`
}

function writePath(path: PropertyPath): string {
  switch (path.type) {
    case 'link':
      return `<${path.iri}>`
    case 'inverse':
      return `^(${writePath(path.path)})`
    case 'sequence':
      return `(${writePath(path.left)}/${writePath(path.right)})`
    case 'alternative':
      return `(${path.paths.map(writePath).join('|')})`
    case 'negated': {
      const members = [...path.forward.map(iri => `<${iri}>`), ...path.backward.map(iri => `^<${iri}>`)]
      return `!(${members.join('|')})`
    }
    case 'zeroOrOne':
    case 'zeroOrMore':
    case 'oneOrMore':
      return `(${writePath(path.path)})${signs[path.type]}`
  }
}

/** A term without prefixes; numbers have quotes. */
function writeTerm(term: Term | Variable, nameOf: NameOf): string {
  switch (term.termType) {
    case 'Variable':
      return nameOf(term.value)
    case 'NamedNode':
      return `<${term.value}>`
    case 'BlankNode':
      throw new Error('a blank node of a store has no place in a query')
    case 'Literal': {
      const text = quotedText(term.value)
      if (term.language !== '') return `${text}@${term.language}`
      return term.datatype.value === xsd.string ? text : `${text}^^<${term.datatype.value}>`
    }
  }
}
