/**
 * An explanation of a query, and its limits: what nobody can read is not copied between threads or sent.
 */
import {shortened} from '../base/excerpt.ts'
import type {Stage} from '../base/stopwatch.ts'
import type {Iri, Term} from '../rdf/term.ts'
import type {Query} from '../sparql/algebra.ts'

const partLimit = 100_000 // characters

/** The most constants that are shown. */
export const shownConstants = 1000

/** A part of an explanation, cut if it is long. */
export function shownPart(text: string): string {
  return shortened(text, partLimit)
}

export function isCut(part: string): boolean {
  return part.length > partLimit
}

/** A query's algebra after a pass, as text. */
export type ShownPass = {readonly name: string; readonly algebra: string}

export type Explanation = {
  readonly form: Query['form']
  readonly base: Iri
  readonly isMeasured: boolean
  readonly passes: readonly ShownPass[] // the translation first
  /** The first constants of the query. A term that is not in the dictionary has an id made for this query. */
  readonly constants: readonly {readonly term: Term; readonly id: string; readonly held: Held}[]
  readonly sql: string // one line
  readonly parameters: readonly string[] // items of $1
  readonly columns: readonly {readonly name: string; readonly rep: 'id' | 'key'}[] // c0 first; variables' names
  readonly textIndex: 'used' | 'unused' | 'absent'
  readonly plan: unknown // text: lines; json: PostgreSQL's document
  readonly stages: readonly Stage[] // parse, each rewrite (of a short text), connect, services, look-up, plan, explain
}

/** Where a constant is stored: in the dictionary, in its id, or nowhere. An absent constant matches nothing. */
export type Held = 'dictionary' | 'inline' | 'absent'
