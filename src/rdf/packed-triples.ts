/**
 * Triples as flat memory, for the transfer between threads: each term once, and triples as indexes of terms.
 *
 * Pure. A structured clone copies flat memory at once instead of visiting every term. Large graphs are packed in pieces
 * so that packing does not block the event loop.
 */
import {type PackedTexts, packTexts, unpackTexts} from '../base/packed-texts.ts'
import {createSlices} from '../base/slices.ts'
import type {NamedNode, Resource, Term, Triple} from './term.ts'
import {termKey, termOfKey} from './term-key.ts'

export type PackedTriples = readonly PackedPiece[]

type PackedPiece = {
  readonly keys: PackedTexts
  readonly references: Uint32Array // subject, predicate and object of each triple, as indexes of `keys`
}

export function packPiece(triples: readonly Triple[]): PackedPiece {
  const places = new Map<string, number>()
  const references = new Uint32Array(3 * triples.length)
  const placeOf = (term: Term): number => {
    const key = termKey(term)
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, places.size)
    return places.size - 1
  }
  for (const [index, {subject, predicate, object}] of triples.entries()) {
    references[3 * index] = placeOf(subject)
    references[3 * index + 1] = placeOf(predicate)
    references[3 * index + 2] = placeOf(object)
  }
  return {keys: packTexts([...places.keys()]), references}
}

export function unpackTriples(packed: PackedTriples): Triple[] {
  return packed.flatMap(({keys, references}) => {
    const terms = Array.from(unpackTexts(keys), termOfKey)
    const termAt = (at: number): Term => {
      const term = terms[references[at] ?? 0]
      if (term === undefined) throw new Error(`a packed triple refers to a term that is not there: ${at}`)
      return term
    }
    return Array.from({length: references.length / 3}, (_, index) => ({
      subject: termAt(3 * index) as Resource,
      predicate: termAt(3 * index + 1) as NamedNode,
      object: termAt(3 * index + 2),
    }))
  })
}

const pieceLength = 2_000 // triples

/** Packs in slices of time: other work runs between them. */
export async function packInSlices(triples: readonly Triple[]): Promise<PackedTriples> {
  const slices = createSlices()
  const packed: PackedPiece[] = []
  for (let at = 0; at < triples.length; at += pieceLength) {
    packed.push(packPiece(triples.slice(at, at + pieceLength)))
    if (slices.isOver()) await slices.pause()
  }
  return packed
}

export function isPacked(triples: readonly Triple[] | PackedTriples): triples is PackedTriples {
  const [first] = triples
  return first !== undefined && 'references' in first
}

export function countPacked(packed: PackedTriples): number {
  return packed.reduce((sum, {references}) => sum + references.length / 3, 0)
}
