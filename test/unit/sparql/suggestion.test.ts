/** A syntax error suggests the keyword that was probably meant, if the grammar allows it at that place. */
import test from 'ava'
import fc from 'fast-check'
import {nearestWord} from '../../../src/base/nearest.ts'
import {Problem} from '../../../src/base/problem.ts'
import {parseQuery, parseUpdate} from '../../../src/sparql/parse/parse.ts'

const base = 'http://example.org/'

function refusal(parse: () => unknown): Problem {
  try {
    parse()
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('it was not refused')
}

const mistakes: readonly (readonly [text: string, suggestion: string | undefined, column: number])[] = [
  ['SELECT * { ?s ?p ?o FILTR(?o > 1) }', 'FILTER', 21],
  ['SELCT * { ?s ?p ?o }', 'SELECT', 1],
  ['SELECT * WEHRE { ?s ?p ?o }', 'WHERE', 10],
  ['SELECT * { ?s ?p ?o } ORDR BY ?s', 'ORDER', 23],
  ['SELECT * { ?s ?p ?o } limt 5', 'LIMIT', 23],
  ['SELECT * { OPTINAL { ?s ?p ?o } }', 'OPTIONAL', 12],
  ['SELECT * { ?s ?p ?o FILTER(CONTAIN(?o, "a")) }', 'CONTAINS', 28],
  ['PREFX e: <x:> SELECT * {}', 'PREFIX', 1],
  ['SELECT * { ?s ?p }', undefined, 18],
  ['SELECT * { ?s ?p ?o } banana', undefined, 23],
  ['SELECT * { ?s ?p ?o } LIMIT LIMIT', undefined, 29],
]

for (const [text, suggestion, column] of mistakes) {
  test(`${text} suggests ${suggestion ?? 'nothing'}`, t => {
    const {rule, message, members} = refusal(() => parseQuery(text, base))

    t.is(rule, 'query-syntax')
    t.deepEqual(members, {line: 1, column, ...(suggestion === undefined ? {} : {suggestion})})
    t.is(/Did you mean (\w+)\?$/.exec(message)?.[1], suggestion)
  })
}

const openIris: readonly (readonly [text: string, sentence: string])[] = [
  ['SELECT * { ?s <http://e/p ?o }', 'The IRI <http://e/p has no ">" before a blank, at line 1, column 15.'],
  ['SELECT * { ?s <http://e/p', 'The IRI <http://e/p has no ">" at the end of the text, at line 1, column 15.'],
  ['PREFIX : <http://e/{x}> SELECT * {}', 'The IRI <http://e/ has no ">" before {, at line 1, column 10.'],
  ['SELECT * { ?s < ?o }', 'Unexpected "<", at line 1, column 15.'],
]

for (const [text, sentence] of openIris) {
  test(`${text} names the IRI without an end`, t => {
    t.is(refusal(() => parseQuery(text, base)).message, sentence)
  })
}

test('an update suggests the keywords of updates', t => {
  t.is(refusal(() => parseUpdate('INSRT DATA { <a> <b> 1 }', base)).members.suggestion, 'INSERT')
})

test('a word is corrected after one mistake of any kind', t => {
  const words = ['FILTER', 'OPTIONAL', 'CONSTRUCT', 'DESCRIBE', 'HAVING']
  const letter = fc.constantFrom(...'ABCXYZ')
  const mistake = fc.tuple(fc.constantFrom(...words), fc.nat(), letter, fc.constantFrom('drop', 'add', 'swap'))
  fc.assert(
    fc.property(mistake, ([word, n, other, kind]) => {
      const at = n % (word.length - 1)
      const [head, first, second, tail] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
      const written = {
        drop: head + second + tail,
        add: head + other + first + second + tail,
        swap: head + second + first + tail,
      }[kind]
      t.is(nearestWord(written ?? '', words), written === word ? undefined : word)
    }),
  )
})
