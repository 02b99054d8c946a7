/** Escapes text that PostgreSQL cannot store. */
import test from 'ava'
import fc from 'fast-check'
import {fromStoredText, toStoredText} from '../../../src/rdf/stored-text.ts'

const text = fc.array(fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', 'é', '😀')).map(parts => parts.join(''))

test('every text comes back, and its stored form has no U+0000', t => {
  fc.assert(
    fc.property(text, given => {
      t.false(toStoredText(given).includes('\u0000'))
      t.is(fromStoredText(toStoredText(given)), given)
    }),
  )
})

test('stored forms have the order of the texts', t => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      t.is(toStoredText(left) < toStoredText(right), left < right)
    }),
  )
})

test('text without U+0000 and U+0001 is stored unchanged', t => {
  t.is(toStoredText('plain é \u0002'), 'plain é \u0002')
})
