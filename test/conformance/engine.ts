/**
 * The SPARQL compiler as an engine of the conformance runner, in process: each test's graphs are loaded as they are, the
 * query goes the service's way, its rows come back as terms.
 *
 *   TEST_DATABASE_URL=… node --import tsx <runner>/run.mjs --engine test/conformance/engine.mjs
 */
import {parseDatabaseUrl} from '../../src/db/address.ts'
import {readVocabulary} from '../../src/db/dataset.ts'
import {encodeGraph} from '../../src/db/graph-codec.ts'
import {migrate} from '../../src/db/migrate.ts'
import {createPool, type Database} from '../../src/db/pool.ts'
import {buildTriples} from '../../src/query/construct.ts'
import {decodeRows} from '../../src/query/decode.ts'
import {type QueryStore, runQuery} from '../../src/query/run.ts'
import type {Quad, Term, Triple} from '../../src/rdf/term.ts'
import type {Dataset} from '../../src/sparql/algebra.ts'
import {prepareQuery} from '../../src/sparql/compile.ts'
import {parseQuery} from '../../src/sparql/parse.ts'
import {translateQuery} from '../../src/sparql/translate.ts'
import {showCsv, showJson, showTsv} from './results.ts'

type Context = {readonly baseIRI: string; readonly dataset?: Dataset}
type NamedGraph = {readonly name: string; readonly quads: readonly Quad[]; readonly trig?: boolean}
export type Row = Readonly<Record<string, Term>>

const schema = 'conformance'

export async function createEngine() {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
  const options = {connectionMax: 2, isPooled: false, prepare: true, statementTimeoutMs: 30_000}
  const database = createPool(parseDatabaseUrl(url), options)
  await migrate(database, {schema, directory: new URL('../../sql', import.meta.url).pathname})
  const vocabulary = await readVocabulary(database, schema)
  const store: QueryStore = {database, schema, vocabulary, timeoutMs: 30_000}

  return {
    name: 'quadstead',
    load: (graphs: readonly NamedGraph[]) => load(database, graphs),
    query: (text: string, context: Context) => answer(store, text, context),
    async raw(text: string, format: string, context: Context) {
      const result = await answer(store, text, context)
      return format === 'csv' ? showCsv(result) : format === 'tsv' ? showTsv(result) : showJson(result)
    },
    async accepts(text: string, context: Context) {
      try {
        translateQuery(parseQuery(text, context.baseIRI))
        return {ok: true}
      } catch (error) {
        return {ok: false, why: String(error)}
      }
    },
    close: () => database.end(1000),
  }
}

export type Result =
  | {readonly kind: 'boolean'; readonly value: boolean}
  | {readonly kind: 'bindings'; readonly vars: readonly string[]; readonly rows: readonly Row[]}
  | {readonly kind: 'graph'; readonly quads: readonly Quad[]}

async function answer(store: QueryStore, text: string, {baseIRI, dataset}: Context): Promise<Result> {
  const prepared = prepareQuery(text, baseIRI, dataset)
  const {query} = prepared
  return runQuery(store, prepared, {}, async ({compiled, decoder, batches}): Promise<Result> => {
    if (query.form === 'ask') {
      for await (const rows of batches) return {kind: 'boolean', value: String(rows[0]?.[0]) === 'true'}
      return {kind: 'boolean', value: false}
    }
    const names = compiled.columns.map(({name}) => name)
    const reps = compiled.columns.map(({rep}) => rep)
    const rows: Row[] = []
    const triples = new Map<string, Triple>()
    let solution = 0
    for await (const batch of decodeRows(batches, reps, decoder)) {
      for (const terms of batch) {
        const bound = names.flatMap((name, index): [string, Term][] => {
          const term = terms[index]
          return term === undefined ? [] : [[name, term]]
        })
        const row = Object.fromEntries(bound)
        rows.push(row)
        solution += 1
        if (query.form !== 'construct') continue
        for (const triple of buildTriples(query.template, row, solution)) triples.set(JSON.stringify(triple), triple)
      }
    }
    if (query.form === 'select') return {kind: 'bindings', vars: query.variables, rows}
    return {
      kind: 'graph',
      quads: [...triples.values()].map(triple => ({...triple, graph: {termType: 'DefaultGraph', value: ''}})),
    }
  })
}

/** Replaces the store's content. */
async function load(database: Database, graphs: readonly NamedGraph[]): Promise<void> {
  const content = new Map<string, Quad[]>()
  const isTrig = graphs.some(({trig}) => trig)
  for (const {name, quads} of graphs) {
    for (const quad of quads) {
      const graph = isTrig ? quad.graph.value || 'urn:x-default-graph' : name
      content.set(graph, [...(content.get(graph) ?? []), quad])
    }
  }
  await database.begin('read committed', async transaction => {
    await transaction.query(`truncate ${schema}.quad`)
    await transaction.query(`set local search_path to ${schema}`)
    // Blank nodes are those of the file, also where its triples lie in two graphs.
    const all = [...content].flatMap(([name, quads]) =>
      quads.map(({subject, predicate, object}) => ({subject, predicate, object, name})),
    )
    const {keys, subjects, predicates, objects} = encodeGraph(all)
    const [row] = await transaction.query<{ids: string[]}>('select resolve_terms(0, $1) as ids', [keys])
    const idOf = (reference: string) =>
      reference.startsWith('-') ? reference : (row?.ids[Number(reference) - 1] ?? '')
    for (const name of content.keys()) {
      const [graph] = await transaction.query<{ids: string[]}>('select intern_terms($1) as ids', [[`I${name}`]])
      const own = <Item>(items: readonly Item[]) => items.filter((_, index) => all[index]?.name === name)
      await transaction.query('select put_quads($1, $2, $3, $4)', [
        graph?.ids[0] ?? '',
        own(subjects).map(idOf),
        own(predicates).map(idOf),
        own(objects).map(idOf),
      ])
    }
  })
}
