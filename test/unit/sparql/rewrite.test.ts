/** The laws of the rewrites, and the analysis of variables. */
import test from 'ava'
import {type Algebra, join} from '../../../src/sparql/algebra.ts'
import {findBranches} from '../../../src/sparql/analyse/branches.ts'
import {makesDifferentTriples} from '../../../src/sparql/analyse/unique.ts'
import {certainVariables, mentionedVariables} from '../../../src/sparql/analyse/variables.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {compareAfterGroup} from '../../../src/sparql/rewrite/compare-after-group.ts'
import {constantForVariable} from '../../../src/sparql/rewrite/constant-for-variable.ts'
import {countDifferent} from '../../../src/sparql/rewrite/count-different.ts'
import {distributeUnions} from '../../../src/sparql/rewrite/distribute-unions.ts'
import {dropDistinct} from '../../../src/sparql/rewrite/drop-distinct.ts'
import {dropOptional} from '../../../src/sparql/rewrite/drop-optional.ts'
import {joinExists} from '../../../src/sparql/rewrite/join-exists.ts'
import {minusAsExists} from '../../../src/sparql/rewrite/minus-as-exists.ts'
import {moveFilters} from '../../../src/sparql/rewrite/move-filters.ts'
import {unboundAsExists} from '../../../src/sparql/rewrite/unbound-as-exists.ts'
import {variableForVariable} from '../../../src/sparql/rewrite/variable-for-variable.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

const query = (text: string) => translateQuery(parseQuery(text, 'http://e/'))
const pattern = (text: string): Algebra => query(`ASK { ${text} }`).pattern
const sorted = (names: Iterable<string>) => [...names].sort()

test('a selective pattern is moved into the branches of a union', t => {
  const joined = pattern('?p <m> <c> { ?x <a> ?p } UNION { ?x <b> ?p }')

  t.deepEqual(distributeUnions(joined), pattern('{ ?p <m> <c> . ?x <a> ?p } UNION { ?p <m> <c> . ?x <b> ?p }'))
})

test('a union stays if a branch has more than triples, or no pattern is selective', t => {
  const filtered = pattern('?p <m> <c> { ?x <a> ?p } UNION { ?x <b> ?p FILTER(?x > 1) }')
  const open = pattern('?p <m> ?c { ?x <a> ?p } UNION { ?x <b> ?p }')

  t.deepEqual(distributeUnions(filtered), filtered)
  t.deepEqual(distributeUnions(open), open)
})

test('the order of two keys is tested after GROUP BY and HAVING', t => {
  const grouped = (inside: string, outside: string) =>
    pattern(`SELECT ?a ?b (COUNT(*) AS ?n) { ?x <p> ?a, ?b ${inside} } GROUP BY ?a ?b ${outside}`)
  const having = 'COUNT(*) > 3'
  const order = 'STR(?a) < STR(?b)'

  const moved = compareAfterGroup(grouped(`FILTER(?a != ?b && ${order})`, `HAVING (${having})`))

  t.deepEqual(moved, moveFilters(grouped('FILTER(?a != ?b)', `HAVING (${having}) (${order})`)))
})

test('a test stays before GROUP BY unless it is an order of two keys that are always bound', t => {
  for (const text of [
    'SELECT ?a ?b (COUNT(*) AS ?n) { ?x <p> ?a, ?b FILTER(STR(?a) = STR(?b)) } GROUP BY ?a ?b',
    'SELECT ?a ?b (COUNT(*) AS ?n) { ?x <p> ?a, ?b FILTER(STR(?a) < STR(?x)) } GROUP BY ?a ?b',
    'SELECT ?a ?b (COUNT(*) AS ?n) { ?x <p> ?a, ?b FILTER(STR(?a) < STR(?a)) } GROUP BY ?a ?b',
    'SELECT ?a ?b (COUNT(*) AS ?n) { ?x <p> ?a OPTIONAL { ?x <q> ?b } FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b',
    'SELECT ?a ?b (GROUP_CONCAT(?x) AS ?n) { ?x <p> ?a, ?b FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b',
    'SELECT ?a ?c (COUNT(*) AS ?n) { ?x <p> ?a, ?b FILTER(STR(?a) < STR(?b)) } GROUP BY ?a (STR(?b) AS ?c)',
  ])
    t.deepEqual(compareAfterGroup(pattern(text)), pattern(text), text)
})

