/** SQL and TypeScript have the same layout of ids: ranges, inline kinds, classes, constraints and partial indexes. */
import test from 'ava'
import fc from 'fast-check'
import type {SqlValue} from '../../src/db/connection/value.ts'
import {
  endOfKind,
  firstAfterNodes,
  firstAfterVocabulary,
  firstBlankNodeId,
  firstLiteralId,
  firstOfClass,
  firstOfKind,
  formBitsOfKind,
  inlineId,
  inlineKinds,
  inlineParts,
  kindOfId,
  lastId,
  limitOfKind,
  literalClass,
} from '../../src/rdf/id-layout.ts'
import {packLiteral} from '../../src/rdf/inline.ts'
import {type Literal, langLiteral, literal} from '../../src/rdf/term.ts'
import {xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'
import {createTestDatabase, schemaIdentifier as schema, type TestDatabase} from '../support/postgres.ts'

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
})

test.after.always(() => made.drop())

async function one(select: string, parameters: readonly SqlValue[] = []): Promise<unknown> {
  const [row] = await made.database.query<{value: unknown}>(`select ${select} as value`, parameters)
  return row?.value
}

test('blank nodes and literals begin at the same ids', async t => {
  t.is(await one(`${schema}.first_blank_node()::text`), String(firstBlankNodeId))
  t.is(await one(`${schema}.first_literal()::text`), String(firstLiteralId))
})

test('SQL knows a blank node by the same range', async t => {
  const edges = [1n, firstBlankNodeId - 1n, firstBlankNodeId, firstAfterNodes - 1n, firstLiteralId, lastId, -1n]

  const found = await one(
    `(select json_agg(${schema}.is_blank_node(id) order by n) from unnest($1::int8[]) with ordinality as k (id, n))`,
    [edges.map(String)],
  )

  t.deepEqual(
    found,
    edges.map(id => kindOfId(String(id)) === 'blank'),
  )
})

test('constraints and partial indexes have the same bounds', async t => {
  const definitions = await made.database.query<{name: string; text: string}>(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
      where conname in ('document-is-an-iri', 'raw-graph-is-an-iri')
      union -- a shard has the same constraint
     select relname, pg_get_indexdef(oid) from pg_class where relname = 'quad_o'
      order by name`,
  )

  const bounds = definitions.map(({name, text}) => [name, ...(text.match(/\d{15,}/g) ?? [])])
  t.deepEqual(bounds, [
    ['document-is-an-iri', String(firstBlankNodeId - 1n)],
    ['quad_o', String(firstAfterNodes - 1n)],
    ['raw-graph-is-an-iri', String(firstBlankNodeId - 1n)],
  ])
})

test('the vocabulary is below the same id', async t => {
  t.is(
    await one(`(select min(start_value)::int from pg_sequences where sequencename = 'term_seq')`),
    firstAfterVocabulary,
  )
})

test('the parts of an inline id compose to the same id', t => {
  for (const kind of Object.values(inlineKinds)) {
    const limit = limitOfKind(kind)
    const values = limit === 0n ? fc.bigInt({min: 0n, max: 1n}) : fc.bigInt({min: -limit, max: limit - 1n})
    fc.assert(
      fc.property(values, fc.nat(2 ** formBitsOfKind(kind) - 1), (value, form) => {
        const id = inlineId(kind, value, form)
        t.true(id >= firstOfKind(kind) && id < endOfKind(kind))
        t.deepEqual(inlineParts(id), {kind, value, form})
      }),
      {numRuns: 200},
    )
  }
})

const kinds = [
  ['true', 'boolean', inlineKinds.boolean],
  ['-7', 'unsignedByte', undefined],
  ['7', 'unsignedByte', inlineKinds.integer],
  ['1.5', 'double', inlineKinds.decimal],
  ['1.5E0', 'double', inlineKinds.decimal],
  ['1.5e-03', 'double', inlineKinds.decimal],
  ['0.15E0', 'double', inlineKinds.decimal],
  ['0.1234567', 'double', inlineKinds.fine],
  ['-12345678901.0', 'decimal', inlineKinds.fine],
  ['2026-02-28T23:59:59Z', 'dateTime', inlineKinds.dateTime],
  ['2026-02-28T23:59:59.000000-05:00', 'dateTime', inlineKinds.microDateTime],
  ['2026-02-28T23:59:59', 'dateTime', inlineKinds.localDateTime],
  ['2026-02-28T23:59:59.123456', 'dateTime', inlineKinds.localMicroDateTime],
  ['2026-02-28', 'date', inlineKinds.date],
] as const

for (const [form, type, kind] of kinds)
  test(`"${form}"^^xsd:${type} is inline of ${kind === undefined ? 'no kind' : `kind ${kind}`}`, async t => {
    const id = packLiteral(literal(form, xsdNamespace + type))

    t.is(id === undefined ? undefined : inlineParts(id).kind, kind)
    if (id === undefined) return
    t.is(await one(`${schema}.inline_datatype($1::int8)`, [String(id)]), type)
    t.is(await one(`${schema}.inline_lexical_form($1::int8)`, [String(id)]), form)
  })

const names = 'string boolean integer int long short byte decimal float double nonNegativeInteger positiveInteger'
  .concat(' nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte')
  .concat(' dateTime dateTimeStamp date time gYear anyURI Integer')
  .split(' ')
const literals: readonly Literal[] = [
  ...names.map(name => literal('x', xsdNamespace + name)),
  literal('x', 'http://e/integer'),
  langLiteral('x', 'en'),
]

test('a dictionary literal gets an id of its class from SQL', async t => {
  const found = await one(
    `(select json_agg(${schema}.first_literal() + (${schema}.term_class(datatype, lang) << 58) order by n)::text
        from unnest($1::text[], $2::text[]) with ordinality as k (datatype, lang, n))`,
    [
      literals.map(({datatype, language}) =>
        language !== '' || datatype.value === xsd.string ? null : datatype.value,
      ),
      literals.map(({language}) => language || null),
    ],
  )

  t.deepEqual(
    String(found).match(/\d+/g),
    literals.map(given => String(firstOfClass(literalClass(given)))),
  )
})
