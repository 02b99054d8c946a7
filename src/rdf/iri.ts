/**
 * Syntax of IRIs, resolution of references (RFC 3986), and a document's place in the tree by its path.
 *
 * Pure. The IRI of a document ends with '/', and its parent's IRI is one path segment shorter (decision 0009).
 * Sources: RFC 3986 §5.2; RFC 3987 §2.2; Turtle §6.4 (IRIREF).
 */
import type {Iri} from './term.ts'

/** Characters not allowed in an IRI in any syntax: controls, space, < > " { } | \ ^ ` and lone surrogates (IRIREF). */
const forbidden = /[\u0000-\u0020<>"{}|\\^`]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/
const components = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const port = /^(?:[^@]*@)?(?:\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[^[\]]+\]|[^[\]:]*)(?::\d*)?$/

/** Whether the text is an absolute IRI (one with a scheme) that every RDF syntax can write. */
export function isAbsoluteIri(text: string): boolean {
  if (forbidden.test(text)) return false
  const [, scheme, authority] = components.exec(text) ?? []
  return scheme !== undefined && (authority === undefined || port.test(authority))
}

/** Resolves a reference against an absolute base, exactly as RFC 3986 §5.2.2. */
export function resolveIri(reference: string, base: Iri): Iri {
  const [, scheme, authority, path = '', query, fragment] = components.exec(reference) ?? []
  if (scheme !== undefined) return compose(scheme, authority, removeDotSegments(path), query, fragment)
  const [, baseScheme = '', baseAuthority, basePath = '', baseQuery] = components.exec(base) ?? []
  if (authority !== undefined) return compose(baseScheme, authority, removeDotSegments(path), query, fragment)
  if (path === '') return compose(baseScheme, baseAuthority, basePath, query ?? baseQuery, fragment)
  const merged = path.startsWith('/') ? path : mergePaths(basePath, path, baseAuthority !== undefined)
  return compose(baseScheme, baseAuthority, removeDotSegments(merged), query, fragment)
}

function compose(scheme: string, authority?: string, path = '', query?: string, fragment?: string): Iri {
  return (
    `${scheme}:` +
    (authority === undefined ? '' : `//${authority}`) +
    path +
    (query === undefined ? '' : `?${query}`) +
    (fragment === undefined ? '' : `#${fragment}`)
  )
}

/** RFC 3986 §5.2.3. */
function mergePaths(basePath: string, path: string, hasAuthority: boolean): string {
  if (hasAuthority && basePath === '') return `/${path}`
  return basePath.slice(0, basePath.lastIndexOf('/') + 1) + path
}

/** RFC 3986 §5.2.4, on segments. A path without a leading slash (urn:a/../b) does not gain one. */
function removeDotSegments(path: string): string {
  if (!/(^|\/)\.{1,2}(\/|$)/.test(path)) return path
  const isRooted = path.startsWith('/')
  const kept: string[] = []
  const segments = (isRooted ? path.slice(1) : path).split('/')
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '..') kept.pop()
    if (segment !== '..' && segment !== '.') kept.push(segment)
    else if (isLast) kept.push('')
  }
  return (isRooted ? '/' : '') + kept.join('/')
}

/**
 * The IRI of the document that contains this one.
 *
 * @param iri   of a document: ends with '/'
 * @param base  of the root document
 * @returns     undefined for the root and for an IRI that is not below it
 */
export function parentOf(iri: Iri, base: Iri): Iri | undefined {
  if (!isUnder(iri, base) || iri === base) return undefined
  return iri.slice(0, iri.lastIndexOf('/', iri.length - 2) + 1)
}

/** Whether an IRI is the base itself or below it. */
export function isUnder(iri: Iri, base: Iri): boolean {
  return iri.startsWith(base)
}
