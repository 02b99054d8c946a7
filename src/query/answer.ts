/**
 * A query to its answer, as a stream that lasts as long as its snapshot.
 *
 * Floor 4. The form decides what the answer is; formats and HTTP are the caller's.
 * Sources: interface, endpoint 12; SPARQL 1.1 §16.
 */
import {createLru} from '../base/lru.ts'
import type {Iri, Quad, Term} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'
import type {Dataset, Query} from '../sparql/algebra.ts'
import type {Checksums} from './checksums.ts'
import {createSeen, createTemplate, type TokenTriple} from './construct.ts'
import {decodeRows} from './decode.ts'
import {describe} from './describe.ts'
import {type GraphOptions, placeTriples} from './graph-answer.ts'
import {peek} from './peek.ts'
import {createPrepare} from './prepare.ts'
import {type QueryStore, type RunningQuery, runQuery} from './run.ts'
import {unifyTokens} from './tokens.ts'

export type QueryRequest = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly dataset?: Dataset // of the protocol
  readonly preferences: {readonly contexts: boolean; readonly checksums: boolean}
  readonly signal?: AbortSignal // the client has gone
}

export type QueryAnswer =
  | {readonly form: 'ask'; readonly value: boolean}
  | {
      readonly form: 'select'
      readonly variables: readonly string[]
      readonly rows: AsyncIterable<readonly (readonly (Term | undefined)[])[]> // in batches, in the variables' order
    }
  | {
      readonly form: 'graph'
      readonly quads: AsyncIterable<readonly Quad[]> // in batches
      readonly applied: readonly Iri[] // preferences that were honoured
    }

export type QueryService = {
  /**
   * Answers a query. The first rows were found before `deliver` is called, so what goes wrong until then is thrown
   * here.
   *
   * @throws  Problem 400 `query-syntax` and others of parse.ts, 403 `federation-disabled`, 503 `query-timeout`
   */
  readonly answer: <Result>(request: QueryRequest, deliver: (answer: QueryAnswer) => Promise<Result>) => Promise<Result>
}

export type QueryServiceOptions = QueryStore & {
  readonly checksums: Checksums
  readonly platform: PlatformVocabulary
  readonly keptPlans?: number
}

const keptTerms = 20_000 // some 10 MB

export function createQueryService(options: QueryServiceOptions): QueryService {
  const prepare = createPrepare(options.keptPlans ?? 500)
  const store = {...options, terms: createLru<string, Term>(keptTerms)}
  return {
    async answer(request, deliver) {
      const {text, base, dataset, signal} = request
      const query = prepare(text, base, dataset)
      return runQuery(store, query, signal === undefined ? {} : {signal}, async running => {
        const batches = await peek(running.batches)
        return deliver(await answerOf({...running, batches}, query.query, request, options))
      })
    },
  }
}

async function answerOf(
  running: RunningQuery,
  query: Query,
  {preferences}: QueryRequest,
  options: QueryServiceOptions,
): Promise<QueryAnswer> {
  switch (query.form) {
    case 'ask': {
      for await (const [row] of running.batches) return {form: 'ask', value: String(row?.[0]) === 'true'}
      return {form: 'ask', value: false}
    }
    case 'select':
      return {form: 'select', variables: query.variables, rows: solutions(running, query.variables)}
    case 'construct':
      return placed(running, construct(running, query, options.schema), query, preferences, options)
    case 'describe':
      return placed(running, describe(running, query, options.schema), query, preferences, options)
  }
}

/** Rows in the order of the query's variables; one that the plan has no column for is unbound. */
async function* solutions(running: RunningQuery, variables: readonly string[]) {
  const {compiled, batches, decoder} = running
  const reps = compiled.columns.map(({rep}) => rep)
  const places = variables.map(name => compiled.columns.findIndex(column => column.name === name))
  for await (const rows of decodeRows(batches, reps, decoder)) {
    yield rows.map(row => places.map(place => row[place]))
  }
}

async function* construct(
  {compiled, batches, transaction}: RunningQuery,
  query: Extract<Query, {form: 'construct'}>,
  schema: string,
): AsyncGenerator<readonly TokenTriple[]> {
  const names = compiled.columns.map(({name}) => name)
  const template = createTemplate(query.template, names, compiled.idOf)
  const isNew = createSeen()
  for await (const rows of batches) {
    const unified = await unifyTokens(transaction, schema, compiled, rows)
    const triples = unified.flatMap(template.fill).filter(isNew)
    if (triples.length > 0) yield triples
  }
}

function placed(
  running: RunningQuery,
  triples: AsyncIterable<readonly TokenTriple[]>,
  query: Query,
  {contexts, checksums}: QueryRequest['preferences'],
  options: QueryServiceOptions,
): QueryAnswer {
  const {platform, schema} = options
  const hasDocument =
    query.form === 'construct' &&
    query.template.some(({predicate}) => predicate.termType === 'NamedNode' && predicate.value === platform.document)
  const checksumMode: GraphOptions['checksumMode'] = !checksums
    ? 'none'
    : contexts
      ? 'documents'
      : hasDocument
        ? 'subjects'
        : 'none'
  const graphOptions = {schema, hasContexts: contexts, checksumMode, checksums: options.checksums, platform}
  return {
    form: 'graph',
    quads: placeTriples(running, triples, graphOptions),
    applied: [
      ...(contexts ? [platform.PreferResultsContexts] : []),
      ...(checksumMode === 'none' ? [] : [platform.PreferDocumentChecksums]),
    ],
  }
}
