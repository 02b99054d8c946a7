/**
 * RDF terms in the browser, in the syntax that N-Triples, TSV results and LD Patch share.
 *
 * Pure. Sources: N-Triples §7; SPARQL 1.1 Query Results CSV and TSV Formats §4.
 *
 * @typedef {{kind: 'iri', value: string}} IriTerm
 * @typedef {{kind: 'blank', value: string}} BlankTerm
 * @typedef {{kind: 'literal', value: string, language: string, datatype: string}} LiteralTerm
 * @typedef {IriTerm | BlankTerm | LiteralTerm} Term
 */

export const xsd = 'http://www.w3.org/2001/XMLSchema#'
const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

const shortEscapes = {t: '\t', b: '\b', n: '\n', r: '\r', f: '\f', '"': '"', "'": "'", '\\': '\\'}
const term =
  /\s*(?:<([^>]*)>|_:([^\s<>"]+?)(?=[\s<"]|\.?$|\.\s)|"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?|([+-]?[0-9.][0-9.eE+-]*))/y

/**
 * Terms of a line of N-Triples or N-Quads.
 *
 * @param {string} line
 * @returns {Term[]}
 */
export function readLine(line) {
  /** @type {Term[]} */
  const terms = []
  term.lastIndex = 0
  for (let found = term.exec(line); found !== null; found = term.exec(line)) {
    if (found[6] === '.') break
    terms.push(termOf(found))
  }
  return terms
}

/**
 * A cell of TSV results; undefined when it is unbound.
 *
 * @param {string} cell
 * @returns {Term | undefined}
 */
export function readCell(cell) {
  return readLine(cell)[0]
}

/**
 * @param {RegExpExecArray} found
 * @returns {Term}
 */
function termOf([, iri, label, text, language, datatype, number]) {
  if (iri !== undefined) return {kind: 'iri', value: readEscapes(iri)}
  if (label !== undefined) return {kind: 'blank', value: label}
  if (number !== undefined) return {kind: 'literal', value: number, language: '', datatype: numberType(number)}
  const type = datatype === undefined ? `${xsd}string` : readEscapes(datatype)
  return {kind: 'literal', value: readEscapes(text ?? ''), language: language ?? '', datatype: type}
}

/** @param {string} text */
function numberType(text) {
  return xsd + (/e/i.test(text) ? 'double' : text.includes('.') ? 'decimal' : 'integer')
}

/** @param {string} text */
function readEscapes(text) {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_, short, long, letter) => {
    if (letter !== undefined) return shortEscapes[/** @type {keyof typeof shortEscapes} */ (letter)] ?? letter
    return String.fromCodePoint(Number.parseInt(short ?? long, 16))
  })
}

/** @param {string} iri */
export function writeIri(iri) {
  return `<${iri.replace(/[\u0000-\u0020<>"{}|\\^`]/g, escapeUnit)}>`
}

/** @param {string} text */
export function writeText(text) {
  return `"${text.replace(/["\\\u0000-\u001F\u007F]/g, unit => (unit === '"' || unit === '\\' ? `\\${unit}` : escapeUnit(unit)))}"`
}

/** @param {string} unit */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Schemes that are taken for an IRI without angle brackets. Anything else before a colon is a prefix. */
const schemes = new Set('http https mailto urn tel data did doi info ftp file geo tag ws wss ni xmpp sip'.split(' '))

/**
 * Reads a name that somebody wrote: `<iri>`, `prefix:local`, `a` or the IRI itself.
 *
 * @param {string} written
 * @param {Readonly<Record<string, string>>} prefixes
 * @param {string} base  against which paths are resolved
 */
export function readName(written, prefixes, base) {
  const name = written.trim()
  if (name === '') throw new Error('A name is missing.')
  if (name === 'a') return rdfType
  const bracketed = /^<(.*)>$/.exec(name)?.[1]
  if (bracketed !== undefined) return checkedIri(bracketed, base)
  const colon = name.indexOf(':')
  const namespace = colon === -1 ? undefined : prefixes[name.slice(0, colon)]
  if (namespace !== undefined && !name.startsWith('//', colon + 1)) return namespace + name.slice(colon + 1)
  const prefix = /^([\w.-]*):(?!\/\/)/.exec(name)?.[1]
  if (prefix !== undefined && !schemes.has(prefix.toLowerCase()))
    throw new Error(`No prefix "${prefix}" is known: write a whole IRI, or <${name}> if "${prefix}" is its scheme.`)
  return checkedIri(name, base)
}

/**
 * @param {string} iri
 * @param {string} base
 */
function checkedIri(iri, base) {
  const isRelative = !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri)
  if (isRelative && !iri.startsWith('/') && !iri.startsWith('#'))
    throw new Error(`"${iri}" is no name: write prefix:name, a path or a whole IRI.`)
  const absolute = isRelative ? new URL(iri, base).href : iri
  if (/[\s<>"{}|\\^`]/.test(absolute)) throw new Error(`"${iri}" has a character that no IRI may have.`)
  return absolute
}
