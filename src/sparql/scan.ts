/**
 * Query text to the text that the parser reads: everything it would get wrong is put into a form that it gets right.
 *
 * Floor 2. Pure. One walk over the tokens:
 *   - code point escapes outside strings become their characters (§19.2), where such a character may stand
 *   - relative IRIs become absolute by RFC 3986, following each BASE (the parser resolves them by rules of its own)
 *   - language tags and doubles become numbered ones, as the parser changes their case: `lexicalForms` gives them back
 *   - labels of blank nodes are prefixed, as the parser mixes `_:x` up with `_:e_x`
 *   - `[ … ] .` in place of a triple gets a triple of its own (`idleIri`), without which the parser fails in a template
 *   - a number with a plus, where it is data, becomes a literal with quotes, as the parser drops the sign
 *   - a VALUES without rows gets one of `idleIri`, as the parser forgets its variables otherwise
 *   - comments become blanks, as the parser calls itself for each
 *   - a query whose brackets nest too deeply is refused: the parser's time grows with the square of the depth
 *   - a query that is an update is told by its first INSERT or DELETE, on which the parser's own expressions could hang
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri, resolveIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {queryDepthLimit, tooDeep} from './limits.ts'
import {type DataWatch, signedNumber, watchData} from './scan-data.ts'
import {syntaxProblem} from './syntax-problem.ts'

/** Predicate of triples that scanning adds; they mean nothing and are to be dropped. */
export const idleIri = 'urn:x-quadstead:idle'

export type ScannedQuery = {
  readonly text: string
  readonly base: Iri // after the last BASE
  readonly languageTags: readonly string[] // of `@t-<index>`
  readonly doubles: readonly string[] // of `<index>e9`
  /** The place in the client's text of a place in ours; both in UTF-16 units from 0. */
  readonly originOf: (offset: number) => number
}

const codePointEscape = String.raw`\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`
const nameCharacter =
  '[\\w\\-\\u00B7\\u00C0-\\u1FFF\\u200C\\u200D\\u203F\\u2040\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uFFFD]'
const localEscape = String.raw`\\[_~.\-!$&'()*+,;=/?#@%]`

const strings = [
  String.raw`"""(?:"{0,2}(?:[^"\\]|\\[\s\S]))*"""`,
  String.raw`'''(?:'{0,2}(?:[^'\\]|\\[\s\S]))*'''`,
  String.raw`"(?:[^"\\\r\n]|\\.)*"`,
  String.raw`'(?:[^'\\\r\n]|\\.)*'`,
]

