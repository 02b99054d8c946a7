/**
 * Searches documents by the words of their literals. The SQL functions are in sql/functions/document/search.sql.
 */
import type {SearchWords} from '../../base/search-words.ts'
import {fromStoredText} from '../../rdf/stored-text.ts'
import {type Iri, type Literal, langLiteral, literal} from '../../rdf/term.ts'
import {askReader, callAsCaller} from './call.ts'
import type {Session} from './session.ts'

export type SearchFilters = {
  readonly range?: string | undefined // only literals with this language or a narrower one
  readonly properties?: readonly Iri[] | undefined
  readonly isLabel?: boolean // only labels
  readonly type?: Iri | undefined // only triples about resources of this class
  readonly under?: Iri | undefined // only documents whose IRI begins with it
  readonly without?: readonly Iri[] // not these documents
}

export type SearchAsked = {
  readonly words: SearchWords
  readonly languages: readonly string[] // words match in all of their forms in these languages
  readonly labels: readonly Iri[] // properties whose values are labels
  readonly filters: SearchFilters
  readonly isByDate: boolean
  readonly skip: number
  readonly limit: number
}

export type SearchHit = {
  readonly document: Iri // or a raw graph
  readonly subject: string // IRI, or blank node as _:qs…
  readonly property: Iri
  readonly literal: Literal
  readonly score: number // greater than 0, at most 1
  readonly isLabel: boolean
  readonly modified: string | undefined // xsd:dateTime; undefined for a raw graph
}

export type SearchFound = {
  readonly total: number | undefined // undefined: not known
  readonly isComplete: boolean // false: a word is so frequent that not all literals with it were looked at
  readonly hits: readonly SearchHit[]
}

type HitRow = readonly [
  document: Iri,
  subject: string,
  property: Iri,
  literal: readonly [text: string, datatype: Iri | null, language: string | null],
  score: number,
  isLabel: boolean,
  modified: string | null,
]

/** @throws  Problem 503 `search-ready` */
export async function readSearch(session: Session, asked: SearchAsked): Promise<SearchFound> {
  const {words, languages, labels, filters, isByDate, skip, limit} = asked
  const {parts, whole} = words
  const call = callAsCaller(session, 'search_documents', [
    parts.map(({kind}) => kind),
    parts.map(({text}) => text),
    whole,
    languages.filter(language => language !== ''),
    labels,
    JSON.stringify(filters),
    isByDate,
    skip,
    limit,
  ])
  type Row = {
    readonly total: number | null
    readonly is_complete: boolean
    readonly hits: readonly HitRow[] | null
  }
  const row = await askReader<Row>(session, {text: `select * from ${call.from}`, ...call})
  return {
    total: row?.total ?? undefined,
    isComplete: row?.is_complete ?? true,
    hits: (row?.hits ?? []).map(hitOf),
  }
}

const similarLimit = 100 // for each word

/**
 * Words of the dictionary that are similar to the given ones, the most similar first. Grants have no effect, so nobody
 * may be shown them.
 *
 * @returns  undefined: the database does not find similar words
 */
export async function readSimilarWords(
  session: Session,
  words: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const [name, values] = ['similar_words', [words, similarLimit]]
  const text = `select ${session.inSchema}${name}($1, $2) as similar`
  type Row = {readonly similar: Readonly<Record<string, readonly string[]>> | null}
  const row = await askReader<Row>(session, {name, values, text})
  return row?.similar ?? undefined
}

function hitOf([document, subject, property, [text, datatype, language], score, isLabel, modified]: HitRow): SearchHit {
  const lexical = fromStoredText(text)
  return {
    document,
    subject,
    property,
    literal: language === null ? literal(lexical, datatype ?? undefined) : langLiteral(lexical, language),
    score,
    isLabel,
    modified: modified === null ? undefined : new Date(modified).toISOString(),
  }
}
