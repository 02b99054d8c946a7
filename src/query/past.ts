/**
 * Opens the rows of a query on the store as it was at a time.
 *
 * The query is compiled to read the past tables, whose rows that differ are kept in a cursor. Nothing is taken
 * from caches, which belong to the present. Statistics are those of today: they change plans but never answers. Extents
 * of objects could change answers, so there are none, and no plan relies on the order of an index.
 */
import {Problem} from '../base/problem.ts'
import {openPast, requireTime} from '../db/query/past.ts'
import {readRows, settle} from '../db/query/rows.ts'
import {compileQuery} from '../sparql/compile.ts'
import {createDecoder} from './decode.ts'
import {askedOf} from './facts.ts'
import {frequenciesOf} from './frequencies.ts'
import {heldLimitsOf} from './held-limits.ts'
import {type OpenRows, reading, withServices} from './open-rows.ts'
import {peek} from './peek.ts'
import {findFacts, optionsFor, statementOf} from './plans.ts'
import type {QueryRun} from './state.ts'

/**
 * Opens the rows and waits for the first of them.
 *
 * @throws  Problem 404 `changes-logged` · 410 `past-kept` · 422 `past-graphs`, `past-size`, and those of openRows
 */
export async function openPastRows(run: QueryRun, at: Date): Promise<OpenRows> {
  const {process, request} = run
  const {schema, timeoutMs, vocabulary} = process
  const {server, after, signal, requestId, watch} = request
  await requireTime(server, at)
  const snapshot = await server.openSnapshot({after, share: 'long'})
  try {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query began.')
    await settle(snapshot, schema, {timeoutMs, requestId})
    watch.lap('connect')
    const complete = await withServices(run, snapshot)
    const asked = askedOf(complete)
    const present = await findFacts(snapshot, schema, {...asked, valued: [], byGraph: []})
    const past = await openPast(snapshot, schema, at, present.realms)
    const facts = {
      ...present,
      hasDocuments: true,
      memberRelations: [...new Set([...present.memberRelations, ...past.relations])],
      ids: await past.findIds(snapshot, schema, asked.keys),
    }
    const frequencies = await frequenciesOf(process, snapshot)
    watch.lap('look-up')
    const options = optionsFor(schema, {facts, frequencies})
    const compiled = compileQuery(complete.query.prepared, {
      ...options,
      facts: {...options.facts, past: past.names},
      forced: {isWalked: false, isSearched: false},
    })
    watch.lap('plan')
    const batches = await peek(readRows(snapshot, schema, {...statementOf(compiled), isPast: true}, reading(run)))
    const {localKeys} = compiled
    const limits = heldLimitsOf(process)
    const decoder = createDecoder({transaction: snapshot, schema, vocabulary, localKeys, limits, find: past.findTerms})
    return {compiled, transaction: snapshot, decoder, batches, close: snapshot.close}
  } catch (error) {
    snapshot.close()
    throw error
  }
}
