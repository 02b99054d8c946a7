/** The parser makes the same trees as sparqljs's own, apart from what actions.ts replaces. */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import {Parser} from 'sparqljs'
import {Problem} from '../../../src/base/problem.ts'
import {createContext} from '../../../src/sparql/parse/actions.ts'
import {readTree} from '../../../src/sparql/parse/grammar.ts'
import {defaultLimits} from '../../../src/sparql/parse/limits.ts'
import {createLexer, endSymbol, symbolOf} from '../../../src/sparql/parse/tokens.ts'

const base = 'http://example.org/'
const queries = readdirSync('test/queries')
  .filter(name => name.endsWith('.rq'))
  .map(name => readFileSync(`test/queries/${name}`, 'utf8'))

const punctuation = '{ } ( ) () [] [ ] * ? $ < <= > >= ; , . / + - ^ ^^ | || ! != = && & @ \\ _ % ~'.split(' ')
const terms = ['?x', '$y', '<a:b>', '"a"', "'b'", "'''c'''", '"""d"e"""', '"', '_:b', '_:b.c', '@en', '@en-GB']
const names = ['p:q', ':p', 'p:', 'p:a.b', 'p:%20x', 'p:a\\,b', 'é', 'é:ü', 'x-y:z', 'x.y:z', 'x.:y', 'a', '😀:x']
const numbers = ['1', '1.', '1.5', '.5', '1e9', '1.e5', '.5e-3', '+1', '-1.5', '+2e3', '-.5E1']
const keywords =
  'FILTER filter SELECT selectx STR STRLEN STRLANG strlangx MIN MINUS IN INx NOT NOTIN SHA1 sha256 isIRI TZ true TRUEx ' +
  'COUNT GROUP_CONCAT undef ASC ASK AS B UNION EXISTS VALUES'
const words = [...punctuation, ...terms, ...names, ...numbers, ...keywords.split(' ')]

type Node = Readonly<Record<string, unknown>>

/** Plain data in which the differences that actions.ts lists are gone. */
function plain(tree: unknown): unknown {
  const labels = new Map<string, number>()
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const node = value as Node
    if ('termType' in node) return term(node)
    if (node.type === 'union') return {...node, patterns: (node.patterns as Node[]).map(whole).map(visit)}
    if (node.operator === '||' || node.operator === '&&') return [node.operator, ...operands(node, node.operator)]
    if (/exists/.test(String(node.operator))) return {...node, args: (node.args as Node[]).map(whole).map(visit)}
    if (Array.isArray(node.rows)) return rowsOf(node).map(visit)
    return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, visit(item)]))
  }
  const operands = (value: unknown, operator: unknown): unknown[] => {
    const {operator: own, args} = value as {operator?: unknown; args: readonly unknown[]}
    return own === operator ? args.flatMap(one => operands(one, operator)) : [visit(value)]
  }
  const term = ({termType, value, language, datatype}: Node) => {
    const text = String(value)
    if (termType === 'BlankNode' && !labels.has(text)) labels.set(text, labels.size)
    if (termType === 'BlankNode') return {termType, label: labels.get(text)}
    if (termType === 'NamedNode') return {termType, value: text.replace(/\\(.)/g, '$1')}
    const type = (datatype as Node | undefined)?.value
    const isNumber = /integer|decimal|double/.test(String(type))
    const shown = isNumber ? text.replace(/^\+/, '').toLowerCase() : text
    return {termType, value: shown, language: String(language ?? '').toLowerCase(), type}
  }
  return JSON.parse(JSON.stringify(visit(tree)))
}

function whole(group: Node): Node {
  const {type, patterns} = group as {type: string; patterns: readonly Node[]}
  return type === 'group' && patterns.length === 1 && patterns[0] !== undefined ? patterns[0] : group
}

function rowsOf(values: Node): readonly Node[] {
  const {variables, rows} = values as {variables: readonly string[]; rows: readonly (readonly unknown[])[]}
  return rows.map(row => Object.fromEntries(variables.map((name, place) => [`?${name}`, row[place]])))
}

/** @returns  what was read, or why it was refused */
function outcomeOf(read: () => unknown): {readonly tree: unknown} | {readonly refusal: string} {
  try {
    const {base: _, prefixes, ...tree} = read() as Node
    return {tree: plain(tree)}
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return {refusal: error.message}
  }
}

