/** Parameters and results of statements. */
import test from 'ava'
import fc from 'fast-check'
import {encodeRow} from '../../src/db/connection/value.ts'
import {createTestDatabase, type TestDatabase} from '../support/postgres.ts'

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase('template0')
})
test.after.always(() => made?.drop())

/** Text that PostgreSQL can store: well-formed, without NUL. */
const text = fc.string({unit: 'binary'}).map(value => value.replaceAll('\0', ''))

test('a text comes back unchanged', async t => {
  await fc.assert(
    fc.asyncProperty(text, async value => {
      t.deepEqual(await made.database.query('select $1::text as value', [value]), [{value}])
    }),
    {numRuns: 50},
  )
})

test('an array of texts and nulls comes back unchanged', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async value => {
      t.deepEqual(await made.database.query('select $1::text[] as value', [value]), [{value}])
    }),
    {numRuns: 50},
  )
})

test('a row of texts, arrays and nulls comes back unchanged, alone and in an array', async t => {
  await made.database.query('create type pair as (one text, many text[], is_true boolean)')
  const row = fc.record({one: fc.option(text), many: fc.option(fc.array(fc.option(text))), is_true: fc.boolean()})
  await fc.assert(
    fc.asyncProperty(row, async value => {
      const encoded = encodeRow([value.one, value.many, value.is_true])
      t.deepEqual(await made.database.query('select ($1::pair).*', [encoded]), [value])
      t.deepEqual(await made.database.query('select (($1::pair[])[1]).*', [[encoded]]), [value])
    }),
    {numRuns: 50},
  )
})

test('bytes come back unchanged, alone and in an array', async t => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async bytes => {
      const value = Buffer.from(bytes)
      t.deepEqual(await made.database.query('select $1::bytea as one, $2::bytea[] as many', [value, [value]]), [
        {one: value, many: [value]},
      ])
    }),
    {numRuns: 20},
  )
})

test('ids stay strings, small numbers are numbers, json is parsed', async t => {
  const rows = await made.database.query(
    `select $1::bigint as id, $2::bigint[] as ids, $3::int as small, $4::bool[] as flags,
             $5::jsonb as json, $6::timestamptz as time`,
    ['9223372036854775807', [1n, 2], 7, [true, false, null], '{"a": [1, null]}', new Date(1_700_000_000_123)],
  )

  t.deepEqual(
    [...rows],
    [
      {
        id: '9223372036854775807',
        ids: ['1', '2'],
        small: 7,
        flags: [true, false, null],
        json: {a: [1, null]},
        time: new Date(1_700_000_000_123),
      },
    ],
  )
})

test('an array of arrays, an empty array and one with bounds are read', async t => {
  const rows = await made.database.query(
    `select array[[1, 2], [3, null]] as two, '{}'::int[] as none, '[0:1]={5,6}'::int[] as bounds`,
  )

  t.deepEqual(
    [...rows],
    [
      {
        two: [
          [1, 2],
          [3, null],
        ],
        none: [],
        bounds: [5, 6],
      },
    ],
  )
})

test('a NUL in a text is a 400', async t => {
  const error = await t.throwsAsync(made.database.query('select $1::text', ['a\0b']))

  t.like(error, {status: 400, rule: 'text-storable'})
})
