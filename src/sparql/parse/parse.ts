/**
 * Parses the text of a query to a syntax tree.
 *
 * Pure. scan.ts prepares the text, grammar.ts parses it to the tree of the library, this file decodes that tree into
 * the types of syntax.ts (plain terms, literals as written, balanced chains of || and &&), and check.ts finds errors
 * that the library accepts.
 * Sources: SPARQL 1.1 §19.8; sparqljs 3.7 for the shape of its tree.
 */
import {excerpt} from '../../base/excerpt.ts'
import {positionAt} from '../../base/position.ts'
import {Problem} from '../../base/problem.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import {type Iri, langLiteral, literal, namedNode} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {checkQuery} from './check.ts'
import {readTree, UnexpectedToken} from './grammar.ts'
import {checkLength, checkPatterns, defaultLimits, type QueryLimits, queryDepthLimit, tooDeep} from './limits.ts'
import {idleIri, type ScannedQuery, scanQuery} from './scan.ts'
import type {ParsedQuery, QuerySyntax} from './syntax.ts'
import {syntaxProblem} from './syntax-problem.ts'
import {endSymbol} from './tokens.ts'

/**
 * Parses a query.
 *
 * @param base  the base IRI: the URL of the request
 * @throws      Problem 400 `query-syntax` with line and column, `query-reads-only`, `query-depth`, those of limits.ts
 */
export function parseQuery(text: string, base: Iri, limits: QueryLimits = defaultLimits): ParsedQuery {
  checkLength(text, limits)
  const scanned = scanQuery(text, base, limits)
  const tree = parseScanned(scanned, text)
  if (isNode(tree) && tree.type === 'update') {
    throw new Problem(400, 'query-reads-only', 'This is an update; queries only read.')
  }
  if (!isNode(tree) || tree.type !== 'query') throw noQuery(text)
  const query = decode(tree, scanned, 0) as QuerySyntax
  checkPatterns(query, limits)
  checkQuery(query)
  return {query, base: scanned.base}
}

/** The Problem for an empty text or a prologue alone, which the parser accepts. */
function noQuery(text: string): Problem {
  return new Problem(400, 'query-syntax', 'There is no query.', {members: positionAt(text, text.length)})
}

function parseScanned(scanned: ScannedQuery, text: string): unknown {
  try {
    return readTree(scanned.text, scanned.base)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    const place = error instanceof UnexpectedToken ? scanned.originOf(error.token.at) : undefined
    const {message, options} = syntaxProblem(sentenceOf(error), text, place, error)
    throw new Problem(400, 'query-syntax', message, options)
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof UnexpectedToken)) return excerpt(error instanceof Error ? error.message : String(error))
  const {token, expected} = error
  const found = token.symbol === endSymbol ? 'end of the query' : `"${excerpt(token.text)}"`
  const hint = expected.length > 0 && expected.length <= 8 ? `, expected ${expected.join(' or ')}` : ''
  return `Unexpected ${found}${hint}`
}

type Node = Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** Copies the tree of the parser with decoded terms. */
function decode(value: unknown, scanned: ScannedQuery, depth: number): unknown {
  if (depth > queryDepthLimit) throw tooDeep()
  if (Array.isArray(value)) return value.filter(item => !isIdle(item)).map(item => decode(item, scanned, depth + 1))
  if (!isNode(value)) return value
  if ('termType' in value) return decodeTerm(value, scanned)
  if (value.operator === '||' || value.operator === '&&') return decodeChain(value, value.operator, scanned, depth)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item, scanned, depth + 1)]))
}

function isIdle(item: unknown): boolean {
  return isNode(item) && isNode(item.predicate) && item.predicate.value === idleIri
}

/** Decodes a || b || … to a balanced tree, so that long generated conditions stay shallow. */
function decodeChain(node: Node, operator: string, scanned: ScannedQuery, depth: number): unknown {
  const operands: unknown[] = []
  let rest: unknown = node
  while (isNode(rest) && rest.operator === operator && Array.isArray(rest.args)) {
    const [left, right] = rest.args as [unknown, unknown]
    operands.push(right)
    rest = left
  }
  const decoded = [...operands, rest].map(operand => decode(operand, scanned, depth + 1)).reverse()
  const balance = (items: readonly unknown[]): unknown => {
    if (items.length === 1) return items[0]
    const middle = items.length >> 1
    return {type: 'operation', operator, args: [balance(items.slice(0, middle)), balance(items.slice(middle))]}
  }
  return balance(decoded)
}

function decodeTerm(term: Node, {languageTags, doubles}: ScannedQuery): unknown {
  const value = String(term.value)
  switch (term.termType) {
    case 'NamedNode':
      return namedNode(checkedIri(value))
    case 'Literal': {
      if (value.includes('\0')) throw unstorable()
      const tag = /^t-(\d+)$/.exec(String(term.language))?.[1]
      if (tag !== undefined) return langLiteral(value, languageTags[Number(tag)] ?? '')
      const datatype = checkedIri((term.datatype as {value: string}).value)
      const double = datatype === xsd.double ? /^(-?)(\d+)e9$/.exec(value) : null
      return literal(double === null ? value : `${double[1]}${doubles[Number(double[2])] ?? value}`, datatype)
    }
    case 'Variable':
    case 'BlankNode':
      return {termType: term.termType, value}
    default:
      return {termType: term.termType}
  }
}

/** Removes the escapes of a local name. A name without a declared namespace fails as an invalid IRI. */
function checkedIri(value: string): Iri {
  const iri = value.replace(/\\(.)/g, '$1')
  if (isAbsoluteIri(iri)) return iri
  throw new Problem(400, 'query-syntax', `<${excerpt(iri)}> is not an IRI.`)
}

function unstorable(): Problem {
  return new Problem(400, 'query-syntax', 'A literal holds the character U+0000, which no stored literal can hold.')
}
