/** The service as an engine: stores quads as raw graphs, and returns blank nodes with the labels of the loaded data. */
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {blankLabelsOf, encodeGraphs} from '../../src/db/store/graph-codec.ts'
import {createQueryService, type QueryAnswer} from '../../src/query/answer.ts'
import type {ProcessState, RequestState} from '../../src/query/state.ts'
import {blankNodeLabel} from '../../src/rdf/id-layout.ts'
import {blankNode, type NamedNode, type Quad, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {testSchema as schema} from '../support/postgres.ts'
import {putRawGraph} from '../support/raw-graph.ts'
import type {Answer} from './answer.ts'
import type {Engine} from './engine.ts'
import type {RandomDocument} from './random-data.ts'

type Labels = Map<string, string> // stored label → loaded label

export type EngineOptions = Pick<ProcessState, 'frequencies' | 'avoidsTextIndex'> & Pick<RequestState, 'grantees'>

/** @param options  `frequencies`: replace the statistics of the store; `grantees`: those of the caller */
export async function createPostgresEngine(
  database: Database,
  {grantees, ...options}: EngineOptions = {},
): Promise<Engine> {
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  const platform = platformVocabulary('http://e/platform#')
  const rememberedTriples = 2 // few, so that PostgreSQL's set operations are compared too
  const sampledFromMs = Number.POSITIVE_INFINITY // plans depend on the seed alone
  const store = {database, schema, vocabulary, timeoutMs: 20_000, sampledFromMs, ...options}
  const service = createQueryService({...store, checksums, platform, rememberedTriples})
  let labels: Labels = new Map()
  return {
    async load(quads, documents) {
      labels = await load(database, quads, documents)
    },
    async answer(text, dataset) {
      const preferences = {contexts: false, checksums: false}
      const request = {text, base: 'http://e/', preferences, grantees, ...(dataset === undefined ? {} : {dataset})}
      // The first execution uses a cursor, the second one statement, the third also cached terms.
      for (let more = text.length % 3; more > 0; more -= 1)
        await service.answer(request, answer => collect(answer, labels))
      return service.answer(request, answer => collect(answer, labels))
    },
    async construct(text) {
      const request = {text, base: 'http://e/', preferences: {contexts: true, checksums: false}, grantees}
      const answer = await service.answer(request, given => collect(given, labels))
      return answer.type === 'graph' ? answer.quads : []
    },
    close: () => checksums.close(),
  }
}

/** The answer as a value. @param labels  loaded labels of blank nodes, by those in the answer */
export async function collect(answer: QueryAnswer, labels: Labels): Promise<Answer> {
  switch (answer.form) {
    case 'ask':
      return {type: 'boolean', boolean: answer.value}
    case 'graph': {
      const quads: Quad[] = []
      for await (const batch of answer.quads) for (const quad of batch) quads.push(renamed(quad, labels))
      return {type: 'graph', quads}
    }
    case 'written-select':
      throw new Error('nobody asked for texts')
    case 'select': {
      const rows: (readonly (Term | undefined)[])[] = []
      for await (const batch of answer.rows) rows.push(...batch)
      const solutions = rows.map(row => {
        const bound = answer.variables.flatMap((name, index): [string, Term][] => {
          const term = row[index]
          return term === undefined ? [] : [[name, restore(term, labels)]]
        })
        return new Map(bound)
      })
      return {type: 'solutions', variables: answer.variables, solutions}
    }
  }
}

function renamed(quad: Quad, labels: Labels): Quad {
  const {subject, object} = quad
  return {
    ...quad,
    subject: subject.termType === 'BlankNode' ? blankNode(labels.get(subject.value) ?? subject.value) : subject,
    object: restore(object, labels),
  }
}

function restore(term: Term, labels: Labels): Term {
  return term.termType === 'BlankNode' ? blankNode(labels.get(term.value) ?? term.value) : term
}

async function load(database: Database, quads: readonly Quad[], documents: readonly RandomDocument[]): Promise<Labels> {
  const labels: Labels = new Map()
  const names = [...new Set(quads.map(({graph}) => graph.value))]
  await database.begin('read committed', async transaction => {
    await transaction.query(`delete from ${schema}.quad`)
    await transaction.query(`delete from ${schema}.document`)
    await transaction.query(`delete from ${schema}.raw_graph`)
    await transaction.query(`delete from ${schema}.access_grant`)
    await transaction.query(`delete from ${schema}.access_realm`)
    await transaction.query(`set local search_path to ${schema}`)
    for (const document of documents) await insertDocument(transaction, document)
    for (const name of names) {
      const {keys, references} = encodeGraphs([quads.filter(({graph}) => graph.value === name)])
      const [subjects = [], predicates = [], objects = []] = references
      const [row] = await transaction.query<{ids: string[]; graph: string[]}>(
        'select resolve_terms(0, $1) as ids, intern_terms($2) as graph',
        [keys, [`I${name}`]],
      )
      const idOf = (reference: string) =>
        reference.startsWith('-') ? reference : (row?.ids[Number(reference) - 1] ?? '')
      const ids = keys.flatMap((key, index) => (key.startsWith('B') ? [row?.ids[index] ?? ''] : []))
      for (const [index, label] of blankLabelsOf(keys).entries()) labels.set(blankNodeLabel(ids[index] ?? ''), label)
      const [graph = ''] = row?.graph ?? []
      await putRawGraph(transaction, graph, subjects.map(idOf), predicates.map(idOf), objects.map(idOf))
    }
  })
  return labels
}

async function insertDocument(transaction: Transaction, {iri, parent, memberBy}: RandomDocument): Promise<void> {
  const key = (term: NamedNode | undefined) => termKey(term ?? iri)
  await transaction.query(
    `insert into document (id, parent, created, modified, has_member_relation, member_by)
     select ids[1], case when $2 then ids[2] end, now(), now(), ids[1], case when $3 then ids[3] end
       from intern_terms($1) as interned (ids)`,
    [[iri, parent, memberBy].map(key), parent !== undefined, memberBy !== undefined],
  )
}
