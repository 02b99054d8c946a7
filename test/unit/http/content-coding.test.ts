/** Chooses a content coding by Accept-Encoding. */
import test from 'ava'
import {chooseCoding} from '../../../src/http/content-coding.ts'

const table = [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['identity', undefined],
  ['identity;q=0', undefined],
  ['gzip;q=x, br;q=-1', undefined],
  ['deflate, compress', undefined],
] as const

for (const [value, coding] of table) {
  test(`${value ?? 'no header'} chooses ${coding ?? 'none'}`, t => {
    t.is(chooseCoding(value), coding)
  })
}
