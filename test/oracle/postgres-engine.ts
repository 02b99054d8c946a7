/**
 * The compiler as an engine: quads go into the store as they are, queries the way of the service, blank nodes come back
 * under the labels they went in with.
 */
import {readVocabulary} from '../../src/db/dataset.ts'
import {blankLabelsOf, blankNodeLabel, encodeGraph} from '../../src/db/graph-codec.ts'
import type {Database} from '../../src/db/pool.ts'
import {buildTriples} from '../../src/query/construct.ts'
import {decodeRows} from '../../src/query/decode.ts'
import {type QueryStore, runQuery} from '../../src/query/run.ts'
import {blankNode, defaultGraph, type Quad, type Term} from '../../src/rdf/term.ts'
import {prepareQuery} from '../../src/sparql/compile.ts'
import {testSchema} from '../support/postgres.ts'
import type {Answer} from './answer.ts'
import type {Engine} from './engine.ts'
import type {Solution} from './solution.ts'

type Labels = Map<string, string> // as stored → as loaded

export async function createPostgresEngine(database: Database): Promise<Engine> {
  const vocabulary = await readVocabulary(database, testSchema)
  const store: QueryStore = {database, schema: testSchema, vocabulary, timeoutMs: 10_000}
  let labels: Labels = new Map()
  return {
    async load(quads) {
      labels = await load(database, quads)
    },
    answer: (text, dataset) => answer(store, text, term => restore(term, labels), dataset),
    close: () => database.end(1000),
  }
}

async function load(database: Database, quads: readonly Quad[]): Promise<Labels> {
  const labels: Labels = new Map()
  const names = [...new Set(quads.map(({graph}) => graph.value))]
  await database.begin('read committed', async transaction => {
    await transaction.query(`delete from ${testSchema}.quad`)
    await transaction.query(`set local search_path to ${testSchema}`)
    for (const name of names) {
      const {keys, subjects, predicates, objects} = encodeGraph(quads.filter(({graph}) => graph.value === name))
      const [row] = await transaction.query<{ids: string[]; graph: string[]}>(
        'select resolve_terms(0, $1) as ids, intern_terms($2) as graph',
        [keys, [`I${name}`]],
      )
      const idOf = (reference: string) =>
        reference.startsWith('-') ? reference : (row?.ids[Number(reference) - 1] ?? '')
      const ids = keys.flatMap((key, index) => (key.startsWith('B') ? [row?.ids[index] ?? ''] : []))
      for (const [index, label] of blankLabelsOf(keys).entries()) labels.set(blankNodeLabel(ids[index] ?? ''), label)
      await transaction.query('select put_quads($1, $2, $3, $4)', [
        row?.graph[0] ?? '',
        subjects.map(idOf),
        predicates.map(idOf),
        objects.map(idOf),
      ])
    }
  })
  return labels
}

function restore<Kind extends Term>(term: Kind, labels: Labels): Kind | Term {
  return term.termType === 'BlankNode' ? blankNode(labels.get(term.value) ?? term.value) : term
}

async function answer(
  store: QueryStore,
  text: string,
  read: (term: Term) => Term,
  dataset: Parameters<Engine['answer']>[1],
): Promise<Answer> {
  const prepared = prepareQuery(text, 'http://e/', dataset)
  const {query} = prepared
  return runQuery(store, prepared, {}, async ({compiled, decoder, batches}): Promise<Answer> => {
    if (query.form === 'ask') {
      for await (const rows of batches) return {type: 'boolean', boolean: String(rows[0]?.[0]) === 'true'}
      return {type: 'boolean', boolean: false}
    }
    const solutions: Solution[] = []
    for await (const batch of decodeRows(
      batches,
      compiled.columns.map(({rep}) => rep),
      decoder,
    )) {
      for (const terms of batch) {
        const bound = compiled.columns.flatMap(({name}, index): [string, Term][] => {
          const term = terms[index]
          return term === undefined ? [] : [[name, read(term)]]
        })
        solutions.push(new Map(bound))
      }
    }
    if (query.form !== 'construct')
      return {type: 'solutions', variables: compiled.columns.map(({name}) => name), solutions}
    const triples = solutions.flatMap((row, index) => buildTriples(query.template, Object.fromEntries(row), index))
    const quads = triples.map(triple => ({...triple, graph: defaultGraph}))
    return {type: 'graph', quads: [...new Map(quads.map(quad => [JSON.stringify(quad), quad])).values()]}
  })
}
