/**
 * Decodes the ids and keys of result rows to terms, one batch at a time.
 *
 * The id of an inline literal or a blank node contains the term. Dictionary terms are looked up once per batch and
 * cached.
 */

import {detached} from '../base/detached.ts'
import type {Lru} from '../base/lru.ts'
import {Problem} from '../base/problem.ts'
import type {Queryable} from '../db/connection/pool.ts'
import {type FoundTerms, findTerms, foundTerm, type IdRow} from '../db/query/rows.ts'
import {buildTerm} from '../db/store/graph-codec.ts'
import type {SolutionRow, SolutionTexts, TermText} from '../format/results-types.ts'
import {kindOfId} from '../rdf/id-layout.ts'
import {detachedTerm, type Iri, namedNode, type Term} from '../rdf/term.ts'
import {termOfKey} from '../rdf/term-key.ts'
import {type HeldLimits, heldLimitsOf, tooLong} from './held-limits.ts'
import {namesAt, type Plan, textsIn} from './plan-cache.ts'
import type {QueryRun} from './state.ts'

const portionBytes = 2 ** 24 // of terms in one message
const keptLength = 500 // UTF-16 units of a term that is cached for other queries
const keptShare = 1 / 5 // of the cached terms: a long answer would evict all others

export type DecoderOptions = {
  readonly transaction: Queryable
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri> // ids below 1000
  readonly localKeys: ReadonlyMap<string, string> // ids made for this query → keys
  readonly limits: HeldLimits
  readonly kept?: Lru<string, Term> // dictionary terms of all queries that see the same names
  /** For `textOf`: how terms are written, and the cached ones as texts. */
  readonly written?: {readonly by: TermText; readonly kept: Lru<string, string>}
  readonly find?: typeof findTerms // finds terms in the dictionary, or in that of a past state
}

/**
 * The decoder of the rows of a plan. It shares the terms that are cached for all queries.
 *
 * @param by  how all terms of the rows are written, if they are read with `textOf`
 */
export function decoderOf(
  {process}: QueryRun,
  {compiled: {localKeys}, facts}: Plan,
  transaction: Queryable,
  by?: TermText,
): Decoder {
  const {schema, vocabulary, cache} = process
  const names = namesAt(cache, facts.names)
  const limits = heldLimitsOf(process)
  const options = {transaction, schema, vocabulary, localKeys, limits, kept: names.terms}
  return createDecoder(by === undefined ? options : {...options, written: {by, kept: textsIn(names, by)}})
}

export type Decoder = {
  /** Sets the term of an id for the whole query: a constant of its text. */
  readonly know: (id: string, term: Term) => void
  /**
   * Loads the terms of all ids of a batch. Columns of keys need no loading.
   *
   * @throws  Problem 422 `result-size`: the texts are too long to hold in memory together
   */
  readonly load: (ids: Iterable<string>) => Promise<void>
  /**
   * Sets the terms of the only batch from the cache and from `found`. If no id is missing, nothing has to be loaded.
   *
   * @returns  the ids that are missing
   */
  readonly take: (ids: readonly (string | null)[], found: FoundTerms) => ReadonlySet<string>
  /** Whether `take` had all terms of the only batch. */
  readonly hasAll: () => boolean
  /** Loads more terms, in addition to those of the last batch. */
  readonly loadMore: (ids: Iterable<string>) => Promise<void>
  readonly termOf: (id: string) => Term
  readonly textOf: (id: string) => string // needs `written`; then a term that has a cached text has no `termOf`
}

export function createDecoder(options: DecoderOptions): Decoder {
  const {transaction, schema, limits, find = findTerms} = options
  const terms = createTerms(options)
  const portion = Math.min(portionBytes, limits.bytes)
  let isComplete = false // `take` had all terms of the answer
  async function loadMore(ids: Iterable<string>): Promise<void> {
    const missing = terms.recall(ids)
    for (const before = terms.length(); missing.size > 0; ) {
      if (terms.length() - before > limits.bytes) throw tooLong(limits)
      const found = await find(transaction, schema, [...missing], portion)
      if (found.ids.length === 0) throw new Error(`terms ${[...missing].join(', ')} are not in the dictionary`)
      terms.remember(found, missing)
    }
  }
  return {
    know: terms.know,
    async load(ids) {
      if (!isComplete) terms.forget()
      return loadMore(ids)
    },
    take(ids, found) {
      const missing = terms.recall(ids)
      terms.remember(found, missing)
      isComplete = missing.size === 0
      return missing
    },
    hasAll: () => isComplete,
    loadMore,
    termOf: terms.termOf,
    textOf: terms.textOf,
  }
}

