/** Character classes of XML Schema as brackets of PostgreSQL. */
import test from 'ava'
import {translatePattern} from '../../../src/sparql/plan/expression/regex.ts'
import {namedSet} from '../../../src/sparql/plan/expression/regex-sets.ts'

const translated = (pattern: string) => translatePattern(pattern, '')?.replace('(?cs)', '')

test('a category has the characters that JavaScript gives it', t => {
  for (const name of ['L', 'M', 'S', 'Cn']) {
    const set = namedSet(name) ?? []
    const isIn = new Uint8Array(0x110000)
    for (const [first, last] of set) isIn.fill(1, first, last + 1)
    const one = new RegExp(`\\p{${name}}`, 'u')
    const different = [...isIn.keys()].filter(
      point => (point < 0xd800 || point > 0xdfff) && one.test(String.fromCodePoint(point)) !== (isIn[point] === 1),
    )
    t.deepEqual(different, [], name)
  }
})

test('a class with a set or a subtraction becomes ranges', t => {
  t.is(translated('[a-z-[aeiou]]'), '[b-df-hj-np-tv-z]')
  t.is(translated('[^a-z-[0-9]]'), '[^0-9a-z]')
  t.is(translated('[a-z-[^aeiou]]'), '[aeiou]')
  t.is(translated('[a-z-[c-x-[m]]]'), '[a-bmy-z]')
  t.is(translated('\\p{IsBasicLatin}'), '[\u{10FFFF}\u0001-\u007F]')
  t.is(translated('\\P{IsGreek}[\\p{IsThai}!]'), '[^Ͱ-Ͽ][!\u0E00-\u0E7F]')
  t.is(translated('[\\D-[^x\\-]]'), '[\\-x]')
  t.is(translated('[a-[a]]'), '[^\u{10FFFF}\u0001-\uD7FF\uE000-\u{10FFFF}]')
})

test('a class of characters and usual escapes stays', t => {
  t.is(translated('[^a-z\\d(?\\]-]+[\\s]'), '[^a-z\\d(?\\]-]+[ \\t\\n\\r]')
})

test('unknown categories, open classes and too many sets are errors', t => {
  for (const pattern of [
    '\\p{Xx}',
    '\\p{Latin}',
    '\\p{IsKlingon}',
    '\\p{Cs}',
    '\\pL',
    '[a',
    '[]',
    '[a-[b]',
    '[a-[b]c]',
    '[z-a-[b]]',
  ])
    t.is(translated(pattern), undefined, pattern)
  t.not(translated('\\p{L}'.repeat(30)), undefined)
  t.is(translated('\\p{L}'.repeat(31)), undefined)
  t.is(translated(`[a${'-[a'.repeat(5000)}${']'.repeat(5001)}`), undefined)
})
