/**
 * Finds the ids of the terms in an export with history. New terms enter the dictionary.
 *
 * Terms are noted first and found together. Blank nodes keep the numbers of their labels, because the dataset is empty.
 */
import {Refusal} from '../base/refusal.ts'
import {internGoneTerms, internTerms} from '../db/bulk/history-store.ts'
import type {Transaction} from '../db/connection/pool.ts'
import {termOf} from '../format/nquads-statement.ts'
import {idOfBlankNodeLabel} from '../rdf/id-layout.ts'
import {packLiteral} from '../rdf/inline.ts'
import {termKey} from '../rdf/term-key.ts'

const [cacheSize, cachedLength] = [1 << 17, 120] // terms, and characters of each
const gone = /^<#\d+>$/

export class HistoryIds {
  readonly #transaction: Transaction
  readonly #schema: string
  readonly #gone = new Map<string, string>()
  #known = new Map<string, string>()
  #noted = new Map<string, string>() // tokens without an id, with the keys of their terms

  constructor(transaction: Transaction, schema: string) {
    this.#transaction = transaction
    this.#schema = schema
  }

  /**
   * Notes a term in N-Triples syntax, or `<#…>`.
   *
   * @returns  a function to its id, which may be called after `find`
   * @throws   Refusal: the term is not valid
   */
  note(token: string): () => string {
    const known = this.#known.get(token) ?? this.#gone.get(token) ?? ownId(token)
    if (known !== undefined) return () => known
    if (!this.#noted.has(token)) this.#noted.set(token, gone.test(token) ? '' : keyOf(token))
    const noted = this.#noted
    return () => noted.get(token) ?? ''
  }

  /** Finds the ids of the noted terms. */
  async find(): Promise<void> {
    const [transaction, schema, noted] = [this.#transaction, this.#schema, this.#noted]
    const left = [...noted].flatMap(([token, key]) => (key === '' ? [token] : []))
    if (left.length > 0) {
      const ids = await internGoneTerms(transaction, schema, left.length)
      for (const [at, token] of left.entries()) this.#gone.set(token, ids[at] ?? '')
      for (const token of left) noted.set(token, this.#gone.get(token) ?? '')
    }
    const named = [...noted].filter(([token]) => !gone.test(token))
    const ids = await internTerms(
      transaction,
      schema,
      named.map(([, key]) => key),
    )
    if (this.#known.size > cacheSize) this.#known = new Map()
    for (const [at, [token]] of named.entries()) {
      const id = ids[at]
      if (id === undefined) throw new Error(`no id for ${token}`)
      noted.set(token, id)
      if (token.length <= cachedLength) this.#known.set(token, id)
    }
    this.#noted = new Map()
  }
}

/** The id of a blank node or inline literal; undefined for other terms. */
function ownId(token: string): string | undefined {
  if (token.startsWith('_:')) {
    const id = idOfBlankNodeLabel(token.slice(2))
    if (id === undefined) throw new Refusal(`The blank node ${token} does not have the label of a stored one.`)
    return String(id)
  }
  const term = token.startsWith('"') ? termOf(token) : undefined
  return term?.termType === 'Literal' ? packLiteral(term)?.toString() : undefined
}

function keyOf(token: string): string {
  const term = termOf(token)
  if (term === undefined) throw new Refusal(`This is not a valid term: ${token.slice(0, 80)}`)
  return termKey(term)
}
