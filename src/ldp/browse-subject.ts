/**
 * Reads one page of a subject's triples, for the form that edits a document too large for a single form.
 *
 * Takes one round trip of bounded cost, whatever the size of the document.
 */
import {Problem} from '../base/problem.ts'
import {readSubject} from '../db/store/page-reads.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'

export type BrowsedSubject = {
  readonly subject: Iri
  readonly etag: string // of the document
  readonly triples: readonly Triple[]
  readonly isFirst: boolean // the page begins with the subject's first triple
  readonly previousAfter: string | undefined // `after` of the previous page; undefined: that is the first
  readonly nextAfter: string | undefined // `after` of the next page; undefined: there is none
}

export type SubjectPlace = {
  readonly subject: Iri
  readonly property: Iri | undefined // start with this property if there is no `after`
  readonly after: string | undefined // last triple of the previous page: ids of property and value, `12.345`
}

export const shownTriples = 200

/** @throws Problem 404 `document-exists` · 400 `page-known` */
export async function browseSubject(
  {session}: Pick<Dataset, 'session'>,
  iri: Iri,
  {subject, property, after}: SubjectPlace,
): Promise<BrowsedSubject> {
  const place = after === undefined ? undefined : readPlace(after)
  const page = await readSubject(session, iri, subject, {property, after: place, limit: shownTriples})
  if (page === undefined) throw noDocument(iri)
  return {
    subject,
    etag: page.etag,
    triples: page.triples,
    isFirst: property === undefined && place === undefined,
    previousAfter: page.before && formatPlace(page.before),
    nextAfter: page.triples.length < shownTriples ? undefined : page.last && formatPlace(page.last),
  }
}

function formatPlace([property, value]: readonly [string, string]): string {
  return `${property}.${value}`
}

/**
 * Parses a place from a link of the page. Users can change links.
 *
 * @throws Problem 400 `page-known`
 */
function readPlace(after: string): readonly [string, string] {
  const [, property, value] = /^([0-9]{1,19})\.(-?[0-9]{1,19})$/.exec(after) ?? []
  if (property !== undefined && value !== undefined && [property, value].every(isInt8)) return [property, value]
  throw new Problem(400, 'page-known', `No page begins after "${after.slice(0, 40)}".`)
}

function isInt8(digits: string): boolean {
  return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
}
