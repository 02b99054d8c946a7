/** The reader of test results in npm test. */
import test from 'ava'
import {createTapReader} from '../../support/tap.ts'

function readAll(text: string) {
  const printed: string[] = []
  const reader = createTapReader(line => printed.push(line))
  for (const line of text.split('\n')) reader.read(line)
  return {counts: reader.counts(), isComplete: reader.isComplete(), printed: printed.join('\n')}
}

test('passed, failed and skipped tests are counted; a failure is printed in full', t => {
  const {counts, isComplete, printed} = readAll(`TAP version 13
# a › one # not a directive
ok 1 - a › one # 1 of a kind
# a › two
not ok 2 - a › two
#   * a log
  ---
    name: AssertionError
  ...
ok 3 - a › three # SKIP
not ok 4 - a › four # TODO

1..4
# tests 3
# pass 1`)

  t.deepEqual(counts, {passed: 1, failures: ['a › two'], skipped: 2})
  t.true(isComplete)
  t.regex(printed, /not ok 2 - a › two\n# {3}\* a log\n {2}---\n {4}name: AssertionError\n {2}\.\.\./)
})

test('an interrupted stream is not complete', t => {
  t.false(readAll('TAP version 13\nok 1 - a').isComplete)
})
