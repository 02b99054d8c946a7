/**
 * What every part of a page is told: the document, and how things are named.
 *
 * Floor 5. Types, and the few words that many parts share.
 */
import type {Iri} from '../../rdf/term.ts'
import type {PlatformVocabulary} from '../../rdf/vocabulary.ts'
import type {Names} from './names.ts'

export type HtmlSite = {
  readonly base: Iri
  readonly platform: PlatformVocabulary
  readonly names: Names
  readonly assets: string // path of the folder of style sheets and scripts, ends with '/'
}

export type View = {
  readonly site: HtmlSite
  readonly iri: Iri // of the document
  readonly labels: ReadonlyMap<Iri, string>
}

/** What a document is called: its label, or its last path segment, or for the root "All documents". */
export function titleOf({site, iri, labels}: View): string {
  return labels.get(iri) ?? (iri === site.base ? 'All documents' : lastSegment(iri))
}

/** `emma` of http://host/books/emma/, without its percent-encoding. */
export function lastSegment(iri: Iri): string {
  const segment = iri.replace(/\/$/, '').replace(/^.*\//s, '')
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** `1,234`. */
export function showCount(count: number): string {
  return count.toLocaleString('en')
}
