/** W3C rdf-tests, SPARQL 1.1 Update: syntax, and evaluation over documents in PostgreSQL. */
import test from 'ava'
import {useStore} from '../support/store.ts'
import {isSuiteHere} from './suite.ts'
import {createUpdateEngine} from './update-engine.ts'
import {updateIndex, updateTests} from './update-tests.ts'

if (isSuiteHere) {
  test('W3C SPARQL Update: all tests pass', async t => {
    const engine = createUpdateEngine(await useStore(t))
    const failures: Record<string, string> = {}
    const tests = updateTests(updateIndex)
    for (const one of tests) {
      const failure = await engine.failureOf(one).catch(String)
      if (failure !== undefined) failures[one.id.replace(/^.*data-sparql11\//, '')] = failure
    }
    t.true(tests.length >= 102, `${tests.length} tests`)
    t.deepEqual(failures, {})
  })
} else {
  test('W3C SPARQL Update skipped: ../shared/conformance is not here', t => {
    t.pass()
  })
}
