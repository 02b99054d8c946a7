/**
 * What a format of query results is: the face that JSON, XML, CSV and TSV show to `results.ts`.
 *
 * Floor 2. Types only.
 */
import type {Term} from '../rdf/term.ts'

/** One solution: a value for each variable, in the order of the writer's variables; undefined where it has none. */
export type SolutionRow = readonly (Term | undefined)[]

/**
 * Turns solutions into chunks; the concatenation of all chunks is the document. Holds nothing of what it has written.
 */
export type SolutionWriter = {write(row: SolutionRow): string; end(): string}

export type ResultsFormat = {
  readonly id: string
  readonly mediaTypes: readonly [string, ...string[]] // the first is canonical, the others are answered as asked
  readonly charset: boolean // whether the Content-Type of an answer carries "; charset=utf-8"
  readonly createWriter: (variables: readonly string[]) => SolutionWriter // names without '?'
  readonly writeBoolean: (value: boolean) => string // the whole answer to ASK
}
