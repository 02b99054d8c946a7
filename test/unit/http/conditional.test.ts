/** Conditional fields: syntax, comparison of tags, order of evaluation. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {
  type ConditionalHeaders,
  type CurrentState,
  type EntityTag,
  evaluatePreconditions,
  formatTag,
  matchesStrongly,
  matchesWeakly,
  readPreconditions,
  strongTag,
  type TagCondition,
  type Verdict,
  weakTag,
} from '../../../src/http/conditional.ts'

const now = Date.UTC(2026, 0, 1)
const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sun, 06 Nov 1994 08:49:36 GMT'
const after = 'Sun, 06 Nov 1994 08:49:38 GMT'

const lists: [string, TagCondition][] = [
  ['*', '*'],
  [' * ', '*'],
  ['"1"', [strongTag('1')]],
  ['""', [strongTag('')]],
  ['"-1122003795"', [strongTag('-1122003795')]],
  ['W/"123-c5f"', [weakTag('123-c5f')]],
  ['"a", "b"', [strongTag('a'), strongTag('b')]],
  ['"a","b" ,\tW/"c"', [strongTag('a'), strongTag('b'), weakTag('c')]],
  [', "a",, "b",', [strongTag('a'), strongTag('b')]],
  ['"a,b"', [strongTag('a,b')]],
  ['"a\\"', [strongTag('a\\')]],
  ['"\u00e9"', [strongTag('\u00e9')]],
  ['"a b"', [strongTag('a b')]],
  ['" ", "\t", W/"no, tag"', [strongTag(' '), strongTag('\t'), weakTag('no, tag')]],
]

for (const [value, tags] of lists)
  test(`If-Match ${JSON.stringify(value)} is read`, t => {
    t.deepEqual(readPreconditions({'if-match': value}, now), {
      ifMatch: tags,
      ifNoneMatch: undefined,
      ifModifiedSinceMs: undefined,
      ifUnmodifiedSinceMs: undefined,
    })
  })

const malformed = [
  '',
  ',',
  '1',
  'abc',
  '"a',
  'a"',
  '"a""b"',
  '"a" "b"',
  'w/"a"',
  'W/a',
  '"a", *',
  '*, "a"',
  '**',
  "'a'",
  '"a\u0001"',
]

for (const value of malformed)
  test(`If-Match ${JSON.stringify(value)} is a 400`, t => {
    t.like(
      t.throws(() => readPreconditions({'if-match': value}, now)),
      {status: 400, rule: 'etag-syntax'},
    )
  })

test('the message of a malformed tag list names field and value', t => {
  t.is(
    t.throws(() => readPreconditions({'if-none-match': 'abc'}, now))?.message,
    'If-None-Match must be * or a list of quoted entity tags: "abc"',
  )
})

test('an empty If-None-Match is ignored', t => {
  t.is(readPreconditions({'if-none-match': ' '}, now).ifNoneMatch, undefined)
})

test('an invalid date is ignored', t => {
  const preconditions = readPreconditions({'if-modified-since': 'yesterday', 'if-unmodified-since': modified}, now)

  t.deepEqual([preconditions.ifModifiedSinceMs, preconditions.ifUnmodifiedSinceMs], [undefined, 784111777000])
})

/** RFC 9110 §8.8.3.2, the table of examples: strong and weak comparison. */
const comparisons: [EntityTag, EntityTag, boolean, boolean][] = [
  [weakTag('1'), weakTag('1'), false, true],
  [weakTag('1'), weakTag('2'), false, false],
  [weakTag('1'), strongTag('1'), false, true],
  [strongTag('1'), weakTag('1'), false, true],
  [strongTag('1'), strongTag('1'), true, true],
  [strongTag('1'), strongTag('A'), false, false],
]

for (const [tag, current, strongly, weakly] of comparisons)
  test(`${formatTag(tag)} and ${formatTag(current)}: strongly ${strongly}, weakly ${weakly}`, t => {
    t.deepEqual([matchesStrongly(tag, [current]), matchesWeakly(tag, [current])], [strongly, weakly])
  })

/** A document has two validators: its entity tag and its checksum. */
const document: CurrentState = {
  tags: [strongTag('123'), strongTag('5e884898')],
  lastModifiedMs: Date.UTC(1994, 10, 6, 8, 49, 37, 500),
}
const reduced: CurrentState = {tags: [weakTag('123-c5f')], lastModifiedMs: document.lastModifiedMs}
const undated: CurrentState = {tags: [strongTag('123')]}

