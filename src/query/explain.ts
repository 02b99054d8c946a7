/**
 * How a query would be answered: its algebra after each pass, the SQL, PostgreSQL's plan.
 *
 * Floor 4. The query is planned, and run only when it is asked to be measured.
 */
import type {Database} from '../db/pool.ts'
import {explainRows, settle} from '../db/rows.ts'
import type {Iri} from '../rdf/term.ts'
import type {Algebra, Dataset} from '../sparql/algebra.ts'
import {prepareQuery} from '../sparql/compile.ts'
import {compileIn, type QueryStore} from './run.ts'

export type Explanation = {
  readonly passes: readonly {readonly name: string; readonly tree: Algebra}[] // the translation first
  readonly constants: readonly string[] // keys of the terms that were looked up
  readonly sql: string
  readonly parameters: readonly string[] // items of $1
  readonly columns: readonly {readonly name: string; readonly rep: 'id' | 'key'}[]
  readonly plan: readonly string[] // lines
}

export type ExplainRequest = {
  readonly text: string
  readonly base: Iri
  readonly dataset?: Dataset
  readonly isMeasured?: boolean // run the query, and show times and row counts
}

/** @throws  Problem, as answering the query would */
export function explainQuery(
  store: QueryStore & {readonly database: Database},
  {text, base, dataset, isMeasured = false}: ExplainRequest,
): Promise<Explanation> {
  const passes: {name: string; tree: Algebra}[] = []
  const prepared = prepareQuery(text, base, dataset, ({name}, tree) => passes.push({name, tree}))
  return store.database.begin('repeatable read read only', async transaction => {
    await settle(transaction, store.schema, store.timeoutMs)
    const {text: sql, parameters, columns, isWalked} = await compileIn(store, transaction, prepared)
    const plan = await explainRows(transaction, {text: sql, parameters, isWalked}, {isMeasured})
    return {passes, constants: [...prepared.constants.keys()], sql, parameters, columns, plan}
  })
}
