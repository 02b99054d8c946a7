/**
 * PostgreSQL's plans for queries on data of some size: their indexes, no scan of all quads, no sort of rows that an
 * index has in order, good estimates. No time is measured.
 */
import test, {type ExecutionContext} from 'ava'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {vacuumStore} from '../../src/db/bulk/import-store.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {createQueryService} from '../../src/query/answer.ts'
import {explainQuery} from '../../src/query/explain.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, testSchema as schema} from '../support/postgres.ts'
import {storeIn} from './fill.ts'

const itemCount = 4000
const vocabulary = 'http://e/'

/** Items with a maker, a kind, a number, a time and a name; one graph for each. */
async function fill(database: Database): Promise<void> {
  await database.begin('read committed', async transaction => {
    await transaction.query(`set local search_path to ${schema}`)
    await transaction.query('set local synchronous_commit to on') // otherwise VACUUM may run before it sees the commit
    await transaction.query(`select intern_terms(array(select 'I${vocabulary}' || n from unnest($1::text[]) as n))`, [
      ['maker', 'kind', 'number', 'time', 'name', 'part', 'day', 'level', 'city', 'Common', 'Rare'],
    ])
    await transaction.query(
      `select intern_terms(array(select 'I${vocabulary}' || c || n from unnest(array['i', 'm']) as c,
                                        generate_series(1, ${itemCount}) as n)),
              intern_terms(array(select 'Lhttp://www.w3.org/2001/XMLSchema#string  name ' || n
                                   from generate_series(1, ${itemCount}) as n))`,
    )
    await transaction.query(
      `insert into quad (g, s, p, o)
       select i.s, i.s, sparql_id('I${vocabulary}' || v.p), v.o
         from (select n, sparql_id('I${vocabulary}i' || n) as s from generate_series(1, ${itemCount}) as n) as i
        cross join lateral (values
          ('maker', sparql_id('I${vocabulary}m' || (1 + n % 100))),
          ('kind', sparql_id('I${vocabulary}' || case n % 50 when 0 then 'Rare' else 'Common' end)),
          ('number', -8070450532247928832 + ((n * 7919 % 100003 + 36028797018963968) << 4)),
          ('level', -8070450532247928832 + ((n / 1000 + 36028797018963968) << 4)),
          ('time', -5764607523034234880 + ((1600000000000 + n * 1000 + 70368744177664) << 9) + 4),
          ('day', -1152921504606846976 + ((n % 500 + 1073741824::int8) << 7) + 1),
          ('name', sparql_id('Lhttp://www.w3.org/2001/XMLSchema#string  name ' || n)),
          ('part', sparql_id('I${vocabulary}i' || (1 + n * 31 % ${itemCount})))) as v (p, o)`,
    )
    await transaction.query(
      // of each maker, of every tenth two
      `insert into quad (g, s, p, o)
       select m.id, m.id, sparql_id('I${vocabulary}city'), sparql_id('I${vocabulary}i' || c.n)
         from (select n, sparql_id('I${vocabulary}m' || n) as id from generate_series(1, 100) as n) as m
        cross join lateral (select 1 + m.n % 7 as n union all select 9 where m.n % 10 = 0) as c`,
    )
    await transaction.query('insert into raw_graph (id) select distinct g from quad')
  })
  await until(async () => {
    await vacuumStore(database, schema)
    return isAllVisible(database)
  })
}

/** VACUUM leaves pages out while an older transaction runs, such as one of Citus's own processes. */
async function isAllVisible(database: Database): Promise<boolean> {
  const text = `select relallvisible = relpages as "isSo" from pg_class where oid = ${schema}.store_relation('quad', 'quad')`
  const [row] = await database.query<{isSo: boolean}>(text)
  return row?.isSo === true
}

type Plan = {readonly lines: readonly string[]; readonly text: string}

let planOf: (text: string) => Promise<Plan>
let valuesOf: (text: string) => Promise<readonly string[]> // of the first variable

let close: () => Promise<void>

test.before(async () => {
  const {database, drop} = await createTestDatabase()
  await fill(database)
  const store = await storeIn(database)
  planOf = async text => {
    const query = `PREFIX : <${vocabulary}> ${text}`
    const {plan} = await explainQuery(store, {text: query, base: vocabulary, isMeasured: true, planForm: 'text'})
    const shown = String(plan)
    return {lines: shown.split('\n'), text: shown}
  }
  const checksums = createChecksumPool()
  const platform = platformVocabulary(vocabulary)
  const service = createQueryService({...store, checksums, platform})
  valuesOf = text => {
    const preferences = {contexts: false, checksums: false}
    return service.answer({text: `PREFIX : <${vocabulary}> ${text}`, base: vocabulary, preferences}, async answer => {
      const values: string[] = []
      if (answer.form === 'select')
        for await (const rows of answer.rows) values.push(...rows.map(([term]) => term?.value ?? ''))
      return values
    })
  }
  close = async () => {
    checksums.close()
    await drop()
  }
})

