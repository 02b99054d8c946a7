/**
 * Compares the SQL functions of SPARQL with the oracle: every function with every term, every operator with every pair.
 */
import test from 'ava'
import {blankNode, literal, namedNode, type Term} from '../../src/rdf/term.ts'
import {termKey, termOfKey} from '../../src/rdf/term-key.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import type {FunctionName} from '../../src/sparql/algebra.ts'
import {cast} from '../oracle/casts.ts'
import {loose} from '../oracle/comparison.ts'
import {callFunction} from '../oracle/functions.ts'
import {literals} from '../oracle/random-data.ts'
import {emptySolution} from '../oracle/solution.ts'
import type {Answer} from '../oracle/strings.ts'
import {booleanTerm, compareTerms, effectiveBoolean, equals} from '../oracle/values.ts'
import {createTestDatabase, schemaIdentifier, type TestDatabase} from '../support/postgres.ts'

const texts = [
  'ab',
  ...['\u0000', '\u0002', '\u0000\u0000', '\u0000\u0002', '\u0001a\u0001', '\\\u0000ü', '2\u00012'],
  'Ünï',
  'a b/ü?&',
  'en',
  '*',
  '-1.50',
  '+7',
  '1e3',
  'INF',
  'NaN',
  'true',
  '2020-02-29',
  '2020-01-01T24:00:00Z',
]
const numbers = [
  '12',
  '-3',
  '1e10',
  '.5',
  '1e99',
  '1e150',
  '0.000001',
  '-2.5',
  '3.5',
  '1e300',
  '-1e-7',
  '123456.7',
  '1234567.8',
  '0',
  '-0.0',
  '-0.4',
  '-0.5',
  '-1e-400',
]
const times = [
  '2020-01-01T24:00:00Z',
  '-0044-03-15T00:00:00Z',
  '2021-02-29T00:00:00Z',
  '12020-01-01T00:00:00.123456-05:30',
  '1850-02-28T23:59:59.5',
  '2090-12-31T24:00:00+14:00',
  '-0001-12-31T24:00:00Z',
  '99999-12-31T24:00:00',
  '-4000-02-28T24:00:00.000Z',
  '-12345-02-28T24:00:00Z',
  '2090-12-31T23:59:59.000001-14:01',
  '2020-04-31T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2020-01-01T00:00:00+05:75',
  '2024-03-31T10:08:15.588236Z',
  '2024-03-31T15:38:15.588236+05:30',
  '2024-03-31T10:08:15.58823',
  '2024-03-31T10:08:15.Z',
  '2024-04-31T10:08:15.588236Z',
  '2024-13-30T10:08:15.588236Z',
  '2024-03-30T24:08:15.588236Z',
  '2024-03-30T10:08:15.588236+14:30',
  '2024-03-30T10:08:15.588 36Z',
  '2024-03-3oT10:08:15.588236Z',
]

const terms: readonly Term[] = [
  ...literals,
  ...texts.map(text => literal(text)),
  ...numbers.flatMap(text => [xsd.decimal, xsd.double, xsd.float].map(datatype => literal(text, datatype))),
  ...times.map(text => literal(text, xsd.dateTime)),
  literal('-INF', xsd.float),
  literal('255', xsd.unsignedByte),
  literal('256', xsd.unsignedByte),
  literal('-5', xsd.negativeInteger),
  literal('9223372036854775807', xsd.long),
  namedNode('http://e/a'),
  namedNode('http://e/ü'),
  blankNode('qs7'),
]

const scope = {solution: emptySolution, base: 'http://e/', now: '2020-01-01T00:00:00Z'}
const call =
  (name: FunctionName) =>
  (...given: readonly Term[]) =>
    callFunction(name, given, scope)
const truth = (value: boolean | undefined) => (value === undefined ? undefined : booleanTerm(value))
const ordered = (hold: (order: number) => boolean) => (a: Term, b: Term) => {
  const order = compareTerms(a, b)
  return order === undefined ? undefined : booleanTerm(hold(order))
}

