/** Content-Type values, valid and invalid. */
import test from 'ava'
import {readMediaType} from '../../../src/http/media-type.ts'

const accepted: [string, string, Record<string, string>][] = [
  ['text/turtle', 'text/turtle', {}],
  ['Text/TURTLE', 'text/turtle', {}],
  ['application/ld+json', 'application/ld+json', {}],
  ['text/turtle; charset=utf-8', 'text/turtle', {charset: 'utf-8'}],
  ['text/turtle;charset=UTF-8', 'text/turtle', {charset: 'UTF-8'}],
  ['text/turtle ; Charset="utf-8"', 'text/turtle', {charset: 'utf-8'}],
  ['text/turtle;', 'text/turtle', {}],
  ['text/turtle;;charset=a;charset=b', 'text/turtle', {charset: 'a'}],
  ['\ttext/turtle ', 'text/turtle', {}],
  [
    'application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded; a, \\"b\\""',
    'application/ld+json',
    {profile: 'http://www.w3.org/ns/json-ld#expanded; a, "b"'},
  ],
]

for (const [value, essence, parameters] of accepted)
  test(`Content-Type ${JSON.stringify(value)} is ${essence} with ${JSON.stringify(parameters)}`, t => {
    const mediaType = readMediaType(value)

    t.deepEqual(
      {essence: mediaType.essence, parameters: Object.fromEntries(mediaType.parameters)},
      {essence, parameters},
    )
  })

const refused = [
  '',
  'turtle',
  'text/',
  '/turtle',
  'text//turtle',
  'text/tur tle',
  'text /turtle',
  'text/turtle, text/n3',
  'text/turtle; charset',
  'text/turtle; =utf-8',
  'text/turtle; charset="utf-8',
  'text/turtle; charset="utf-8"x',
  'text/türtle',
]

for (const value of refused)
  test(`Content-Type ${JSON.stringify(value)} is a 400`, t => {
    const error = t.throws(() => readMediaType(value))

    t.like(error, {
      name: 'Problem',
      status: 400,
      rule: 'content-type-syntax',
      message: `Content-Type is not a media type: "${value}"`,
    })
  })

test('a very long malformed Content-Type is cut in the message', t => {
  const error = t.throws(() => readMediaType('x'.repeat(100_000)))

  t.is(error?.message, `Content-Type is not a media type: "${'x'.repeat(120)}…"`)
})
