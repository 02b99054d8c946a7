/** Values of 100 kB that provoke backtracking: every parser must end. */
import test from 'ava'
import {excerpt} from '../../../src/base/excerpt.ts'
import {negotiate} from '../../../src/http/accept.ts'
import {evaluatePreconditions, readPreconditions} from '../../../src/http/conditional.ts'
import {parseHttpDate} from '../../../src/http/date.ts'
import {formatLink} from '../../../src/http/link.ts'
import {readMediaType} from '../../../src/http/media-type.ts'
import {readPreferences} from '../../../src/http/prefer.ts'
import {readRequestTarget} from '../../../src/http/request-target.ts'
import {readSlug} from '../../../src/http/slug.ts'

const offers = [{mediaTypes: ['text/turtle']}]
const length = 100_000

const readers: [string, (value: string) => unknown][] = [
  ['Accept', value => negotiate(value, offers)],
  ['Content-Type', readMediaType],
  ['Prefer', value => readPreferences([value])],
  ['Prefer: include', value => readPreferences([`include="${value}"`])],
  ['If-None-Match', value => evaluatePreconditions(readPreconditions({'if-none-match': value}, 0), {tags: []}, 'GET')],
  ['If-Modified-Since', value => parseHttpDate(value, 0)],
  ['Link', value => formatLink({target: value, relation: value})],
  ['Slug', value => readSlug([value])],
  ['request target', value => readRequestTarget(value, {limitBytes: 10 * length})],
  ['excerpt', excerpt],
]

const seeds = [
  ...[
    'a',
    ' ',
    '\t',
    ' a',
    ',',
    ', ',
    ';',
    '; ',
    '"',
    '\\',
    '\\"',
    '"a"',
    '"a",',
    '"a" ',
    '<',
    '>',
    '<>',
    '< ',
    '<a,',
    '=',
  ],
  ...[
    'a=',
    'a="',
    'a/b,',
    'a/b;q=0.1,',
    'text/turtle;a=b,',
    '*',
    '*/*,',
    '/',
    '/a',
    '/.',
    '/../',
    '%',
    '%4',
    '%41',
    '%C3%A9',
  ],
  ...['%ff', '?', '\u00e9', '\u0000', '1', '.', 'http://a/ ', 'http://a/,', 'return=minimal,', 'W/', 'W/"', 'Sun, '],
]

for (const [name, read] of readers)
  test(`${name}: long values are read or refused`, t => {
    for (const seed of seeds) {
      const value = seed.repeat(length / seed.length)
      for (const variant of [value, `a${value}`, `${value}!`, `"${value}`, `/${value}`, `a/b;${value}`])
        try {
          read(variant)
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'Problem') throw error
        }
    }
    t.pass()
  })
