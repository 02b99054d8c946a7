/**
 * N-Quads and N-Triples statements in their usual form, read quickly by one regular expression.
 *
 * Pure. A line that `statement` matches is valid, except perhaps inside a term, which `termOf` checks. All other lines
 * (comments, empty lines, unusual spaces and labels, errors) are for the strict reader in n3-read.ts, one at a time.
 * A token is a term as written: `<iri>`, `_:label`, `"text"`, `"text"@tag`, `"text"^^<iri>`.
 * Sources: N-Quads §4 and §5; N-Triples §7.
 */
import {isAbsoluteIri} from '../rdf/iri.ts'
import {escapedCharacters} from '../rdf/ntriples.ts'
import {blankNode, type Iri, langLiteral, literal, namedNode, type Term} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'
import {isLanguageTag} from './body-terms.ts'

const iri = String.raw`<[^\u0000-\u0020<>"{}|^${'`'}\\]*>`
const label = '_:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?'
const text = String.raw`"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"`
const suffix = String.raw`@[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\^\^${iri}`

/** One line, starting at `lastIndex`. Groups: the tokens of subject, predicate, object and, if there is one, graph. */
export const statement = new RegExp(
  `(${iri}|${label}) (${iri}) (${iri}|${label}|${text}(?:${suffix})?)(?: (${iri}|${label}))? ?\\.\\r?\\n`,
  'y',
)

const escapes = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([tbnrf"'\\]))|\\/g
const half = /\p{Surrogate}/u

/** The term of a token that `statement` matched; undefined if it is invalid. The strict reader then gives the error. */
export function termOf(token: string): Term | undefined {
  if (token.startsWith('<')) return iriOf(token)
  if (token.startsWith('_')) return blankNode(token.slice(2))
  const end = token.lastIndexOf('"')
  const value = textOf(token.slice(1, end))
  if (value === undefined) return undefined
  if (end === token.length - 1) return literal(value)
  if (token.charAt(end + 1) === '@') {
    const tag = token.slice(end + 2)
    return isLanguageTag(tag) ? langLiteral(value, tag) : undefined
  }
  const datatype: Iri = token.slice(end + 4, -1)
  return isAbsoluteIri(datatype) && datatype !== rdf.langString ? literal(value, datatype) : undefined
}

function iriOf(token: string): Term | undefined {
  const value = token.slice(1, -1)
  return isAbsoluteIri(value) ? namedNode(value) : undefined
}

function textOf(written: string): string | undefined {
  if (!written.includes('\\')) return written
  let isSound = true
  const value = written.replace(escapes, (whole, short?: string, long?: string, name?: string) => {
    if (name !== undefined) return escapedCharacters[name] ?? ''
    const code = Number.parseInt(short ?? long ?? '', 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    isSound = false
    return whole
  })
  return isSound && !half.test(value) ? value : undefined
}
