/**
 * IRIs to what a browser may follow.
 *
 * Floor 5. Pure. Only http, https and mailto are links; an IRI of any other scheme, `javascript:` first of all, is
 * shown as text. A document of ours is linked by its path, so that the page works under any name of the host.
 */
import {isAbsoluteIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'

export type Link = {readonly href: string; readonly isExternal: boolean}

const followed = /^(?:https?:\/\/|mailto:)/i
const origin = /^https?:\/\/[^/]*/i

/** @returns undefined when the IRI must not be followed */
export function linkTo(iri: Iri, base: Iri): Link | undefined {
  if (!isAbsoluteIri(iri)) return undefined
  if (iri.startsWith(base)) return {href: localPath(iri), isExternal: false}
  return followed.test(iri) ? {href: iri, isExternal: true} : undefined
}

/** Path, query and fragment of an IRI under the base; the whole IRI where its path would read as another host. */
export function localPath(iri: Iri): string {
  const path = iri.replace(origin, '')
  return path.startsWith('//') ? iri : path
}

/** The path of a view of a document: `/books/?view=edit`. */
export function viewPath(iri: Iri, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? localPath(iri) : `${localPath(iri)}?${query}`
}
