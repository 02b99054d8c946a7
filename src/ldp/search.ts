/**
 * Searches documents, with one mistake in a word forgiven if nothing is found otherwise, and reads the labels of what
 * it found.
 *
 * Takes two round trips of bounded cost, or three if the words must be corrected.
 */
import {asTyped, corrected, readSearchWords, type SearchWords} from '../base/search-words.ts'
import {readSearch, type SearchAsked, type SearchFilters, type SearchFound} from '../db/store/search-reads.ts'
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
  readonly isCorrected: boolean // no document has the words as written
  readonly hasNext: boolean
  readonly labels: ReadonlyMap<Iri, string> // of documents, subjects, properties and the class
}

export const searchPageSize = 20
export const lastSearchPage = 50

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

/** Searches for the words as written, and if no document has them, for similar ones. */
async function findForgiving(session: Session, asked: Omit<SearchAsked, 'words'>, words: SearchWords) {
  const found = await readSearch(session, {...asked, words})
  const similar = found.total === 0 ? corrected(words) : undefined
  if (similar === undefined) return {words, found, isCorrected: false}
  const second = await readSearch(session, {...asked, words: similar})
  if (second.hits.length === 0) return {words, found, isCorrected: false}
  return {words: similar, found: second, isCorrected: true}
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
