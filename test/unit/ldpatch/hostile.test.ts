/** Hostile patches give a Problem, in time proportional to their length. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {applyPatch} from '../../../src/ldpatch/apply.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {base} from '../../support/patching.ts'

const words = 'Add Delete UpdateList Bind Cut AN @prefix @base { } ( ) [ ] . .. ; , ! / ^ = ?x ? : a :p <> < _:b _:'
const pieces = fc.constantFrom(
  ...words.split(' '),
  ...`"v" " ''' @en ^^ 1 -1 1..2 true \\ % # é`.split(' '),
  '\n',
  ' ',
  '\0',
)
const texts = fc.oneof(
  fc.array(pieces, {maxLength: 30}).map(all => `@prefix : <http://e/> . ${all.join(' ')}`),
  fc.array(pieces, {maxLength: 30}).map(all => all.join('')),
  fc.string({unit: 'binary', maxLength: 60}),
)

test('any text gives changes or a Problem', t => {
  fc.assert(
    fc.property(texts, text => {
      try {
        const {added} = applyPatch([], parsePatch(text, {base}))
        t.true(Array.isArray(added))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        t.true(error.status === 400 || error.status === 422)
      }
    }),
    {numRuns: 2000},
  )
})

const long = 2_000_000 // characters

const huge: readonly (readonly [title: string, text: string, isRead: boolean])[] = [
  ['a long string', `Add { <s> <p> "${'a'.repeat(long)}" } .`, true],
  ['a long string of escapes', `Add { <s> <p> "${'\\n'.repeat(long / 2)}" } .`, true],
  ['a long string of quotes', `Add { <s> <p> """${'"" '.repeat(long / 3)}""" } .`, true],
  ['a long IRI', `Add { <s> <p> <${'é'.repeat(long)}> } .`, true],
  ['a long name', `@prefix : <x:> . Add { <s> <p> :${'é.'.repeat(long / 2)}a } .`, true],
  ['a long tag', `Add { <s> <p> "a"@en${'-x'.repeat(long / 2)} } .`, true],
  ['a long number', `Add { <s> <p> ${'1'.repeat(long)} } .`, true],
  ['a long comment', `#${'a'.repeat(long)}`, true],
  ['a long list', `Add { <s> <p> (${'1 '.repeat(long / 10)}) } .`, true],
  ['many objects', `Add { <s> <p> ${'1,'.repeat(long / 10)}1 } .`, true],
  ['a long path', `Bind ?x <s> ${'/<p>'.repeat(long / 10)} .`, false],
  ['an unclosed string', `Add { <s> <p> "${'\\"'.repeat(long / 2)}`, false],
  ['brackets without end', `Add { ${'['.repeat(long)}`, false],
  ['filters without end', `Bind ?x <s> ${'['.repeat(long)}`, false],
  ['dots without end', `@prefix : <x:> . Add { <s> <p> :a${'.'.repeat(long)}`, false],
]
for (const [title, text, isRead] of huge) {
  test(`two megabytes: ${title}`, t => {
    const run = () => applyPatch([], parsePatch(text, {base}))

    if (isRead) t.notThrows(run)
    else t.throws(run, {instanceOf: Problem})
  })
}