/** The terms of a batch. Most terms of a long answer occur once, so only those in `kept` outlive the batch. */
function createTerms({
  vocabulary,
  localKeys,
  kept,
  written,
}: Pick<DecoderOptions, 'vocabulary' | 'localKeys' | 'kept' | 'written'>) {
  const texts = new Map<string, string>() // of terms that `written` has, or that were written
  let known = new Map<string, Term>()
  let knownLength = 0 // total length of the texts, in UTF-16 units
  let room = (kept?.limit ?? 0) * keptShare // for further terms of this query in the cache
  const constants = new Map(Array.from(localKeys, ([id, key]) => [id, termOfKey(key)]))
  const own = (id: string): Term | undefined => {
    const constant = constants.size === 0 ? undefined : constants.get(id)
    if (constant !== undefined) return constant
    const iri = vocabulary.get(id)
    if (iri !== undefined) return namedNode(iri)
    return containsTerm(id) ? buildTerm(id) : undefined
  }
  /** Sets the text of a term if it is cached. Inline literals are not. */
  function recallText(id: string): boolean {
    const text = written === undefined || id.startsWith('-') ? undefined : written.kept.get(id)
    if (text !== undefined) texts.set(id, text)
    return text !== undefined
  }
  function termOf(id: string): Term {
    const term = known.get(id)
    if (term === undefined) throw new Error(`term ${id} was not loaded`)
    return term
  }
  return {
    know: (id: string, term: Term) => void constants.set(id, term),
    length: () => knownLength,
    forget() {
      known = new Map()
      knownLength = 0
    },
    /** Sets the terms that need no look-up. Returns the other ids. */
    recall(ids: Iterable<string | null>): Set<string> {
      const missing = new Set<string>()
      for (const id of ids) {
        if (id === null || known.has(id) || texts.has(id) || recallText(id)) continue
        const term = own(id) ?? kept?.get(id)
        if (term === undefined) missing.add(id)
        else known.set(id, term)
      }
      return missing
    },
    /** Sets the terms that were found and removes their ids from `missing`. */
    remember(found: FoundTerms, missing: Set<string>) {
      for (const [at, id] of found.ids.entries()) {
        if (!missing.delete(id)) continue
        const term = foundTerm(found, at)
        known.set(id, term)
        knownLength += term.value.length
        if (kept === undefined || term.value.length > keptLength || room-- < 1) continue
        kept.set(detached(id), detachedTerm(term))
      }
    },
    termOf,
    textOf(id: string): string {
      const text = texts.get(id)
      if (text !== undefined) return text
      if (written === undefined) throw new Error('terms are not written')
      const made = written.by(termOf(id))
      texts.set(id, made)
      if (vocabulary.has(id) || kept?.get(id) !== undefined) written.kept.set(detached(id), detached(made))
      return made
    },
  }
}

/** Whether the id alone determines the term: inline literals and blank nodes. */
function containsTerm(id: string): boolean {
  return id.startsWith('-') || kindOfId(id) === 'blank'
}

/** The column that a value of a row comes from; undefined if the variable is never bound. */
export type TermColumn = {readonly index: number; readonly rep: 'id' | 'key'} | undefined

/** The columns of variables in a row. A variable without a column in the plan is unbound. */
export function termColumnsOf(
  variables: readonly string[],
  columns: readonly {readonly name: string; readonly rep: 'id' | 'key'}[],
): readonly TermColumn[] {
  return variables.map(variable => {
    const index = columns.findIndex(({name}) => name === variable)
    const column = columns[index]
    return column && {index, rep: column.rep}
  })
}

/** Rows of terms in batches. Splits a batch whose terms are too long to hold together. */
export async function* decodeRows(
  batches: AsyncIterable<readonly IdRow[]>,
  places: readonly TermColumn[],
  decoder: Decoder,
): AsyncGenerator<readonly SolutionRow[]> {
  const idPlaces = places.flatMap(place => (place?.rep === 'id' ? [place.index] : []))
  const idsOf = (rows: readonly IdRow[]) => {
    const ids: string[] = []
    for (const row of rows)
      for (const index of idPlaces) {
        const id = row[index]
        if (id !== null && id !== undefined) ids.push(id)
      }
    return ids
  }
  for await (const rows of batches)
    for await (const piece of decoder.hasAll() ? [rows] : loadedPieces(decoder, rows, idsOf))
      yield decodeLoaded(piece, places, decoder)
}

/** Rows of terms that the decoder has loaded. */
function decodeLoaded(
  rows: readonly IdRow[],
  places: readonly TermColumn[],
  {termOf}: Decoder,
): readonly SolutionRow[] {
  return rows.map(row => places.map(place => valueAt(row, place, termOf, termOfKey)))
}

/** The same rows with texts in place of terms. */
export function writeLoaded(
  rows: readonly IdRow[],
  places: readonly TermColumn[],
  {textOf}: Decoder,
  by: TermText,
): readonly SolutionTexts[] {
  const textOfKey = (key: string) => by(termOfKey(key))
  return rows.map(row => places.map(place => valueAt(row, place, textOf, textOfKey)))
}

function valueAt<Value>(
  row: IdRow,
  place: TermColumn,
  ofId: (id: string) => Value,
  ofKey: (key: string) => Value,
): Value | undefined {
  const value = place === undefined ? undefined : (row[place.index] ?? undefined)
  if (value === undefined) return undefined
  return place?.rep === 'id' ? ofId(value) : ofKey(value)
}

/**
 * Loads the terms of a batch and yields it. If the terms are too long to hold together, halves the batch repeatedly.
 *
 * @param idsOf  gives the ids of items; an id may occur several times
 * @throws       Problem 422 `result-size`: a single item is too long
 */
export async function* loadedPieces<Item>(
  decoder: Decoder,
  batch: readonly Item[],
  idsOf: (items: readonly Item[]) => Iterable<string>,
): AsyncGenerator<readonly Item[]> {
  const waiting = [batch]
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    try {
      await decoder.load(idsOf(piece))
    } catch (error) {
      if (piece.length < 2 || !(error instanceof Problem) || error.rule !== 'result-size') throw error
      const middle = piece.length >> 1
      waiting.push(piece.slice(middle), piece.slice(0, middle))
      continue
    }
    yield piece
  }
}
