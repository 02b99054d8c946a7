/**
 * Gives nearly correct input to every parser of data from clients, operators and other endpoints. Each returns a value,
 * or its own kind of error, within a short time.
 */
import {readFileSync} from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import {Refusal} from '../../src/base/refusal.ts'
import {parseLogPosition} from '../../src/db/replicas/reader.ts'
import {readJsonResults} from '../../src/format/results-read.ts'
import {negotiate} from '../../src/http/accept.ts'
import {readPreconditions} from '../../src/http/conditional.ts'
import {parseHttpDate} from '../../src/http/date.ts'
import {readEndpointList} from '../../src/http/endpoint-list.ts'
import {readMediaType} from '../../src/http/media-type.ts'
import {isAllowedOrigin, readOrigins} from '../../src/http/origins.ts'
import {readPreferences} from '../../src/http/prefer.ts'
import {readRequestTarget} from '../../src/http/request-target.ts'
import {readSlug} from '../../src/http/slug.ts'
import {applyPatch} from '../../src/ldpatch/apply.ts'
import {parsePatch} from '../../src/ldpatch/syntax.ts'
import {readConfig, settings} from '../../src/settings/config.ts'
import {compileQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {emptyStore} from '../support/facts.ts'

const base = 'http://h/doc/'
const timeLimitMs = 5_000 // for one value, on a slow machine

/** The name of a parser is that of the file with its seeds. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  accept: text => negotiate(text, [{mediaTypes: ['text/turtle', 'text/n3']}, {mediaTypes: ['application/ld+json']}]),
  prefer: text => readPreferences([text]),
  'if-match': text => [readPreconditions({'if-match': text}, 0), readPreconditions({'if-none-match': text}, 0)],
  date: text => parseHttpDate(text, 0),
  slug: text => readSlug([text]),
  'content-type': text => readMediaType(text),
  target: text => readRequestTarget(text),
  origins: text => isAllowedOrigin(readOrigins(text) ?? [], text),
  endpoints: readEndpointList,
  settings: text =>
    Object.keys(settings).map(name => {
      try {
        return readConfig({[name]: text})
      } catch (error) {
        if (error instanceof Refusal) return error
        throw error
      }
    }),
  consistency: parseLogPosition,
  ldpatch: text => applyPatch([], parsePatch(text, {base})),
  results: text =>
    readJsonResults(text, ['a', 'b'], reason => {
      throw new Problem(502, 'service-failed', reason)
    }),
  sparql: compile,
}

/** For a query without stored constants, and for one with all constants stored. */
function compile(text: string): unknown {
  const prepared = prepareQuery(text, base)
  const everything = new Map([...prepared.constants.keys()].map((key, n) => [key, `${1000 + n}`]))
  const facts = {...emptyStore, hasDocuments: true, memberRelations: ['11']}
  return [new Map<string, string>(), everything].map(stored =>
    compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00.000Z'}),
  )
}

const marks = [
  ...'"\'\\<>()[]{}|^`%$?#&;:,./=*+-@!~_ \t\r0aZ\u00e9\u{1F600}\u0000\ud800\ufeff\u2028',
  '""',
  '\\u0000',
  '%00',
  '..',
  '__proto__',
  '9'.repeat(30),
  '1e999999999',
  '/*',
  '--',
]

/** A seed with random cuts, insertions, and repetitions of itself or of another one. */
function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.tuple(fc.constantFrom(...seeds), fc.nat(200), fc.nat(30))
  const insert = fc.oneof(
    fc.constantFrom(...marks),
    piece.map(([seed, from, size]) => seed.slice(from % (seed.length + 1), (from % (seed.length + 1)) + size)),
  )
  const edit = fc.record({at: fc.nat(400), cut: fc.nat(8), insert, times: fc.constantFrom(1, 1, 1, 2, 50)})
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, {minLength: 1, maxLength: 4})).map(([seed, edits]) =>
    edits.reduce((text, {at, cut, insert: put, times}) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put.repeat(times) + text.slice(place + cut)
    }, seed),
  )
}

function requireAnswer(read: (text: string) => unknown, text: string): void {
  const begun = performance.now()
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof Refusal)) throw error
    if (error instanceof Problem && error.status >= 500 && error.rule !== 'service-failed') throw error
  }
  const took = performance.now() - begun
  if (took > timeLimitMs) throw new Error(`took ${took} ms`)
}

for (const [name, read] of Object.entries(readers)) {
  const seeds = readFileSync(`test/fuzz/corpus/${name}.txt`, 'utf8').trimEnd().split('\n')

  test(`${name}: every value of the corpus, and every mutation of it, is parsed or refused`, t => {
    for (const seed of seeds) requireAnswer(read, seed)
    fc.assert(
      fc.property(fc.oneof({arbitrary: mutated(seeds), weight: 4}, fc.string({unit: 'binary'})), text =>
        requireAnswer(read, text),
      ),
      {numRuns: 1000},
    )
    t.pass()
  })
}
