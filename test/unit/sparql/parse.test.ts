/** Parses queries to algebra: fixes of the parser library's errors, and places of errors. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import type {Query} from '../../../src/sparql/algebra.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

const base = 'http://example.org/a/b/'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const translate = (text: string): Query => translateQuery(parseQuery(text, base))
const named = (value: string) => ({termType: 'NamedNode', value})
const variable = (value: string) => ({termType: 'Variable', value})

function firstTriple(text: string): unknown {
  const {pattern} = translate(text)
  const bgp = pattern.type === 'project' ? pattern.input : pattern
  return bgp.type === 'bgp' ? bgp.patterns[0] : bgp
}

function refusal(text: string): unknown {
  try {
    translate(text)
    return 'accepted'
  } catch (error) {
    const {status, rule, members} = error as {status: number; rule: string; members: object}
    return {status, rule, ...members}
  }
}

test('relative IRIs resolve against the request, then against each BASE', t => {
  t.deepEqual(firstTriple('SELECT * { <../c> <#p> ?o }'), {
    subject: named('http://example.org/a/c'),
    predicate: named('http://example.org/a/b/#p'),
    object: variable('o'),
  })
  t.deepEqual(firstTriple('BASE <http://x/y/> BASE <z/> PREFIX p: <w#> SELECT * { <?q> p:l ?o }'), {
    subject: named('http://x/y/z/?q'),
    predicate: named('http://x/y/z/w#l'),
    object: variable('o'),
  })
})

test('literals keep their lexical forms and language tags', t => {
  const object = (text: string) => (firstTriple(`SELECT * { ?s ?p ${text} }`) as {object: unknown}).object

  t.deepEqual(object('1.0E0'), {termType: 'Literal', value: '1.0E0', datatype: named(`${xsd}double`), language: ''})
  t.deepEqual(object('-2E3'), {termType: 'Literal', value: '-2E3', datatype: named(`${xsd}double`), language: ''})
  t.like(object('"a"@EN-us'), {value: 'a', language: 'EN-us'})
  t.like(object('"a\\u0062\\n"'), {value: 'ab\n'})
  t.like(object('"\\ud83d\\ude00\\\\ud800"'), {value: '\u{1f600}\\ud800'})
})

test('escapes of half a surrogate pair are refused in strings', t => {
  for (const half of ['\\uD800', '\\udfff', '\\ud83d-\\ude00', '\\ude00\\ud83d', '\\\\\\uDFFF', '\\U0000DFFF'])
    for (const quote of ['"', "'", '"""', "'''"])
      t.like(refusal(`SELECT *\n{ ?s ?p ${quote}a${half}${quote} }`), {rule: 'query-syntax', line: 2, column: 9}, half)
})

test('code point escapes stand in IRIs and names', t => {
  t.like(firstTriple('PREFIX \\u0061: <http://x/> SELECT * { <http://x/\\u00E9> a:\\u0062 ?\\u0063 }'), {
    subject: named('http://x/é'),
    predicate: named('http://x/b'),
    object: variable('c'),
  })
  t.deepEqual(refusal('SELECT *\n{ ?s <http://x/\\u0020> ?o }'), {
    status: 400,
    rule: 'query-syntax',
    line: 2,
    column: 6,
  })
})

test('escapes in local names are removed', t => {
  t.like(firstTriple('PREFIX e: <http://x/> SELECT * { e:a\\~b%20 ?p ?o }'), {subject: named('http://x/a~b%20')})
})

test('labels of blank nodes do not conflict', t => {
  t.like(firstTriple('SELECT * { _:x ?p _:e_x }'), {subject: variable('_:x'), object: variable('_:e_x')})
})

test('a syntax error has the place of the unexpected token', t => {
  t.deepEqual(refusal('SELECT * {\n  ?s ?p ?o .\n  OPTIONAL FILTER(?x) }'), {
    status: 400,
    rule: 'query-syntax',
    line: 3,
    column: 12,
  })
  t.deepEqual(refusal('SELECT * { ?s <http://x/\\u0061> } }'), {
    status: 400,
    rule: 'query-syntax',
    line: 1,
    column: 33,
  })
  t.deepEqual(refusal('SELECT * { <a> ?p'), {status: 400, rule: 'query-syntax', line: 1, column: 18})
})

test('a syntax error lists what was expected, with punctuation in quotes', t => {
  t.throws(() => translate('SELECT (STRDT("a") AS ?x) {}'), {
    message: 'Unexpected ")", expected ",", at line 1, column 18.',
  })
  t.throws(() => translate('SELECT (BOUND(1) AS ?x) {}'), {
    message: 'Unexpected "1", expected a variable, at line 1, column 15.',
  })
})

test('functions of a list of arguments have the number that the grammar says', t => {
  for (const call of [
    'REGEX("a")',
    'SUBSTR("a")',
    'REPLACE("a", "b")',
    'regex("a", "b", "i", "x")',
    'SUBSTR("a", 1, 2, 3)',
  ])
    t.like(refusal(`SELECT (${call} AS ?x) {}`), {rule: 'query-syntax', line: 1, column: 9}, call)
  for (const call of ['REGEX("a", "b")', 'REPLACE("a", "b", "c", "i")', 'CONCAT()', 'COALESCE(1, 2, 3, 4)'])
    t.is(refusal(`SELECT (${call} AS ?x) {}`), 'accepted', call)
})

test('updates are refused before they are parsed', t => {
  const spaces = ' '.repeat(1000)

  t.deepEqual(refusal(`INSERT${spaces}{ ?s ?p ?o } WHERE { ?s ?p ?o }`), {
    status: 400,
    rule: 'query-reads-only',
    line: 1,
    column: 1,
  })
  t.deepEqual(refusal('PREFIX e: <x:>\nCLEAR ALL'), {status: 400, rule: 'query-reads-only', line: 2, column: 1})
  t.like(refusal('SELECT * { ?s ?p INSERT }'), {rule: 'query-syntax', column: 18})
  t.deepEqual(refusal('SELECT * { ?insert ?delete "insert  data" }'), 'accepted')
})

test('queries that the notes of the grammar forbid are refused', t => {
  const forbidden = [
    'SELECT * { _:a ?p ?o OPTIONAL { _:a ?q ?r } }',
    'SELECT * { _:a ?p ?o { ?s ?p ?o } _:a ?q ?r }',
    'SELECT * { { _:a ?p ?o } UNION { _:a ?q ?r } }',
    'SELECT (COUNT(SUM(?x)) AS ?c) { ?s ?p ?x }',
    'SELECT ?s (COUNT(?x) AS ?c) { ?s ?p ?x }',
    'SELECT (?s AS ?t) (COUNT(?x) AS ?c) { ?s ?p ?x }',
    'SELECT * { ?s ?p ?x } GROUP BY ?s',
    'SELECT * { ?s ?p ?o BIND(1 AS ?o) }',
    'SELECT * { ?s ?p ?o OPTIONAL { ?o ?q ?r } BIND(1 AS ?r) }',
    'SELECT (1 AS ?s) { ?s ?p ?o }',
    'SELECT * { ?s ?p ?o FILTER(COUNT(?s) > 1) }',
    'SELECT (1 AS ?a) (2 AS ?a) {}',
  ]

  for (const text of forbidden) t.like(refusal(text), {rule: 'query-syntax'}, text)
})

test('queries that the notes allow are accepted', t => {
  const allowed = [
    'SELECT * { _:a ?p ?o FILTER(?o > 1) _:a ?q ?r }',
    'SELECT ?s (COUNT(?x) + 1 AS ?c) (?c * 2 AS ?d) { ?s ?p ?x } GROUP BY ?s',
    'SELECT (COUNT(*) AS ?c) { ?s ?p ?x } HAVING (MAX(?x) > 1) ORDER BY MIN(?x)',
    'SELECT * { { SELECT ?s { ?s ?p ?o } } BIND(1 AS ?o) }',
    'CONSTRUCT { [ <p> ?s ] . } WHERE { ?s ?p _:a }',
    'SELECT * { FILTER EXISTS { ?s ?p _:a } ?s ?p ?o }',
  ]

  for (const text of allowed) t.is(refusal(text), 'accepted', text)
})

test('nesting has a limit; long chains of conditions are not nested', t => {
  const nested = `SELECT * { ${'{ '.repeat(500)}?s ?p ?o${' }'.repeat(500)} }`
  const chain = Array.from({length: 2000}, (_, index) => `?x = ${index}`).join(' || ')

  t.like(refusal(nested), {rule: 'query-depth', limit: 400})
  t.like(refusal(`SELECT * ${'{'.repeat(200_000)}`), {rule: 'query-depth', limit: 400}) // before it is parsed
  t.is(refusal(`SELECT * { ?s ?p ?x FILTER(${chain}) }`), 'accepted')
  t.like(refusal(`SELECT * { }${' '.repeat(1_000_000)}`), {rule: 'query-length'})
})

test('a chain of || or && is a balanced tree of its operands, in their order', t => {
  type Tree = {readonly type: string; readonly name?: string; readonly arguments?: readonly Tree[]}
  const depthOf = (tree: Tree): number =>
    tree.name === '||' || tree.name === '&&' ? 1 + Math.max(...(tree.arguments ?? []).map(depthOf)) : 0
  const leavesOf = (tree: Tree): readonly string[] =>
    tree.name === '||' || tree.name === '&&' ? (tree.arguments ?? []).flatMap(leavesOf) : [tree.name ?? '']
  const conditionOf = (text: string) => (translate(text).pattern as {input?: {condition?: Tree}}).input?.condition

  for (const operator of ['||', '&&']) {
    const names = Array.from({length: 10_000}, (_, index) => `?v${index}`)
    const condition = conditionOf(`SELECT * { FILTER(${names.join(operator)}) }`)

    t.deepEqual(
      leavesOf(condition ?? {type: ''}),
      names.map(name => name.slice(1)),
    )
    t.is(depthOf(condition ?? {type: ''}), 14) // the logarithm of the number of operands
  }
})

test('a pattern in nested negations is checked once', t => {
  let text = '?s ?p ?o'
  for (let level = 0; level < 20; level += 1) text = `{ SELECT (!(!(!(!(!(!(EXISTS { ${text} })))))) AS ?x) {} }`

  t.is(refusal(`SELECT * { ${text} }`), 'accepted') // checking it for each negation would take 6 ** 20 steps
})

test('there may be many comments, and places of errors account for them', t => {
  t.is(refusal(`SELECT * {} ${'# comment\n'.repeat(50_000)}`), 'accepted')
  t.like(refusal('SELECT * { # one\n  # two\n  ?s ?p }'), {rule: 'query-syntax', line: 3, column: 9})
})

test('no query at all is an error at its end', t => {
  t.deepEqual(refusal(''), {status: 400, rule: 'query-syntax', line: 1, column: 1})
  t.deepEqual(refusal('# nothing\nPREFIX e: <http://e/>'), {status: 400, rule: 'query-syntax', line: 2, column: 22})
})

test('what the notes of the grammar forbid is refused with its place', t => {
  const inScope = (name: string) => `The variable ?${name} is assigned, but it is already in scope`
  const forbidden: readonly (readonly [text: string, line: number, column: number, sentence: string])[] = [
    ['SELECT * { ?s ?p ?o\n BIND(1 AS ?o) }', 2, 12, inScope('o')],
    ['SELECT (1 AS ?s) { ?s ?p ?o }', 1, 14, inScope('s')],
    ['SELECT ?o { ?s ?p ?o }\nGROUP BY (1 AS ?o)', 2, 16, inScope('o')],
    ['SELECT * { _:b ?p 1 { _:b ?q 2 } }', 1, 23, 'The blank node _:b stands in two basic graph patterns'],
    ['SELECT (COUNT(SUM(?x)) AS ?n) { ?s ?p ?x }', 1, 9, 'COUNT holds another aggregate'],
    ['SELECT * { ?s ?p ?o FILTER(1 < COUNT(?o)) }', 1, 32, 'An aggregate cannot stand in FILTER'],
    ['SELECT * { BIND(1 + SUM(?x) AS ?y) }', 1, 21, 'An aggregate cannot stand in BIND'],
    ['SELECT ?s { ?s ?p ?o } GROUP BY (SUM(?o) AS ?n)', 1, 34, 'An aggregate cannot stand in GROUP BY'],
    ['SELECT (COUNT(*) AS ?n) ?o { ?s ?p ?o }', 1, 25, '?o is projected, but neither grouped nor aggregated'],
    [
      'SELECT (1 + ?o AS ?n) { ?s ?p ?o } GROUP BY ?s',
      1,
      13,
      '?o is used in the projection, but neither grouped nor aggregated',
    ],
  ]

  for (const [text, line, column, sentence] of forbidden) {
    const message = `${sentence}, at line ${line}, column ${column}.`
    const problem = t.throws<Problem>(() => translate(text), {instanceOf: Problem, message}, text)
    t.like(problem, {rule: 'query-syntax', members: {line, column}})
  }
})

test('the plus of a number belongs to it in data, and is an operator in expressions', t => {
  const termsOf = (text: string) =>
    JSON.stringify(translate(text))
      .match(/"value":"[-+.]?[0-9.][^"]*"/g)
      ?.map(one => one.slice(9, -1))
      .sort()

  t.deepEqual(termsOf('SELECT * { ?s ?p +5 , +5.0 , +.5e1 , -3 ; ?q +1 . [ ?r +2 ] ?r +3 }'), [
    '+.5e1',
    '+1',
    '+2',
    '+3',
    '+5',
    '+5.0',
    '-3',
  ])
  t.deepEqual(termsOf('SELECT * { VALUES (?x ?y) { (+1 2) (UNDEF +3) } VALUES ?z { +4 } }'), ['+1', '+3', '+4', '2'])
  t.deepEqual(termsOf('SELECT (?s+1 AS ?z) { ?s ?p ?o FILTER(?o +5 > 7) }'), ['1', '5', '7'])
})

test('a VALUES without rows keeps its variables', t => {
  const named = (text: string) => (translate(text) as {variables?: readonly string[]}).variables

  t.deepEqual(named('SELECT * { VALUES ?x {} }'), ['x'])
  t.deepEqual(named('SELECT * { VALUES (?x $y) { # none\n } }'), ['x', 'y'])
  t.deepEqual(named('SELECT * { ?z ?p 1 } VALUES ?x { }'), ['z', 'p', 'x'])
  t.like(translate('SELECT * { VALUES ?x {} }').pattern, {input: {type: 'values', variables: ['x'], rows: []}})
  t.throws(() => translate('SELECT * { VALUES ?x {} BIND(1 AS ?x) }'), {message: /already in scope/})
})
