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
import {createSeen, createTemplate, type IdOrKeyTriple, isStatement} from './construct.ts'
import {heldLimitsOf} from './held-limits.ts'
import type {OpenRows} from './open-rows.ts'
import {planIn, statementOf, uncached} from './plans.ts'
import type {ProcessState, QueryRun} from './state.ts'
import {unifyTokens} from './unify-terms.ts'

type Construct = Extract<Query, {form: 'construct'}>

const rememberedMax = 30_000 // triples, some 5 MB
const batchRows = 1000

/** Whether a number of solutions yields no more triples than are remembered, so PostgreSQL is not asked again. */
export function isRemembered(
  {template}: Construct,
  {rememberedTriples = rememberedMax}: ProcessState,
  solutions: number,
): boolean {
  return template.length * solutions <= rememberedTriples
}

/** @param query  the query as it ran, with tables in place of SERVICE */
export async function* constructTriples(
  run: QueryRun,
  rows: OpenRows,
  query: Construct,
): AsyncGenerator<readonly IdOrKeyTriple[]> {
  const {schema, rememberedTriples = rememberedMax} = run.process
  const {compiled, batches, transaction, decoder} = rows
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
  const seen = createSeen(isRepeatable(query.pattern) ? rememberedTriples : Infinity)
  for await (const batch of batches) {
    const unified = await unifyTokens(transaction, schema, compiled, batch)
    const triples = unified.flatMap(own.fill)
    if (isSet) triples.push(...unified.flatMap(shared.fill))
    else if (!seen.isFull()) triples.push(...unified.flatMap(shared.fill).filter(seen.add))
    else if (blank.length === 0) break
    if (triples.length > 0) yield triples
  }
  if (!seen.isFull()) return
  for await (const triples of allTriples(run, rows, {...query, template: plain, rows: 'triples'})) {
    const others = triples.filter(triple => !seen.has(triple))
    if (others.length > 0) yield others
  }
}

function hasBlankNode({subject, predicate, object}: TemplateTriple): boolean {
  return [subject, predicate, object].some(({termType}) => termType === 'BlankNode')
}

/** The set of triples, computed by PostgreSQL. */
async function* allTriples(run: QueryRun, {transaction, compiled}: OpenRows, construct: Construct) {
  const {process, request} = run
  const query = uncached(withConstants(construct, compiled.isLong))
  const plan = await planIn({...run, request: {...request, watch: startStopwatch()}, query}, transaction)
  const statement = {...statementOf(plan.compiled), columnCount: 3, hasKeys: true}
  const options = {batchRows, limitBytes: heldLimitsOf(process).bytes, signal: request.signal}
  for await (const rows of readRows(transaction, process.schema, statement, options)) {
    yield rows.map(([s, p, o]): IdOrKeyTriple => ({s: s ?? '', p: p ?? '', o: o ?? ''})).filter(isStatement)
  }
}
