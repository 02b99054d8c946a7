/** Slugs: their path segments, and invalid ones. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {readRequestTarget} from '../../../src/http/request-target.ts'
import {readSlug} from '../../../src/http/slug.ts'

/** The raw bytes of a header field as Node returns them: one character a byte. */
function raw(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

const accepted: [string, string, string][] = [
  ['a plain name', 'test-document', 'test-document'],
  ['the unreserved characters', 'aZ09-._~', 'aZ09-._~'],
  ['one slash at the end', 'comments/', 'comments'],
  ['an escaped slash at the end', 'comments%2F', 'comments'],
  ['spaces', 'My first post', 'My%20first%20post'],
  ['blanks around', ' \t a \t', 'a'],
  ['blanks around a slash', 'a / ', 'a'],
  ['an escaped space', 'My%20first', 'My%20first'],
  ['a plus stays a plus', 'a+b', 'a+b'],
  ['commas', 'a,b', 'a%2Cb'],
  ['the other sub-delimiters, colon and at', "!$&'()*+;=:@", "!$&'()*+;=:@"],
  ['what is no part of a path', '?#[]"<>\\^`{|}', '%3F%23%5B%5D%22%3C%3E%5C%5E%60%7B%7C%7D'],
  ['RFC 5023 §9.7.2, the example', 'The Beach at S%C3%A8te', 'The%20Beach%20at%20S%C3%A8te'],
  ['raw UTF-8', raw('año'), 'a%C3%B1o'],
  ['raw Latin-1', 'a\u00f1o', 'a%C3%B1o'],
  ['text beyond bytes', '日本', '%E6%97%A5%E6%9C%AC'],
  ['escapes in lower case', 'a%c3%b1o', 'a%C3%B1o'],
  ['a needless escape', '%41%2d', 'A-'],
  ['a decomposed letter becomes NFC', 'an%CC%83o', 'a%C3%B1o'],
  ['a percent sign alone', '100% sure', '100%25%20sure'],
  ['a percent sign at the end', '100%', '100%25'],
  ['an escape that is none', 'a%zz%4', 'a%25zz%254'],
  ['an escaped percent sign is not decoded twice', '%2541', '%2541'],
  ['dots', '...', '...'],
  ['a hidden name', '.hidden', '.hidden'],
  ['a name that begins as a reserved one', '.system2', '.system2'],
  ['255 bytes', 'x'.repeat(255), 'x'.repeat(255)],
  ['255 bytes of three-byte characters', '日'.repeat(85), '%E6%97%A5'.repeat(85)],
]

for (const [title, slug, segment] of accepted)
  test(`slug: ${title}`, t => {
    t.is(readSlug([slug]), segment)
  })

const refused: [string, string][] = [
  ['', 'it is empty'],
  ['/', 'it is empty'],
  [' ', 'it is empty'],
  ['%20', 'it is empty'],
  ['.', 'it is a dot segment'],
  ['..', 'it is a dot segment'],
  ['../', 'it is a dot segment'],
  ['%2e%2E', 'it is a dot segment'],
  ['../../x', 'it contains a slash'],
  ['a/b', 'it contains a slash'],
  ['a%2fb', 'it contains a slash'],
  ['a//', 'it contains a slash'],
  ['/a', 'it contains a slash'],
  ['a%00', 'it contains a control character'],
  ['a%0d%0aX: y', 'it contains a control character'],
  ['a%7F', 'it contains a control character'],
  ['a%C2%85', 'it contains a control character'],
  ['.system', 'the name is reserved'],
  ['.SYSTEM/', 'the name is reserved'],
  ['.Well-Known', 'the name is reserved'],
  ['%2esystem', 'the name is reserved'],
  ['%E9', 'its escapes are not UTF-8'],
  ['%C0%AF', 'its escapes are not UTF-8'],
  ['%ED%A0%80', 'its escapes are not UTF-8'],
]

for (const [slug, reason] of refused)
  test(`slug ${JSON.stringify(slug)} is a 400: ${reason}`, t => {
    t.like(
      t.throws(() => readSlug([slug])),
      {
        status: 400,
        rule: 'slug-usable',
        message: `The Slug "${slug}" cannot be used: ${reason}`,
      },
    )
  })

test('256 bytes are too long', t => {
  const error = t.throws(() => readSlug([`${'日'.repeat(85)}x`]))

  t.regex(error?.message ?? '', /^The Slug "日+x" cannot be used: it is longer than 255 bytes$/)
})

test('half a character is refused', t => {
  t.like(
    t.throws(() => readSlug(['a\uD800'])),
    {
      rule: 'slug-usable',
      message: 'The Slug "a\\ud800" cannot be used: it contains half a surrogate pair',
    },
  )
})

test('without a Slug there is no segment', t => {
  t.is(readSlug([]), undefined)
})

test('two Slug headers are a 400', t => {
  t.like(
    t.throws(() => readSlug(['a', 'a'])),
    {status: 400, rule: 'slug-single', message: 'One Slug header is allowed, got 2'},
  )
})

const anySlug = fc.oneof(
  fc.string(),
  fc.string({unit: 'binary'}),
  fc.string({unit: 'grapheme'}),
  fc
    .array(fc.constantFrom('%', 'C3', 'A9', '41', '2F', '/', '.', ' ', 'é', ',', '\u0301', '😀'), {maxLength: 20})
    .map(a => a.join('')),
)

test('any slug gives a 400, or a segment that is unchanged in a request target and as a slug', t => {
  fc.assert(
    fc.property(anySlug, slug => {
      try {
        const segment = readSlug([slug])
        return readRequestTarget(`/${segment}/`).path === `/${segment}/` && readSlug([segment ?? '']) === segment
      } catch (error) {
        return error instanceof Problem && error.rule === 'slug-usable'
      }
    }),
    {numRuns: 2000},
  )
  t.pass()
})
