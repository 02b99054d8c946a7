/**
 * Ids and keys of a result's rows to terms, a batch at a time.
 *
 * Floor 4. Inline literals and blank nodes are in the id; dictionary terms are asked for once a batch and kept for
 * the query.
 */
import type {Lru} from '../base/lru.ts'
import {Problem} from '../base/problem.ts'
import {blankNodeLabel, type StoredTerms} from '../db/graph-codec.ts'
import type {Queryable} from '../db/pool.ts'
import {findTerms, type IdRow} from '../db/rows.ts'
import {unpackLiteral} from '../rdf/inline.ts'
import {blankNode, type Iri, langLiteral, literal, namedNode, type Term} from '../rdf/term.ts'

/** What one answer may make the service hold in memory. */
export type HeldLimits = {
  readonly bytes: number // of terms at once
  readonly items: number // resources of a DESCRIBE, documents whose checksums come last
}

export const defaultHeldLimits: HeldLimits = {bytes: 2 ** 26, items: 250_000}

const firstBlankNode = 2n ** 60n
const firstAfterBlankNodes = 2n ** 61n
const keptTerms = 8000
const portionBytes = 2 ** 24 // of terms in one message
const keptLength = 500 // UTF-16 units of a term that is kept for other queries

export type DecoderOptions = {
  readonly transaction: Queryable
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri> // ids below 1000
  readonly localKeys: ReadonlyMap<string, string> // ids of the query's own → keys
  readonly limits: HeldLimits
  readonly kept?: Lru<string, Term> // of the dictionary, for other queries too: an id never means another term
}

export type Decoder = {
  /**
   * Makes ready all ids of a batch; columns that hold keys need nothing.
   *
   * @throws  Problem 422 `result-size`: their texts are too long to be held at once
   */
  readonly load: (ids: Iterable<string>) => Promise<void>
  /** Likewise, beside those of the batch that was made ready last. */
  readonly loadMore: (ids: Iterable<string>) => Promise<void>
  readonly termOf: (id: string) => Term
}

export function createDecoder(options: DecoderOptions): Decoder {
  const {transaction, schema, vocabulary, localKeys, limits, kept} = options
  const known = new Map<string, Term>()
  const portion = Math.min(portionBytes, limits.bytes)
  let knownLength = 0 // of their texts, in UTF-16 units
  const own = (id: string): Term | undefined => {
    if (id.startsWith('-')) return unpackLiteral(BigInt(id))
    const local = localKeys.get(id)
    if (local !== undefined) return termOfKey(local)
    const iri = vocabulary.get(id)
    if (iri !== undefined) return namedNode(iri)
    const number = BigInt(id)
    return number >= firstBlankNode && number < firstAfterBlankNodes ? blankNode(blankNodeLabel(id)) : undefined
  }
  async function loadMore(ids: Iterable<string>): Promise<void> {
    const missing = new Set<string>()
    for (const id of ids) {
      if (known.has(id)) continue
      const term = own(id) ?? kept?.get(id)
      if (term === undefined) missing.add(id)
      else known.set(id, term)
    }
    for (const before = knownLength; missing.size > 0; ) {
      if (knownLength - before > limits.bytes) throw tooLong(limits)
      const stored = await findTerms(transaction, schema, [...missing], portion)
      const found = Object.keys(stored)
      if (found.length === 0) throw new Error(`terms ${[...missing].join(', ')} are not in the dictionary`)
      for (const id of found) {
        const term = storedTerm(id, stored)
        missing.delete(id)
        known.set(id, term)
        knownLength += term.value.length
        if (term.value.length <= keptLength) kept?.set(id, term)
      }
    }
  }
  return {
    load(ids) {
      if (known.size > keptTerms || knownLength > portion) {
        known.clear()
        knownLength = 0
      }
      return loadMore(ids)
    },
    loadMore,
    termOf(id) {
      const term = known.get(id)
      if (term === undefined) throw new Error(`term ${id} was not loaded`)
      return term
    },
  }
}

function storedTerm(id: string, terms: StoredTerms): Term {
  const stored = terms[id]
  if (stored === undefined) throw new Error(`term ${id} is not in the dictionary`)
  if (typeof stored === 'string') return namedNode(stored)
  const [lexicalForm, datatype, language] = stored
  return language === null ? literal(lexicalForm, datatype ?? undefined) : langLiteral(lexicalForm, language)
}

/** A term of its key (rdf/term.ts, termKey). */
export function termOfKey(key: string): Term {
  const rest = key.slice(1)
  if (key.startsWith('I')) return namedNode(rest)
  if (key.startsWith('B')) return blankNode(rest)
  const first = rest.indexOf(' ')
  const second = rest.indexOf(' ', first + 1)
  const language = rest.slice(first + 1, second)
  const value = rest.slice(second + 1)
  return language === '' ? literal(value, rest.slice(0, first)) : langLiteral(value, language)
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

/** Rows of terms, batch by batch; unbound is undefined. A batch whose terms are too long together is told in pieces. */
export async function* decodeRows(
  batches: AsyncIterable<readonly IdRow[]>,
  reps: readonly ('id' | 'key')[],
  decoder: Decoder,
): AsyncGenerator<readonly (readonly (Term | undefined)[])[]> {
  const idsOf = (row: IdRow) => row.filter((value, index) => value !== null && reps[index] === 'id') as string[]
  for await (const rows of batches)
    for await (const piece of loadedPieces(decoder, rows, idsOf)) yield termsOf(piece, reps, decoder)
}

/**
 * Makes a batch ready: whole, or, when its terms are too long to be held at once, in halves of halves.
 *
 * @param idsOf  of an item
 * @throws       Problem 422 `result-size`: a single item is too long
 */
export async function* loadedPieces<Item>(
  decoder: Decoder,
  batch: readonly Item[],
  idsOf: (item: Item) => readonly string[],
): AsyncGenerator<readonly Item[]> {
  const waiting = [batch]
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    try {
      await decoder.load(new Set(piece.flatMap(idsOf)))
    } catch (error) {
      if (piece.length < 2 || !(error instanceof Problem) || error.rule !== 'result-size') throw error
      const middle = piece.length >> 1
      waiting.push(piece.slice(middle), piece.slice(0, middle))
      continue
    }
    yield piece
  }
}

function termsOf(rows: readonly IdRow[], reps: readonly ('id' | 'key')[], decoder: Decoder) {
  return rows.map(row =>
    row.map((value, index) => {
      if (value === null) return undefined
      return reps[index] === 'id' ? decoder.termOf(value) : termOfKey(value)
    }),
  )
}