test.after.always(() => close())

/** The largest ratio between actual and estimated rows of a node, for each loop. */
function worstRatio({lines}: Plan): number {
  const ratios = lines.flatMap(line => {
    const found = /rows=(\d+) width.*actual .*rows=([\d.]+) loops=(\d+)/.exec(line)
    if (found === null) return []
    const [expected, actual] = [Math.max(1, Number(found[1])), Math.max(1, Number(found[2]))]
    return [Math.max(expected / actual, actual / expected)]
  })
  return Math.max(...ratios)
}

function neverScansAll(t: ExecutionContext, {text}: Plan): void {
  t.notRegex(text, /Seq Scan on (?:\w+\.)?quad/, text)
}

test('a star starts from its rarest value and probes the rest', async t => {
  const plan = await planOf('SELECT * { ?s :kind :Rare ; :number ?n ; :name ?l ; :maker ?m }')

  neverScansAll(t, plan)
  t.regex(plan.text, /Index Only Scan using quad_pos/, plan.text)
  t.is(plan.lines.filter(line => line.includes('quad_spo')).length, 3, plan.text)
  t.true(worstRatio(plan) < 30, plan.text)
})

test('solutions that share a value are aggregated before the value is joined', async t => {
  const group = `SELECT ?c (COUNT(?s) AS ?n) (SUM(?v) AS ?x) (AVG(?v) AS ?y) (MAX(?v) AS ?z)
      { ?s :maker ?m ; :number ?v . ?m :city ?c } GROUP BY ?c`
  const plan = await planOf(group)
  const joined = await planOf(group.replace(':city ?c', ':city ?c FILTER(?v < 3e9)'))

  t.is([...plan.text.matchAll(/Aggregate /g)].length, 2, plan.text)
  t.is([...joined.text.matchAll(/Aggregate /g)].length, 1, joined.text)
  const made = (text: string) =>
    valuesOf(`SELECT (CONCAT(STR(?c), " ", STR(?n), " ", STR(?x), " ", STR(?y), " ", STR(?z)) AS ?t)
      { { ${text} } } ORDER BY ?t`)
  const [early, late] = [await made(group), await made(group.replace(':city ?c', ':city ?c FILTER(?v < 3e9)'))]
  t.is(early.length, 8)
  t.deepEqual(early, late)
})

test('hops are probed one after the other', async t => {
  const plan = await planOf('SELECT * { ?s :maker :m7 . ?t :part ?s . ?t :name ?l }')

  neverScansAll(t, plan)
  t.true(worstRatio(plan) < 50, plan.text)
})

test('the first of a UNION in order are the first of its branches', async t => {
  const query = `SELECT ?n ?s {
      { ?s :number ?n ; :kind :Common } UNION { ?s :number ?n ; :maker ?m FILTER(?m != :m7) }
    } ORDER BY DESC(?n) LIMIT 5 OFFSET 2`
  const items = Array.from({length: itemCount}, (_, index) => index + 1)
  const chosen = [...items.filter(n => n % 50 !== 0), ...items.filter(n => n % 100 !== 6)]
  const numbers = chosen.map(n => (n * 7919) % 100003).sort((one, other) => other - one)
  const plan = await planOf(query)

  t.deepEqual(await valuesOf(query), numbers.slice(2, 7).map(String))

  t.is([...plan.text.matchAll(/Index Only Scan Backward using quad_pos/g)].length, 2, plan.text)
  t.true(Math.max(...[...plan.text.matchAll(/actual .*rows=(\d+)/g)].map(found => Number(found[1]))) < 100, plan.text)
})

for (const [title, pattern] of [
  ['dates', '?s :day ?o'],
  ['numbers and times', '{ ?s :number ?o } UNION { ?s :time ?o }'],
] as const) {
  test(`the ids of ${title} give their order, without the dictionary`, async t => {
    const {text} = await planOf(`SELECT * { ${pattern} } ORDER BY ?o`)

    t.regex(text, /Sort Key/)
    t.notRegex(text, /SubPlan|term_pkey|sparql_/, text)
  })
}

