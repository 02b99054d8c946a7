/**
 * Shows algebra to people as s-expressions: one operator per line, its operands below it.
 *
 * Pure. Operators and functions have the names of algebra.ts. Terms are written as in Turtle without prefixes.
 * Variables that translation adds begin with "?." or "?_:".
 */
import type {Literal, Term} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import type {Aggregate, Algebra, Expression, OrderKey, PropertyPath, Variable} from '../algebra.ts'

/** The text of a node: `(filter (< ?price 10)` and its operands. Each level is indented by two spaces. */
export function showAlgebra(node: Algebra): string {
  return linesOf(node, '').join('\n')
}

/** The lines of a node. The last line has all closing brackets. */
function linesOf(node: Algebra, indent: string): string[] {
  const inner = `${indent}  `
  const below = (head: string, operands: readonly Algebra[], extra: readonly string[] = []) => [
    `${indent}(${head}`,
    ...closed([...operands.flatMap(operand => linesOf(operand, inner)), ...extra.map(text => inner + text)]),
  ]
  switch (node.type) {
    case 'bgp':
      if (node.patterns.length === 0) return [`${indent}(unit)`]
      return below(
        'bgp',
        [],
        node.patterns.map(({subject, predicate, object}) =>
          list('triple', ...[subject, predicate, object].map(showTerm)),
        ),
      )
    case 'join':
    case 'minus':
      return below(node.type, [node.left, node.right])
    case 'leftJoin':
      return below(node.type, [node.left, node.right], node.condition === undefined ? [] : [show(node.condition)])
    case 'filter':
      return below(`filter ${show(node.condition)}`, [node.input])
    case 'union':
      return below('union', node.inputs)
    case 'graph':
      return below(`graph ${showTerm(node.name)}`, [node.input])
    case 'extend':
      return below(`extend (${list(`?${node.variable}`, show(node.expression))})`, [node.input])
    case 'values': {
      const cells = (row: readonly (Term | undefined)[]) =>
        row.map(term => (term === undefined ? 'undef' : showTerm(term)))
      return below(
        `values ${names(node.variables)}`,
        [],
        node.rows.map(row => list('row', ...cells(row))),
      )
    }
    case 'group': {
      const keys = node.keys.map(showGroupKey)
      const made = node.aggregates.map(({variable, aggregate}) => list(`?${variable}`, showAggregate(aggregate)))
      return below(`group (${keys.join(' ')}) (${made.join(' ')})`, [node.input])
    }
    case 'orderBy':
      return below(`orderBy (${node.keys.map(showKey).join(' ')})`, [node.input])
    case 'project':
      return below(`project ${names(node.variables)}`, [node.input])
    case 'distinct':
    case 'reduced':
      return below(node.type, [node.input])
    case 'slice':
      return below(`slice ${node.offset} ${node.limit ?? '_'}`, [node.input])
    case 'path':
    case 'search':
    case 'table':
      return [indent + showLeaf(node)]
    case 'service':
      return below(`service ${node.isSilent ? 'silent ' : ''}${showTerm(node.name)}`, [node.input])
  }
}

function showLeaf(node: Extract<Algebra, {type: 'path' | 'search' | 'table'}>): string {
  if (node.type === 'path') return list('path', showTerm(node.subject), showPath(node.path), showTerm(node.object))
  if (node.type === 'table')
    return list('table', names(node.columns.map(({variable}) => variable)), String(node.rowCount))
  const {literal, score, words, range} = node
  return list('search', `?${literal}`, `?${score}`, JSON.stringify(words), range ?? '_')
}

function closed(lines: readonly string[]): string[] {
  return [...lines.slice(0, -1), `${lines.at(-1)})`]
}

function list(...items: readonly string[]): string {
  return `(${items.join(' ')})`
}

function names(variables: readonly string[]): string {
  return `(${variables.map(name => `?${name}`).join(' ')})`
}

function showGroupKey({variable, expression}: {readonly variable: string; readonly expression: Expression}): string {
  const text = show(expression)
  return text === `?${variable}` ? text : list(`?${variable}`, text)
}

function showKey({expression, isDescending}: OrderKey): string {
  return list(isDescending ? 'desc' : 'asc', show(expression))
}

function show(expression: Expression): string {
  switch (expression.type) {
    case 'term':
      return showTerm(expression.term)
    case 'variable':
      return `?${expression.name}`
    case 'call':
      return list(expression.name, ...expression.arguments.map(show))
    case 'function':
      return list(iri(expression.iri), ...expression.arguments.map(show))
    case 'exists':
      return list(expression.isNegated ? 'notExists' : 'exists', linesOf(expression.pattern, '').map(oneLine).join(' '))
  }
}

function oneLine(line: string): string {
  return line.trimStart()
}

function showAggregate({name, isDistinct, argument, separator}: Aggregate): string {
  const rest = name === 'group_concat' && separator !== ' ' ? [`(separator ${JSON.stringify(separator)})`] : []
  return list(name, ...(isDistinct ? ['distinct'] : []), argument === undefined ? '*' : show(argument), ...rest)
}

function showPath(path: PropertyPath): string {
  switch (path.type) {
    case 'link':
      return iri(path.iri)
    case 'inverse':
      return list('inverse', showPath(path.path))
    case 'sequence':
      return list('sequence', showPath(path.left), showPath(path.right))
    case 'alternative':
      return list('alternative', ...path.paths.map(showPath))
    case 'zeroOrOne':
    case 'zeroOrMore':
    case 'oneOrMore':
      return list(path.type, showPath(path.path))
    case 'negated':
      return list('negated', ...path.forward.map(iri), ...path.backward.map(backward => list('inverse', iri(backward))))
  }
}

/** A term in Turtle without prefixes. Numbers and booleans have no quotes. */
export function showTerm(term: Term | Variable): string {
  switch (term.termType) {
    case 'Variable':
      return `?${term.value}`
    case 'NamedNode':
      return iri(term.value)
    case 'BlankNode':
      return `_:${term.value}`
    case 'Literal':
      return showLiteral(term)
  }
}

const bareForms: ReadonlyMap<string, RegExp> = new Map([
  [xsd.integer, /^[+-]?\d+$/],
  [xsd.decimal, /^[+-]?\d*\.\d+$/],
  [xsd.double, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/],
  [xsd.boolean, /^(?:true|false)$/],
])

function showLiteral({value, datatype, language}: Literal): string {
  if (bareForms.get(datatype.value)?.test(value)) return value
  const quoted = JSON.stringify(value)
  if (language !== '') return `${quoted}@${language}`
  return datatype.value === xsd.string ? quoted : `${quoted}^^${iri(datatype.value)}`
}

function iri(value: string): string {
  return `<${value}>`
}
