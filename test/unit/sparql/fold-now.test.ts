/** NOW() in filters becomes a constant, with durations as the oracle adds them. */
import test from 'ava'
import fc from 'fast-check'
import {literal} from '../../../src/rdf/term.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import type {Algebra} from '../../../src/sparql/algebra.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {foldNow} from '../../../src/sparql/rewrite/fold-now.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'
import {calculateTimes} from '../../oracle/durations.ts'

const now = '2026-03-31T10:00:00.250Z'
const pattern = (text: string): Algebra =>
  translateQuery(parseQuery(`PREFIX xsd: <${xsd.string.replace('string', '')}> ASK { ${text} }`, 'http://e/')).pattern
const filtered = (test: string) => pattern(`?s <p> ?o FILTER(${test})`)
const instant = (text: string) => `"${text}"^^xsd:dateTime`

test('NOW() is the time of the query in each filter, and with a constant duration another time', t => {
  const folded = {
    '?o > NOW()': `?o > ${instant(now)}`,
    '?o > NOW() - "P7D"^^xsd:dayTimeDuration': `?o > ${instant('2026-03-24T10:00:00.250Z')}`,
    '"-PT0.5S"^^xsd:dayTimeDuration + NOW() < ?o || !BOUND(?o)': `${instant('2026-03-31T09:59:59.750Z')} < ?o || !BOUND(?o)`,
    '?o < NOW() - "P1M"^^xsd:yearMonthDuration + "P1D"^^xsd:duration': `?o < ${instant('2026-03-01T10:00:00.250Z')}`,
    'NOW() - ?o < "P1D"^^xsd:dayTimeDuration': `${instant(now)} - ?o < "P1D"^^xsd:dayTimeDuration`,
    '?o > NOW() - "P1M"^^xsd:dayTimeDuration': `?o > ${instant(now)} - "P1M"^^xsd:dayTimeDuration`,
    '?o > NOW() - 7': `?o > ${instant(now)} - 7`,
  }
  for (const [text, expected] of Object.entries(folded))
    t.deepEqual(
      foldNow(filtered(text), () => now),
      filtered(expected),
    )
})

test('a pattern without NOW() in a filter stays the same object', t => {
  const trees = [filtered('?o > 1'), pattern('?s <p> ?o BIND(NOW() AS ?n)')]
  for (const tree of trees)
    t.is(
      foldNow(tree, () => t.fail() as never),
      tree,
    )
})

test('times are moved as by the oracle, or not at all', t => {
  const count = fc.oneof(fc.constant(undefined), fc.nat(99), fc.nat(9999))
  const part = (letter: string) => count.map(one => (one === undefined ? '' : `${one}${letter}`))
  const seconds = fc.constantFrom('', '1S', '59.5S', '0.001S', '0.0001S')
  const duration = fc
    .tuple(part('Y'), part('M'), part('D'), part('H'), part('M'), seconds, fc.boolean())
    .map(([y, m, d, h, minutes, s, isNegative]) => {
      const time = `${h}${minutes}${s}`
      return `${isNegative ? '-' : ''}P${y}${m}${d}${time === '' ? '' : `T${time}`}`
    })
  const types = fc.constantFrom('duration', 'dayTimeDuration', 'yearMonthDuration')
  const times = fc.date({min: new Date('0005-01-01Z'), max: new Date('9990-01-01Z'), noInvalidDate: true})
  fc.assert(
    fc.property(times, duration, types, fc.constantFrom('+', '-'), (time, form, type, sign) => {
      const at = time.toISOString()
      const text = `"${form}"^^xsd:${type}`
      const folded = foldNow(filtered(`?o = NOW() ${sign} ${text}`), () => at)
      const moved = calculateTimes(sign, literal(at, xsd.dateTime), literal(form, xsd[type as 'duration']))
      const whole = filtered(`?o = ${instant(at)} ${sign} ${text}`)
      if (moved === undefined || JSON.stringify(folded) === JSON.stringify(whole)) return t.deepEqual(folded, whole)
      const condition = folded.type === 'filter' ? folded.condition : undefined
      const term = condition?.type === 'call' ? condition.arguments[1] : undefined
      const value = term?.type === 'term' ? term.term.value : ''
      return t.is(new Date(value).toISOString(), new Date(moved.value).toISOString())
    }),
  )
})
