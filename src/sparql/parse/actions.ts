/**
 * Terms, and our actions in place of those of sparqljs that are wrong or that lose what is written.
 *
 * Pure. sparqljs
 *   - resolves relative IRIs otherwise than RFC 3986, and checks no IRI
 *   - changes the case of language tags and doubles, drops the sign of `+1`, and confuses `_:x` with `_:e_x`
 *   - numbers `[]` throughout the process, so that a query differs from itself
 *   - loses the variables of a VALUES without rows, and whether a group of one pattern was a group
 *   - fails on `[ … ] .` in a template
 *   - accepts any number of arguments for REGEX, SUBSTR and REPLACE
 *   - makes a tree as deep as a condition has parts, and checks BIND in quadratic time (check.ts does it)
 *
 * Source: SPARQL 1.1 §4.1 (terms), §19.8; sparqljs 3.7 for the numbers of productions.
 */
import {excerpt} from '../../base/excerpt.ts'
import {isAbsoluteIri, resolveIri} from '../../rdf/iri.ts'
import {escapedCharacters} from '../../rdf/ntriples.ts'
import {type Iri, type Literal, langLiteral, literal, type NamedNode, namedNode} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {checkExpansion, type QueryLimits} from './limits.ts'
import type {BlankTerm, SyntaxExpression, SyntaxGroup, SyntaxTriple, SyntaxValues, VariableTerm} from './syntax.ts'

/** What the prologue declares, and what is counted while a text is read. */
export type Context = {
  base: Iri // the last BASE, or that of the request
  readonly prefixes: Map<string, Iri>
  readonly limits: QueryLimits
  expanded: number // length of all IRIs
  anonymous: number // blank nodes without a label
}

export function createContext(base: Iri, limits: QueryLimits): Context {
  return {base, prefixes: new Map(), limits, expanded: 0, anonymous: 0}
}

const variable = (value: string): VariableTerm => ({termType: 'Variable', value})
const blank = (value: string): BlankTerm => ({termType: 'BlankNode', value})

/** Makes terms for the actions of sparqljs. */
export function termFactory(context: Context): object {
  return {
    namedNode,
    variable,
    blankNode: () => anonymous(context),
    literal: (value: string, datatype?: NamedNode) => literal(value, datatype?.value),
  }
}

/** A blank node that no label names: labels do not begin with a point. */
function anonymous(context: Context): BlankTerm {
  context.anonymous += 1
  return blank(`.${context.anonymous}`)
}

/** The value of a production from those of its symbols; that of a terminal is its text. */
export type Action = (context: Context, ...values: never[]) => unknown

/** By the numbers and the left side of their productions. */
export const actions: Readonly<Record<string, Action>> = {
  '4 BaseDecl': (context, _base, reference: string) => {
    context.base = iriOf(context, reference)
  },
  '5 PrefixDecl': (context, _prefix, name: string, reference: string) => {
    context.prefixes.set(name, iriOf(context, reference))
  },
  '211 iri': (context, reference: string) => namedNode(iriOf(context, reference)),
  '213 214 PrefixedName': prefixedName,
  '215 BlankNode': (_, label: string) => blank(label.slice(2)),
  '216 BlankNode': anonymous,

  '207 208 String': (_, token: string) => unquoted(token.slice(1, -1)),
  '209 210 String': (_, token: string) => unquoted(token.slice(3, -3)),
  '193 Literal': (_, value: string, tag: string) => langLiteral(value, tag.slice(1)),
  '195 196 197 Literal': number,
  '201 202 203 NumericLiteralPositive': number,
  '204 205 206 NumericLiteralNegative': number,

  '151 ConditionalOrExpression': condition,
  '153 ConditionalAndExpression': condition,
  '160 161 AdditiveExpressionTail': signedTerm,
  '183 BuiltInCall': (_, name: string, operands: readonly SyntaxExpression[]) => {
    const [least, most] = operandCounts[name.toUpperCase()] ?? [0, Number.POSITIVE_INFINITY]
    if (operands.length >= least && operands.length <= most) return operation(name.toLowerCase(), operands)
    throw new Error(`${name} has ${least} to ${most} arguments, got ${operands.length}`)
  },
  '187 BuiltInCall': (_, not: string | undefined, _exists, group: SyntaxGroup) =>
    operation(not === undefined ? 'exists' : 'notexists', [group]),

  '70 GroupGraphPattern': (_, _open, patterns: SyntaxGroup['patterns']): SyntaxGroup => ({type: 'group', patterns}),
  '91 GroupOrUnionGraphPattern': (_, others: readonly SyntaxGroup[], last: SyntaxGroup) =>
    others.length === 0 ? last : {type: 'union', patterns: [...others, last]},
  '104 PropertyList': (_, triples: readonly SyntaxTriple[] = []) => triples,
  '40 InlineData': valuesOfOne,
  '84 InlineDataOneVar': valuesOfOne,
  '41 InlineData': valuesOfNone,
  '85 InlineDataFull': valuesOfNone,
  '42 InlineData': valuesOfMany,
  '86 InlineDataFull': valuesOfMany,
}

