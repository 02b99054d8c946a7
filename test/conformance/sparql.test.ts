/** W3C rdf-tests, SPARQL 1.0 and 1.1 queries: syntax, and evaluation over PostgreSQL in three layouts of the data. */
import test from 'ava'
import {createTestDatabase, testSchema} from '../support/postgres.ts'
import {createEngine} from './engine.ts'
import {resultDifference} from './sparql-comparison.ts'
import {type Result, readCsv, readExpected, readJson, readTsv} from './sparql-results.ts'
import {extensionOf, iriOf, loadOf, type Mode, readText, type SparqlTest, sparqlTests} from './sparql-tests.ts'
import {isSuiteHere} from './suite.ts'
import {compareWithExceptions} from './verdict.ts'

type Engine = Awaited<ReturnType<typeof createEngine>>

const readers: Readonly<Record<string, (text: string) => Result | Promise<Result>>> = {
  csv: readCsv,
  tsv: readTsv,
  srj: readJson,
}
const formats: Readonly<Record<string, string>> = {csv: 'csv', tsv: 'tsv', srj: 'json'}

/** @returns  the error; undefined if the test passes; 'none' if the mode does not apply to it */
async function failureOf(engine: Engine, one: SparqlTest, mode: Mode): Promise<string | undefined> {
  const load = await loadOf(one, mode)
  if (load === undefined || one.result === undefined) return 'none'
  await engine.load(load.graphs)
  const query = readText(one.query)
  const context = {baseIRI: iriOf(one.query), ...(load.dataset === undefined ? {} : {dataset: load.dataset})}
  const extension = extensionOf(one.result)
  const read = readers[extension] // of a format whose writer is tested too
  const actual =
    read === undefined
      ? await engine.query(query, context)
      : await read(await engine.raw(query, formats[extension] ?? '', context))
  const isReduced = one.group === 'reduced'
  const isByValue = one.byValue === true
  return resultDifference(actual, await readExpected(one.result), {query, isByValue, isReduced})
}

async function failuresOf(engine: Engine, mode: Mode) {
  const failures: Record<string, string> = {}
  let count = 0
  for (const one of sparqlTests().filter(({type}) => /Evaluation|CSV/.test(type))) {
    const failure = await failureOf(engine, one, mode).catch(String)
    if (failure === 'none') continue
    count += 1
    if (failure !== undefined) failures[one.id.replace(/^.*tests\//, '')] = failure
  }
  return {failures, count}
}

async function syntaxFailures(engine: Engine) {
  const failures: Record<string, string> = {}
  const tests = sparqlTests().filter(({type}) => type.includes('Syntax'))
  for (const one of tests) {
    const {ok, why} = await engine.accepts(readText(one.query), {baseIRI: iriOf(one.query)})
    if (ok === one.type.startsWith('Positive')) continue
    failures[one.id.replace(/^.*tests\//, '')] = ok ? 'accepted' : String(why)
  }
  return {failures, count: tests.length}
}

if (isSuiteHere) {
  test.serial('W3C SPARQL: syntax tests pass except the listed ones', async t => {
    const {database, drop} = await createTestDatabase()
    t.teardown(drop)
    const engine = await createEngine({database, schema: testSchema})
    t.teardown(engine.close)

    const {failures, count} = await syntaxFailures(engine)

    t.true(count >= 212, `${count} tests`)
    compareWithExceptions(t, 'sparql', failures)
  })

  for (const [mode, least] of [
    ['dataset', 361],
    ['union', 325],
    ['overlap', 325],
  ] as const) {
    test.serial(`W3C SPARQL: evaluation tests pass except the listed ones, ${mode}`, async t => {
      const {database, drop} = await createTestDatabase()
      t.teardown(drop)
      const engine = await createEngine({database, schema: testSchema})
      t.teardown(engine.close)

      const {failures, count} = await failuresOf(engine, mode)

      t.true(count >= least, `${count} tests`)
      compareWithExceptions(t, 'sparql', failures)
    })
  }
} else {
  test('W3C SPARQL skipped: ../shared/conformance is not here', t => {
    t.log('the suites are read where they lie, beside the project')
    t.pass()
  })
}
