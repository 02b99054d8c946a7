/** The places of filters in a conjunction. */
import test from 'ava'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import type {Step} from '../../../src/sparql/plan/join/estimate.ts'
import {operandsOf} from '../../../src/sparql/plan/join/operand.ts'
import {placeTests} from '../../../src/sparql/plan/join/place-tests.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

type Rows = Pick<Step, 'method' | 'rows' | 'untested'>

/** The index of the step after which NOT EXISTS is tested. */
function placeOf(...rows: readonly Rows[]): number | undefined {
  const text = `ASK { ${rows.map((_, index) => `?s <p${index}> ?v${index} .`).join(' ')} FILTER NOT EXISTS { ?s <q> ?e } }`
  const {pattern} = translateQuery(parseQuery(text, 'http://e/'))
  if (pattern.type !== 'filter') throw new Error('the query has no filter')
  const steps = operandsOf(pattern.input).map((operand, index) => ({operand, ...(rows[index] ?? rows[0])}) as Step)
  const [place] = placeTests([pattern.condition], steps, () => false).keys()
  return place
}

const step = (method: Step['method'], untested: number, share = 0.05): Rows => ({
  method,
  untested,
  rows: untested * share,
})

test('EXISTS follows the first step if it spares lookups of later ones', t => {
  t.is(placeOf(step('scan', 3767), step('probe', 2142), step('probe', 2142), step('probe', 2142)), 0)
})

test('EXISTS that removes little follows the step that leaves few solutions', t => {
  t.is(placeOf(step('scan', 3767, 0.95), step('probe', 40, 0.95), step('probe', 400, 0.95)), 1)
})

test('EXISTS spares nothing if the later steps are read as a whole', t => {
  t.is(placeOf(step('scan', 3767), step('scan', 2142)), 1)
})