test('MINUS of plain patterns becomes a filter if its variables are bound', t => {
  t.deepEqual(
    minusAsExists(pattern('?a <p> ?b MINUS { ?a <q> ?c . ?c <r>+ ?b }')),
    pattern('?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c . ?c <r>+ ?b }'),
  )
})

test('MINUS of graphs becomes a filter, and that of a union several', t => {
  for (const [text, equal] of [
    [
      'GRAPH ?g { ?a <p> ?b } MINUS { GRAPH ?g { ?a <q> ?c } }',
      'GRAPH ?g { ?a <p> ?b } FILTER NOT EXISTS { GRAPH ?g { ?a <q> ?c } }',
    ],
    [
      '?a <p> ?b MINUS { { ?a <q> ?c } UNION { GRAPH <g> { ?b <r> ?c } } }',
      '{ ?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c } } FILTER NOT EXISTS { GRAPH <g> { ?b <r> ?c } }',
    ],
    [
      '?a <p> ?b MINUS { { ?a <q> ?c } UNION { ?c <r> ?d } }',
      '{ ?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c } } MINUS { ?c <r> ?d }',
    ],
  ] as const)
    t.deepEqual(minusAsExists(pattern(text)), pattern(equal), text)
})

test('MINUS stays if a shared variable may be unbound, none is shared, or it has more than patterns', t => {
  for (const text of [
    '?a <p> ?b OPTIONAL { ?a <o> ?c } MINUS { ?a <q> ?c }',
    '?a <p> ?b MINUS { ?c <q> ?d }',
    '?a <p> ?b MINUS { ?a <q> ?c FILTER(?b > 1) }',
    '?a <p> ?b MINUS { ?a <q> ?c OPTIONAL { ?c <r> ?b } }',
  ])
    t.deepEqual(minusAsExists(pattern(text)), pattern(text), text)
})

test('MINUS with a filter on its own variables becomes a filter', t => {
  t.deepEqual(
    minusAsExists(pattern('?a <p> ?b MINUS { ?a <q> ?c FILTER(?c > 1) }')),
    pattern('?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c FILTER(?c > 1) }'),
  )
})

test('OPTIONAL that a filter excludes becomes NOT EXISTS', t => {
  for (const [text, equal] of [
    ['?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(!BOUND(?c))', '?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c }'],
    [
      '?a <p> ?b OPTIONAL { ?a <q> ?c FILTER(?c > ?b) } FILTER(!BOUND(?c) && ?b > 1)',
      '{ ?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c FILTER(?c > ?b) } } FILTER(?b > 1)',
    ],
    [
      '?a <p> ?b OPTIONAL { ?a <q> ?c } OPTIONAL { ?b <r>+ ?d } FILTER(!BOUND(?c))',
      '{ ?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c } } OPTIONAL { ?b <r>+ ?d }',
    ],
    [
      '?a <p> ?b OPTIONAL { ?a <q> ?c } OPTIONAL { ?b <r> ?d } FILTER(!BOUND(?c) && !BOUND(?d))',
      '{ ?a <p> ?b FILTER NOT EXISTS { ?a <q> ?c } } FILTER NOT EXISTS { ?b <r> ?d }',
    ],
  ] as const)
    t.deepEqual(unboundAsExists(pattern(text)), pattern(equal), text)
})

test('OPTIONAL stays if its variable may be bound elsewhere, or if it shares one that may be unbound', t => {
  for (const text of [
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(BOUND(?c))',
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(!BOUND(?c) || ?b > 1)',
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(!BOUND(?b))',
    '?a <p> ?b OPTIONAL { ?a <q> ?c } OPTIONAL { ?b <r> ?c } FILTER(!BOUND(?c))',
    '?a <p> ?b OPTIONAL { ?a <o> ?x } OPTIONAL { ?a <q> ?c . ?c <r> ?x } FILTER(!BOUND(?c))',
    '?a <p> ?b OPTIONAL { { ?a <q> ?c } UNION { ?a <r> ?d } } FILTER(!BOUND(?c))',
    '?a <p> ?b OPTIONAL { ?a <q> ?c FILTER(RAND() > 0.5) } FILTER(!BOUND(?c))',
  ])
    t.deepEqual(unboundAsExists(pattern(text)), pattern(text), text)
})

