/** The places of filters in a conjunction. */
import test from 'ava'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import type {Step} from '../../../src/sparql/plan/join/estimate.ts'
import {operandsOf} from '../../../src/sparql/plan/join/operand.ts'
import {placeTests} from '../../../src/sparql/plan/join/place-tests.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

type Rows = Pick<Step, 'method' | 'rows' | 'untested'> & Partial<Step>

/** The index of the step that a filter follows, and whether it is tested apart from it. */
function placedAt(filter: string, rows: readonly Rows[]): readonly [number | undefined, boolean | undefined] {
  const text = `ASK { ${rows.map((_, index) => `?s <p${index}> ?v${index} .`).join(' ')} FILTER ${filter} }`
  const {pattern} = translateQuery(parseQuery(text, 'http://e/'))
  if (pattern.type !== 'filter') throw new Error('the query has no filter')
  const steps = operandsOf(pattern.input).map((operand, index) => ({operand, ...(rows[index] ?? rows[0])}) as Step)
  const [[place, tests] = []] = placeTests([pattern.condition], steps, ({type}) => type !== 'exists')
  return [place, tests?.[0]?.isApart]
}

/** The index of the step after which NOT EXISTS is tested. */
function placeOf(...rows: readonly Rows[]): number | undefined {
  return placedAt('NOT EXISTS { ?s <q> ?e }', rows)[0]
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

const text = '(STR(?v0) < "m")'

test('an expensive test follows the step that leaves few solutions, and PostgreSQL joins that before', t => {
  t.deepEqual(placedAt(text, [step('scan', 5000, 0.3), {...step('probe', 20, 0.3), cost: 30_000}]), [1, true])
})

test('an expensive test precedes a step that leaves many solutions, or that costs more than it spares', t => {
  t.deepEqual(placedAt(text, [step('scan', 5000, 0.3), {...step('probe', 6000, 0.3), cost: 30_000}]), [0, false])
  t.deepEqual(placedAt(text, [step('scan', 5000, 0.3), {...step('probe', 20, 0.3), cost: 300_000}]), [0, false])
})

test('an expensive test of a table that is read whole follows the join if that leaves fewer rows', t => {
  const other = {...step('scan', 100, 0.3), cost: 9000, read: 8000}
  t.deepEqual(placedAt('(STR(?v1) < "m")', [step('scan', 100), other]), [1, true])
  t.deepEqual(placedAt('(STR(?v1) < "m")', [step('scan', 100), {...other, read: 80}]), [1, false])
})
