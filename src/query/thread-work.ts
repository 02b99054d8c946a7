/**
 * The work of the threads of threads.ts: prepares, compiles and prints long queries.
 *
 * Pure. Its input and output are data that structured clone can copy.
 */
import type {Iri, Term} from '../rdf/term.ts'
import type {DatasetClause, Query} from '../sparql/algebra.ts'
import {
  type CompiledText,
  type CompileOptions,
  compileText,
  type PreparedQuery,
  prepareQuery,
} from '../sparql/compile.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import {showAlgebra} from '../sparql/print/show.ts'
import type {Explanation, ShownPass} from './explanation.ts'
import {explanationDocument, explanationText} from './show-explanation.ts'

export type PrepareInput = {
  readonly text: string
  readonly base: Iri
  readonly dataset: DatasetClause | undefined
  readonly limits: QueryLimits | undefined
  readonly isExplained: boolean // return the algebra after each pass as well
}

export type PreparedText = {readonly prepared: PreparedQuery; readonly passes: readonly ShownPass[]}

/** @throws  Problem 400: see sparql/parse/parse.ts */
export function prepareText({text, base, dataset, limits, isExplained}: PrepareInput): PreparedText {
  const passes: ShownPass[] = []
  const prepared = prepareQuery(text, base, dataset, {
    limits,
    observe({name}, tree) {
      if (isExplained) passes.push({name, algebra: showAlgebra(tree)})
    },
  })
  return {prepared, passes}
}

export type CompileInput = {
  readonly query: Query
  readonly constants: ReadonlyMap<string, Term>
  readonly options: CompileOptions
}

/** @throws  Problem 400 `query-size`, 403 `federation-disabled` */
export function compileInput({query, constants, options}: CompileInput): CompiledText {
  return compileText({query, constants}, options)
}

export type ShowInput = {readonly explanation: Explanation; readonly isJson: boolean}

/** @returns  the explanation as the body of a response */
export function showInput({explanation, isJson}: ShowInput): string {
  return isJson ? `${JSON.stringify(explanationDocument(explanation))}\n` : explanationText(explanation)
}