test('a filter moves before OPTIONAL if its variables are bound there', t => {
  t.deepEqual(
    moveFilters(pattern('?a <p> ?b OPTIONAL { ?a <q> ?c } OPTIONAL { ?b <r> ?d } FILTER(?b > 1 && ?c > 2)')),
    pattern('{ { ?a <p> ?b FILTER(?b > 1) } OPTIONAL { ?a <q> ?c } FILTER(?c > 2) } OPTIONAL { ?b <r> ?d }'),
  )
  t.deepEqual(
    moveFilters(pattern('?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER NOT EXISTS { ?a <r> ?d }')),
    pattern('{ ?a <p> ?b FILTER NOT EXISTS { ?a <r> ?d } } OPTIONAL { ?a <q> ?c }'),
  )
})

test('a filter moves into GRAPH if its variables are always bound there', t => {
  t.deepEqual(
    moveFilters(pattern('?a <q> ?c GRAPH ?g { ?a <p> ?b OPTIONAL { ?b <r> ?d } } FILTER(?b > 1 && ?c > 2 && ?d > 3)')),
    pattern('?a <q> ?c GRAPH ?g { { ?a <p> ?b FILTER(?b > 1) } OPTIONAL { ?b <r> ?d } } FILTER(?c > 2 && ?d > 3)'),
  )
  t.deepEqual(
    moveFilters(pattern('GRAPH ?g { ?g <p> ?b } FILTER(?b > 1 && ?g != <a>)')),
    pattern('GRAPH ?g { ?g <p> ?b FILTER(?b > 1) } FILTER(?g != <a>)'),
  )
  for (const text of ['GRAPH ?g { ?a <p> ?b } FILTER(?g != <a>)', 'GRAPH ?g { ?a <p> ?b } FILTER EXISTS { ?a <q> ?b }'])
    t.deepEqual(moveFilters(pattern(text)), pattern(text), text)
})

test('a filter moves before BIND, and tests its expression in place of its variable', t => {
  t.deepEqual(
    moveFilters(pattern('?a <p> ?b BIND(STR(?b) AS ?c) BIND(1 AS ?d) FILTER(?b > 1 && ?c != "2")')),
    pattern('{ { ?a <p> ?b FILTER(?b > 1 && STR(?b) != "2") } BIND(STR(?b) AS ?c) } BIND(1 AS ?d)'),
  )
})

test('a filter stays after BIND whose variable it has in BOUND or EXISTS, or whose value changes', t => {
  for (const text of [
    '?a <p> ?b BIND(STR(?b) AS ?c) FILTER EXISTS { ?a <q> ?c }',
    '?a <p> ?b BIND(STR(?b) AS ?c) FILTER(BOUND(?c) || ?b > 1)',
    '?a <p> ?b BIND(RAND() AS ?c) FILTER(?c > 0.5)',
    '?a <p> ?b BIND(EXISTS { ?a <q> ?b } AS ?c) FILTER(?c)',
  ])
    t.deepEqual(moveFilters(pattern(text)), pattern(text), text)
})

test('a filter stays if it grew too long with the expression of BIND', t => {
  const twice = (depth: number) => `BIND(CONCAT(?v${depth}, ?v${depth}) AS ?v${depth + 1})`
  const text = `?a <p> ?v0 ${Array.from({length: 8}, (_, depth) => twice(depth)).join(' ')} FILTER(?v8 != "")`
  const moved = JSON.stringify(moveFilters(pattern(text)))

  t.true(moved.length < 20_000, moved)
})

test('a filter stays if OPTIONAL may bind its variables, or its value changes', t => {
  for (const text of [
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(!bound(?c))',
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER NOT EXISTS { ?b <r> ?c }',
    '?a <p> ?b OPTIONAL { ?a <q> ?c } FILTER(rand() > 0.5)',
  ])
    t.deepEqual(moveFilters(pattern(text)), pattern(text), text)
})

