/**
 * The context that the parts of a page share: service, document and labels; and helpers to name documents.
 */
import type {Mode} from '../../db/store/caller.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'
import type {Iri} from '../../rdf/term.ts'
import type {PlatformVocabulary} from '../../rdf/vocabulary.ts'
import type {Names} from './names.ts'

export type HtmlSite = {
  readonly base: Iri
  readonly platform: PlatformVocabulary
  readonly names: Names
  readonly assets: string // URL path of the assets, ends with '/'
  readonly hasHistory: boolean // documents link to their changes
  readonly hasSearch: boolean // pages have a search box
  readonly viewer?: Viewer | undefined // undefined: no access control
}

/** Who reads a page. */
export type Viewer = {
  readonly agent: Iri | undefined // undefined: nobody is signed in
  readonly name: string // what people call the agent; '' if nobody has said
  readonly hasSession: boolean // signed in with a cookie, and not by other credentials
  readonly place: string // path and query of the page
}

export type View = {
  readonly site: HtmlSite
  readonly iri: Iri // of the document
  readonly labels: ReadonlyMap<Iri, string>
}

/** Whether the reader may do something with a document. Without access control, everybody may do everything. */
export function isOffered({allowed}: {readonly allowed: Allowed | undefined}, mode: Mode): boolean {
  return allowed === undefined || allowed.own.includes(mode)
}

/** The title of a document: its label, or for the root "All documents", or its last path segment. */
export function titleOf({site, iri, labels}: View): string {
  return labels.get(iri) ?? (iri === site.base ? 'All documents' : lastSegment(iri))
}

/** The last path segment of an IRI, percent-decoded: `emma` of http://host/books/emma/. */
export function lastSegment(iri: Iri): string {
  const segment = iri.replace(/\/$/, '').replace(/^.*\//s, '')
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** @returns  a count as `1,234` */
export function showCount(count: number): string {
  return count.toLocaleString('en')
}
