/**
 * The interface of a format of query results, which JSON, XML, CSV and TSV implement for `results.ts`.
 *
 * Types only.
 */
import type {Term} from '../rdf/term.ts'

/** One solution: a term for each variable, in the order of the writer's variables; undefined if it is unbound. */
export type SolutionRow = readonly (Term | undefined)[]

/** How a format writes a term: the same term always in the same way. It may throw a Problem. */
export type TermText = (term: Term) => string

/** One solution, its terms as texts of the format. */
export type SolutionTexts = readonly (string | undefined)[]

/** Turns solutions into chunks, which together are the document. It does not keep solutions. */
export type SolutionWriter = {write(texts: SolutionTexts): string; end(): string}

export type ResultsFormat = {
  readonly id: string
  readonly name: string // in pages
  readonly iri: string // in the namespace of formats
  readonly mediaTypes: readonly [string, ...string[]] // canonical type, then aliases, which are used if asked for
  readonly charset: boolean // whether Content-Type has "; charset=utf-8"
  readonly termText: TermText
  readonly createWriter: (variables: readonly string[]) => SolutionWriter // names without '?'
  readonly writeBoolean: (value: boolean) => string // the whole answer to ASK
}