test('filters of joined groups become one filter of a conjunction', t => {
  t.deepEqual(
    moveFilters(pattern('{ ?a <p> ?b FILTER(?b > 1) } { ?a <q> ?c FILTER(?c > 2) }')),
    moveFilters({
      ...pattern('?a <p> ?b FILTER(?b > 1 && ?c > 2)'),
      input: join(pattern('?a <p> ?b'), pattern('?a <q> ?c')),
    } as Algebra),
  )
  for (const text of [
    '{ ?a <p> ?b FILTER(?c > 1) } { ?a <q> ?c }', // ?c has no value inside the first group
    '{ ?a <p> ?b FILTER NOT EXISTS { ?b <r> ?c } } { ?a <q> ?c }',
  ])
    t.deepEqual(moveFilters(pattern(text)), pattern(text), text)
})

test('EXISTS of patterns with bound variables becomes a join', t => {
  const joined = join(pattern('?a <p> ?b'), pattern('?a <q> <c> . ?b <r> 1'))

  t.deepEqual(joinExists(pattern('?a <p> ?b FILTER EXISTS { ?a <q> <c> . ?b <r> 1 }')), joined)
  t.deepEqual(joinExists(pattern('?a <p> ?b FILTER(?b > 1 && EXISTS { ?a <q> <c> . ?b <r> 1 })')), {
    ...pattern('?a <p> ?b FILTER(?b > 1)'),
    input: joined,
  } as Algebra)
})

test('EXISTS stays if it could duplicate a solution, or is not a conjunction of triples', t => {
  for (const text of [
    '?a <p> ?b FILTER EXISTS { ?a <q> ?c }',
    '?a <p> ?b FILTER NOT EXISTS { ?a <q> <c> }',
    '?a <p> ?b FILTER EXISTS { ?a <q> "c"@en }',
    '?a <p> ?b FILTER EXISTS { ?a <q>+ <c> }',
    '?a <p> ?b OPTIONAL { ?a <o> ?c } FILTER EXISTS { ?c <q> <c> }',
  ])
    t.deepEqual(joinExists(pattern(text)), pattern(text), text)
})

test('COUNT(DISTINCT) becomes a DISTINCT below', t => {
  const counted = pattern('SELECT ?k (COUNT(DISTINCT ?v) AS ?n) { ?k <a> ?v ; <b> ?w } GROUP BY ?k')
  const before = pattern('SELECT ?k (COUNT(?v) AS ?n) { SELECT DISTINCT ?k ?v { ?k <a> ?v ; <b> ?w } } GROUP BY ?k')

  t.deepEqual(countDifferent(counted), before)
})

test('what BIND computes of counted variables and keys is computed of different ones', t => {
  const counted = (count: string, where: string) =>
    pattern(`SELECT ?k (COUNT(${count}) AS ?n) { ${where} } GROUP BY ?k`)
  const end = 'BIND(STR(?v) AS ?k) FILTER(?k != "x")'
  const ofOther = '?v <a> ?w BIND(STR(?w) AS ?k)'

  t.deepEqual(
    countDifferent(counted('DISTINCT ?v', `?v <a> ?w ${end}`)),
    counted('?v', `{ SELECT DISTINCT ?v { ?v <a> ?w } } ${end}`),
  )
  t.deepEqual(
    countDifferent(counted('DISTINCT ?v', ofOther)),
    counted('?v', `{ SELECT DISTINCT ?k ?v { ${ofOther} } }`),
  )
})

test('two variables, an expression, and triples in the order of an index are counted directly', t => {
  for (const text of [
    'SELECT (COUNT(DISTINCT ?v) AS ?n) (COUNT(DISTINCT ?w) AS ?m) { ?k <a> ?v ; <b> ?w }',
    'SELECT (COUNT(DISTINCT ?v) AS ?n) (COUNT(?v) AS ?m) { ?k <a> ?v }',
    'SELECT (COUNT(DISTINCT STR(?v)) AS ?n) { ?k <a> ?v }',
    'SELECT (COUNT(DISTINCT *) AS ?n) { ?k <a> ?v }',
    'SELECT ?p (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o } GROUP BY ?p',
    'SELECT (COUNT(DISTINCT ?v) AS ?n) { ?k <a> ?v } GROUP BY (STR(?k) AS ?l)',
  ])
    t.deepEqual(countDifferent(pattern(text)), pattern(text), text)
})

