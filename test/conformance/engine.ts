/**
 * The SPARQL compiler as an engine of the conformance runner, in the same process. It loads the graphs of each test as
 * raw graphs, executes the query like the service, and returns its rows as terms.
 *
 *   TEST_DATABASE_URL=… node --import tsx <runner>/run.mjs --engine test/conformance/engine.mjs
 */
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {encodeGraphs} from '../../src/db/store/graph-codec.ts'
import {resultsFormats, solutionTexts} from '../../src/format/results.ts'
import {createQueryService, type QueryService} from '../../src/query/answer.ts'
import type {Quad, Term} from '../../src/rdf/term.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import type {DatasetClause} from '../../src/sparql/algebra.ts'
import {parseQuery} from '../../src/sparql/parse/parse.ts'
import {translateQuery} from '../../src/sparql/translate/translate.ts'
import {putRawGraph} from '../support/raw-graph.ts'
import type {Result} from './sparql-results.ts'

type Context = {readonly baseIRI: string; readonly dataset?: DatasetClause}
type NamedGraph = {readonly name: string; readonly quads: readonly Quad[]; readonly trig?: boolean}
export type Place = {readonly database: Database; readonly schema: string}

export async function createEngine({database, schema}: Place) {
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  const platform = platformVocabulary('https://carbonldp.com/ns/v1/platform#')
  const service = createQueryService({database, schema, vocabulary, timeoutMs: 30_000, checksums, platform})

  return {
    name: 'quadstead',
    load: (graphs: readonly NamedGraph[]) => load({database, schema}, graphs),
    query: (text: string, context: Context) => answer(service, text, context),
    async raw(text: string, format: string, context: Context) {
      return show(await answer(service, text, context), format)
    },
    async accepts(text: string, context: Context) {
      try {
        translateQuery(parseQuery(text, context.baseIRI))
        return {ok: true}
      } catch (error) {
        return {ok: false, why: String(error)}
      }
    },
    async close() {
      await checksums.close()
    },
  }
}

function show(result: Result, format: string): string {
  const writers = resultsFormats.find(({id}) => id === `results-${format}`)
  if (writers === undefined || result.kind === 'graph') throw new Error(`no ${format} of ${result.kind}`)
  if (result.kind === 'boolean') return writers.writeBoolean(result.value)
  const writer = writers.createWriter(result.vars)
  const lines = result.rows.map(row =>
    writer.write(
      solutionTexts(
        result.vars.map(name => row[name]),
        writers,
      ),
    ),
  )
  return lines.join('') + writer.end()
}

async function answer(service: QueryService, text: string, {baseIRI, dataset}: Context): Promise<Result> {
  const preferences = {contexts: false, checksums: false}
  const request = {text, base: baseIRI, preferences, ...(dataset === undefined ? {} : {dataset})}
  return service.answer(request, async (result): Promise<Result> => {
    switch (result.form) {
      case 'ask':
        return {kind: 'boolean', value: result.value}
      case 'graph':
        return {kind: 'graph', quads: (await collect(result.quads)).flat()}
      case 'written-select':
        throw new Error('nobody asked for texts')
      case 'select': {
        const rows = (await collect(result.rows)).flat().map(terms => {
          const bound = result.variables.map((name, index) => [name, terms[index]] as const)
          return Object.fromEntries(bound.filter((entry): entry is [string, Term] => entry[1] !== undefined))
        })
        return {kind: 'bindings', vars: result.variables, rows}
      }
    }
  })
}

/** Replaces the content of the store. */
async function load({database, schema}: Place, graphs: readonly NamedGraph[]): Promise<void> {
  const content = new Map<string, Quad[]>()
  const isTrig = graphs.some(({trig}) => trig)
  for (const {name, quads} of graphs) {
    for (const quad of quads) {
      const graph = isTrig ? quad.graph.value || 'urn:x-default-graph' : name
      content.set(graph, [...(content.get(graph) ?? []), quad])
    }
  }
  await database.begin('read committed', async transaction => {
    await transaction.query(`delete from ${schema}.quad`)
    await transaction.query(`delete from ${schema}.raw_graph`)
    await transaction.query(`set local search_path to ${schema}`)
    // Blank nodes belong to the file, even if its triples are in two graphs.
    const all = [...content].flatMap(([name, quads]) =>
      quads.map(({subject, predicate, object}) => ({subject, predicate, object, name})),
    )
    const {keys, references} = encodeGraphs([all])
    const [subjects = [], predicates = [], objects = []] = references
    const [row] = await transaction.query<{ids: string[]}>('select resolve_terms(0, $1) as ids', [keys])
    const idOf = (reference: string) =>
      reference.startsWith('-') ? reference : (row?.ids[Number(reference) - 1] ?? '')
    for (const name of content.keys()) {
      const [graph] = await transaction.query<{ids: string[]}>('select intern_terms($1) as ids', [[`I${name}`]])
      const own = <Item>(items: readonly Item[]) => items.filter((_, index) => all[index]?.name === name)
      const [subjectIds, predicateIds, objectIds] = [subjects, predicates, objects].map(ids => own(ids).map(idOf))
      await putRawGraph(transaction, graph?.ids[0] ?? '', subjectIds ?? [], predicateIds ?? [], objectIds ?? [])
    }
  })
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
