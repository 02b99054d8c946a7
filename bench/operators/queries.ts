/** The queries of bench:operators: for each operator and kind of value, one with the expression and one without it. */
import {type Kind, kindNames, paired, plainTypes} from './values.ts'

export type Query = {
  readonly name: string
  readonly kind: string
  readonly text: string
  readonly base: string // the same query without the expression
  readonly plain?: string // SQL that computes the same on a plain table
}

const prefixes = `PREFIX v: <http://localhost:8080/values#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`

const numbers: readonly Kind[] = [
  'integer',
  'otherInteger',
  'decimal',
  'otherDecimal',
  'double',
  'otherDouble',
  'float',
]
const times: readonly Kind[] = ['dateTime', 'otherDateTime', 'date']
const texts: readonly Kind[] = ['string', 'longString', 'language']
const withMixed = (...kinds: readonly Kind[]): readonly Kind[] => [...kinds, 'mixed']
const every = kindNames as readonly Kind[]

const constants: Readonly<Partial<Record<Kind, string>>> = {
  integer: '50000',
  otherInteger: '50000',
  decimal: '500.5',
  otherDecimal: '500.5',
  double: '5e3',
  otherDouble: '5e3',
  float: '"5000"^^xsd:float',
  boolean: 'true',
  dateTime: '"2018-01-01T00:00:00Z"^^xsd:dateTime',
  otherDateTime: '"2018-01-01T00:00:00Z"^^xsd:dateTime',
  date: '"2018-01-01"^^xsd:date',
  string: '"gamma"',
  longString: '"gamma"',
  language: '"gamma"@en',
  iri: '<http://example.org/things/50>',
  mixed: '50000',
}

/** Filters; all other expressions are selected. `?v` is the value, `?w` another one, CONST a constant of the kind. */
const filters: readonly (readonly [name: string, expression: string, kinds: readonly Kind[]])[] = [
  ['<', '?v < CONST', withMixed(...numbers, ...times, ...texts)],
  ['=', '?v = CONST', every.filter(kind => kind !== 'blank')],
  ['!=', '?v != CONST', every.filter(kind => kind !== 'blank')],
  ['IN', '?v IN (CONST, "other", 17)', withMixed('integer', 'otherDouble', 'string', 'language', 'iri')],
  ['< other', '?v < ?w', paired.filter(kind => kind !== 'iri')],
  ['= other', '?v = ?w', paired],
  ['sameTerm', 'sameTerm(?v, ?w)', paired],
  ['+ <', '?v + 1 < 50000', withMixed(...numbers)],
  ['ebv', '?v', withMixed('boolean', ...numbers, ...texts)],
  ['isIRI', 'isIRI(?v)', every],
  ['isNumeric', 'isNumeric(?v)', every],
  ['BOUND', 'BOUND(?v)', ['integer', 'mixed']],
  ['LANGMATCHES', 'LANGMATCHES(LANG(?v), "en")', withMixed('string', 'language')],
  ['LANG =', 'LANG(?v) = "en"', withMixed('string', 'language')],
  ['LANG or', 'LANG(?v) = "" || LANGMATCHES(LANG(?v), "en") || LANG(?v) = "fr"', withMixed('string', 'language')],
  ['DATATYPE =', 'DATATYPE(?v) = xsd:integer', every.filter(kind => kind !== 'blank')],
  ['STRLEN', 'STRLEN(?v) > 18', withMixed(...texts)],
  ['CONTAINS', 'CONTAINS(?v, "77")', withMixed(...texts)],
  ['CONTAINS LCASE', 'CONTAINS(LCASE(?v), "zeta")', withMixed(...texts)],
  ['CONTAINS STR', 'CONTAINS(STR(?v), "77")', every.filter(kind => kind !== 'blank')],
  ['CONTAINS other', 'CONTAINS(?v, ?w)', ['string', 'language', 'mixed']],
  ['STRSTARTS', 'STRSTARTS(?v, "gamma")', withMixed(...texts)],
  ['STRENDS', 'STRENDS(?v, "gamma")', withMixed(...texts)],
  ['LCASE =', 'LCASE(?v) = "zeta 1002 epsilon"', withMixed(...texts)],
  ['REGEX', 'REGEX(?v, "^g.*7")', withMixed(...texts)],
  ['REGEX i', 'REGEX(?v, "ZETA", "i")', withMixed(...texts)],
  ['REGEX or', 'REGEX(?v, "^g.*7") || REGEX(?v, "^b.*7")', withMixed('string', 'language')],
  ['YEAR <', 'YEAR(?v) < 2018', withMixed(...times)],
]