test('solutions of a graph that show all their variables are different', t => {
  for (const rest of [
    '?s ?p { ?s ?p <o> }',
    '* { ?s <p> ?v ; <q> ?w FILTER(?v < ?w) }',
    '?s ?v ?n { ?s <p> ?v BIND(?v + 1 AS ?n) } ORDER BY ?n LIMIT 3',
    '?g ?s { GRAPH ?g { ?s <p> <o> } }',
    '?k ?n { SELECT ?k (COUNT(*) AS ?n) { ?s <p> ?k } GROUP BY ?k }',
  ])
    t.deepEqual(dropDistinct(pattern(`SELECT DISTINCT ${rest}`)), pattern(`SELECT ${rest}`), rest)
})

test('DISTINCT stays where solutions may be alike', t => {
  for (const rest of [
    '?s { ?s <p> ?v }',
    '?s { ?s <p> [] }',
    '?s { ?s <p> "o"@en }',
    '?s { GRAPH ?g { ?s <p> <o> } }',
    '?s ?v { ?s <p>/<q> ?v }',
    '?s ?v { { ?s <p> ?v } UNION { ?s <q> ?v } }',
    '?s ?v { ?s <p> ?v OPTIONAL { ?s <q> ?w } }',
    '?v { VALUES ?v { 1 1 } }',
    '?n { SELECT ?k (COUNT(*) AS ?n) { ?s <p> ?k } GROUP BY ?k }',
    '?k { SELECT ?k { ?s <p> ?v OPTIONAL { ?s <q> ?k } } GROUP BY ?k ?v }',
  ]) {
    const before = pattern(`SELECT DISTINCT ${rest}`)
    t.deepEqual(dropDistinct(before), before, rest)
  }
})

test('OPTIONAL disappears where duplicates do not count and nothing uses its variables', t => {
  for (const [head, before, after, tail = ''] of [
    ['DISTINCT ?s', '?s <p> ?v OPTIONAL { ?v <q> ?w }', '?s <p> ?v'],
    ['DISTINCT ?s ?n', '?s <p> ?v OPTIONAL { ?s <q> ?w } BIND(?v + 1 AS ?n)', '?s <p> ?v BIND(?v + 1 AS ?n)'],
    ['DISTINCT ?s', '?s <p> ?v OPTIONAL { ?s <q> ?w } OPTIONAL { ?s <r> ?x FILTER(?x < ?v) }', '?s <p> ?v'],
    [
      'DISTINCT ?s',
      '?s <p> ?v OPTIONAL { ?s <q> ?w } VALUES ?v { 1 } FILTER(?v > 1)',
      '?s <p> ?v VALUES ?v { 1 } FILTER(?v > 1)',
    ],
    ['DISTINCT ?s', '?s <p> ?v OPTIONAL { ?s <q> ?w } MINUS { ?s <r> 1 }', '?s <p> ?v MINUS { ?s <r> 1 }'],
    ['DISTINCT ?s', '{ ?s <p> ?v OPTIONAL { ?s <q> ?w } } UNION { ?s <r> ?v }', '{ ?s <p> ?v } UNION { ?s <r> ?v }'],
    ['DISTINCT ?s', '?s <p> ?v OPTIONAL { ?s <q> ?w }', '?s <p> ?v', 'ORDER BY ?v LIMIT 3'],
    ['(COUNT(DISTINCT ?s) AS ?n) (MAX(?v) AS ?m)', '?s <p> ?v OPTIONAL { ?s <q> ?w }', '?s <p> ?v'],
  ] as const) {
    const text = (inside: string) => `SELECT ${head} { ${inside} } ${tail}`
    t.deepEqual(dropOptional(pattern(text(before))), pattern(text(after)), before)
  }
})