test('a range of values is a range of the index', async t => {
  const plan = await planOf('SELECT * { ?s :number ?n ; :name ?l FILTER(?n > 1000 && ?n < 2000.5) }')

  neverScansAll(t, plan)
  t.regex(plan.text, /Index Cond: .*\(o >= .*\(o <= /, plan.text)
  t.notRegex(plan.text, /BitmapOr|sparql_/)
})

for (const [title, pattern, filter] of [
  ['dates', '?s :day ?v', '?v >= "1971-03-01"^^<http://www.w3.org/2001/XMLSchema#date>'],
  ['dates of a year', '?s :day ?v', 'YEAR(?v) = 1971'],
  ['dateTimes of some years', '?s :time ?v', '2020 <= YEAR(?v)'],
] as const) {
  test(`a range of ${title} is a range of the index`, async t => {
    const {text} = await planOf(`SELECT * { ${pattern} FILTER(${filter}) }`)
    const {text: whole} = await planOf(`SELECT * { ${pattern} FILTER(IF(${filter}, true, false)) }`)

    t.regex(text, /Index Cond: .*\(o >= /)
    t.notRegex(whole, /Index Cond: .*\(o >= /, 'the test finds no range where there is none')
    t.is(rowsOf(text), rowsOf(whole))
  })
}

/** The rows of the whole plan. */
function rowsOf(text: string): string | undefined {
  return /actual .*?rows=(\d+)/.exec(text)?.[1]
}

for (const [title, text] of [
  ['the first of an order', 'SELECT ?s ?n { ?s :number ?n } ORDER BY DESC(?n) LIMIT 5'],
  ['the first of an order in a star', 'SELECT * { ?s :time ?t ; :kind :Common ; :name ?l } ORDER BY ?t LIMIT 5'],
  [
    'the first with an OPTIONAL',
    'SELECT * { ?s :time ?t OPTIONAL { ?s :part ?p } } ORDER BY DESC(?t) LIMIT 5 OFFSET 3',
  ],
  ['a page of subjects', 'SELECT DISTINCT ?s { ?s :kind :Common ; :time ?t } ORDER BY DESC(?t) LIMIT 5'],
  [
    'a page of a CONSTRUCT',
    `CONSTRUCT { ?s :name ?l } { { SELECT ?s { ?s :time ?t
           FILTER(?t > "2020-09-13T12:30:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>) }
       ORDER BY ?t LIMIT 5 } ?s :name ?l }`,
  ],
] as const) {
  test(`${title} is walked, not sorted`, async t => {
    const plan = await planOf(text)

    neverScansAll(t, plan)
    t.regex(plan.text, /Index Only Scan (?:Backward )?using quad_pos/, plan.text)
    t.notRegex(plan.text, /(?<!Incremental )Sort {2}\(/, plan.text)
    const walked = plan.lines.find(line => /using quad_pos/.test(line)) ?? ''
    t.true(Number(/actual .*rows=([\d.]+)/.exec(walked)?.[1]) < 200, plan.text)
  })
}

test('ties in an order are resolved among the first rows only', async t => {
  const plan = await planOf(
    'SELECT * { ?s :number ?n ; :kind :Common ; :name ?l } ORDER BY DESC(?n) ?s LIMIT 5 OFFSET 10',
  )

  neverScansAll(t, plan)
  t.regex(plan.text, /Index Only Scan Backward using quad_pos/, plan.text)
  const walked = plan.lines.filter(line => /using quad_pos/.test(line))
  const rows = walked.map(line => Number(/actual .*rows=(\d+)/.exec(line)?.[1]))
  t.deepEqual(rows, [16, 0], plan.text) // 15 and the next, and no other forms of the last number
  for (const line of plan.lines) t.true(Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0) <= 30, plan.text)
})

for (const [end, names] of [
  ['first', ['name 100', 'name 1000', 'name 1001']],
  ['last', ['name 4000', 'name 3999', 'name 3998']],
] as const) {
  test(`a walk for the ${end} of filtered triples is limited, and all are sorted if it finds too few`, async t => {
    const order = end === 'first' ? '?t' : 'DESC(?t)'
    const query = `SELECT ?l { ?s :time ?t ; :name ?l FILTER(STRLEN(?l) > 8 || ?l = "name 100") } ORDER BY ${order} LIMIT 3`
    const {lines, text} = await planOf(query)

    const walked = lines.find(line => /using quad_pos/.test(line)) ?? ''
    t.true(Number(/actual .*rows=(\d+)/.exec(walked)?.[1]) <= 501, text)
    const [, sorted] = /One-Time Filter: [^\n]* < [^\n]*\n(?:.*\n)*?.*Limit .*(never executed|actual)/.exec(text) ?? []
    t.is(sorted, end === 'first' ? 'actual' : 'never executed', text)
    t.deepEqual(await valuesOf(query), names)
  })
}

test('a limited walk reads all triples that tie with the last one', async t => {
  const query = `SELECT ?l { ?s :level ?v ; :name ?l FILTER(STRLEN(?l) > 8) } ORDER BY DESC(?v) DESC(?l) LIMIT 3`
  const {text} = await planOf(query)

  t.regex(text, /One-Time Filter/, text)
  t.deepEqual(await valuesOf(query), ['name 4000', 'name 3999', 'name 3998'])
})

/** Rows and loops of each lookup of terms, in the order of the plan. */
function lookupsIn(text: string): readonly (readonly number[])[] {
  const found = text.matchAll(/using term_pkey\w* .*actual .*rows=(\d+)\S* loops=(\d+)/g)
  return [...found].map(([, rows, loops]) => [Number(rows), Number(loops)])
}

test('the terms of an order are looked up together', async t => {
  const {text} = await planOf('SELECT ?l ?m { ?s :name ?l ; :maker ?m } ORDER BY DESC(?l) ?m')

  t.notRegex(text, /SubPlan/, text)
  t.deepEqual(new Set(lookupsIn(text).map(String)), new Set([`${itemCount},1`, '100,1']), text)
})

test('the terms of the first key are looked up together, and those of the next for the first rows', async t => {
  const query = 'SELECT ?l ?m { ?s :name ?l ; :maker ?m } ORDER BY DESC(?l) ?m LIMIT 3'
  const {text} = await planOf(query)

  t.deepEqual(
    lookupsIn(text),
    [
      [itemCount, 1],
      [1, 3],
    ],
    text,
  )
  t.deepEqual(await valuesOf(query), ['name 999', 'name 998', 'name 997'])
})

test('the terms that filters of all solutions test are looked up together', async t => {
  const filter = 'FILTER(STRLEN(?l) = 6 && CONTAINS(?l, "9") && LANG(?l) = "")'
  const query = `SELECT ?l { ?s :maker ?m ; :name ?l ${filter} } ORDER BY ?l`
  const {text} = await planOf(query)

  t.notRegex(text, /SubPlan/, text)
  t.deepEqual(
    lookupsIn(text),
    [
      [1, 1],
      [1, 1],
    ],
    text,
  )
  t.regex(text, new RegExp(`Rows Removed by Filter: ${itemCount - 1}\\n`), 'one scan tests all terms')
  t.deepEqual(await valuesOf(query), ['name 9'])
  for (const some of [`SELECT * { ?s :name ?l ${filter} } LIMIT 1`, `ASK { ?s :name ?l ${filter} }`]) {
    const partial = await planOf(some)
    t.regex(partial.text, /SubPlan/, 'the first solutions may be enough')
    t.is([...partial.text.matchAll(/on term/g)].length, 1, partial.text)
  }
})

test('aggregates of one argument look up its terms once', async t => {
  const query = `SELECT (CONCAT(?least, ", ", ?most, ", ", STR(?total), ", ", STR(STRLEN(?all))) AS ?x)
    { SELECT (MIN(?l) AS ?least) (MAX(?l) AS ?most) (SUM(STRLEN(?l)) AS ?total) (GROUP_CONCAT(?l) AS ?all)
      { ?s :kind ?k ; :name ?l } }`
  const {text} = await planOf(query)

  t.notRegex(text, /SubPlan .*\n.*loops=(?!1\))/, text) // none for each row
  t.deepEqual(lookupsIn(text), [[itemCount, 1]], text)
  t.deepEqual(await valuesOf(query), ['name 1, name 999, 34893, 38892'])
})

test('texts are aggregated for the first groups in the order of their keys only', async t => {
  const query = `SELECT (MAX(?l) AS ?x) ?m (COUNT(*) AS ?n)
    { ?s :maker ?m ; :name ?l } GROUP BY ?m ORDER BY DESC(?m) LIMIT 3 OFFSET 1`
  const {text} = await planOf(query)

  const inOrder = lookupsIn(text).map(([rows = 0, loops = 0]) => rows * loops)
  t.true(Math.max(...inOrder) <= (3 * itemCount) / 100, text)
  t.deepEqual(await valuesOf(query), ['name 997', 'name 996', 'name 995'])
})

test('a sort key that decides nothing is dropped', async t => {
  const query = 'SELECT DISTINCT ?k { ?s :kind ?k ; :number ?n } ORDER BY DESC(?k) ?n LIMIT 5'
  const {text} = await planOf(query)

  t.notRegex(text, /WindowAgg/, text)
  t.deepEqual(await valuesOf(query), [`${vocabulary}Rare`, `${vocabulary}Common`])
  const {text: equal} = await planOf('SELECT DISTINCT ?n { ?s :number ?n ; :time ?t } ORDER BY ?n ?t LIMIT 5')
  t.regex(equal, /WindowAgg/, 'numbers that are equal may be different terms')
})

test('OPTIONAL is tested for the first of an order only', async t => {
  const {text} = await planOf('SELECT * { ?s :maker ?m OPTIONAL { ?s :time ?t } } ORDER BY DESC(?m) LIMIT 5 OFFSET 3')
  const page = (limit: number, offset: number) =>
    valuesOf(`SELECT ?t ?s { ?s :maker ?m OPTIONAL { ?t :maker ?m } } ORDER BY ?m LIMIT ${limit} OFFSET ${offset}`)

  t.regex(text, /using quad_spo\w* .*loops=8\)/, text)
  t.notRegex(text, /using quad_spo\w* .*loops=4000/, text)
  t.deepEqual([...(await page(20, 0)), ...(await page(30, 20)), ...(await page(10, 50))], await page(60, 0))
})

test('few solutions are found first and then sorted', async t => {
  const plan = await planOf('SELECT * { ?s :name "name 77" ; :number ?n } ORDER BY ?n LIMIT 5')

  neverScansAll(t, plan)
  t.regex(plan.text, /Sort {2}\(/)
})

test('EXISTS is probed for some rows if each has many solutions, because the first is enough', async t => {
  const {text} = await planOf(
    'SELECT * { ?s :number ?n ; :maker ?m FILTER(?n < 7500) FILTER NOT EXISTS { ?t :maker ?m } }',
  )

  t.regex(text, /NOT EXISTS\(SubPlan|NOT \(SubPlan/, text)
  t.notRegex(text, /Anti Join/, text)
})

test('branches of a CONSTRUCT are probed from their shared rows', async t => {
  const plan = await planOf(
    `CONSTRUCT { ?s :name ?l . ?t :name ?k . ?u :number ?n }
     { ?s :kind :Rare ; :name ?l OPTIONAL { ?t :part ?s ; :name ?k } OPTIONAL { ?s :part ?u . ?u :number ?n } }`,
  )

  neverScansAll(t, plan)
  t.notRegex(plan.text, /Hash Join|Merge Join/, plan.text)
})

test('all triples of two predicates are joined by hash with index-only scans', async t => {
  const plan = await planOf('SELECT ?m (COUNT(?n) AS ?c) { ?s :maker ?m ; :number ?n } GROUP BY ?m')

  neverScansAll(t, plan)
  t.regex(plan.text, /Hash Join/, plan.text)
  t.deepEqual([...new Set(plan.text.match(/Heap Fetches: \d+/g))], ['Heap Fetches: 0'], plan.text)
})

for (const [title, text, rows] of [
  ['predicates', 'SELECT DISTINCT ?p { ?s ?p ?o }', 9],
  ['predicates in their order', 'SELECT DISTINCT ?p { ?s ?p ?o } ORDER BY DESC(?p)', 9],
  ['values of a predicate', 'SELECT DISTINCT ?k { ?s :kind ?k }', 2],
  ['counted ones', 'SELECT (COUNT(DISTINCT ?k) AS ?n) { ?s :kind ?k }', 2],
  ['least and greatest ones', 'SELECT (MIN(?k) AS ?a) (MAX(?k) AS ?b) { ?s :kind ?k }', 2],
] as const) {
  test(`distinct ${title} are found by steps in an index`, async t => {
    const {text: plan} = await planOf(text)

    t.regex(plan, new RegExp(`Recursive Union .*actual .*rows=${rows}(?:\\.00)? loops=1`), plan)
    t.true(Math.max(...[...plan.matchAll(/actual .*rows=(\d+)/g)].map(found => Number(found[1]))) <= rows, plan)
  })
}

test('a value of any predicate is probed with each predicate', async t => {
  const plan = await planOf('SELECT * { ?s ?p "name 77" }')

  neverScansAll(t, plan)
  t.regex(plan.text, /Index Cond: \(\(p = ANY \(.*\)\) AND \(o = /, plan.text)
})

test('a negated property set finds triples by their objects', async t => {
  const [linked, valued] = [
    await planOf('SELECT * { ?s :kind :Rare ; :part ?o . ?o !(:kind|^:maker) ?x }'),
    await planOf('SELECT * { ?s :kind :Rare ; :name ?o . ?o !^:maker ?x }'),
  ]

  t.regex(linked.text, /using quad_o(_\d+)? /, linked.text)
  t.regex(valued.text, /Index Cond: \(\(p = ANY \(.*\)\) AND \(o = /, valued.text)
})

for (const [title, text] of [
  ['a count', 'SELECT * { ?s :kind :Rare { SELECT ?s (COUNT(?x) AS ?n) { ?s :part ?x } GROUP BY ?s } }'],
  [
    'the greatest value',
    'SELECT * { ?s :kind :Rare ; :number ?n { SELECT ?s (MAX(?x) AS ?n) { ?s :number ?x } GROUP BY ?s } }',
  ],
] as const) {
  test(`${title} by group is computed only for the needed groups`, async t => {
    const plan = await planOf(text)

    t.regex(plan.text, /GroupAggregate|HashAggregate/, plan.text)
    for (const line of plan.lines) t.true(Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0) <= 80, plan.text)
  })
}

for (const [title, text] of [
  ['a known subject', 'SELECT * { GRAPH ?g { :i7 ?p ?o } }'],
  ['subjects that others lead to', 'SELECT * { ?s :kind :Rare GRAPH ?g { ?s ?p ?o } }'],
  ['a value', 'SELECT * { GRAPH ?g { ?s :name "name 77" } }'],
  ['a range', 'SELECT * { GRAPH ?g { ?s :number ?n FILTER(?n < 300) } }'],
  ['the first of an order', 'SELECT * { GRAPH ?g { ?s :time ?t } } ORDER BY ?t LIMIT 5'],
  ['a path', 'SELECT * { GRAPH ?g { :i7 :part+ ?o } }'],
  ['several graphs together', 'SELECT * FROM :i7 FROM :i8 { :i7 :part ?o . ?o :name ?l }'],
  ['one graph', 'SELECT * FROM :i7 { :i7 :part ?o ; :name ?l }'],
] as const) {
  test(`where copies count, ${title} does not scan all quads`, async t => neverScansAll(t, await planOf(text)))
}

for (const [title, text] of [
  ['an object under any predicate', 'SELECT * { ?s :kind :Rare ; :part ?o . ?t ?p ?o }'],
  [
    'an object under any predicate of a graph',
    'SELECT * { GRAPH ?g { ?s :kind :Rare ; :part ?o } GRAPH ?h { ?t ?p ?o } }',
  ],
  ['a variable that may be unbound', 'SELECT * { ?s :kind :Rare OPTIONAL { ?s :part ?o } ?o :number ?n } LIMIT 50'],
  ['a path from each of few', 'SELECT * { ?s :kind :Rare . ?s (:part/:number)|(:part/:part/:name) ?o }'],
  ['a computed term', 'SELECT * { ?s :kind :Rare BIND(IRI(STR(?s)) AS ?t) ?t :part ?o }'],
  [
    'a computed term of a later pattern',
    'SELECT * { ?t :part ?o ; :name ?n { SELECT (IRI(STR(?x)) AS ?o) { ?x :kind :Rare } } }',
  ],
  [
    'an equality of texts between patterns that share nothing',
    'SELECT * { ?s :kind :Rare ; :name ?l . ?t :maker :m49 ; :name ?m FILTER(LCASE(STR(?l)) = LCASE(STR(?m))) }',
  ],
  ['a rare term that VALUES lists', 'SELECT * { VALUES ?k { :Rare } ?s :kind ?k ; :name ?n }'],
  ['a filter after OPTIONAL', 'SELECT * { ?s :name ?l OPTIONAL { ?s :day ?d } FILTER EXISTS { ?s :kind :Rare } }'],
  [
    'a filter of a nested group',
    'SELECT * { { ?s :name ?l ; :maker ?m FILTER(?m = :m7) } ?s :kind :Rare OPTIONAL { ?s :day ?d } }',
  ],
  ['the first of all', 'SELECT * { ?s :number ?n ; :name ?l ; :maker ?m ; :part ?o } LIMIT 20'],
] as const) {
  test(`${title} reads only the rows that it needs`, async t => {
    const plan = await planOf(text)

    t.notRegex(plan.text, /Join Filter/, plan.text)
    for (const line of plan.lines) t.true(Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0) <= 200, plan.text)
  })
}

for (const [title, shown] of [
  ['DISTINCT', 'DISTINCT ?l'],
  ['a count of different values', '(COUNT(DISTINCT ?l) AS ?n)'],
] as const) {
  test(`${title} joins a value that many solutions share once`, async t => {
    const {text} = await planOf(`SELECT ${shown} { ?s :kind :Rare ; :maker ?m . ?t :maker ?m ; :name ?l }`)

    t.regex(text, /Index Only Scan using quad_pos\S* .*rows=40(?:\.00)? loops=2\)/, text) // Rare items have two makers
  })
}

test('a pattern whose values do not count is a test', async t => {
  const query = 'SELECT DISTINCT ?s ?m { ?s :kind :Rare ; :maker ?m . ?t :maker ?m FILTER(?t != :i7) }'
  const {text} = await planOf(query)

  t.regex(text, /-> {2}Limit .*\n(?:.*\n)?.*Index Only Scan using quad_pos/, text)
  t.is((await valuesOf(query)).length, itemCount / 50)
})

test('EXISTS is tested before rows are multiplied', async t => {
  const {text} = await planOf('SELECT * { ?s ?p ?o ; :maker :m7 FILTER NOT EXISTS { ?s :kind :Common } }')

  t.regex(text, /Nested Loop .*actual .*rows=0(?:\.00)? loops=1/, text)
  t.regex(text, /never executed/, text)
})

test('EXISTS is tested before OPTIONAL and a sub-select are joined', async t => {
  const {text} = await planOf(
    `SELECT DISTINCT ?s { ?s :maker ?m OPTIONAL { ?s :number ?n } MINUS { ?s :kind :Common }
                          { SELECT ?s (COUNT(?x) AS ?w) { ?s :part ?x } GROUP BY ?s } }`,
  )

  t.true(text.search(/Anti|NOT EXISTS/) > text.search(/(?:Left|Right) Join/), text) // below it
})

test('the join starts where NOT EXISTS leaves few rows', async t => {
  const {lines, text} = await planOf(
    `SELECT * { ?a :day ?d ; :maker :m7 . ?b :day ?d ; :maker :m8 MINUS { ?b :number ?n FILTER(?n >= 0) } }`,
  )

  t.regex(text, /never executed/, text)
  for (const line of lines) t.true(Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0) <= 50, text)
})

test('no walk looks for the one triple that has all solutions', async t => {
  const {text} = await planOf(
    'SELECT ?s ?n ?t { ?s :number ?n ; :part :i77 ; :kind ?k . ?t :kind ?k } ORDER BY ?n LIMIT 10',
  )

  t.regex(text, /Sort Method/, text)
  t.notRegex(
    text,
    /Index Only Scan using quad_pos\S* .*rows=\d\d\d+(?:\.00)? loops=1\n(?:.*\n)?.*(?:Memoize|loops=\d\d\d)/,
    text,
  )
  t.notRegex(text, /Presorted Key/, text)
})

test('results of probes are kept only if further probes may ask for them', async t => {
  const different = await planOf('SELECT * { ?s :number ?n ; :name ?l FILTER(?n < 3000) }')
  const repeated = await planOf('SELECT * { ?s :number ?n ; :level ?v . ?t :number ?v FILTER(?n < 9000) }')

  t.regex(different.text, /Nested Loop/, different.text)
  t.notRegex(different.text, /Memoize/, different.text)
  t.regex(repeated.text, /Memoize/, repeated.text)
})

test('a comparison with a time looks up only times', async t => {
  const {text} = await planOf(
    'SELECT * { ?s ?p ?v FILTER(?v >= "2020-09-13T12:27:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>) }',
  )

  t.regex(text, /Scan using term_pkey\w* on .*\(never executed\)/) // all times are inline
})

test('the first rows by a computed number and a text look up the texts of these rows only', async t => {
  const {text} = await planOf('SELECT ?i ?n { ?i :number ?x ; :name ?n } ORDER BY (?x * 2) ?n LIMIT 5')

  const [, lookups] = /Scan using term_pkey\w* on .* loops=(\d+)/.exec(text) ?? []
  t.is(Number(lookups), 5, text)
})

test('an expression that does not decide the order is computed for the first rows only', async t => {
  const query = 'SELECT (UCASE(?n) AS ?u) { ?i :number ?x ; :name ?n } ORDER BY (?x * 2) LIMIT 5'
  const plan = await planOf(query)

  t.true(timesLookedUp(plan) <= 6, plan.text) // one more tells whether it ties
  const least = Array.from({length: itemCount}, (_, index) => index + 1)
    .sort((one, other) => ((one * 7919) % 100_003) - ((other * 7919) % 100_003))
    .slice(0, 5)
  t.deepEqual(
    await valuesOf(query),
    least.map(item => `NAME ${item}`),
  )
})

test('a closure from one end is not expected to reach many terms', async t => {
  const {lines} = await planOf('SELECT ?x { :m1 (^:maker/:part/:maker)+ ?x }')

  // PostgreSQL creates a hash table for the rows that it expects of a recursion, and clears it for each start.
  const recursion = lines.find(line => line.includes('Recursive Union')) ?? ''
  const [, rows = 'none'] = /rows=(\d+)/.exec(recursion) ?? []
  t.true(Number(rows) < 1000, recursion)
})

test('patterns that share nothing but an equality of dates are joined by a hash of the dates', async t => {
  const pattern = '{ ?a :maker :m7 ; :day ?x . ?b :maker :m7 ; :day ?y FILTER(?x = ?y) }'
  const [answer] = await valuesOf(`SELECT (COUNT(*) AS ?n) ${pattern}`)
  const {text} = await planOf(`SELECT * ${pattern}`)

  t.is(answer, String(40 * 8))
  t.regex(text, /Hash Join/)
  t.notRegex(text, /Rows Removed by Join Filter/, text)
})

test('a product computes no side again', async t => {
  const {text} = await planOf(
    `SELECT ?city ?all (COUNT(?n) AS ?below) {
       { SELECT (COUNT(*) AS ?all) { ?x :kind :Rare ; :part ?y } }
       { SELECT DISTINCT ?city { ?m :city ?city . ?i :maker ?m ; :kind :Rare } }
       ?m :city ?c . ?r :maker ?m ; :kind :Rare ; :number ?n FILTER(STR(?c) < STR(?city)) } GROUP BY ?city ?all`,
  )

  t.regex(text, /Aggregate .*loops=1\)/)
  t.notRegex(text, /Aggregate .*loops=(?!1\))/)
  t.notRegex(text, /Unique .*loops=(?!1\))/)
})

test('patterns between two constants are joined from both ends', async t => {
  const pattern = '?a :maker :m2 ; :kind ?k ; :number ?i . ?b :kind ?k ; :number ?j ; :maker :m3 FILTER (?i < ?j)'
  const [answer] = await valuesOf(`SELECT (COUNT(*) AS ?n) { ${pattern} }`)
  const {lines, text} = await planOf(`SELECT * { ${pattern} }`)

  const numbersOf = (remainder: number) =>
    Array.from({length: itemCount / 100}, (_, index) => ((100 * index + remainder) * 7919) % 100_003)
  const pairs = numbersOf(1).flatMap(one => numbersOf(2).filter(other => one < other))
  t.is(answer, String(pairs.length))
  const most = Math.max(...lines.map(line => Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0)))
  t.true(most <= 40 * 40, `${most} rows\n${text}`) // from one end, each of 40 items finds 3,920 of its kind
})

/** How often the plan reads the dictionary. */
function timesLookedUp({text}: Plan): number {
  return lookupsIn(text).reduce((sum, [, loops = 0]) => sum + loops, 0)
}

test('texts are compared after the join that leaves few solutions', async t => {
  const pattern = '?a :part ?b . ?b :part ?a FILTER(STR(?a) < STR(?b))'
  const plan = await planOf(`SELECT * { ${pattern} }`)

  const partOf = (item: number) => 1 + ((item * 31) % itemCount)
  const items = Array.from({length: itemCount}, (_, index) => index + 1)
  const pairs = items.filter(item => partOf(partOf(item)) === item && `i${item}` < `i${partOf(item)}`)
  t.deepEqual(await valuesOf(`SELECT (COUNT(*) AS ?n) { ${pattern} }`), [String(pairs.length)])
  t.true(timesLookedUp(plan) < 100, plan.text)
})

test('the variable of BIND is tested by its expression, for the solutions of the other patterns', async t => {
  const pattern = '?i :name ?l BIND(STR(?l) AS ?t) ?i :kind :Rare FILTER(CONTAINS(?t, "e 39"))'
  const plan = await planOf(`SELECT ?i { ${pattern} }`)

  const rare = Array.from({length: itemCount / 50}, (_, index) => 50 * (index + 1))
  const found = rare.filter(item => `name ${item}`.includes('e 39'))
  t.deepEqual(await valuesOf(`SELECT (COUNT(*) AS ?n) { ${pattern} }`), [String(found.length)])
  t.true(timesLookedUp(plan) <= rare.length, plan.text)
})

test('a list of IRIs is one condition of the index', async t => {
  for (const test of ['?k IN (:Rare, :m1)', '?k = :Rare || ?k = :m1']) {
    const plan = await planOf(`SELECT * { ?i :kind ?k ; :maker ?m FILTER(${test}) }`)

    t.regex(plan.text, /Index Cond: .*o = ANY/, plan.text)
    t.true(worstRatio(plan) < 10, plan.text)
  }
})