/** The functions of a list of arguments; COALESCE and CONCAT may have any number. */
const operandCounts: Readonly<Record<string, readonly [least: number, most: number]>> = {
  REGEX: [2, 3],
  SUBSTR: [2, 3],
  REPLACE: [3, 4],
}

function iriOf(context: Context, token: string): Iri {
  const reference = token.slice(1, -1)
  // An absolute IRI stays as written: IRIs are compared character by character (RDF 1.1 Concepts §3.2).
  return checkedIri(context, isAbsoluteIri(reference) ? reference : resolveIri(reference, context.base), reference)
}

function prefixedName(context: Context, name: string): NamedNode {
  const colon = name.indexOf(':') + 1
  const namespace = context.prefixes.get(name.slice(0, colon))
  if (namespace === undefined) throw new Error(`The prefix ${excerpt(name.slice(0, colon))} is not declared`)
  const iri = namespace + name.slice(colon).replace(/\\(.)/g, '$1')
  return namedNode(checkedIri(context, iri, iri))
}

function checkedIri(context: Context, iri: Iri, written: string): Iri {
  context.expanded += iri.length
  checkExpansion(context.expanded, context.limits)
  if (isAbsoluteIri(iri)) return iri
  throw new Error(`<${excerpt(written)}> is not an IRI`)
}

const escapeInString = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([\s\S]))/g

/** Decodes a string. Half a surrogate pair or U+0000 is refused, because PostgreSQL cannot receive it. */
function unquoted(string: string): string {
  const plain = string.includes('\\') ? string.replace(escapeInString, characterOf) : string
  if (/\p{Surrogate}/u.test(plain)) throw new Error('An escape in the string gives half a surrogate pair')
  if (plain.includes('\0')) throw new Error('A query cannot contain the character U+0000 in a literal')
  return plain
}

function characterOf(sequence: string, four?: string, eight?: string, letter = ''): string {
  const hexadecimal = four ?? eight
  const code = hexadecimal === undefined ? undefined : Number.parseInt(hexadecimal, 16)
  const character =
    code === undefined ? escapedCharacters[letter] : code > 0x10ffff ? undefined : String.fromCodePoint(code)
  if (character === undefined)
    throw new Error(`The string has the escape ${excerpt(sequence)}, which gives no character`)
  return character
}

function number(_: Context, token: string): Literal {
  if (/e/i.test(token)) return literal(token, xsd.double)
  return literal(token, token.includes('.') ? xsd.decimal : xsd.integer)
}

type Tail = readonly (readonly [operator: string, operand: SyntaxExpression])[]

function operation(operator: string, args: readonly unknown[]) {
  return {type: 'operation', operator, args} as SyntaxExpression
}

/** A chain of || or && as a balanced tree, so that long generated conditions stay shallow. */
function condition(_: Context, first: SyntaxExpression, tail: Tail): SyntaxExpression {
  const operator = tail[0]?.[0] ?? ''
  const balance = (operands: readonly SyntaxExpression[]): SyntaxExpression => {
    const [one, second] = operands
    if (one !== undefined && second === undefined) return one
    const middle = operands.length >> 1
    return operation(operator, [balance(operands.slice(0, middle)), balance(operands.slice(middle))])
  }
  return balance([first, ...tail.map(([, operand]) => operand)])
}

/** In `?a -1 * 2` the sign is an operator, though it is part of the terminal. */
function signedTerm(_: Context, {value, datatype}: Literal, factors: Tail): Tail[number] {
  const unsigned: SyntaxExpression = literal(value.slice(1), datatype.value)
  const product = (left: SyntaxExpression, [operator, right]: Tail[number]) => operation(operator, [left, right])
  return [value.charAt(0), factors.reduce(product, unsigned)]
}

type Cell = SyntaxValues['rows'][number][number]

function valuesOfOne(_: Context, name: string, _open: string, cells: readonly Cell[]): SyntaxValues {
  return {variables: [name.slice(1)], rows: cells.map(cell => [cell])}
}

function valuesOfNone(_: Context, _nil: string, _open: string, rows: readonly unknown[]): SyntaxValues {
  return {variables: [], rows: rows.map(() => [])}
}

function valuesOfMany(_: Context, _left: string, names: readonly string[], ...rest: readonly unknown[]): SyntaxValues {
  const rows = rest[2] as SyntaxValues['rows']
  const odd = rows.find(({length}) => length !== names.length)
  if (odd !== undefined) throw new Error(`VALUES has ${names.length} variables, but a row of ${odd.length} terms`)
  return {variables: names.map(name => name.slice(1)), rows}
}
