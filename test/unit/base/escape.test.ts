/** Escaping of short and of long texts, compared with a function for each character. */
import test from 'ava'
import fc from 'fast-check'
import {createEscape} from '../../../src/base/escape.ts'

const written: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\u0001': '\\u0001',
  '&': '&amp;',
}
const escaped = createEscape(written)
const unit = fc.oneof(fc.constantFrom(...Object.keys(written)), fc.string({unit: 'binary', minLength: 1, maxLength: 1}))

function expected(text: string): string {
  return Array.from(text, character => written[character] ?? character).join('')
}

test('the given characters are escaped and all others stay, in short and in long texts', t => {
  fc.assert(
    fc.property(fc.string({unit}), fc.constantFrom(1, 1000), (text, times) => {
      const whole = text.repeat(times)
      t.is(escaped(whole), expected(whole))
    }),
    {numRuns: 200},
  )
})

test('a text without such characters is the same text', t => {
  const text = 'é'.repeat(10_000)

  t.is(escaped(text), text)
})
