/** Any text is prepared as a query, or refused with a Problem. */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {prepareQuery} from '../../../src/sparql/compile.ts'

const folder = 'test/queries'
const queries = readdirSync(folder)
  .filter(name => name.endsWith('.rq'))
  .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
const words = [
  '{',
  '}',
  '(',
  ')',
  '*',
  '?x',
  '$',
  '<a>',
  '"',
  "'''",
  '_:b',
  ':p',
  'FILTER',
  'GRAPH',
  'OPTIONAL',
  '^',
  '|',
  '!',
]
  .concat([
    'SELECT',
    'COUNT(*)',
    'AS',
    'GROUP BY',
    'VALUES',
    'UNDEF',
    'EXISTS',
    'MINUS',
    '1e400',
    '\\u0000',
    '\ud800',
    '@en',
    '^^',
  ])
  .concat(['BIND', 'SERVICE', 'ORDER BY', 'LIMIT -1', 'OFFSET 9999999999999999999', ';', ',', '.', '#', '\n', '\0'])

const mutated = fc
  .tuple(
    fc.constantFrom(...queries),
    fc.array(fc.tuple(fc.nat(400), fc.nat(12), fc.constantFrom(...words)), {minLength: 1, maxLength: 4}),
  )
  .map(([query, edits]) =>
    edits.reduce((text, [at, length, word]) => `${text.slice(0, at)} ${word} ${text.slice(at + length)}`, query),
  )

test('mutated and random queries throw only Problems with a status 4xx', t => {
  fc.assert(
    fc.property(
      fc.oneof(
        mutated,
        fc.string(),
        fc.array(fc.constantFrom(...words)).map(all => all.join(' ')),
      ),
      text => {
        try {
          prepareQuery(text, 'http://example.org/')
        } catch (error) {
          if (!(error instanceof Problem) || error.status >= 500) throw error
        }
      },
    ),
    {numRuns: 1500},
  )
  t.pass()
})
