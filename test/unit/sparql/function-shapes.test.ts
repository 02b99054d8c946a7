/**
 * Queries that differ only in the IRI of a function have different shapes, although other constants are parameters of a
 * shape.
 */
import test from 'ava'
import {createPlanCache} from '../../../src/query/plan-cache.ts'
import {prepare} from '../../../src/query/prepare.ts'
import {prepareQuery} from '../../../src/sparql/compile.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'
const base = 'http://example.org/'
const functions = [`${xsd}integer`, `${xsd}string`, `${xsd}decimal`, 'http://example.org/f', 'http://example.org/g']

const families: Readonly<Record<string, (iri: string, value: number) => string>> = {
  'in BIND': (iri, value) => `SELECT ?y { ?x <p:a> ${value} BIND(<${iri}>(?x) AS ?y) }`,
  'in FILTER': (iri, value) => `SELECT ?x { ?x <p:a> ?o FILTER(<${iri}>(?o) = ${value}) }`,
  'of a constant': (iri, value) => `SELECT (<${iri}>("${value}") AS ?y) {}`,
  'and as a constant beside': (iri, value) => `SELECT ?y { ?x <p:a> <${iri}> BIND(<${iri}>(${value}) AS ?y) }`,
}

for (const [place, make] of Object.entries(families)) {
  test(`a function's IRI is never taken from another query: ${place}`, async t => {
    const cache = createPlanCache(100)
    for (let value = 1; value <= 4; value += 1) {
      for (const iri of functions) {
        const text = make(iri, value)
        const fresh = prepareQuery(text, base)
        const {query} = await prepare({cache}, {text, base})
        t.deepEqual(query.prepared, fresh, text)
      }
    }
  })
}
