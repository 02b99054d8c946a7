/** Limits on the size of a query, and on the size of its SQL. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import type {QueryLimits} from '../../../src/sparql/parse/limits.ts'
import {emptyStore} from '../../support/facts.ts'

const frequencies = {triples: 1000, predicates: new Map(), values: new Map()}
const facts = {...emptyStore, hasDocuments: true, memberRelations: ['500'], frequencies}

/** Length of the SQL, or the rule of the error. */
function sizeOf(text: string, limits?: QueryLimits): number | string {
  try {
    const prepared = prepareQuery(text, 'http://e/', undefined, {limits})
    const now = '2020-01-01T00:00:00Z'
    return compileQuery(prepared, {schema: '"q"', facts, stored: new Map(), now}).text.length
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error.rule
    throw error
  }
}

const small: QueryLimits = {length: 200, tokens: 60, patterns: 4, values: 4}
const rule = (text: string) => {
  const size = sizeOf(text, small)
  return typeof size === 'string' ? size : undefined
}

test('text, patterns, template and values have separate limits', t => {
  t.is(rule('SELECT * { ?a ?b ?c , ?d , ?e , ?f }'), undefined)
  t.is(rule('SELECT * { ?a ?b ?c , ?d , ?e , ?f , ?g }'), 'query-patterns')
  t.is(rule('SELECT * { ?a ?b ?c FILTER EXISTS { ?a ?b ?d OPTIONAL { ?a ?b ?e } } }'), 'query-patterns')
  t.is(rule('SELECT * { ?a <p:a>/<p:b>/<p:c> ?c }'), undefined)
  t.is(rule('SELECT * { ?a <p:a>/<p:b>/<p:c>/<p:d> ?c }'), 'query-patterns')
  t.is(rule('CONSTRUCT { ?a ?b ?c , ?d , ?e , ?f } { ?a ?b ?c , ?d , ?e , ?f }'), undefined)
  t.is(rule('CONSTRUCT { ?a ?b 1 , 2 , 3 , 4 , 5 } { ?a ?b ?c }'), 'query-patterns')
  t.is(rule('SELECT * { VALUES (?a ?b) { (1 2) (3 UNDEF) } }'), undefined)
  t.is(rule('SELECT * { VALUES (?a ?b) { (1 2) (3 4) (5 6) } }'), 'query-values')
  t.is(rule('SELECT * { ?a ?b ?c FILTER(?c IN (1, 2, 3, 4)) }'), undefined)
  t.is(rule('SELECT * { ?a ?b ?c FILTER(?c IN (?a, 2, 3 + 3, 4)) }'), 'query-values')
  t.is(rule('SELECT * { VALUES ?b { 1 } ?a ?b ?c FILTER(?c NOT IN (1, 2, 3, 4)) }'), 'query-values')
  t.is(rule('SELECT ?a { ?a ?b ?c } VALUES ?a { 1 2 3 4 5 }'), 'query-values')
  t.is(rule(`SELECT * { ?a ?b "${'x'.repeat(200)}" }`), 'query-length')
})

test('the error has the limit', t => {
  const error = t.throws(() =>
    prepareQuery('SELECT * { VALUES ?x { 1 2 3 4 5 } }', 'http://e/', undefined, {limits: small}),
  )

  t.like(error, {
    status: 400,
    message: 'The query has more than 4 values in VALUES and IN, at line 1, column 32.',
    members: {limit: 4, line: 1, column: 32},
  })
})

/** The message of the error with the default limits; undefined if the query is prepared. */
function refusalOf(text: string): string | undefined {
  try {
    prepareQuery(text, 'http://e/')
    return undefined
  } catch (error) {
    if (error instanceof Problem) return `${error.rule}: ${error.message}`
    throw error
  }
}

test('words and punctuation marks are counted outside VALUES and lists after IN', t => {
  const list = (count: number, item: string) => Array(count).fill(item).join(',')
  const rows = (count: number, row: string) => Array(count).fill(row).join(' ')

  t.is(refusalOf(`ASK { VALUES ?x { ${rows(50_000, '<x:a>')} } }`), undefined)
  t.is(refusalOf(`ASK { VALUES (?x ?y) { ${rows(25_000, '("1"^^<x:a> -1.5)')} } }`), undefined)
  t.is(refusalOf(`ASK { ?s ?p ?o FILTER(?o IN (${list(49_000, '"a"@en-GB')})) }`), undefined)
  t.is(
    refusalOf(`ASK { ?s ?p ?o FILTER(?o IN (${list(50_001, '1')})) }`),
    'query-values: The query has more than 50000 values in VALUES and IN, at line 1, column 100030.',
  )
  t.is(
    refusalOf(`ASK {\n${rows(12_500, '?s ?p ?o .')} }`),
    'query-tokens: The query has more than 50000 words and punctuation marks outside VALUES and IN, ' +
      'at line 2, column 137496.',
  )
  t.regex(refusalOf(`ASK { VALUES () { ${'()'.repeat(50_001)} } }`) ?? '', /^query-values: /)
  t.regex(refusalOf(`ASK { VALUES ?x { ${'§'.repeat(50_001)} } }`) ?? '', /^query-syntax: .*, column 19\.$/)
  t.regex(refusalOf(`ASK ${'{'.repeat(401)}`) ?? '', /^query-depth: .*, at line 1, column 405\.$/)
})

