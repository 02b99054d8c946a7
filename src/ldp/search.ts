/**
 * Searches documents, with mistakes in words forgiven if little is found otherwise, and reads the labels of what it
 * found.
 *
 * Takes two round trips of bounded cost, and up to four more if the words must be corrected.
 */
import {
  asTyped,
  correctable,
  corrected,
  correctedAmong,
  readSearchWords,
  type SearchWords,
} from '../base/search-words.ts'
import {
  readSearch,
  readSimilarWords,
  type SearchAsked,
  type SearchFilters,
  type SearchFound,
} from '../db/store/search-reads.ts'
import type {Session} from '../db/store/session.ts'
import type {Iri} from '../rdf/term.ts'
import {labelProperties} from '../rdf/vocabulary.ts'
import {labelsOf} from './browse.ts'
import type {Dataset} from './context.ts'

export type SearchRequest = {
  readonly text: string // as written
  readonly languages: readonly string[] // of the reader, in order of preference
  readonly filters: SearchFilters
  readonly order: 'relevance' | 'date'
  readonly page: number // from 1
}

export type SearchAnswer = SearchFound & {
  readonly words: SearchWords // that were found
  readonly isCorrected: boolean // no or few documents have the words as written. Those with similar ones follow
  readonly hasNext: boolean
  readonly labels: ReadonlyMap<Iri, string> // of documents, subjects, properties and the class
}

export const searchPageSize = 20
export const lastSearchPage = 50

const fewDocuments = 3 // with fewer, documents with similar words are found too
const suggested = 10
const labelLength = 200 // characters

/** @throws  Problem 400 `search-words` · 503 `search-ready` */
export async function searchDocuments(
  {session}: Pick<Dataset, 'session'>,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const {text, languages, filters, order, page} = request
  const asked = {
    languages: filters.range === undefined ? languages : [filters.range, ...languages],
    labels: labelProperties,
    filters,
    isByDate: order === 'date',
    skip: (page - 1) * searchPageSize,
    limit: searchPageSize + 1,
  }
  const {words, found, isCorrected} = await findForgiving(session, asked, readSearchWords(text))
  const hits = found.hits.slice(0, searchPageSize)
  const named = hits.flatMap(({document, subject, property}) => [document, subject, property])
  return {
    ...found,
    hits,
    words,
    isCorrected,
    hasNext: found.hits.length > hits.length && page < lastSearchPage,
    labels: await labelsOf(session, [...named, ...(filters.type === undefined ? [] : [filters.type])], languages),
  }
}

type Asked = Omit<SearchAsked, 'words'>
type Found = {readonly words: SearchWords; readonly found: SearchFound; readonly isCorrected: boolean}

/** Searches for the words as written, and if no or few documents have them, for similar ones. */
async function findForgiving(session: Session, asked: Asked, words: SearchWords): Promise<Found> {
  const found = await readSearch(session, {...asked, words})
  const asWritten = {words, found, isCorrected: false}
  const {total} = found
  if (total === undefined || total >= fewDocuments) return asWritten
  const misspelt = correctable(words)
  const known = misspelt.length === 0 ? undefined : await readSimilarWords(session, misspelt)
  if (total > 0 && known === undefined) return asWritten
  const exact = total > 0 && asked.skip > 0 ? await readSearch(session, {...asked, words, skip: 0}) : found
  const among = known && correctedAmong(words, known)
  for (const similar of total === 0 ? [corrected(words), among] : [among]) {
    const more = similar && (await readMore(session, asked, {exact, words: similar}))
    if (similar && more) return {words: similar, found: more, isCorrected: true}
  }
  return asWritten
}

/**
 * Searches for similar words, and puts what they find behind what the exact ones found.
 *
 * @param exact  the few documents with the words as written
 * @returns      undefined if there are no others
 */
async function readMore(
  session: Session,
  {skip, limit, filters, ...asked}: Asked,
  {exact, words}: {readonly exact: SearchFound; readonly words: SearchWords},
): Promise<SearchFound | undefined> {
  const first = exact.hits
  const more = await readSearch(session, {
    ...asked,
    words,
    filters: {...filters, without: first.map(({document}) => document)},
    skip: Math.max(0, skip - first.length),
    limit: limit - Math.max(0, first.length - skip),
  })
  if (more.hits.length === 0 && (more.total ?? 0) === 0) return undefined
  return {
    total: more.total === undefined ? undefined : more.total + first.length,
    isComplete: more.isComplete,
    hits: [...first.slice(skip), ...more.hits],
  }
}

export type Suggestion = {
  readonly document: Iri
  readonly subject: string
  readonly label: string
}

/**
 * Documents with a label that has the words typed so far, of which the last may continue.
 *
 * @throws  Problem 400 `search-words` · 503 `search-ready`
 */
export async function suggestDocuments(
  {session}: Pick<Dataset, 'session'>,
  {text, languages, filters}: Pick<SearchRequest, 'text' | 'languages' | 'filters'>,
): Promise<readonly Suggestion[]> {
  const {hits} = await readSearch(session, {
    words: asTyped(readSearchWords(text)),
    languages,
    labels: labelProperties,
    filters: {...filters, isLabel: true},
    isByDate: false,
    skip: 0,
    limit: suggested,
  })
  return hits.map(({document, subject, literal}) => ({document, subject, label: literal.value.slice(0, labelLength)}))
}