/** SQL over the keys a and b, with the same expression for the oracle. */
type Case = readonly [string, (a: Term, b: Term) => Answer]

const boolean = (sql: string) => `sparql_boolean(${sql})`

const unary: Readonly<Record<string, Case>> = {
  ebv: [boolean('sparql_ebv(a)'), a => truth(effectiveBoolean(a))],
  strlen: ['sparql_integer(sparql_length(sparql_text(a)))', call('strlen')],
  str: ['sparql_string(sparql_lex(a))', call('str')],
  ucase: ["sparql_case('ucase', a)", call('ucase')],
  lcase: ["sparql_case('lcase', a)", call('lcase')],
  encode: ['sparql_encode(a)', call('encode_for_uri')],
  ...Object.fromEntries(
    (['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const).map(name => [
      name,
      [`sparql_digest('${name}', a)`, call(name)],
    ]),
  ),
  ...Object.fromEntries(
    (['abs', 'ceil', 'floor', 'round'] as const).map(name => [name, [`sparql_rounding('${name}', a)`, call(name)]]),
  ),
  minus: ["sparql_rounding('-', a)", call('unaryMinus')],
  ...Object.fromEntries(
    (['year', 'month', 'day', 'hours', 'minutes'] as const).map(name => [
      name,
      [`sparql_integer(sparql_time_number('${name}', a))`, call(name)],
    ]),
  ),
  ...Object.fromEntries(
    (['year', 'month', 'day', 'hours', 'minutes'] as const).map(name => [
      `${name} by parts`,
      [
        `sparql_integer(coalesce(sparql_time_field('${name}', sparql_lex(a), ${localName('a')}),
           sparql_time_number('${name}', a)))`,
        call(name),
      ],
    ]),
  ),
  ...Object.fromEntries(
    (['seconds', 'tz'] as const).map(name => [name, [`sparql_time_part('${name}', a)`, call(name)]]),
  ),
  timezone: ["sparql_timezone(sparql_simple(sparql_time_part('tz', a)))", call('timezone')],
  'seconds by parts': [
    `coalesce(sparql_stored_seconds(sparql_lex(a), ${localName('a')}), sparql_time_part('seconds', a))`,
    call('seconds'),
  ],
  'tz by parts': [
    `coalesce(sparql_string(sparql_stored_tz(sparql_lex(a), ${localName('a')})), sparql_time_part('tz', a))`,
    call('tz'),
  ],
  ...Object.fromEntries(
    (['string', 'boolean', 'integer', 'decimal', 'float', 'double', 'dateTime', 'date'] as const).map(name => [
      `xsd:${name}`,
      [`sparql_cast('${name}', a)`, (a: Term) => cast(xsd[name], a)],
    ]),
  ),
}

const binary: Readonly<Record<string, Case>> = {
  '=': [boolean('sparql_equal(a, b)'), (a, b) => truth(equals(a, b))],
  '<': [boolean("sparql_ordered('<', a, b)"), ordered(order => order < 0)],
  '< of dateTimes by parts': [
    boolean(`coalesce(sparql_time_order(${partsOf('a')}, ${partsOf('b')}) < 0, sparql_ordered('<', a, b))`),
    ordered(order => order < 0),
  ],
  '>': [boolean("sparql_ordered('>', a, b)"), ordered(order => order > 0)],
  '<=': [boolean("sparql_ordered('<=', a, b)"), ordered(order => order <= 0)],
  '>=': [boolean("sparql_ordered('>=', a, b)"), ordered(order => order >= 0)],
  ...Object.fromEntries(
    (['+', '-', '*', '/'] as const).map(name => [name, [`sparql_arithmetic('${name}', a, b)`, call(name)]]),
  ),
  ...Object.fromEntries(
    (['contains', 'strstarts', 'strends'] as const).map(name => [
      name,
      [boolean(`sparql_holds('${name}', a, b)`), call(name)],
    ]),
  ),
  ...Object.fromEntries(
    (['strbefore', 'strafter'] as const).map(name => [name, [`sparql_beside('${name}', a, b)`, call(name)]]),
  ),
  substr: [
    "sparql_substring(sparql_string('aé\u{1F600}d'), a, b, true)",
    (a, b) => call('substr')(literal('aé\u{1F600}d'), a, b),
  ],
  'substr of escapes': [
    "sparql_substring(sparql_string(e'\\x01\\x02a\\x01\\x01\\x02'), a, b, true)",
    (a, b) => call('substr')(literal('\u0001a\u0000\u0002'), a, b),
  ],
  concat: ['sparql_concat(a, b)', call('concat')],
  langmatches: [boolean('sparql_lang_matches(a, b)'), call('langmatches')],
  strdt: ['sparql_strdt(a, b)', call('strdt')],
  strlang: ['sparql_strlang(a, b)', call('strlang')],
}

