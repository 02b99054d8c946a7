/** HTTP dates in their three forms. */
import test from 'ava'
import fc from 'fast-check'
import {formatHttpDate, parseHttpDate} from '../../../src/http/date.ts'

const now = Date.UTC(2026, 0, 1)

const cases: [string, string | undefined][] = [
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
  ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59.000Z'],
  ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
  ['Mon, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'], // a wrong day of the week
  ['Friday, 01-Jan-76 00:00:00 GMT', '2076-01-01T00:00:00.000Z'], // 50 years ahead
  ['Saturday, 01-Jan-77 00:00:00 GMT', '1977-01-01T00:00:00.000Z'], // more than 50 years ahead
  ['Sun, 06 Nov 1994 08:49:37 UTC', undefined],
  ['Sun, 06 Nov 1994 08:49:37 +0000', undefined],
  ['Sun, 6 Nov 1994 08:49:37 GMT', undefined],
  ['Sun, 06 nov 1994 08:49:37 GMT', undefined],
  ['Sun, 00 Nov 1994 08:49:37 GMT', undefined],
  ['Sun, 31 Nov 1994 08:49:37 GMT', undefined],
  ['Wed, 29 Feb 2023 08:49:37 GMT', undefined],
  ['Sun, 06 Xyz 1994 08:49:37 GMT', undefined],
  ['Sun, 06 Nov 1994 24:00:01 GMT', undefined],
  ['Sun, 06 Nov 1994 08:60:37 GMT', undefined],
  ['Sun, 06 Nov 1994 08:49:61 GMT', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  ['784111777', undefined],
  ['', undefined],
]

for (const [text, expected] of cases)
  test(`the date ${JSON.stringify(text)} is ${expected}`, t => {
    const timeMs = parseHttpDate(text, now)

    t.is(timeMs === undefined ? undefined : new Date(timeMs).toISOString(), expected)
  })

test('a date is written as IMF-fixdate, fractions cut off', t => {
  t.is(formatHttpDate(Date.UTC(1994, 10, 6, 8, 49, 37, 999)), 'Sun, 06 Nov 1994 08:49:37 GMT')
})

test('a written date is read back, to the second', t => {
  const seconds = fc.integer({min: 0, max: Date.UTC(9999, 11, 31) / 1000})
  fc.assert(fc.property(seconds, second => parseHttpDate(formatHttpDate(second * 1000), now) === second * 1000))
  t.pass()
})
