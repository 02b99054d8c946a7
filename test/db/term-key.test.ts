/** SQL and TypeScript have the same key for a term: of the dictionary, inline, or a blank node. */
import test from 'ava'
import {blankNodeLabel, firstBlankNodeId, idOfBlankNodeLabel} from '../../src/rdf/id-layout.ts'
import {packLiteral} from '../../src/rdf/inline.ts'
import {type Literal, langLiteral, literal, namedNode} from '../../src/rdf/term.ts'
import {blankNodeKey, termKey} from '../../src/rdf/term-key.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {storedPart} from '../../src/sparql/print/term.ts'
import {createTestDatabase, schemaIdentifier as schema, type TestDatabase} from '../support/postgres.ts'

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
})

test.after.always(() => made.drop())

test('the key of a stored term is the key with which it was stored', async t => {
  const terms = [
    namedNode('http://e/a b'),
    literal(''),
    literal('two  spaces '),
    literal(' x', 'http://e/type'),
    langLiteral('a b', 'en-GB'),
    langLiteral('', 'de'),
  ]
  const keys = terms.map(termKey)

  const [row] = await made.database.query<{ids: string[]}>(`select ${schema}.intern_terms($1::text[]) as ids`, [keys])
  const found = await made.database.query<{key: string}>(
    `select ${storedPart('key', 't').shown} as key
       from unnest($1::int8[]) with ordinality as k (id, n) join ${schema}.term as t using (id) order by k.n`,
    [row?.ids ?? []],
  )

  t.deepEqual(
    found.map(({key}) => key),
    keys,
  )
})

const inline: readonly Literal[] = [
  literal('true', xsd.boolean),
  literal('-12', xsd.integer),
  literal('3.140', xsd.decimal),
  literal('2026-02-28T23:59:59.120-06:00', xsd.dateTime),
  literal('2026-02-28', xsd.date),
]

test('the key of an inline literal is computed from its id', async t => {
  const found = await made.database.query<{key: string}>(
    `select ${schema}.sparql_inline_key(k.id) as key from unnest($1::int8[]) with ordinality as k (id, n) order by n`,
    [inline.map(given => String(packLiteral(given)))],
  )

  t.deepEqual(
    found.map(({key}) => key),
    inline.map(termKey),
  )
})

test('the key of any stored term is found by its id', async t => {
  const terms = [namedNode('http://e/a'), literal('a'), langLiteral('a', 'en'), literal('+1.50', xsd.decimal)]
  const keys = [...terms.map(termKey), ...inline.map(termKey), blankNodeKey(blankNodeLabel(firstBlankNodeId + 7n))]
  await made.database.query(`select ${schema}.intern_terms($1)`, [terms.map(termKey)])

  const found = await made.database.query<{key: string}>(
    `select ${schema}.sparql_key(${schema}.sparql_id(k.key)) as key
       from unnest($1::text[]) with ordinality as k (key, n) order by n`,
    [keys],
  )

  t.deepEqual(
    found.map(({key}) => key),
    keys,
  )
})

test('the label of a stored blank node is its number', async t => {
  const label = blankNodeLabel(firstBlankNodeId + 7n)

  const [row] = await made.database.query<{id: string; shown: string}>(
    `select ${schema}.sparql_id($1)::text as id, ${schema}.show_term($2::int8) as shown`,
    [blankNodeKey(label), String(firstBlankNodeId + 7n)],
  )

  t.deepEqual(row, {id: String(idOfBlankNodeLabel(label)), shown: `_:${label}`})
})
