/** Numbers of solutions, estimated or sampled, decide whether patterns are probed for each solution or read once. */
import test from 'ava'
import {inlineId, inlineKinds} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import type {SampledMean} from '../../../src/sparql/plan/frequencies.ts'
import {emptyStore} from '../../support/facts.ts'

const integerId = (value: number) => inlineId(inlineKinds.integer, BigInt(value))
const of = (triples: number, subjects: number, objects: number) => ({triples, subjects, objects, quantiles: []})
const counted = new Map([
  ['of', of(14_000, 14_000, 2000)],
  ['at', of(5000, 5000, 5000)],
  ['is', of(60_000, 15_000, 20)],
  ['some', of(7000, 7000, 7000)],
  ['all', of(20_000, 20_000, 20_000)],
  ['more', of(25_000, 25_000, 25_000)],
  ['number', {...of(20_000, 20_000, 3300), quantiles: Array.from({length: 33}, (_, n) => integerId(100 * n))}],
  ['kind', of(7000, 7000, 20)],
  ['label', of(60_000, 60_000, 60_000)],
  ['pair', of(14_000, 14_000, 7000)],
])

type Samples = Readonly<Record<string, Readonly<Record<string, number | readonly [mean: number, error: number]>>>>

/**
 * The SQL for a query in a store of 250,000 quads, where no triple is in two graphs.
 *
 * @param samples  of joins, by sides; the ids of predicates are 1000, 1001 and so on
 */
function sqlOf(pattern: string, samples: Samples = {}): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> SELECT * ${pattern}`, 'http://e/')
  const names = [...counted.keys()]
  names.splice(7, 0, 'graph') // 1007
  const ids = new Map(names.map((name, index) => [name, String(1000 + index)]))
  const predicates = new Map([...counted].map(([name, frequency]) => [ids.get(name) ?? '', frequency]))
  const stored = new Map([...ids].map(([name, id]) => [iriKey(`http://e/${name}`), id]))
  const facts = {
    ...emptyStore,
    uncopied: new Set(ids.values()),
    extents: new Map([[ids.get('number') ?? '', {low: integerId(0), high: integerId(3200)}]]),
    frequencies: {
      triples: 250_000,
      predicates,
      values: new Map(),
      joins: {
        means: new Map(
          Object.entries(samples).map(([side, from]) => [side, new Map(Object.entries(from).map(sampled))]),
        ),
        constants: new Set<string>(),
        counts: new Map(),
        counted: new Set<string>(),
      },
    },
  }
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

/** A mean that is less than a triple for a whole sample has no error. */
function sampled([from, mean]: [string, number | readonly [mean: number, error: number]]): [string, SampledMean] {
  if (typeof mean !== 'number') return [from, {mean: mean[0], error: mean[1]}]
  return [from, {mean, error: mean < 1 / 64 ? Number.POSITIVE_INFINITY : 0.1}]
}

const [probed, grouped] = [/not exists \([^()]* offset 0\)/, /join lateral \(/]
const outside = (sql: string) => sql.replaceAll(/\((?:copy|\w+\.copy) is null\)|\(\w+\.[spo] = [\w.:]+\)/g, '-')

test('the label of a value that many solutions share is looked up once for each value', t => {
  const once = /select distinct t\d+\.c\d+ as c0 from t\d+ as t\d+ offset 0\) as t\d+ cross join lateral/
  const classes = '?s :kind ?c . ?c :label ?n' // 20 values of ?c

  t.regex(sqlOf(`{ ${classes} }`), once)
  t.notRegex(sqlOf(`{ ${classes} } LIMIT 10`), once)
  t.notRegex(sqlOf(`{ GRAPH ?g { ${classes} } }`), once)
  t.regex(sqlOf(`{ ?x :all ?y . ?y :more ?z FILTER EXISTS { ${classes} . ?s :at ?y } }`), once)
  t.notRegex(sqlOf('{ ?s :kind ?c ; :some ?o . ?o :label ?n }'), once) // 7,000 values
})

test('EXISTS is probed for few solutions, and joined with many', t => {
  const exists = (name: string) => outside(sqlOf(`{ ?s :${name} ?m FILTER NOT EXISTS { ?s :is ?x } }`))

  t.regex(exists('at'), probed)
  t.notRegex(exists('some'), probed)
})

test('EXISTS that is cheaper after a join is not tested before it', t => {
  const sql = outside(sqlOf('{ ?s :of ?m ; :at ?n FILTER NOT EXISTS { ?m :is ?x } }'))

  t.regex(sql, /inner join .* offset 0\) as t\d+ where \(not exists/)
})

