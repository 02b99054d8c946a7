/**
 * Turns IRIs into links.
 *
 * Pure. Links to documents of the service are paths, so that pages work under any host name. Of other IRIs, only http,
 * https and mailto IRIs become links to their sites. IRIs of other schemes, such as `javascript:`, do not.
 */
import {isAbsoluteIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'

export type PageLink = {readonly href: string; readonly isExternal: boolean}

const followed = /^(?:https?:\/\/|mailto:)/i
const origin = /^https?:\/\/[^/]*/i

/** @returns undefined if the IRI must not become a link */
export function linkTo(iri: Iri, base: Iri): PageLink | undefined {
  if (!isAbsoluteIri(iri)) return undefined
  if (iri.startsWith(base)) return {href: localPath(iri), isExternal: false}
  return followed.test(iri) ? {href: iri, isExternal: true} : undefined
}

/** @returns  path, query and fragment of an IRI under the base; the whole IRI if its path begins with `//` */
export function localPath(iri: Iri): string {
  const path = iri.replace(origin, '')
  return path.startsWith('//') ? iri : path
}

/** The path of the page about any IRI: what is said about it, and who mentions it. */
export function describePath(iri: Iri, base: Iri): string {
  return `${localPath(base)}describe?${new URLSearchParams({iri})}`
}

/** The path of a view of a document, such as `/books/?view=edit`. */
export function viewPath(iri: Iri, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? localPath(iri) : `${localPath(iri)}?${query}`
}

/** The path of the page about the grants of a document. */
export function accessPath(base: Iri, document: Iri): string {
  return `${localPath(base)}.system/access?${new URLSearchParams({document})}`
}