const verdicts: [string, ConditionalHeaders, CurrentState | undefined, Verdict][] = [
  ['GET', {}, document, 'proceed'],
  ['PUT', {}, undefined, 'proceed'],
  // If-Match.
  ['PUT', {'if-match': '"123"'}, document, 'proceed'],
  ['PUT', {'if-match': '"5e884898"'}, document, 'proceed'],
  ['PUT', {'if-match': '"1", "123"'}, document, 'proceed'],
  ['PUT', {'if-match': '*'}, document, 'proceed'],
  ['PUT', {'if-match': '*'}, undefined, 'precondition-failed'],
  ['PUT', {'if-match': '"122"'}, document, 'precondition-failed'],
  ['PATCH', {'if-match': 'W/"123"'}, document, 'precondition-failed'],
  ['PUT', {'if-match': 'W/"123-c5f"'}, reduced, 'precondition-failed'],
  ['PUT', {'if-match': '"123-c5f"'}, reduced, 'precondition-failed'],
  ['DELETE', {'if-match': '"123"'}, undefined, 'precondition-failed'],
  ['GET', {'if-match': '"122"'}, document, 'precondition-failed'],
  // If-None-Match.
  ['GET', {'if-none-match': '"123"'}, document, 'not-modified'],
  ['HEAD', {'if-none-match': 'W/"123"'}, document, 'not-modified'],
  ['GET', {'if-none-match': '"5e884898"'}, document, 'not-modified'],
  ['GET', {'if-none-match': '"1", W/"123"'}, document, 'not-modified'],
  ['GET', {'if-none-match': '*'}, document, 'not-modified'],
  ['GET', {'if-none-match': ''}, document, 'proceed'],
  ['GET', {'if-none-match': '"122"'}, document, 'proceed'],
  ['GET', {'if-none-match': 'W/"123-c5f"'}, reduced, 'not-modified'],
  ['GET', {'if-none-match': '"123"'}, reduced, 'proceed'],
  ['PUT', {'if-none-match': '*'}, document, 'precondition-failed'],
  ['PUT', {'if-none-match': '*'}, undefined, 'proceed'],
  ['POST', {'if-none-match': '"123"'}, document, 'precondition-failed'],
  // Dates. The last change is compared in whole seconds.
  ['GET', {'if-modified-since': modified}, document, 'not-modified'],
  ['HEAD', {'if-modified-since': after}, document, 'not-modified'],
  ['GET', {'if-modified-since': before}, document, 'proceed'],
  ['GET', {'if-modified-since': modified}, undated, 'proceed'],
  ['GET', {'if-modified-since': 'never'}, document, 'proceed'],
  ['PUT', {'if-modified-since': modified}, document, 'proceed'],
  ['PUT', {'if-unmodified-since': modified}, document, 'proceed'],
  ['PUT', {'if-unmodified-since': before}, document, 'precondition-failed'],
  ['GET', {'if-unmodified-since': before}, document, 'precondition-failed'],
  ['PUT', {'if-unmodified-since': before}, undated, 'proceed'],
  ['PUT', {'if-unmodified-since': before}, undefined, 'proceed'],
  // Precedence.
  ['PUT', {'if-match': '"123"', 'if-unmodified-since': before}, document, 'proceed'],
  ['PUT', {'if-match': '"122"', 'if-unmodified-since': after}, document, 'precondition-failed'],
  ['GET', {'if-none-match': '"122"', 'if-modified-since': after}, document, 'proceed'],
  ['GET', {'if-none-match': '"123"', 'if-modified-since': before}, document, 'not-modified'],
  ['GET', {'if-match': '"123"', 'if-none-match': '"123"'}, document, 'not-modified'],
  ['GET', {'if-match': '"122"', 'if-none-match': '"123"'}, document, 'precondition-failed'],
  ['GET', {'if-unmodified-since': before, 'if-none-match': '"123"'}, document, 'precondition-failed'],
  // Methods without preconditions.
  ['OPTIONS', {'if-match': '"122"'}, document, 'proceed'],
  ['TRACE', {'if-none-match': '*'}, document, 'proceed'],
]

for (const [method, headers, state, verdict] of verdicts) {
  const there =
    state === undefined ? 'nothing' : `${state.tags.map(formatTag).join(' ')} ${state.lastModifiedMs ?? 'undated'}`
  test(`${method} ${JSON.stringify(headers)} against ${there}: ${verdict}`, t => {
    t.is(evaluatePreconditions(readPreconditions(headers, now), state, method), verdict)
  })
}

test('any list of tags is read as written', t => {
  const opaque = fc.string({unit: fc.constantFrom('a', '1', ',', ';', '-', '\\', "'", '*', 'W/', '\u00ff')})
  const tags = fc.array(fc.record({isWeak: fc.boolean(), opaque}), {minLength: 1, maxLength: 5})
  fc.assert(
    fc.property(tags, list => {
      const {ifNoneMatch} = readPreconditions({'if-none-match': list.map(formatTag).join(', ')}, now)
      return JSON.stringify(ifNoneMatch) === JSON.stringify(list)
    }),
  )
  t.pass()
})

test('the only error is etag-syntax', t => {
  const pieces = fc.constantFrom('"', 'W/', ',', ' ', '*', 'a', '\\', '\t')
  const field = fc.oneof(
    fc.string(),
    fc.array(pieces, {maxLength: 30}).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(field, value => {
      try {
        readPreconditions({'if-match': value, 'if-modified-since': value}, now)
        return true
      } catch (error) {
        return error instanceof Problem && error.rule === 'etag-syntax'
      }
    }),
    {numRuns: 500},
  )
  t.pass()
})