test('long literals, IRIs and comments are within the limits', t => {
  const length = 900_000
  const texts = [
    `ASK { ?s ?p "${'a'.repeat(length)}" }`,
    `ASK { ?s ?p "${'\\n'.repeat(length / 2)}" }`,
    `ASK { ?s ?p '''${"a'\n".repeat(length / 3)}''' }`,
    `ASK { ?s ?p <x:${'a'.repeat(length)}> }`,
    `ASK { ?s ?p <x:${'\\u0061'.repeat(length / 6)}> }`,
    `ASK { ?s ?p "a"@en${'-a'.repeat(length / 2)} }`,
    `ASK { ?s ?p ${'1'.repeat(length)} }`,
    `ASK { ?s ?p 1.${'1'.repeat(length)} }`,
    `ASK { ?s ?p 1.${'1'.repeat(length)}e1 }`,
    `ASK { ${'#c\n'.repeat(length / 3)} }`,
    `ASK { VALUES ?x { ${'#'.repeat(length)}\n1 } }`,
    `CONSTRUCT { [ <p:a> 1 ] ${'#'.repeat(length)}\n} { ?s ?p ?o }`,
  ]

  for (const text of texts) t.is(refusalOf(text), undefined, text.slice(0, 40))
})

test('a namespace or a base that is repeated too often is refused', t => {
  const long = `http://e/${'a'.repeat(10_000)}/`

  t.is(refusalOf(`PREFIX p: <${long}> ASK { VALUES ?x { ${'p:a '.repeat(900)} } }`), undefined)
  t.is(
    refusalOf(`PREFIX p: <${long}> ASK { VALUES ?x { ${'p:a '.repeat(1100)} } }`),
    "query-length: The query's prefixed names and relative IRIs come to more than 10000000 characters.",
  )
  t.regex(refusalOf(`BASE <${long}> ASK { VALUES ?x { ${'<a> '.repeat(1100)} } }`) ?? '', /^query-length: /)
})

test('the error of an unclosed string has the place where it begins', t => {
  t.is(refusalOf('ASK {\n ?s ?p "a }'), 'query-syntax: The string has no end, at line 2, column 8.')
  t.is(refusalOf('ASK { ?s ?p """a }'), 'query-syntax: The string has no end, at line 1, column 15.')
})

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({length: count}, (_, i) => make(i)).join(' ')
const nest = (depth: number, innermost: string, wrap: (inner: string) => string) => {
  let text = innermost
  for (let level = 0; level < depth; level += 1) text = wrap(text)
  return text
}

/** Queries that grow with a number in different ways. */
const families: Readonly<Record<string, (n: number) => string>> = {
  'BINDs that double': n => `SELECT * { ?a <p:a> ?x0 ${repeat(n, i => `BIND(?x${i}+?x${i} AS ?x${i + 1})`)} }`,
  'projections that double': n => `SELECT ?x0 ${repeat(n, i => `(?x${i}*?x${i} AS ?x${i + 1})`)} { ?a <p:a> ?x0 }`,
  'comparisons nested': n => `SELECT * { ?a <p:a> ?x FILTER(${nest(n, '?x', inner => `((${inner} = ?a) < ?x)`)}) }`,
  'IF nested in its test': n => `SELECT * { ?a <p:a> ?x FILTER(${nest(n, '?x', inner => `IF(${inner}, ?a, ?x)`)}) }`,
  'IN nested': n => `SELECT * { ?a <p:a> ?x FILTER(${nest(n, '?x', inner => `(${inner} IN (?a, ?x))`)}) }`,
  'EXISTS compared': n =>
    `SELECT * { ?a <p:a> ?x ${nest(n, '', inner => `FILTER((EXISTS { ?a <p:c> ?x . ${inner} }) = true)`)} }`,
  'EXISTS in a list': n =>
    `SELECT * { ?a <p:a> ?x ${nest(n, '', inner => `FILTER((EXISTS { ?a <p:c> ?x . ${inner} }) IN (true, false))`)} }`,
  'EXISTS bound and used': n =>
    `SELECT * { ?a <p:a> ?x ${nest(n, '', inner => `BIND(EXISTS { ?a <p:c> ?x . ${inner} } AS ?y) FILTER(?y = ?y)`)} }`,
  'closures in closures': n => `SELECT * { ?a ${nest(n, '<p:a>', inner => `(${inner}/<p:b>)+`)} ?x }`,
  'closures in each graph': n => `SELECT * { GRAPH ?g { ?a ${nest(n, '<p:a>', inner => `(${inner}/<p:b>)*`)} ?x } }`,
  'alternatives in sequence': n => `SELECT * { ?a ${Array(n).fill('(<p:a>|(<p:b>/<p:c>))').join('/')} ?x }`,
  'unions joined': n =>
    `SELECT * { ?a <p:a> <x:y> ${repeat(n, i => `{ ?a <p:b> ?x${i} } UNION { ?a <p:c> ?x${i} }`)} }`,
  'OPTIONALs of one variable': n => `SELECT * { ${repeat(n, i => `OPTIONAL { ?a <p:b${i}> ?y }`)} }`,
  'graphs in graphs': n =>
    `SELECT * { ${nest(n, '?a <p:a> ?x', inner => `GRAPH ?g { GRAPH <g:x> { { ${inner} } ?a <p:b> ?z } }`)} }`,
  'lists of IN': n =>
    `SELECT * { ?a <p:a> ?x FILTER(STR(?x) IN (${Array(100 * n)
      .fill('"x"')
      .join()})) }`,
  'orders of many keys': n => `SELECT ?a { ?a <p:a> ?x } ORDER BY ${repeat(10 * n, i => `(?x+${i})`)}`,
}