function localName(key: string): string {
  return `substr(sparql_datatype(${key}), 34)`
}

/** A term as if it were stored in the dictionary: an id, its lexical form, and the local name of its datatype. */
function partsOf(key: string): string {
  return `${2n ** 62n}, sparql_lex(${key}), ${localName(key)}`
}

let database: TestDatabase

test.before(async () => {
  database = await createTestDatabase()
})
test.after.always(() => database?.drop())

async function compareAll([sql, oracle]: Case, pairs: readonly (readonly [Term, Term])[]): Promise<readonly string[]> {
  const rows = await database.database.query<{key: string | null}>(
    `select ${sql.replaceAll(/\bsparql_/g, `${schemaIdentifier}.sparql_`)} as key
       from unnest($1::text[], $2::text[]) with ordinality as pair (a, b, n) order by n`,
    [pairs.map(([a]) => termKey(a)), pairs.map(([, b]) => termKey(b))],
  )
  if (rows.length !== pairs.length) return [`${rows.length} rows`]
  return pairs.flatMap(([a, b], index) => {
    const key = rows[index]?.key ?? null
    const [actual, expected] = [key === null ? undefined : termOfKey(key), oracle(a, b)]
    if (loose(actual) === loose(expected)) return []
    return [
      `${termKey(a)} , ${termKey(b)} → ${key ?? 'error'} instead of ${expected === undefined ? 'error' : termKey(expected)}`,
    ]
  })
}

for (const [name, given] of Object.entries(unary)) {
  test.serial(`${name} of every term has the specified value`, async t => {
    t.deepEqual(
      await compareAll(
        given,
        terms.map(term => [term, term]),
      ),
      [],
    )
  })
}

for (const [name, given] of Object.entries(binary)) {
  test.serial(`${name} of every pair of terms has the specified value`, async t => {
    t.deepEqual(
      await compareAll(
        given,
        terms.flatMap(a => terms.map((b): [Term, Term] => [a, b])),
      ),
      [],
    )
  })
}

/** What is read of the keys of computed numbers, and the same with the functions for all keys. */
const ofCanonical: readonly (readonly [string, string])[] = [
  ['sparql_canonical(k)', 'sparql_number(k)'],
  ['sparql_canonical_exact(k)', 'sparql_exact(k)'],
  ['sparql_canonical_float(k)', finite('float', 'sparql_number(k)::float4::float8')],
  ['sparql_canonical_double(k)', finite('double', 'sparql_number(k)::float8')],
  [
    'sparql_canonical_inexact(k)',
    `coalesce(${oneOf('float', 'sparql_number(k)::float4::float8')}, ${oneOf('double', 'sparql_number(k)::float8')})`,
  ],
  ['sparql_moderate_float(k)', moderate('float', 'sparql_number(k)::float4::float8', '1e-15', '1e15')],
  ['sparql_moderate_double(k)', moderate('double', 'sparql_number(k)::float8', '1e-100', '1e100')],
]

