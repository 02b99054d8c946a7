/** Tokens and syntax trees are equal to those of the parser library's own, slower parser. */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import {Parser} from 'sparqljs'
import library from 'sparqljs/lib/SparqlParser.js'
import {readTree} from '../../../src/sparql/parse/grammar.ts'
import {defaultLimits} from '../../../src/sparql/parse/limits.ts'
import {scanQuery} from '../../../src/sparql/parse/scan.ts'
import {endSymbol, readTokens} from '../../../src/sparql/parse/tokens.ts'

const base = 'http://example.org/'
const queries = readdirSync('test/queries')
  .filter(name => name.endsWith('.rq'))
  .map(name => readFileSync(`test/queries/${name}`, 'utf8'))

const punctuation = '{ } ( ) () [] [ ] * ? $ < <= << > >= >> ; , . / + - ^ ^^ | || {| |} ! != = && & @ \\ _ % ~'.split(
  ' ',
)
const terms = ['?x', '$y', '<a:b>', '"a"', "'b'", "'''c'''", '"""d"e"""', '"', '_:b', '_:b.c', '@en', '@en-GB']
const names = ['p:q', ':p', 'p:', 'p:a.b', 'p:%20x', 'p:a\\,b', 'é', 'é:ü', 'x-y:z', 'x.y:z', 'x.:y', 'a', 'A', '😀:x']
const numbers = ['1', '1.', '1.5', '.5', '1e9', '1.e5', '.5e-3', '+1', '-1.5', '+2e3', '-.5E1']
const keywords =
  'FILTER filter SELECT selectx STR STRLEN STRLANG strlangx MIN MINUS IN INx NOT NOTIN SHA1 sha256 isIRI TZ true TRUEx ' +
  'COUNT GROUP_CONCAT undef SUBJECT ASC ASK AS B'
const words = [...punctuation, ...terms, ...names, ...numbers, ...keywords.split(' ')]
const text = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom('', ' ', '\n')), {maxLength: 12})
  .map(all => all.flat().join(''))

/** Symbol and text of each token. Tokens after an invalid one are ignored. */
type Read = readonly (readonly [symbol: number, text: string])[]

function ownTokens(input: string): Read {
  const next = readTokens(input)
  const read: (readonly [number, string])[] = []
  for (let {symbol, text} = next(); symbol !== endSymbol; {symbol, text} = next()) {
    if (symbol < 0) return [...read, [symbol, '']]
    read.push([symbol, text])
  }
  return read
}

type LibraryReader = {setInput(text: string, state: object): void; lex(): number | string; readonly yytext: string}

function libraryTokens(input: string): Read {
  const reader = Object.create(library.lexer) as LibraryReader
  reader.setInput(input, {})
  const read: (readonly [number, string])[] = []
  for (let symbol = reader.lex(); symbol !== endSymbol && symbol !== 1; symbol = reader.lex()) {
    if (typeof symbol === 'string') return [...read, [-1, '']]
    read.push([symbol, reader.yytext])
  }
  return read
}

test('random texts have the same tokens as in the library', t => {
  fc.assert(
    fc.property(text, input => {
      t.deepEqual(ownTokens(input), libraryTokens(input))
    }),
    {numRuns: 3000},
  )
})

/** Plain data, with labels of blank nodes counted from the first of the tree. */
function plain(tree: unknown): unknown {
  const labels = new Map<string, number>()
  return JSON.parse(JSON.stringify(tree), (_, value) => {
    if (typeof value !== 'object' || value === null || !('termType' in value)) return value
    const {termType, value: text, language, datatype} = value
    if (termType === 'BlankNode' && !labels.has(text)) labels.set(text, labels.size)
    const shown = termType === 'BlankNode' ? labels.get(text) : termType === 'Wildcard' ? '' : text
    return {termType, value: shown, ...(language ? {language} : datatype && {datatype: datatype.value})}
  })
}

/** @param read  a parser, which may throw */
function outcomeOf(read: () => unknown): unknown {
  try {
    return plain(read())
  } catch {
    return 'refused'
  }
}

const edits = fc.array(fc.tuple(fc.nat(400), fc.nat(12), fc.constantFrom(...words)), {maxLength: 2})

test('queries, valid and mutated, have the same trees as in the library', t => {
  let readable = 0
  fc.assert(
    fc.property(fc.constantFrom(...queries), edits, (query, all) => {
      const damaged = all.reduce(
        (text, [at, cut, word]) => `${text.slice(0, at)} ${word} ${text.slice(at + cut)}`,
        query,
      )
      const scanned = (() => {
        try {
          return scanQuery(damaged, base, defaultLimits).text
        } catch {
          return ''
        }
      })()
      const options = {baseIRI: base, skipValidation: true}
      const expected = outcomeOf(() => new Parser(options).parse(scanned))
      if (expected !== 'refused') readable += 1
      t.deepEqual(
        outcomeOf(() => readTree(scanned, base)),
        expected,
      )
    }),
    {numRuns: 600},
  )
  t.true(readable > 100, `${readable} of them can be read`)
})
