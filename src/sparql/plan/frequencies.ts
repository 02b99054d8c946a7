/**
 * Statistics of the store: how often terms occur. The planner orders joins by them. Types only.
 */
import type {Algebra, Expression, TriplePattern} from '../algebra.ts'

/** Approximate numbers of triples of predicates and common values. Those that are missing are rare. */
export type Frequencies = {
  readonly triples: number // in total
  readonly predicates: ReadonlyMap<string, PredicateFrequency>
  readonly values: ReadonlyMap<string, number> // triples of a common object, by "predicate object" (ids)
  readonly children?: ReadonlyMap<string, number> | undefined // documents in the largest containers
  readonly graphs?: ReadonlyMap<string, number> | undefined // quads of the largest graphs
  readonly texts?: TextSample | undefined // undefined: there is no text index
  readonly hasSearch?: boolean | undefined // false: text:query is refused
  readonly joins?: JoinSamples | undefined // grows while the frequencies are used
}

/** A sample of lexical forms of the dictionary, folded as in the text index. */
export type TextSample = {
  readonly literals: number // in the dictionary, approximately
  readonly hasLetters: boolean // the index contains letters beyond ASCII
  readonly texts: readonly string[] // folded (sql/functions/term/text_index.sql)
}

export type PredicateFrequency = {
  readonly triples: number
  readonly subjects: number // distinct
  readonly objects: number // distinct
  readonly ofSameSubject?: number | undefined // triples with the same subject as a triple, averaged over triples
  readonly ofSameObject?: number | undefined // likewise for objects: above triples ÷ objects if some are frequent
  readonly quantiles: readonly bigint[] // of the ids of its objects, ascending
  readonly subjectsAt?: readonly bigint[] | undefined // of the triples at the quantiles
}

export type SampledMean = {
  readonly mean: number
  readonly error: number // relative standard error; infinite if the sample has found nothing
}

/** What samples tell of joins (join/sampled.ts). */
export type JoinSamples = {
  /** Means of the triples of a side for a value: by the side (`sideKey`), then by the side that it is from. */
  readonly means: Map<string, Map<string, SampledMean>>
  readonly constants: Set<string> // ids of those in sampled sides
  readonly counts: Map<string, SolutionCount> // of the solutions of patterns (join/counted.ts), by `countKey`
  readonly counted: Set<string> // the patterns in these keys
}

/** What a run has told of the solutions of patterns. */
export type SolutionCount = {
  readonly rows: number
  readonly tested: number // solutions for which the tests that follow the last pattern were tested
}

/** A pattern whose solutions a run can count (join/counted.ts): a triple pattern or a closure. */
export type Counted = TriplePattern | Extract<Algebra, {type: 'path'}>

/** Is told which table has the solutions of which pattern, and which patterns are joined with which tests. */
export type CountObserver = {
  readonly onScan: (alias: string, pattern: Counted) => void
  readonly onConjunction: (patterns: readonly Counted[], tests: readonly Expression[]) => void
}