const selected: readonly (readonly [name: string, expression: string, kinds: readonly Kind[]])[] = [
  ['+', '?v + 1', withMixed(...numbers)],
  ['*', '?v * ?v', withMixed(...numbers)],
  ['/', '?v / 7', withMixed(...numbers)],
  ['unary -', '-?v', withMixed(...numbers)],
  ['ABS', 'ABS(?v)', withMixed(...numbers)],
  ['ROUND', 'ROUND(?v)', withMixed(...numbers)],
  ['CEIL', 'CEIL(?v)', withMixed(...numbers)],
  ['FLOOR', 'FLOOR(?v)', withMixed(...numbers)],
  ['STR', 'STR(?v)', every],
  ['LANG', 'LANG(?v)', every],
  ['DATATYPE', 'DATATYPE(?v)', every],
  ['STRLEN of', 'STRLEN(?v)', withMixed(...texts)],
  ['UCASE', 'UCASE(?v)', withMixed(...texts)],
  ['LCASE', 'LCASE(?v)', withMixed(...texts)],
  ['SUBSTR', 'SUBSTR(?v, 3, 4)', withMixed(...texts)],
  ['STRBEFORE', 'STRBEFORE(?v, " ")', withMixed(...texts)],
  ['STRAFTER', 'STRAFTER(?v, " ")', withMixed(...texts)],
  ['REPLACE', 'REPLACE(?v, "a", "b")', withMixed(...texts)],
  ['CONCAT', 'CONCAT(?v, "-", ?v)', withMixed(...texts)],
  ['CONCAT STR', 'CONCAT(STR(?v), "-", STR(?v))', withMixed('integer', 'string', 'iri')],
  ['ENCODE_FOR_URI', 'ENCODE_FOR_URI(?v)', withMixed(...texts)],
  ['MD5', 'MD5(?v)', ['string', 'mixed']],
  ['SHA1', 'SHA1(?v)', ['string', 'mixed']],
  ['SHA256', 'SHA256(?v)', ['string', 'mixed']],
  ['SHA512', 'SHA512(?v)', ['string', 'mixed']],
  ['YEAR', 'YEAR(?v)', withMixed(...times)],
  ['SECONDS', 'SECONDS(?v)', withMixed('dateTime', 'otherDateTime')],
  ['TZ', 'TZ(?v)', withMixed('dateTime', 'otherDateTime')],
  ['IF', 'IF(?v < CONST, "a", "b")', withMixed('integer', 'decimal', 'string')],
  ['COALESCE', 'COALESCE(?v, "none")', ['integer', 'string', 'mixed']],
  ['IRI', 'IRI(STR(?v))', ['iri']],
  ['STRDT', 'STRDT(STR(?v), xsd:token)', ['integer', 'string']],
  ['STRLANG', 'STRLANG(STR(?v), "en")', ['integer', 'string']],
  ['xsd:integer', 'xsd:integer(?v)', ['integer', 'decimal', 'string']],
  ['xsd:decimal', 'xsd:decimal(?v)', ['integer', 'double']],
  ['xsd:double', 'xsd:double(?v)', ['integer', 'decimal']],
  ['xsd:string', 'xsd:string(?v)', ['integer', 'string', 'iri']],
  ['xsd:dateTime', 'xsd:dateTime(?v)', ['dateTime', 'date']],
]

const pattern = (kind: string, hasOther: boolean) => `?s v:${kind} ?v${hasOther ? ` ; v:${kind}2 ?w` : ''}`

export const operators: readonly Query[] = [
  ...filters.flatMap(([name, expression, kinds]) =>
    kinds.map((kind): Query => {
      const where = pattern(kind, expression.includes('?w'))
      const condition = expression.replaceAll('CONST', constants[kind] ?? '""')
      const text = `${prefixes} SELECT (COUNT(*) AS ?n) { ${where} FILTER(${condition}) }`
      return {name, kind, text, base: `${prefixes} SELECT (COUNT(*) AS ?n) { ${where} }`}
    }),
  ),
  ...selected.flatMap(([name, expression, kinds]) =>
    kinds.map((kind): Query => {
      const value = expression.replaceAll('CONST', constants[kind] ?? '""')
      const text = `${prefixes} SELECT (${value} AS ?x) { ${pattern(kind, false)} }`
      return {name, kind, text, base: `${prefixes} SELECT ?v { ${pattern(kind, false)} }`}
    }),
  ),
]

const sorts: readonly (readonly [name: string, end: string])[] = [
  ['ORDER BY', 'ORDER BY ?v'],
  ['ORDER BY first 20', 'ORDER BY ?v LIMIT 20'],
  ['ORDER BY DESC first 20', 'ORDER BY DESC(?v) LIMIT 20'],
  ['ORDER BY LCASE first 20', 'ORDER BY LCASE(STR(?v)) LIMIT 20'],
]

export const orders: readonly Query[] = sorts.flatMap(([name, end]) =>
  every.map((kind): Query => {
    const text = `${prefixes} SELECT ?s ?v { ${pattern(kind, false)} }`
    return {name, kind, text: `${text} ${end}`, base: text}
  }),
)

const totals = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'SAMPLE'] as const
const inSql: Readonly<Record<string, string>> = {
  COUNT: 'count',
  SUM: 'sum',
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  SAMPLE: 'min',
}

export const aggregates: readonly Query[] = [
  ...totals.flatMap(name => every.map(kind => aggregate(name, kind, `${name}(?v)`, `${inSql[name]}(v)`))),
  ...every.map(kind => aggregate('COUNT DISTINCT', kind, 'COUNT(DISTINCT ?v)', 'count(distinct v)')),
  // The texts of one group are limited (group-concat-size).
  ...(['COUNT', 'AVG', 'MAX', 'GROUP_CONCAT'] as const).flatMap(name =>
    every.map((kind): Query => {
      const text = `${prefixes} SELECT ?g (${name}(?v) AS ?x) { ?s v:group ?g ; v:${kind} ?v } GROUP BY ?g`
      return {name: `${name} by group`, kind, text, base: ''}
    }),
  ),
]

function aggregate(name: string, kind: Kind, expression: string, sql: string): Query {
  const text = `${prefixes} SELECT (${expression} AS ?x) { ${pattern(kind, false)} }`
  const hasPlain = plainTypes.some(([plain]) => plain === kind)
  const query = {name, kind, text, base: ''}
  return hasPlain ? {...query, plain: `select ${sql} from plain_${kind.toLowerCase()}`} : query
}