test('OPTIONAL stays where its matches are counted or used', t => {
  for (const text of [
    'SELECT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } }',
    'SELECT DISTINCT ?s ?w { ?s <p> ?v OPTIONAL { ?s <q> ?w } }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } FILTER(!BOUND(?w)) }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } ?x <r> ?w }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } OPTIONAL { ?x <r> ?w . ?x <r> ?s BIND(1 AS ?s2) } ?s2 ?w 1 }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } MINUS { ?s <r> ?w } }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } FILTER(RAND() < 0.5) }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { SERVICE <http://e/> { ?s <q> ?w } } }',
    'SELECT DISTINCT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } } ORDER BY ?w',
    'SELECT DISTINCT ?s { { SELECT ?s { ?s <p> ?v OPTIONAL { ?s <q> ?w } } LIMIT 3 } }',
    'SELECT (COUNT(?s) AS ?n) { ?s <p> ?v OPTIONAL { ?s <q> ?w } }',
    'SELECT (COUNT(DISTINCT ?s) AS ?n) (SUM(?v) AS ?m) { ?s <p> ?v OPTIONAL { ?s <q> ?w } }',
  ])
    t.deepEqual(dropOptional(pattern(text)), pattern(text), text)
})

test('CONSTRUCT of one triple creates none twice if the triple has the variables that determine the solutions', t => {
  const isDifferent = (text: string): boolean => {
    const made = query(`CONSTRUCT ${text}`)
    return made.form === 'construct' && makesDifferentTriples(made.template, made.pattern)
  }
  const different = [
    '{ ?s <q> ?o } { ?s <p> ?o FILTER(?o > 1) }',
    '{ ?s ?g ?o } { GRAPH ?g { ?s <p> ?o } }',
    '{ ?s <n> ?n } { SELECT ?s (COUNT(*) AS ?n) { ?s <p> ?o } GROUP BY ?s }',
  ]
  const alike = [
    '{ ?s <q> 1 } { ?s <p> ?o }',
    '{ ?s <q> ?o } { GRAPH ?g { ?s <p> ?o } }',
    '{ ?s <q> ?o . ?o <q> ?s } { ?s <p> ?o }',
    '{ ?s <q> 1 } { ?s <p> "o"@en }',
    '{ ?s <q> ?o } { ?s <p> ?o OPTIONAL { ?s <r> ?t } }',
  ]

  t.deepEqual(different.filter(isDifferent), different)
  t.deepEqual(alike.filter(isDifferent), [])
})

test('certain variables are bound in every solution', t => {
  const node = pattern(
    '?a <p> ?b OPTIONAL { ?b <q> ?c } { ?d <r> ?e } UNION { ?d <s> ?f } VALUES (?g ?h) { (1 UNDEF) }',
  )

  t.deepEqual(sorted(certainVariables(node)), ['a', 'b', 'd', 'g'])
})

test('variables inside EXISTS are mentioned', t => {
  t.deepEqual(sorted(mentionedVariables(pattern('?a <p> ?b FILTER EXISTS { ?a <q> ?c }'))), ['a', 'b', 'c'])
})

function branchVariables(text: string): readonly (readonly string[])[] | undefined {
  const made = query(text)
  if (made.form !== 'construct') throw new Error('no CONSTRUCT')
  return findBranches(made.template, made.pattern)?.branches.map(({variables}) => sorted(variables))
}

test('independent OPTIONALs are branches, and the first has the shared rows', t => {
  t.deepEqual(
    branchVariables(
      'CONSTRUCT { ?s <t> ?t ; <a> ?a ; <b> ?b } { ?s <t> ?t OPTIONAL { ?s <a> ?a } OPTIONAL { ?s <b> ?b } }',
    ),
    [
      ['a', 's', 't'],
      ['b', 's'],
    ],
  )
})

test('OPTIONALs that share a variable or a triple of the template stay together', t => {
  const shared =
    'CONSTRUCT { ?s <a> ?a ; <b> ?b } ' +
    '{ ?s <t> ?t OPTIONAL { GRAPH ?g { ?s <a> ?a } } OPTIONAL { GRAPH ?g { ?s <b> ?b } } }'
  const triple = 'CONSTRUCT { ?a <x> ?b } { ?s <t> ?t OPTIONAL { ?s <a> ?a } OPTIONAL { ?s <b> ?b } }'
  const blank = 'CONSTRUCT { _:x <a> ?a ; <b> ?b } { ?s <t> ?t OPTIONAL { ?s <a> ?a } OPTIONAL { ?s <b> ?b } }'

  t.is(branchVariables(shared), undefined)
  t.is(branchVariables(triple), undefined)
  t.is(branchVariables(blank), undefined)
})

