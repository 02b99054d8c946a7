/** The W3C tests of SPARQL Update, as far as syntax goes: each request is read or refused as its test says. */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {parseUpdate} from '../../src/sparql/parse/parse.ts'
import {iriOf, readText, updateTests} from './sparql-tests.ts'
import {isSuiteHere} from './suite.ts'

/** Whether a request is read; an error that is no refusal is thrown. */
function isRead(path: string): boolean {
  try {
    parseUpdate(readText(path), iriOf(path))
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return false
    throw error
  }
}

if (isSuiteHere) {
  test('W3C SPARQL Update: every request is read or refused as its test says', t => {
    const tests = updateTests()
    const wrong = tests.filter(({type, request}) => isRead(request) === type.startsWith('Negative'))

    t.deepEqual(
      wrong.map(({id}) => id),
      [],
    )
    t.true(tests.length >= 100, `${tests.length} tests`)
  })
} else {
  test('W3C SPARQL Update skipped: ../shared/conformance is not here', t => {
    t.log('the suites are read where they lie, beside the project')
    t.pass()
  })
}
