/**
 * What is known of how often terms occur: orders of joins are chosen by it.
 *
 * Types alone.
 */
/** How often predicates and common values occur, roughly; what is not listed is rare. */
export type Frequencies = {
  readonly triples: number // in all
  readonly predicates: ReadonlyMap<string, PredicateFrequency>
  readonly values: ReadonlyMap<string, number> // rows of a predicate's common object, by "predicate object"
  readonly graphs?: ReadonlyMap<string, number> // quads of those that have very many
  readonly texts?: TextSample | undefined // undefined: there is no text index
}

/** Lexical forms of some literals of the dictionary, as the text index has them. */
export type TextSample = {
  readonly literals: number // in the dictionary, about
  readonly hasLetters: boolean // letters beyond ASCII are in the index
  readonly texts: readonly string[] // folded (sql/functions/99_text_index.sql)
}

export type PredicateFrequency = {
  readonly triples: number
  readonly subjects: number // different ones
  readonly objects: number // different ones
  readonly ofSameSubject?: number | undefined // triples that share a triple's subject, on average over triples
  readonly ofSameObject?: number | undefined // the same of objects: more than triples ÷ objects where some are frequent
  readonly quantiles: readonly bigint[] // of its objects' ids, from the least to the greatest
}
