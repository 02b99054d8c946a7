/**
 * DESCRIBE: all triples whose subject is one of the resources, or a blank node that these triples lead to.
 *
 * Source: SPARQL 1.1 §16.4, which leaves the choice of triples to the service.
 */
import {findTriplesOfSubjects} from '../db/query/answers.ts'
import {findIds} from '../db/query/rows.ts'
import {namedNode} from '../rdf/term.ts'
import {kindOfKey, termKey} from '../rdf/term-key.ts'
import type {Query} from '../sparql/algebra.ts'
import {type IdOrKey, type IdOrKeyTriple, kindOf} from './construct.ts'
import {heldLimitsOf, tooMany} from './held-limits.ts'
import type {OpenRows} from './open-rows.ts'
import type {ProcessState} from './state.ts'

type Describe = Extract<Query, {form: 'describe'}>

export async function* describe(
  process: ProcessState,
  rows: OpenRows,
  query: Describe,
): AsyncGenerator<readonly IdOrKeyTriple[]> {
  const {schema} = process
  const limits = heldLimitsOf(process)
  const {transaction, compiled, past} = rows
  const {realms} = compiled
  const find = past?.findIds ?? findIds
  const readTriples = past?.findTriplesOfSubjects ?? findTriplesOfSubjects
  const graphs = query.dataset && [
    ...(
      await find(
        transaction,
        schema,
        query.dataset.default.map(iri => termKey(namedNode(iri))),
      )
    ).values(),
  ]
  const visited = new Set<IdOrKey>()
  for await (const resources of resourcesOf(rows, query, schema)) {
    for (let next = resources.filter(token => !visited.has(token)); next.length > 0; ) {
      for (const token of next) visited.add(token)
      if (visited.size > limits.items) throw tooMany('resources', limits)
      const found = new Set<IdOrKey>() // blank nodes
      const asked = {subjects: next, graphs, realms} // others than of any other subject
      for await (const triples of readTriples(transaction, schema, asked)) {
        for (const {o} of triples) if (kindOf(o) === 'blank' && !visited.has(o)) found.add(o)
        yield triples
      }
      next = [...found]
    }
  }
}

/** The ids of the resources to describe. A term that is not stored has no triples. */
async function* resourcesOf(
  {transaction, batches, compiled, past}: OpenRows,
  query: Describe,
  schema: string,
): AsyncGenerator<readonly IdOrKey[]> {
  const constants = query.resources.flatMap(term => (term.termType === 'NamedNode' ? [termKey(term)] : []))
  const find = past?.findIds ?? findIds
  yield [...new Set((await find(transaction, schema, constants)).values())]
  if (compiled.columns.length === 0) return
  for await (const rows of batches) {
    const tokens = [...new Set(rows.flat().filter(token => token !== null))]
    const ids = tokens.filter(token => /^\d/.test(token) && !compiled.localKeys.has(token))
    const keys = tokens.filter(token => kindOfKey(token) === 'iri')
    yield [...new Set([...ids, ...(await find(transaction, schema, keys)).values()])]
  }
}