/** Why sparqljs refuses what is read here, or the other way round. */
const known = [
  /already bound/, // check.ts refuses it
  /reading 'map'/, // `[ … ] .` in a template
  /is not an IRI/,
]

const options = {baseIRI: base, skipValidation: true}
const edits = fc.array(fc.tuple(fc.nat(400), fc.nat(12), fc.constantFrom(...words)), {maxLength: 2})

test('queries, valid and mutated, have the same trees as in the library', t => {
  let readable = 0
  fc.assert(
    fc.property(fc.constantFrom(...queries), edits, (query, all) => {
      const text = all.reduce((text, [at, cut, word]) => `${text.slice(0, at)} ${word} ${text.slice(at + cut)}`, query)
      const own = outcomeOf(() => readTree(text, createContext(base, defaultLimits), () => undefined))
      const expected = outcomeOf(() => new Parser(options).parse(text))
      if ('tree' in own && 'tree' in expected) {
        readable += 1
        t.deepEqual(own.tree, expected.tree, text)
        return
      }
      const [refusal] = [own, expected].flatMap(one => ('refusal' in one ? [one.refusal] : []))
      const isKnown = known.some(reason => reason.test(refusal ?? ''))
      t.true(('refusal' in own && 'refusal' in expected) || isKnown, `${refusal}: ${text}`)
    }),
    {numRuns: 600},
  )
  t.true(readable > 100, `${readable} of them can be read`)
})

/** The terminals of a text, as written. */
function terminalsOf(text: string): readonly string[] {
  const next = createLexer(text)
  const read: string[] = []
  for (let token = next(); token.symbol !== endSymbol; token = next()) read.push(token.text)
  return read
}

test('the longest terminal counts', t => {
  t.deepEqual(terminalsOf('<a> <b ?x<?y 1.5e 1. .5 +1-1 p:a.b. a..b: _:x._:y'), [
    ...['<a>', '<', 'b', '?x', '<', '?y', '1.5', 'e', '1', '.', '.5', '+1', '-1'],
    ...['p:a.b', '.', 'a..b:', '_:x._', ':y'],
  ])
  t.deepEqual(terminalsOf('😀:x a😀:y é:ü \\u0061b:c select:a'), ['😀:x', 'a😀:y', 'é:ü', 'ab:c', 'select:a'])
  t.deepEqual(terminalsOf('"a\\"" """b"c""" \'\'\'\'\'\' """d" ( #)\n) [ ] [1] ^^ || a@b'), [
    ...['"a\\""', '"""b"c"""', "''''''", '""', '"d"', '( #)\n)', '[ ]', '[', '1', ']', '^^', '||', 'a', '@b'],
  ])
})

test('keywords need no blank after them, and two of an update may have comments between them', t => {
  const symbolsOf = (text: string): readonly number[] => {
    const next = createLexer(text)
    return [next().symbol, next().symbol]
  }

  t.deepEqual(symbolsOf('LIMIT10'), ['LIMIT', 'INTEGER'].map(symbolOf))
  t.deepEqual(symbolsOf('notin'), ['NOT', 'IN'].map(symbolOf))
  t.deepEqual(symbolsOf('strlen str'), ['FUNC_ARITY1', 'FUNC_ARITY1'].map(symbolOf))
  t.deepEqual(symbolsOf('INSERT # a\n # b\n data {'), ['INSERTDATA', '{'].map(symbolOf))
  t.deepEqual(symbolsOf('DELETE{'), ['DELETE', '{'].map(symbolOf))
  t.deepEqual(symbolsOf('s\\u0065lect a'), ['SELECT', 'a'].map(symbolOf))
})

test('an escape gives one token, or is refused', t => {
  for (const text of ['?x\\u0020y', '<a\\u003Eb>', 'p:\\u0022', '?\\u005Cu0061', '?a\\uD800', '?a\\UFFFFFFFF'])
    t.throws(() => terminalsOf(text), {instanceOf: Problem, message: /gives a character that cannot stand here/}, text)
})

test('every token begins after the one before, whatever the text', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), text => {
      const next = createLexer(text)
      let last = -1
      try {
        for (let token = next(); token.symbol !== endSymbol; token = next()) {
          t.true(token.at > last)
          last = token.at
        }
      } catch (error) {
        t.true(error instanceof Problem)
      }
    }),
    {examples: [['\u{1F600} 1'], ['\ud83d 1'], ['\ude00 1']], numRuns: 1000},
  )
})