test('a variable that a filter makes equal to an IRI becomes that IRI in the patterns that bind it', t => {
  const fixed = (text: string) => constantForVariable(moveFilters(pattern(text)))

  t.deepEqual(
    fixed('?x ?p ?y . ?y a ?c FILTER(?p = <p> && <c> = ?c && ?x != ?c)'),
    pattern('{ ?x <p> ?y . ?y a <c> FILTER(?x != <c>) } BIND(<c> AS ?c) BIND(<p> AS ?p)'),
  )
  t.deepEqual(fixed('?x <p>+ ?y FILTER(sameTerm(?y, <a>))'), pattern('{ ?x <p>+ <a> } BIND(<a> AS ?y)'))
  t.deepEqual(fixed('GRAPH ?g { ?x <p> ?y } FILTER(?g = <g>)'), pattern('{ GRAPH <g> { ?x <p> ?y } } BIND(<g> AS ?g)'))
})

test('a variable stays if it may be unbound, may be no node of a path, or is tested with BOUND or EXISTS', t => {
  for (const text of [
    '?x <p> ?y OPTIONAL { ?x <q> ?z } FILTER(?z = <a>)',
    '?x <p>* ?y FILTER(?y = <a>)',
    '?x <p> ?y FILTER(?y = <a> && BOUND(?y))',
    '?x <p> ?y FILTER(?y = <a> && EXISTS { ?y <q> ?z })',
    '?x <p> ?y FILTER(?y = "a")',
    'GRAPH ?g {} FILTER(?g = <a>)',
  ])
    t.deepEqual(constantForVariable(pattern(text)), pattern(text), text)
})

test('two variables that a filter makes equal become one if one of them is a subject', t => {
  const merged = (text: string) => variableForVariable(pattern(text))

  t.deepEqual(
    merged('?x <p> ?y . ?z <q> ?w FILTER(?y = ?z && STR(?z) < STR(?w))'),
    pattern('{ ?x <p> ?y . ?y <q> ?w FILTER(STR(?y) < STR(?w)) } BIND(?y AS ?z)'),
  )
  t.deepEqual(
    merged('?x <p> ?y OPTIONAL { ?z <q> ?v FILTER(sameTerm(?v, ?x) && ?z != ?y) }'),
    pattern('?x <p> ?y OPTIONAL { { ?z <q> ?x } BIND(?x AS ?v) FILTER(?z != ?y) }'),
  )
  t.deepEqual(
    merged('?x <p> ?y FILTER NOT EXISTS { ?z <q> ?v . ?v <q> ?w FILTER(?v = ?x && ?w < ?y) }'),
    pattern('?x <p> ?y FILTER NOT EXISTS { ?z <q> ?x . ?x <q> ?w FILTER(?w < ?y) }'),
  )
})

test('two variables stay if neither is a subject, one may be unbound, or is tested with BOUND or EXISTS', t => {
  for (const text of [
    '?x <p> ?y . ?z <q> ?w FILTER(?y = ?w)',
    '?x <p> ?y . ?z <q> ?w FILTER(?y = ?z && BOUND(?z))',
    '?x <p> ?y . ?z <q> ?w FILTER(?y = ?z && EXISTS { ?z <r> ?v })',
    '?x <p> ?y . ?z <q>* ?w FILTER(?x = ?w)',
    '?x <p> ?y OPTIONAL { ?x <q> ?z } OPTIONAL { ?v <r> ?w FILTER(?v = ?z) }',
    '?x <p> ?y OPTIONAL { ?x <q> ?z } FILTER NOT EXISTS { ?v <r> ?w FILTER(?v = ?z) }',
    '?x <p> ?y . ?v <p> ?y FILTER NOT EXISTS { ?v <r> ?w FILTER(?v = ?x) }',
  ])
    t.deepEqual(variableForVariable(pattern(text)), pattern(text), text)
})
