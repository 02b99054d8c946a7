/**
 * Instantiates a CONSTRUCT template with rows. The result is triples of tokens, each triple once.
 *
 * Pure. A token is the id of a stored term or the key of any other term, so triples are compared and looked up without
 * decoding. Blank nodes of the template are new in each solution. Triples that are not valid RDF are omitted.
 * Source: SPARQL 1.1 §16.2, §16.2.1.
 */

import {kindOfId, type TermKind} from '../rdf/id-layout.ts'
import type {Term} from '../rdf/term.ts'
import {blankNodeKey, kindOfKey} from '../rdf/term-key.ts'
import type {TemplateTerm, TemplateTriple} from '../sparql/algebra.ts'

/** An id (digits, with an optional minus sign) or a key (starts with a letter). */
export type IdOrKey = string
export type IdOrKeyTriple = {readonly s: IdOrKey; readonly p: IdOrKey; readonly o: IdOrKey}

export function isId(token: IdOrKey): boolean {
  return /^-?\d/.test(token)
}

export function kindOf(token: IdOrKey): TermKind {
  return kindOfKey(token) ?? kindOfId(token)
}

export type Template = {
  /** The triples of one solution, including those of earlier solutions. */
  readonly fill: (row: readonly (IdOrKey | null)[]) => readonly IdOrKeyTriple[]
}

/**
 * @param columns  the names of a row's variables
 * @param tokenOf  gives the id of a constant
 */
export function createTemplate(
  template: readonly TemplateTriple[],
  columns: readonly string[],
  tokenOf: (term: Term) => IdOrKey,
): Template {
  type Slot = (row: readonly (IdOrKey | null)[], solution: number) => IdOrKey | null
  const labels = new Map<string, number>()
  const slotOf = (term: TemplateTerm): Slot => {
    if (term.termType === 'Variable') {
      const index = columns.indexOf(term.value)
      return index < 0 ? () => null : row => row[index] ?? null
    }
    if (term.termType === 'BlankNode') {
      const number = labels.get(term.value) ?? labels.size
      labels.set(term.value, number)
      return (_, solution) => blankNodeKey(`c${solution}b${number}`)
    }
    const token = tokenOf(term)
    return () => token
  }
  const slots = template.map(
    ({subject, predicate, object}) => [slotOf(subject), slotOf(predicate), slotOf(object)] as const,
  )
  let solution = 0
  return {
    fill(row) {
      solution += 1
      return slots.flatMap(([subject, predicate, object]) => {
        const [s, p, o] = [subject(row, solution), predicate(row, solution), object(row, solution)]
        if (s === null || p === null || o === null) return []
        const triple = {s, p, o}
        return isStatement(triple) ? [triple] : []
      })
    },
  }
}

/** Whether a triple is valid in RDF 1.1: no literal as subject, an IRI as predicate. */
export function isStatement({s, p}: IdOrKeyTriple): boolean {
  return kindOf(s) !== 'literal' && kindOf(p) === 'iri'
}

export type Seen = {
  readonly add: (triple: IdOrKeyTriple) => boolean // whether it is new; false if the set is full
  readonly has: (triple: IdOrKeyTriple) => boolean
  readonly isFull: () => boolean // a new triple did not fit
}

/** A set of at most `limit` triples. */
export function createSeen(limit: number): Seen {
  const seen = new Set<string>()
  let isFull = false
  // Neither an id nor an IRI holds a space, so only the object, which comes last, may.
  const keyOf = ({s, p, o}: IdOrKeyTriple) => `${s} ${p} ${o}`
  return {
    add(triple) {
      const key = keyOf(triple)
      if (seen.has(key)) return false
      if (seen.size < limit) seen.add(key)
      else isFull = true
      return !isFull
    },
    has: triple => seen.has(keyOf(triple)),
    isFull: () => isFull,
  }
}
