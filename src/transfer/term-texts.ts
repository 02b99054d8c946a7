/**
 * Turns ids into terms in N-Quads syntax, and caches the most recent ones.
 *
 * Pure. IRIs and literals of the dictionary share one sequence of numbers. The id of an inline literal contains its
 * value. The label of a blank node is its id.
 */

import {type FoundTerms, foundTerm} from '../db/query/rows.ts'
import {termText} from '../format/ntriples-write.ts'
import {blankNodeLabel, firstAfterVocabulary, firstBlankNodeId, firstLiteralId} from '../rdf/id-layout.ts'
import {unpackLiteral} from '../rdf/inline.ts'
import {type Iri, namedNode} from '../rdf/term.ts'

const generationSize = 1 << 16
const textLimit = 120 // characters of a cached text

export class TermTexts {
  readonly #vocabulary: ReadonlyMap<string, Iri>
  #young = new Map<bigint, string>()
  #old = new Map<bigint, string>()

  constructor(vocabulary: ReadonlyMap<string, Iri>) {
    this.#vocabulary = vocabulary
  }

  /** The text of a term; undefined if the caller must look the id up and pass the result to `learn`. */
  find(id: bigint): string | undefined {
    const young = this.#young.get(id)
    if (young !== undefined) return young
    const text = this.#old.get(id) ?? this.#make(id)
    if (text !== undefined) this.#remember(id, text)
    return text
  }

  /** Caches terms of the dictionary. @returns their ids and texts */
  learn(terms: FoundTerms): readonly (readonly [bigint, string])[] {
    const learned = terms.ids.map((id, at) => [BigInt(id), termText(foundTerm(terms, at))] as const)
    for (const [id, text] of learned) if (text.length <= textLimit) this.#remember(id, text)
    return learned
  }

  #make(id: bigint): string | undefined {
    if (id < 0n) return termText(unpackLiteral(id))
    if (id >= firstBlankNodeId && id < firstLiteralId) return `_:${blankNodeLabel(id)}`
    const own = id < firstAfterVocabulary ? this.#vocabulary.get(String(id)) : undefined
    return own === undefined ? undefined : termText(namedNode(own))
  }

  #remember(id: bigint, text: string): void {
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(id, text)
  }
}