test('a group is computed for the few solutions of one graph', t => {
  const count = '{ SELECT ?s (COUNT(?x) AS ?n) { ?s :is ?x } GROUP BY ?s }'

  t.regex(sqlOf(`{ GRAPH :graph { ?s :of ?m } ${count} }`), grouped)
  t.notRegex(sqlOf(`{ ?s :of ?m ${count} }`), grouped)
})

test('OPTIONAL after GRAPH ?g looks up the triples of the few graphs that were found', t => {
  const optional = '{ GRAPH ?g { ?g :at :x } } OPTIONAL { GRAPH ?g { ?g :some ?y } }'
  t.regex(sqlOf(`{ ${optional} }`), /left join lateral/)
  t.notRegex(sqlOf(`{ ${optional.replace(':at :x', '?x ?z')} }`), /left join lateral/)
})

test('groups of no pattern, which only test EXISTS, have one solution to test', t => {
  const groups = '{ FILTER EXISTS { ?s :of ?m } } { FILTER EXISTS { [] :at [] } }'
  t.regex(sqlOf(`{ ${groups} { ?s :some ?n } UNION { ?s ^(!()) "" } }`), /exists \(/)
})

/** The number of patterns that are probed for each number that a filter leaves. */
function probes(filter: string, pattern = (inside: string) => inside): number {
  return (sqlOf(`{ ${pattern(`?s :number ?v . ${filter}`)} ?s :all ?m }`).match(/cross join lateral/g) ?? []).length
}

test('two bounds of a range leave what is between them', t => {
  const inSelect = (inside: string) => `{ SELECT ?s { ${inside} ?s :more ?n } }`

  t.is(probes('FILTER(?v >= 1500 && ?v < 1700)'), 1)
  t.is(probes('FILTER(?v >= 1500) FILTER(?v < 1700)'), 1)
  t.is(probes('FILTER(?v >= 500 && ?v < 2700)'), 0)
  t.is(probes('FILTER(?v >= 1500)'), 0)
  t.is(probes('FILTER(?v >= 1500 && ?v < 1700)', inSelect), 2)
})

test('comparisons of which one is true leave what any of them leaves', t => {
  t.is(probes('FILTER(?v IN (7, 77, 777.0))'), 1)
  t.is(probes('FILTER(?v = 7 || 77 = ?v || ?v IN (777, 7777))'), 1)
  t.is(probes('FILTER(?v < 50 || ?v > 3190)'), 1)
  t.is(probes('FILTER(?v < 1500 || ?v > 1700)'), 0)
  t.is(probes('FILTER(?v = 7 || ?v > 1700)'), 0)
  t.is(probes('FILTER(?v = 7 || ?m = 8)'), 0)
  t.is(probes('FILTER(?v IN (7, ?m))'), 0)
})

test('groups by two keys are as many as their combinations, so a second group is computed once for all', t => {
  const of = (keys: string) => `{ SELECT ${keys} (COUNT(?s) AS ?c) { ?s :of ?m ; :is ?n } GROUP BY ${keys} }`
  const second = '{ SELECT ?m (COUNT(?x) AS ?d) { ?x :of ?m } GROUP BY ?m }'

  t.notRegex(sqlOf(`{ ${of('?n ?m')} ${second} }`), grouped)
  t.regex(sqlOf(`{ ${of('?n')} { SELECT ?n (COUNT(?x) AS ?d) { ?x :is ?n } GROUP BY ?n } }`), grouped)
})

test('samples of joins replace averages, and tell the same in both directions', t => {
  const [is, all, more] = ['s 1002 ', 's 1004 ', 's 1005 ']
  const isNone = 0.5 / 64
  const planned = (samples: Samples, around = (pattern: string) => pattern) =>
    sqlOf(`{ ${around('?s :all ?m ; :more ?n ; :is ?x')} }`, samples)
  const probes = (samples: Samples) => (planned(samples).match(/cross join lateral/g) ?? []).length
  const none = {[more]: {[all]: isNone}, [all]: {[more]: isNone}}

  t.deepEqual([probes({}), probes(none)], [0, 1]) // few solutions are left for the last pattern
  t.is(
    // The first sample missed what the second one found.
    planned({[more]: {[all]: isNone}, [all]: {[more]: 0.5}, [is]: {[all]: 4}}),
    planned({[more]: {[all]: 0.5 * 1.25}, [all]: {[more]: 0.5}, [is]: {[all]: 4}}),
  )
  t.is(
    // A few values have most of the triples, so the first sample has a large error.
    planned({[more]: {[all]: [0.1, 0.5]}, [all]: {[more]: [0.5, 0]}, [is]: {[all]: 4}}),
    planned({[more]: {[all]: 0.5 * 1.25}, [is]: {[all]: 4}}),
  )
  const inGraph = (pattern: string) => `GRAPH ?g { ${pattern} }`
  t.is(planned(none, inGraph), planned({}, inGraph))
})

test('a constant that statistics do not mention has the counted number of triples', t => {
  const pattern = '{ ?s :is :graph . ?s :of ?m . ?m :at ?n }'
  const probes = (count: number | undefined) =>
    (sqlOf(pattern, count === undefined ? {} : {'s 1002 1007': {'': count}}).match(/cross join lateral/g) ?? []).length

  t.is(probes(undefined), 0)
  t.is(probes(8000), 0)
  t.is(probes(3), 2)
})

test('a test of equality between two parts is a condition of their join, also if terms are looked up for a group', t => {
  const group = (other: string, test: string) =>
    sqlOf(`{ { SELECT ?m (COUNT(*) AS ?c) { ?s :of ?m . ${other} FILTER(${test}) } GROUP BY ?m } }`)

  for (const other of ['?x :at ?n .', '{ ?x :at ?n } UNION { ?x :some ?n }'])
    for (const test of ['STR(?m) = STR(?n)', 'STR(?m) = ?n', '?n = ?m', 'STRLEN(?m) = STRLEN(?n)', '?m + 1 = ?n'])
      t.notRegex(group(other, test), /cross join \(/, `${other} ${test}`)
})

test('terms that the query names are compared by their ids', t => {
  const branches = '{ ?s :of ?m BIND("of" AS ?k) } UNION { ?s :at ?m BIND("at" AS ?k) }'
  const listed = 'VALUES (?k ?v) { ("of" :of) (:at "at") } ?s :of ?m .'

  for (const test of ['?k = "of"', '?k != "of"', '?k IN ("of", "at")', 'IF(?k = "of", 1, 0) = 1'])
    t.notRegex(sqlOf(`{ ${branches} FILTER(${test}) }`), /sparql_equal|\.lex/, test)
  t.notRegex(sqlOf(`{ ${listed} FILTER(?k = ?v) }`), /sparql_equal|\.lex/)
  t.regex(sqlOf('{ VALUES ?k { "of" 1 "1"^^:of } ?s :of ?m FILTER(?k != "of") }'), /sparql_equal/)
})

test('a choice between strings, and the digits of an integer, are texts without the keys of terms', t => {
  const label = 'CONCAT(STR(?v + 1), "-", IF(?v < 5, "low", IF(?v < 50, "middle", "high")))'
  const sql = sqlOf(`{ { SELECT ?k (COUNT(*) AS ?n) { ?s :number ?v } GROUP BY (${label} AS ?k) } }`)

  t.notRegex(sql, /sparql_concat|sparql_lex/)
})

test('a closure after many solutions starts from them, if each step leads to one term', t => {
  const sql = sqlOf('{ ?m :all ?x ; :more ?p . ?m :of* ?q . ?q :label ?n }') // 20,000 values of ?m

  t.regex(sql, /with recursive t\d+ \(s, n\) as \(\(select t\d+\.s as s, t\d+\.s as n from \(select distinct /)
  t.notRegex(sql, /with recursive t\d+ \(s, o\)/)
})

test('patterns that share only values from outside are not joined before the pattern that connects them', t => {
  const sql = sqlOf('{ ?a :more ?f OPTIONAL { ?p :pair ?f . ?m :pair ?a . ?m :at+ ?p } } LIMIT 10')

  const read = [...sql.matchAll(/\.p = (\d+)/g)].map(([, id]) => id) // the first pattern of a join is written last
  t.deepEqual(read, ['1001', '1001', '1010', '1010', '1005'], 'one pair, the closure, the other pair')
})

/** The different values of ?c in ?s :kind ?c. */
const different = /select distinct t\d+\.o as c0 from "q"\.quad as t\d+ where .* = 1008/

test('a group of which MIN and MAX are asked joins only different values further', t => {
  const groups = (aggregate: string) =>
    sqlOf(`{ SELECT ?l (${aggregate} AS ?x) { ?s :kind ?c . ?c :label ?l . ?l :more ?n } GROUP BY ?l }`)

  for (const aggregate of ['MAX(?n)', 'MIN(STR(?n))', 'SAMPLE(?n)', 'SUM(DISTINCT ?n)'])
    t.regex(groups(aggregate), different)
  for (const aggregate of ['COUNT(?n)', 'SUM(?n)', 'COUNT(DISTINCT *)', 'MIN(RAND())'])
    t.notRegex(groups(aggregate), different)
})

test('a branch of UNION in a conjunction joins only different values further, if duplicates do not count', t => {
  const sql = (form: string) =>
    sqlOf(`{ SELECT ${form} ?n { { ?s :kind ?c . ?c :label ?l } UNION { ?c :at ?l } ?l :more ?n } }`)

  t.regex(sql('DISTINCT'), different)
  t.notRegex(sql(''), different)
})