/** What is read of any key or of the parts of a term, and the same by other functions. */
const ofAny: readonly (readonly [string, string])[] = [
  ['sparql_exact_of(sparql_lex(k), local)', 'case when sparql_rank(k) < 3 then sparql_number(k) end'],
  [
    'scale(sparql_exact_of(sparql_lex(k), local)) > 0',
    'case when sparql_rank(k) < 3 and scaled is not null then sparql_rank(k) = 2 end',
  ],
  [
    'sparql_scaled(scaled)',
    `case when sparql_rank(k) < 3 then sparql_arithmetic('+', k, '${termKey(literal('0', xsd.integer))}') end`,
  ],
  ['sparql_with_scale(floor(scaled), scaled) = floor(scaled)', 'case when scaled is not null then true end'],
  ['scale(sparql_with_scale(floor(scaled), scaled)) > 0', 'scale(scaled) > 0'],
  ['sparql_exact(k)', "case when k ~ '#(integer|decimal) ' then scaled end"],
  ['sparql_double_by_key(k)', oneOf('double', 'sparql_inexact(k)')],
]

function oneOf(datatype: string, value: string): string {
  return `case when k like '%#${datatype} %' and k not like '% NaN' then ${value} end`
}

function finite(datatype: string, value: string): string {
  return `case when k not like '%INF' and k not like '% -0.0E0' then ${oneOf(datatype, value)} end`
}

function moderate(datatype: string, value: string, least: string, most: string): string {
  const size = `abs(sparql_number(k)) between ${least}::numeric and ${most}::numeric`
  return `case when sparql_number(k) <> 'NaN' and ${size} then ${oneOf(datatype, value)} end`
}

test.serial('the keys of computed numbers are read as with the functions for all keys', async t => {
  const inSchema = (sql: string) => sql.replaceAll(/\bsparql_/g, `${schemaIdentifier}.sparql_`)
  const operands = numbers
    .slice(0, 16)
    .flatMap(text => [xsd.decimal, xsd.double, xsd.float].map(type => literal(text, type)))
  const special = ['NaN', 'INF', '-INF', '-0'].map(text => literal(text, xsd.float))
  const computed = await database.database.query<{k: string}>(
    inSchema(`select distinct sparql_arithmetic(operator, a, b) as k
                from unnest($1::text[]) as a, unnest($1::text[]) as b, unnest('{+,*,/}'::text[]) as operator`),
    [[...operands, ...special, literal('-7', xsd.integer)].map(termKey)],
  )
  const keys = computed.map(({k}) => k).filter(k => k !== null)
  for (const part of ['#integer ', '#decimal ', '#float ', '#double ', 'NaN', '-INF', '-0.0E0'])
    t.true(
      keys.some(key => key.includes(part)),
      part,
    )
  for (const [given, expected] of ofCanonical) {
    const differ = await database.database.query(
      inSchema(`select k, (${given})::text as read, (${expected})::text as value
                  from unnest($1::text[]) as k where (${given}) is distinct from (${expected})`),
      [keys],
    )
    t.deepEqual(differ, [], given)
  }
})

test.serial('scaled numbers tell integers and decimals apart', async t => {
  const inSchema = (sql: string) => sql.replaceAll(/\bsparql_/g, `${schemaIdentifier}.sparql_`)
  const types = [xsd.integer, xsd.decimal, xsd.double, xsd.float, xsd.int]
  const forms = [...numbers, '+07', '5.', '5.0', '99999999999999999999', 'x', 'NaN']
  const keys = forms.flatMap(form => types.map(type => termKey(literal(form, type))))
  for (const [given, expected] of ofAny) {
    const differ = await database.database.query(
      inSchema(`select k, (${given})::text as read, (${expected})::text as value
                  from unnest($1::text[]) as k
                 cross join lateral (select split_part(split_part(k, '#', 2), ' ', 1) as local offset 0) as one
                 cross join lateral (select sparql_exact_of(sparql_lex(k), local) as scaled offset 0) as two
                 where (${given}) is distinct from (${expected})`),
      [keys],
    )
    t.deepEqual(differ, [], given)
  }
})
