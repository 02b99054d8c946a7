/**
 * Ids and keys of a result's rows to terms, a batch at a time.
 *
 * Floor 4. Inline literals and blank nodes are in the id; dictionary terms are asked for once a batch and kept for
 * the query.
 */
import type {Lru} from '../base/lru.ts'
import {blankNodeLabel, type StoredTerms} from '../db/graph-codec.ts'
import type {Queryable} from '../db/pool.ts'
import {findTerms, type IdRow} from '../db/rows.ts'
import {unpackLiteral} from '../rdf/inline.ts'
import {blankNode, type Iri, langLiteral, literal, namedNode, type Term} from '../rdf/term.ts'

const firstBlankNode = 2n ** 60n
const firstAfterBlankNodes = 2n ** 61n
const keptTerms = 8000
const keptLength = 500 // UTF-16 units of a term that is kept for other queries

export type DecoderOptions = {
  readonly transaction: Queryable
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri> // ids below 1000
  readonly localKeys: ReadonlyMap<string, string> // ids of the query's own → keys
  readonly kept?: Lru<string, Term> // of the dictionary, for other queries too: an id never means another term
}

export type Decoder = {
  /** Makes ready all ids of a batch; columns that hold keys need nothing. */
  readonly load: (ids: Iterable<string>) => Promise<void>
  readonly termOf: (id: string) => Term
}

export function createDecoder({transaction, schema, vocabulary, localKeys, kept}: DecoderOptions): Decoder {
  const known = new Map<string, Term>()
  const own = (id: string): Term | undefined => {
    if (id.startsWith('-')) return unpackLiteral(BigInt(id))
    const local = localKeys.get(id)
    if (local !== undefined) return termOfKey(local)
    const iri = vocabulary.get(id)
    if (iri !== undefined) return namedNode(iri)
    const number = BigInt(id)
    return number >= firstBlankNode && number < firstAfterBlankNodes ? blankNode(blankNodeLabel(id)) : undefined
  }
  return {
    async load(ids) {
      if (known.size > keptTerms) known.clear()
      const missing = new Set<string>()
      for (const id of ids) {
        if (known.has(id)) continue
        const term = own(id) ?? kept?.get(id)
        if (term === undefined) missing.add(id)
        else known.set(id, term)
      }
      const stored = await findTerms(transaction, schema, [...missing])
      for (const id of missing) {
        const term = storedTerm(id, stored)
        known.set(id, term)
        if (term.value.length <= keptLength) kept?.set(id, term)
      }
    },
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

/** Rows of terms, batch by batch; unbound is undefined. */
export async function* decodeRows(
  batches: AsyncIterable<readonly IdRow[]>,
  reps: readonly ('id' | 'key')[],
  decoder: Decoder,
): AsyncGenerator<readonly (readonly (Term | undefined)[])[]> {
  for await (const rows of batches) {
    const ids = new Set<string>()
    for (const row of rows)
      for (const [index, value] of row.entries()) if (value !== null && reps[index] === 'id') ids.add(value)
    await decoder.load(ids)
    yield rows.map(row =>
      row.map((value, index) => {
        if (value === null) return undefined
        return reps[index] === 'id' ? decoder.termOf(value) : termOfKey(value)
      }),
    )
  }
}
