/** What tests that need terms say about ids, as SQL before them. */
import test from 'ava'
import {firstOfKind, inlineKinds} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

/** The conditions on ?t in a store where some objects of :start have a time zone and others have none. */
function whereOf(filters: string): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> SELECT ?s { ?s :start ?t ${filters} }`, 'http://e/')
  const times = {low: firstOfKind(inlineKinds.dateTime), high: firstOfKind(inlineKinds.date) - 1n}
  const {text} = compileQuery(prepared, {
    schema: '"q"',
    stored: new Map([[iriKey('http://e/start'), '2000']]),
    facts: {...emptyStore, extents: new Map([['2000', times]])},
    now: '2020-01-01T00:00:00Z',
  })
  return text.slice(text.indexOf('2000::int8')).replace(/^2000::int8\) and /, '')
}

const range = `FILTER(?t >= "2020-03-01T00:00:00Z"^^<${xsd.dateTime}>)`
const text = 'FILTER(STRENDS(STR(?t), "Z"))'
const isRangeFirst = /^\(\(\(t0\.o >= '[-\d]+'::int8\) and \(t0\.o <= '[-\d]+'::int8\)\) or /

test('a range whose edges need a term is tested before a test of texts, as far as ids tell it', t => {
  const where = whereOf(text + range)

  t.regex(where, isRangeFirst)
  t.regex(where, /sparql_ordered/) // the range itself
})

test('ranges need none before them, and an alternative without a range has none', t => {
  const ranges = (where: string) => where.match(/\(t0\.o >= '-5727768219365670912'::int8\)/g)?.length
  t.deepEqual([range, range + range.replace('>=', '<'), range + text].map(whereOf).map(ranges), [1, 1, 2])
  t.notRegex(whereOf(`${text} FILTER(?t >= "2020-03-01T00:00:00Z"^^<${xsd.dateTime}> || STR(?s) = "a")`), isRangeFirst)
})
