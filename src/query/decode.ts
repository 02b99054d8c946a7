/**
 * Ids and keys of a result's rows to terms, a batch at a time.
 *
 * Inline literals and blank nodes are in the id; dictionary terms are asked for once a batch and kept for
 * the query.
 */

import type {Lru} from '../base/lru.ts'
import {Problem} from '../base/problem.ts'
import type {Queryable} from '../db/connection/pool.ts'
import {type FoundTerms, findTerms, foundTerm, type IdRow} from '../db/query/rows.ts'
import {buildTerm} from '../db/store/graph-codec.ts'
import {type Iri, type Term, termOfKey} from '../rdf/term.ts'
import {kindOfId} from '../rdf/term-id.ts'

/** What one answer may make the service hold in memory. */
export type HeldLimits = {
  readonly bytes: number // of terms at once
  readonly items: number // resources of a DESCRIBE, documents whose checksums come last
}

export const defaultHeldLimits: HeldLimits = {bytes: 2 ** 26, items: 250_000}

const portionBytes = 2 ** 24 // of terms in one message
const keptLength = 500 // UTF-16 units of a term that is kept for other queries
const keptPerQuery = 2000 // terms: those of a long answer would take the places of all others

export type DecoderOptions = {
  readonly transaction: Queryable
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri> // ids below 1000
  readonly localKeys: ReadonlyMap<string, string> // ids of the query's own → keys
  readonly limits: HeldLimits
  readonly kept?: Lru<string, Term> // of the dictionary, for other queries too: an id never means another term
}

export type Decoder = {
  /** Makes an id's term known for good: a constant of the query. */
  readonly know: (id: string, term: Term) => void
  /**
   * Makes ready all ids of a batch; columns that hold keys need nothing.
   *
   * @throws  Problem 422 `result-size`: their texts are too long to be held at once
   */
  readonly load: (ids: Iterable<string>) => Promise<void>
  /**
   * Makes the only batch ready, of terms that are kept or were found; when none is missing, there is nothing to load.
   *
   * @returns  ids that are missing
   */
  readonly take: (ids: readonly (string | null)[], found: FoundTerms) => ReadonlySet<string>
  /** Likewise, beside those of the batch that was made ready last. */
  readonly loadMore: (ids: Iterable<string>) => Promise<void>
  readonly termOf: (id: string) => Term
}

export function createDecoder(options: DecoderOptions): Decoder {
  const {transaction, schema, limits} = options
  const terms = createTerms(options)
  const portion = Math.min(portionBytes, limits.bytes)
  let isComplete = false // what was taken is all
  async function loadMore(ids: Iterable<string>): Promise<void> {
    const missing = terms.recall(ids)
    for (const before = terms.length(); missing.size > 0; ) {
      if (terms.length() - before > limits.bytes) throw tooLong(limits)
      const found = await findTerms(transaction, schema, [...missing], portion)
      if (found.ids.length === 0) throw new Error(`terms ${[...missing].join(', ')} are not in the dictionary`)
      terms.remember(found, missing)
    }
  }
  return {
    know: terms.know,
    async load(ids) {
      if (isComplete) return void terms.recall(ids)
      terms.forget()
      return loadMore(ids)
    },
    take(ids, found) {
      const missing = terms.recall(ids)
      terms.remember(found, missing)
      isComplete = missing.size === 0
      return missing
    },
    loadMore,
    termOf: terms.termOf,
  }
}

/** The terms of a batch. Most of those of a long answer come once; of the others those of `kept` stay. */
function createTerms({vocabulary, localKeys, kept}: Pick<DecoderOptions, 'vocabulary' | 'localKeys' | 'kept'>) {
  let known = new Map<string, Term>()
  let knownLength = 0 // of their texts, in UTF-16 units
  let keptCount = 0
  const constants = new Map(Array.from(localKeys, ([id, key]) => [id, termOfKey(key)]))
  const own = (id: string): Term | undefined => {
    const constant = constants.size === 0 ? undefined : constants.get(id)
    if (constant !== undefined) return constant
    return isTold(id) ? buildTerm(id, undefined, vocabulary) : undefined
  }
  return {
    know: (id: string, term: Term) => void constants.set(id, term),
    length: () => knownLength,
    forget() {
      known = new Map()
      knownLength = 0
    },
    /** Makes ready what needs no dictionary. Returns what does. */
    recall(ids: Iterable<string | null>): Set<string> {
      const missing = new Set<string>()
      for (const id of ids) {
        if (id === null || known.has(id)) continue
        const term = own(id) ?? kept?.get(id)
        if (term === undefined) missing.add(id)
        else known.set(id, term)
      }
      return missing
    },
    /** Makes ready what was found, and is not any more missing. */
    remember(found: FoundTerms, missing: Set<string>) {
      for (const [at, id] of found.ids.entries()) {
        if (!missing.delete(id)) continue
        const term = foundTerm(found, at)
        known.set(id, term)
        knownLength += term.value.length
        if (kept === undefined || term.value.length > keptLength || ++keptCount > keptPerQuery) continue
        kept.set(id, term)
      }
    },
    termOf(id: string): Term {
      const term = known.get(id)
      if (term === undefined) throw new Error(`term ${id} was not loaded`)
      return term
    },
  }
}

/** Whether an id tells its term without the dictionary: inline literals, the vocabulary, blank nodes. */
function isTold(id: string): boolean {
  return id.startsWith('-') || id.length < 4 || kindOfId(id) === 'blank'
}

function tooLong({bytes}: HeldLimits): Problem {
  const message = `The values of one solution, or of a piece of a graph, are longer than ${bytes} bytes.`
  return new Problem(422, 'result-size', message, {members: {limitBytes: bytes}})
}

/** @param what  is held, in the plural */
export function tooMany(what: string, {items}: HeldLimits): Problem {
  return new Problem(422, 'result-size', `The result is about more than ${items} ${what}: ask for less at a time.`, {
    members: {limit: items},
  })
}

/** A place of a row of terms: the column it comes from; undefined for one that is always unbound. */
export type Place = {readonly index: number; readonly rep: 'id' | 'key'} | undefined

/** Where a row has the values of variables; one that the plan has no column for is unbound. */
export function placesOf(
  variables: readonly string[],
  columns: readonly {readonly name: string; readonly rep: 'id' | 'key'}[],
): readonly Place[] {
  return variables.map(variable => {
    const index = columns.findIndex(({name}) => name === variable)
    const column = columns[index]
    return column && {index, rep: column.rep}
  })
}

/** Rows of terms, batch by batch; unbound is undefined. A batch whose terms are too long together is told in pieces. */
export async function* decodeRows(
  batches: AsyncIterable<readonly IdRow[]>,
  places: readonly Place[],
  decoder: Decoder,
): AsyncGenerator<readonly (readonly (Term | undefined)[])[]> {
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
  const termAt = (row: IdRow, place: Place): Term | undefined => {
    const value = place === undefined ? undefined : (row[place.index] ?? undefined)
    if (value === undefined) return undefined
    return place?.rep === 'id' ? decoder.termOf(value) : termOfKey(value)
  }
  for await (const rows of batches)
    for await (const piece of loadedPieces(decoder, rows, idsOf))
      yield piece.map(row => places.map(place => termAt(row, place)))
}

/**
 * Makes a batch ready: whole, or, when its terms are too long to be held at once, in halves of halves.
 *
 * @param idsOf  of items, perhaps some of them several times
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
