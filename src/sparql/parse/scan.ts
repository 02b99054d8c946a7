/**
 * Rewrites the text of a query so that the parser reads it correctly. Works around defects of sparqljs.
 *
 * Pure. One pass over the tokens:
 *   - code point escapes outside strings become their characters, where such a character is allowed (§19.2)
 *   - relative IRIs become absolute by RFC 3986 and the current BASE, because the parser resolves them differently
 *   - language tags and doubles are replaced by numbered ones, because the parser changes their case
 *   - labels of blank nodes get a prefix, because the parser confuses `_:x` with `_:e_x`
 *   - `[ … ] .` as a statement gets a triple with `idleIri`, because the parser fails without one in a template
 *   - a number with a plus sign in data becomes a literal with quotes, because the parser drops the sign
 *   - a VALUES without rows gets a row of `idleIri`, because the parser loses its variables otherwise
 *   - comments become white space, because the parser recurses for each comment
 *   - a query that is too large is rejected before the parser builds a tree (limits.ts)
 *   - an update is recognised by its first INSERT or DELETE, on which regular expressions of the parser could hang
 */
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {isAbsoluteIri, resolveIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import {checkExpansion, type QueryLimits, queryDepthLimit, tooDeep} from './limits.ts'
import {type DataWatch, isWord, signedNumber, watchData} from './scan-data.ts'
import {codePointEscape, type ScanToken, scanToken, type TokenKind} from './scan-tokens.ts'
import {syntaxProblem} from './syntax-problem.ts'

/** Marks what scanning adds: parse.ts drops triples with this predicate, translate/group.ts rows of VALUES with it. */
export const idleIri = 'urn:x-quadstead:idle'

export type ScannedQuery = {
  readonly text: string
  readonly base: Iri // after the last BASE
  readonly languageTags: readonly string[] // of `@t-<index>`
  readonly doubles: readonly string[] // of `<index>e9`
  /** Maps an offset in the scanned text to the offset in the client's text. Both are in UTF-16 units from 0. */
  readonly originOf: (offset: number) => number
}

const someEscape = new RegExp(codePointEscape, 'g')
const escapeInString = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[\s\S])/g
const allowedInNames = /^[\p{L}\p{N}\p{M}_\-.:%·‿⁀]$/u

/**
 * Prepares a query for the parser.
 *
 * @param base  the base IRI before the first BASE: the URL of the request
 * @throws      Problem 400 `query-syntax`: an IRI or escape that is not allowed at its place, an unterminated string;
 *              400 `query-reads-only`, and those of limits.ts
 */
export function scanQuery(text: string, base: Iri, limits: QueryLimits): ScannedQuery {
  const languageTags: string[] = []
  const doubles: string[] = []
  const output: string[] = []
  const shifts: [offset: number, by: number][] = []
  const names = watchNames(base, limits)
  let lastToken = '{'
  const brackets: boolean[] = [] // for each open `[`: whether it begins a statement
  let depth = 0
  let length = 0

  const rewrite = (kind: TokenKind, token: string, at: number): string => {
    switch (kind) {
      case 'iri': {
        const iri = absoluteIri(unescapeIri(token.slice(1, -1), text, at), names.base(), text, at)
        return `<${names.absolute(iri, lastToken)}>`
      }
      case 'languageTag':
        return `@t-${languageTags.push(token.slice(1)) - 1}`
      case 'double':
        return `${doubles.push(token) - 1}e9`
      case 'blankNode':
        return '_:l'
      case 'blank':
        return token.startsWith('#') ? ' ' : token
      case 'variable':
        return unescapeName(token, text, at)
      case 'name':
        refuseUpdate(token, text, at)
        return names.name(unescapeName(token, text, at), lastToken)
      case 'string':
        return wholeString(token, text, at)
      default:
        return token
    }
  }

  const data = watchData(text, limits)
  for (let at = 0; at < text.length; ) {
    const number = text[at] === '+' && data.isData() ? signedNumber(text, at) : undefined
    const [kind, token]: ScanToken = number === undefined ? scanToken(text, at) : ['number', number.token]
    depth += kind === undefined ? depthOf(token) : 0
    if (depth > queryDepthLimit) throw tooDeep(text, at)
    if (token === '[') brackets.push(/[{}.]$/.test(lastToken))
    const isIdle =
      token === ']' && brackets.pop() === true && lastToken !== '[' && '.}'.includes(nextAfter(text, at + 1))
    const added = isIdle ? ` <${idleIri}> <${idleIri}>` : token === '{' ? idleRow(data, text, at + 1) : ''
    const written = number?.written ?? (kind === undefined ? token + added : rewrite(kind, token, at))
    data.see(kind, token, at)
    output.push(written)
    at += token.length
    length += written.length
    if (written.length !== token.length) shifts.push([length, at])
    if (kind !== 'blank') lastToken = token
  }
  return {text: output.join(''), base: names.base(), languageTags, doubles, originOf: originOf(shifts)}
}

/** The change of nesting depth by a token. */
function depthOf(token: string): number {
  return /^[{([]$/.test(token) ? 1 : /^[})\]]$/.test(token) ? -1 : 0
}

/** The first character from here that is not in white space or a comment; a newline at the end of the text. */
function nextAfter(text: string, at: number): string {
  for (let place = at; place < text.length; ) {
    const [kind, token] = scanToken(text, place)
    if (kind !== 'blank') return token.charAt(0)
    place += token.length
  }
  return '\n'
}

/** A row for a VALUES without rows. The parser would lose its variables otherwise. */
function idleRow(data: DataWatch, text: string, at: number): string {
  const {count, hasRows} = data.opening() ?? {count: 0, hasRows: false}
  if (count === 0 || nextAfter(text, at) !== '}') return ''
  const cells = Array(count).fill(`<${idleIri}>`).join(' ')
  return hasRows ? ` (${cells}) ` : ` ${cells} `
}

type NameWatch = {
  readonly base: () => Iri // the base IRI at this place
  /** Resolves an IRI. The token before it may be BASE, or the prefix that a PREFIX declares. */
  readonly absolute: (iri: Iri, before: string) => Iri
  /** Notes a keyword or a prefixed name, and returns it. */
  readonly name: (name: string, before: string) => string
}

/** Follows BASE and PREFIX, and limits the total length of the IRIs that they expand to. */
function watchNames(requestBase: Iri, limits: QueryLimits): NameWatch {
  const namespaces = new Map<string, number>() // lengths
  let base = requestBase
  let declared: string | undefined // the prefix whose namespace comes next
  let expanded = 0
  const expand = (by: number) => {
    expanded += by
    checkExpansion(expanded, limits)
  }
  return {
    base: () => base,
    absolute(iri, before) {
      if (isWord(before, 'base')) base = iri
      else if (declared !== undefined) namespaces.set(declared, iri.length)
      declared = undefined
      expand(iri.length)
      return iri
    },
    name(name, before) {
      if (isWord(before, 'prefix')) declared = name
      else expand(namespaces.get(name.slice(0, name.indexOf(':') + 1)) ?? 0)
      return name
    },
  }
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

/** Decodes code point escapes of a name. The parser decodes the escapes of local names (`\~`). */
function unescapeName(name: string, text: string, at: number): string {
  if (!name.includes('\\')) return name
  return name.replace(someEscape, sequence => {
    const character = characterOf(sequence)
    if (character !== undefined && allowedInNames.test(character)) return character
    return refuseEscape(sequence, text, at)
  })
}

/**
 * Returns a string unchanged, because the parser decodes its escapes. Rejects half a surrogate pair: UTF-8 would turn
 * it into another character, and PostgreSQL rejects JSON that contains it.
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