for (const [name, query] of Object.entries(families)) {
  test(`${name}: the SQL is within the limit of a statement`, t => {
    for (const n of [2, 8, 30, 60]) {
      const size = sizeOf(query(n))
      if (typeof size === 'string') t.regex(size, /^query-(size|depth)$/)
      else t.true(size < 10_000_000, `${size} characters`)
    }
  })
}

const expressions = fc.letrec<{any: string}>(tie => ({
  any: fc.oneof(
    {maxDepth: 12, withCrossShrink: true},
    fc.constantFrom('?x', '?y', '1', '"a"', '<http://e/>', 'BOUND(?x)'),
    fc
      .tuple(fc.constantFrom('=', '<', '+', '||', '&&', '*'), tie('any'), tie('any'))
      .map(([o, l, r]) => `(${l} ${o} ${r})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(parts => `IF(${parts})`),
    fc.tuple(tie('any'), tie('any')).map(([l, r]) => `(${l} IN (${r}, 2))`),
    fc
      .tuple(fc.constantFrom('STR', 'COALESCE', '!', 'xsd:integer', 'STRLEN'), tie('any'))
      .map(([f, a]) => `${f}(${a})`),
    tie('any').map(inner => `EXISTS { ?x ?p ?y FILTER(${inner}) }`),
  ),
})).any

test('any expression becomes a statement within the limit, or is refused', t => {
  fc.assert(
    fc.property(expressions, fc.array(expressions, {maxLength: 4}), (first, others) => {
      const binds = [first, ...others].map((expression, index) => `BIND(${expression} AS ?v${index})`)
      const prefix = 'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'
      const size = sizeOf(`${prefix} SELECT * { ?x <p:a> ?y ${binds.join(' ')} FILTER(${first}) } ORDER BY ?v0`)

      t.true(size === 'query-size' || (typeof size === 'number' && size < 10_000_000), String(size))
    }),
    {numRuns: 300},
  )
})

/** Queries of one kind, with this many parts. */
const large: Readonly<Record<string, (count: number) => string>> = {
  'patterns of one subject': n => `SELECT * { ${repeat(n, i => `?s <p:${i}> ?o${i} .`)} }`,
  'ground patterns': n => `ASK { ${repeat(n, i => `<s:${i}> <p:${i}> <o:${i}> .`)} }`,
  'patterns in braces in braces': n =>
    `SELECT * { ${'{ '.repeat(100)}${repeat(n, () => '?s ?p ?o .')}${' }'.repeat(100)} }`,
  'a template': n => `CONSTRUCT { ${repeat(n, i => `<s:${i}> <p:a> ${i} .`)} } { ?s ?p ?o }`,
  'IRIs in VALUES': n =>
    `SELECT * { VALUES ?x { ${repeat(20 * n, i => `<x:${i}>`)} } ?x ?p ?o FILTER(STRLEN(STR(?x)) > 3) }`,
}

/** The minimum of three processor times from text to SQL, in milliseconds. */
function costOf(text: string): number {
  const once = () => {
    const before = process.cpuUsage()
    sizeOf(text)
    const {user, system} = process.cpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}

for (const [name, make] of Object.entries(large)) {
  test(`the time to compile a query within the limits is proportional to its length: ${name}`, t => {
    t.is(typeof sizeOf(make(400)), 'number')
    const [part, whole] = [costOf(make(100)), costOf(make(400))]
    t.true(whole < 12 * Math.max(part, 5), `${part} ms, four times as much ${whole} ms`)
  })
}
