/**
 * The work of the threads of threads.ts: prepares, compiles and prints long queries.
 *
 * Pure. Its input and output are data that structured clone can copy.
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {encodeValue} from '../db/connection/value.ts'
import {createEncoder} from '../db/store/graph-codec.ts'
import type {EncodedQuads} from '../db/store/updates.ts'
import type {ReadableId} from '../format/formats.ts'
import {type Iri, namedNode, type Term} from '../rdf/term.ts'
import type {DatasetClause, Query} from '../sparql/algebra.ts'
import {
  type CompiledText,
  type CompileOptions,
  compileModify,
  compileText,
  type PreparedModify,
  type PreparedQuery,
  prepareQuery,
  prepareUpdate,
} from '../sparql/compile.ts'
import type {DataOperation, TemplateQuad, UpdateOperation} from '../sparql/operation.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import {showAlgebra} from '../sparql/print/show.ts'
import type {UpdateScope} from '../sparql/translate/update.ts'
import {type ShownPass, shownPart} from './explanation.ts'

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
      if (isExplained) passes.push({name, algebra: shownPart(showAlgebra(tree))})
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

export type UpdateInput = Omit<PrepareInput, 'dataset' | 'isExplained'> & {readonly scope: UpdateScope}

/** An operation of an update. Data are encoded for the database. */
export type PreparedOperation =
  | Exclude<UpdateOperation, DataOperation>
  | {readonly type: DataOperation['type']; readonly quads: EncodedQuads}

/** @throws  see `prepareUpdate` */
export function prepareUpdateText({text, base, scope, limits}: UpdateInput): readonly PreparedOperation[] {
  return prepareUpdate(text, base, scope, limits).map(operation =>
    'quads' in operation ? {type: operation.type, quads: encodeQuads(operation.quads)} : operation,
  )
}

/** Leaves out triples with a literal as subject, which are no RDF. */
function encodeQuads(quads: readonly TemplateQuad[]): EncodedQuads {
  const {refer, keys} = createEncoder()
  const references: string[][] = [[], [], [], []]
  for (const {graph, subject, predicate, object} of quads) {
    if (subject.termType === 'Literal') continue
    for (const [place, term] of [graph, subject, predicate, object].entries()) {
      if (term.termType === 'Variable') throw new Error('the parser let a variable into data')
      references[place]?.push(refer(term))
    }
  }
  return {keys: String(encodeValue(keys())), references: references.map(ids => `{${ids.join(',')}}`)}
}

export type LoadInput = {
  readonly bytes: Uint8Array
  readonly formatId: ReadableId
  readonly base: Iri
  readonly into: Iri
  readonly tripleLimit: number
}

/**
 * Parses a document and encodes its triples for a graph.
 *
 * @throws  Problem 502 `load-failed`: it has named graphs, and LOAD reads one graph; what the format's parser throws
 */
export async function loadDocument({bytes, formatId, base, into, tripleLimit}: LoadInput): Promise<EncodedQuads> {
  const {parserOf} = await import('../format/registry.ts') // all parsers take half a second to load
  const quads = await parserOf(formatId)(bytes, {base, tripleLimit})
  const named = quads.find(({graph}) => graph.termType !== 'DefaultGraph')
  if (named !== undefined) {
    const message = `<${base}> cannot be loaded: it has the named graph ${excerpt(named.graph.value)}, not one graph.`
    throw new Problem(502, 'load-failed', message)
  }
  const graph = namedNode(into)
  return encodeQuads(quads.map(({subject, predicate, object}) => ({subject, predicate, object, graph})))
}

export type ModifyInput = {readonly prepared: PreparedModify; readonly options: CompileOptions}

/** @throws  Problem 400 `query-size`, 403 `federation-disabled` */
export function compileModifyInput({prepared, options}: ModifyInput): CompiledText {
  return compileModify(prepared, options)
}
