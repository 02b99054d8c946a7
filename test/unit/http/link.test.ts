/** Link header values. */
import test from 'ava'
import {formatLink, readLinks} from '../../../src/http/link.ts'

const cases: [string, string, string][] = [
  ['http://www.w3.org/ns/ldp#Resource', 'type', '<http://www.w3.org/ns/ldp#Resource>; rel="type"'],
  [
    'http://h/errors/#etag-matches',
    'http://www.w3.org/ns/ldp#constrainedBy',
    '<http://h/errors/#etag-matches>; rel="http://www.w3.org/ns/ldp#constrainedBy"',
  ],
  ['http://h/a%20b/?c=d&e=[f]', 'up', '<http://h/a%20b/?c=d&e=[f]>; rel="up"'],
  ['http://h/año/日本/😀', 'up', '<http://h/a%C3%B1o/%E6%97%A5%E6%9C%AC/%F0%9F%98%80>; rel="up"'],
  ['http://h/a,b;c', 'up', '<http://h/a,b;c>; rel="up"'],
  ['http://h/>; rel="x', 'http://h/a,"b\\', '<http://h/%3E;%20rel=%22x>; rel="http://h/a%2C%22b%5C"'],
  ['http://h/a\r\nX: y', 'up', '<http://h/a%0D%0AX:%20y>; rel="up"'],
]

for (const [target, relation, value] of cases)
  test(`a ${relation} link to ${JSON.stringify(target)}`, t => {
    t.is(formatLink({target, relation}), value)
  })

const read: readonly [readonly string[], readonly [string, string][]][] = [
  [[], []],
  [['<a>; rel="type"'], [['a', 'type']]],
  [
    ['<a>;rel=type, <b,c;d> ; title="x, y" ; rel="up type"', '<e>; rel=next'],
    [
      ['a', 'type'],
      ['b,c;d', 'up'],
      ['b,c;d', 'type'],
      ['e', 'next'],
    ],
  ],
  [['<a>; rel=up; rel=type'], [['a', 'up']]],
  [['<a>; rel=type; anchor="#b"', 'a; rel=type', '<a; rel=type', '<a>', '<a>; rel=""', ',,'], []],
]

for (const [values, links] of read)
  test(`the links of ${JSON.stringify(values)}`, t => {
    t.deepEqual(
      readLinks(values),
      links.map(([target, relation]) => ({target, relation})),
    )
  })
