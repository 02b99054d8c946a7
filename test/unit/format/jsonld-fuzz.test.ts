/** Random JSON-LD, built from its keywords, gives quads or a Problem, with and without loss checks. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {readBody} from '../../support/read-body.ts'

const names = [
  ...'@context @id @type @value @language @list @set @graph @included @reverse @nest @index @container'.split(' '),
  ...'@vocab @base @propagate @protected @prefix @direction @version @none @json @import'.split(' '),
  'a',
  'ex',
  'ex:a',
  'http://e/p',
  '_:b',
  '',
  ':',
  '__proto__',
]
const scalars = [
  null,
  true,
  false,
  0,
  1.5,
  '',
  'a',
  'ex',
  'ex:a',
  'http://e/',
  '_:b',
  '@id',
  '@type',
  '@vocab',
  '@set',
  '@json',
  'en',
  'rtl',
  1.1,
]

const {value: anyJson} = fc.letrec(tie => ({
  value: fc.oneof(
    {depthSize: 'medium', withCrossShrink: true},
    fc.constantFrom(...scalars),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), {selector: ([name]) => name, maxLength: 5})
    .map(entries => Object.fromEntries(entries)),
  array: fc.array(tie('value'), {maxLength: 3}),
}))

for (const loss of ['refused', 'ignored'] as const) {
  test(`random JSON-LD gives quads or a Problem, loss ${loss}`, async t => {
    await fc.assert(
      fc.asyncProperty(anyJson, async document => {
        try {
          await readBody('application/ld+json', JSON.stringify(document), {loss})
        } catch (error) {
          if (!(error instanceof Problem)) throw error
        }
      }),
      {numRuns: 4_000},
    )
    t.pass()
  })
}
