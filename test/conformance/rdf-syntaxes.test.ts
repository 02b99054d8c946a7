/** W3C rdf-tests (RDF 1.1): Turtle, TriG, N-Triples, N-Quads, RDF/XML. */
import test from 'ava'
import {isSuiteHere, rdfTests, rdfXmlTests} from './suite.ts'
import {compareWithExceptions, failuresOf} from './verdict.ts'

const suites = [
  {folder: 'rdf-turtle', mediaType: 'text/turtle', least: 300},
  {folder: 'rdf-trig', mediaType: 'application/trig', least: 340},
  {folder: 'rdf-n-triples', mediaType: 'application/n-triples', least: 60},
  {folder: 'rdf-n-quads', mediaType: 'application/n-quads', least: 80},
  {folder: 'rdf-xml', mediaType: 'application/rdf+xml', least: 110},
]

for (const {folder, mediaType, least} of suites) {
  if (isSuiteHere) {
    test(`${mediaType} passes W3C ${folder} except the listed tests`, async t => {
      const tests = folder === 'rdf-xml' ? rdfXmlTests() : await rdfTests(folder)

      t.true(tests.length >= least, `${tests.length} tests`)
      compareWithExceptions(t, folder, await failuresOf(tests, mediaType))
    })
  } else {
    test(`W3C ${folder} skipped: ../shared/conformance is not here`, t => {
      t.log('the suites are read where they lie, beside the project')
      t.pass()
    })
  }
}
