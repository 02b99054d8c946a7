/**
 * The triples of a CONSTRUCT without duplicates, in bounded memory.
 *
 * Triples that cannot occur twice are not remembered: those with a blank node of the template, and those of a query
 * that analyse/unique.ts recognises. Of the others a limited number is remembered. If there are more, PostgreSQL
 * computes the set of all of them, and the triples already emitted are skipped.
 * Source: SPARQL 1.1 §16.2.
 */
import {startStopwatch} from '../base/stopwatch.ts'
import {readRows} from '../db/query/rows.ts'
import type {Term} from '../rdf/term.ts'
import type {Query, TemplateTriple} from '../sparql/algebra.ts'
import {makesDifferentTriples} from '../sparql/analyse/unique.ts'
import {isRepeatable} from '../sparql/analyse/volatile.ts'
import {withConstants} from '../sparql/compile.ts'
import {createSeen, createTemplate, isStatement, type TokenTriple} from './construct.ts'
import {compileIn, type QueryStore, rowLimit} from './plans.ts'
import {heldLimits, type RunningQuery} from './running.ts'
import {unifyTokens} from './unify-terms.ts'

type Construct = Extract<Query, {form: 'construct'}>

export type ConstructStore = QueryStore & {readonly rememberedTriples?: number}

const rememberedMax = 30_000 // triples, some 5 MB
const batchRows = 1000

/** Whether `rowLimit` solutions yield no more triples than are remembered, so PostgreSQL is not asked again. */
export function isRemembered({template}: Construct, {rememberedTriples = rememberedMax}: ConstructStore): boolean {
  return template.length * rowLimit <= rememberedTriples
}

/** @param query  the query as it ran, with tables in place of SERVICE */
export async function* constructTriples(
  running: RunningQuery,
  query: Construct,
  store: ConstructStore,
): AsyncGenerator<readonly TokenTriple[]> {
  const {compiled, batches, transaction, decoder} = running
  const names = compiled.columns.map(({name}) => name)
  const [blank, plain] = [query.template.filter(hasBlankNode), query.template.filter(triple => !hasBlankNode(triple))]
  const tokenOf = (term: Term) => {
    const token = compiled.idOf(term)
    decoder.know(token, term)
    return token
  }
  const own = createTemplate(blank, names, tokenOf)
  const shared = createTemplate(plain, names, tokenOf)
  const isSet = makesDifferentTriples(query.template, query.pattern)
  const seen = createSeen(isRepeatable(query.pattern) ? (store.rememberedTriples ?? rememberedMax) : Infinity)
  for await (const rows of batches) {
    const unified = await unifyTokens(transaction, store.schema, compiled, rows)
    const triples = unified.flatMap(own.fill)
    if (isSet) triples.push(...unified.flatMap(shared.fill))
    else if (!seen.isFull()) triples.push(...unified.flatMap(shared.fill).filter(seen.add))
    else if (blank.length === 0) break
    if (triples.length > 0) yield triples
  }
  if (!seen.isFull()) return
  for await (const triples of allTriples(running, {...query, template: plain, rows: 'triples'}, store)) {
    const others = triples.filter(triple => !seen.has(triple))
    if (others.length > 0) yield others
  }
}

function hasBlankNode({subject, predicate, object}: TemplateTriple): boolean {
  return [subject, predicate, object].some(({termType}) => termType === 'BlankNode')
}

/** The set of triples, computed by PostgreSQL. */
async function* allTriples({transaction, signal, compiled}: RunningQuery, query: Construct, store: QueryStore) {
  const prepared = withConstants(query, compiled.isLong)
  const {text, parameters, isWalked} = await compileIn(store, transaction, prepared, startStopwatch())
  const statement = {text, parameters, isWalked, columnCount: 3, hasKeys: true}
  const limitBytes = heldLimits(store).bytes
  const options = {batchRows, limitBytes, ...(signal === undefined ? {} : {signal})}
  for await (const rows of readRows(transaction, store.schema, statement, options)) {
    yield rows.map(([s, p, o]): TokenTriple => ({s: s ?? '', p: p ?? '', o: o ?? ''})).filter(isStatement)
  }
}