const tokens = {
  blank: /(?:[ \t\r\n]+|#[^\r\n]*)+/y,
  string: new RegExp(strings.join('|'), 'y'),
  iri: new RegExp(String.raw`<(?:[^<>"{}|^\x60\\\x00-\x20]|${codePointEscape})*>`, 'y'),
  languageTag: /@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*/y,
  blankNode: /_:/y,
  variable: new RegExp(`[?$](?:${nameCharacter}|${codePointEscape})+`, 'y'),
  double: /(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+/y,
  number: /[0-9]+/y,
  name: new RegExp(`(?![-.0-9])(?:${nameCharacter}|[.:%]|${localEscape}|${codePointEscape})+`, 'y'),
} as const
type TokenKind = keyof typeof tokens
const tokenKinds = Object.keys(tokens) as TokenKind[]

const someEscape = new RegExp(codePointEscape, 'g')
const escapeInString = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[\s\S])/g
const allowedInNames = /^[\p{L}\p{N}\p{M}_\-.:%·‿⁀]$/u

/**
 * Prepares a query for the parser.
 *
 * @param base  what relative IRIs resolve against until the first BASE: the request's URL
 * @throws      Problem 400 `query-syntax`: an IRI or escape that cannot stand where it does; 400 `query-reads-only`,
 *              `query-depth`
 */
export function scanQuery(text: string, base: Iri): ScannedQuery {
  const languageTags: string[] = []
  const doubles: string[] = []
  const output: string[] = []
  const shifts: [offset: number, by: number][] = []
  let currentBase = base
  let lastToken = '{'
  const brackets: boolean[] = [] // of each open `[`: whether it begins a statement
  let depth = 0
  let length = 0

  const rewrite = (kind: TokenKind, token: string, at: number): string => {
    switch (kind) {
      case 'iri': {
        const iri = absoluteIri(unescapeIri(token.slice(1, -1), text, at), currentBase, text, at)
        if (lastToken.toLowerCase() === 'base') currentBase = iri
        return `<${iri}>`
      }
      case 'languageTag':
        return `@t-${languageTags.push(token.slice(1)) - 1}`
      case 'double':
        return `${doubles.push(token) - 1}e9`
      case 'blankNode':
        return '_:l'
      case 'blank':
        return token.includes('#') ? '\n' : token
      case 'variable':
      case 'name':
        return token.includes('\\') ? unescapeName(token, text, at) : token
      case 'string':
        return wholeString(token, text, at)
      default:
        return token
    }
  }

  const data = watchData()
  for (let at = 0; at < text.length; ) {
    const number = text.charAt(at) === '+' && data.isData() ? signedNumber(text, at) : undefined
    const [kind, token] = number === undefined ? nextToken(text, at) : [undefined, number.token]
    if (kind === 'name') refuseUpdate(token, text, at)
    depth += depthOf(token)
    if (depth > queryDepthLimit) throw tooDeep()
    if (token === '[') brackets.push(/[{}.]$/.test(lastToken))
    const isIdle =
      token === ']' && brackets.pop() === true && lastToken !== '[' && /^(?:\s|#[^\r\n]*)*[.}]/.test(text.slice(at + 1))
    const added = isIdle ? ` <${idleIri}> <${idleIri}>` : token === '{' ? idleRow(data, text.slice(at + 1)) : ''
    const written = number?.written ?? (kind === undefined ? token + added : rewrite(kind, token, at))
    data.see(kind, token)
    output.push(written)
    at += token.length
    length += written.length
    if (written.length !== token.length) shifts.push([length, at])
    if (kind !== 'blank') lastToken = token
  }
  return {text: output.join(''), base: currentBase, languageTags, doubles, originOf: originOf(shifts)}
}

/** What a token adds to the nesting. */
function depthOf(token: string): number {
  return /^[{([]$/.test(token) ? 1 : /^[})\]]$/.test(token) ? -1 : 0
}

/** A row for a VALUES that has none, without which the parser forgets the variables. */
function idleRow(data: DataWatch, rest: string): string {
  const {count, hasRows} = data.opening() ?? {count: 0, hasRows: false}
  if (count === 0 || !/^(?:\s|#[^\r\n]*)*\}/.test(rest)) return ''
  const cells = Array(count).fill(`<${idleIri}>`).join(' ')
  return hasRows ? ` (${cells}) ` : ` ${cells} `
}

function nextToken(text: string, at: number): [kind: TokenKind | undefined, token: string] {
  for (const kind of tokenKinds) {
    const pattern = tokens[kind]
    pattern.lastIndex = at
    const token = pattern.exec(text)?.[0]
    if (token !== undefined) return [kind, token]
  }
  return [undefined, text.charAt(at)]
}

function originOf(shifts: readonly (readonly [offset: number, origin: number])[]): (offset: number) => number {
  return offset => {
    const last = shifts.findLast(([place]) => place <= offset)
    return last === undefined ? offset : last[1] + offset - last[0]
  }
}

function refuseUpdate(word: string, text: string, at: number): void {
  if (!/^(?:insert|delete)$/i.test(word)) return
  const {message, options} = syntaxProblem(`This is an update (${word}); queries only read`, text, at)
  throw new Problem(400, 'query-reads-only', message, options)
}

function absoluteIri(reference: string, base: Iri, text: string, at: number): Iri {
  // An absolute IRI stays as written: IRIs are compared character by character (RDF 1.1 Concepts §3.2).
  const iri = isAbsoluteIri(reference) ? reference : resolveIri(reference, base)
  if (isAbsoluteIri(iri)) return iri
  const {message, options} = syntaxProblem(`<${excerpt(reference)}> is not an IRI`, text, at)
  throw new Problem(400, 'query-syntax', message, options)
}

function unescapeIri(iri: string, text: string, at: number): string {
  if (!iri.includes('\\')) return iri
  return iri.replace(someEscape, sequence => {
    const character = characterOf(sequence)
    if (character !== undefined && !/[<>"{}|^`\\\x00-\x20]/.test(character)) return character
    return refuseEscape(sequence, text, at)
  })
}

/** A local name's own escapes (`\~`) are the parser's to read. */
function unescapeName(name: string, text: string, at: number): string {
  return name.replace(someEscape, sequence => {
    const character = characterOf(sequence)
    if (character !== undefined && allowedInNames.test(character)) return character
    return refuseEscape(sequence, text, at)
  })
}

/**
 * A string whose escapes are the parser's to read, unless they give half a surrogate pair: it would come back from
 * UTF-8 as another character, and PostgreSQL takes no JSON that holds it.
 */
function wholeString(token: string, text: string, at: number): string {
  if (!/\\u/i.test(token)) return token
  const plain = token.replace(escapeInString, (_, four?: string, eight?: string) =>
    String.fromCodePoint(Math.min(Number.parseInt(four ?? eight ?? '20', 16), 0x10ffff)),
  )
  if (!/\p{Surrogate}/u.test(plain)) return token
  const {message, options} = syntaxProblem('An escape in the string gives half a surrogate pair', text, at)
  throw new Problem(400, 'query-syntax', message, options)
}

function characterOf(sequence: string): string | undefined {
  const codePoint = Number.parseInt(sequence.slice(2), 16)
  const isCharacter = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : undefined
}

function refuseEscape(sequence: string, text: string, at: number): never {
  const {message, options} = syntaxProblem(`The escape ${sequence} gives a character that cannot stand here`, text, at)
  throw new Problem(400, 'query-syntax', message, options)
}
