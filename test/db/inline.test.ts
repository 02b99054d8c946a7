/** Inline ids are equal in SQL and in TypeScript. */
import test from 'ava'
import fc from 'fast-check'
import {packLiteral} from '../../src/rdf/inline.ts'
import {type Literal, literal} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'
import {createTestDatabase, schemaIdentifier, type TestDatabase} from '../support/postgres.ts'

const integers = ['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger']
  .concat(['nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'])
  .map(name => xsdNamespace + name)
const decimals = [xsd.decimal, xsd.float, xsd.double]

const two = (number: number) => String(number).padStart(2, '0')
const zones = fc.oneof(
  fc.constantFrom('', 'Z', '+00:00', '+14:00', '-14:00', '-00:15', '+00:15'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(13), fc.constantFrom(0, 15, 30, 45))
    .map(([sign, hour, minute]) => `${sign}${two(hour)}:${two(minute)}`),
)
const instants = fc.oneof(
  fc.integer({min: Date.parse('0001-01-03T00:00:00Z'), max: Date.parse('9999-12-30T00:00:00Z')}),
  fc.integer({min: Date.parse('1969-12-30T00:00:00Z'), max: Date.parse('1970-01-02T00:00:00Z')}),
  fc.integer({min: Date.parse('0001-01-03T00:00:00Z'), max: Date.parse('0004-03-01T00:00:00Z')}),
)
const microLimit = 2 ** 52 / 1000 // in milliseconds
const microInstants = fc.oneof(
  fc.integer({min: -Math.floor(microLimit), max: Math.floor(microLimit)}),
  ...[-microLimit, 0, microLimit].map(at =>
    fc.integer({min: Math.floor(at) - 86_400_000, max: Math.floor(at) + 86_400_000}),
  ),
  fc.constantFrom(-Math.ceil(microLimit), -Math.floor(microLimit), -1, 0, Math.floor(microLimit)),
)
const fractions = fc.nat(3).map(digits => (digits === 0 ? 19 : 20 + digits)) // where the lexical form is cut

const literals: fc.Arbitrary<Literal> = fc.oneof(
  fc.constantFrom('true', 'false').map(form => literal(form, xsd.boolean)),
  fc
    .tuple(fc.bigInt({min: -(2n ** 55n), max: 2n ** 55n - 1n}), fc.constantFrom(...integers))
    .map(([value, type]) => literal(String(value), type)),
  fc
    .tuple(fc.integer({min: -200, max: 300}), fc.constantFrom(...integers))
    .map(([value, type]) => literal(String(value), type)),
  fc
    .tuple(fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?$/), fc.constantFrom(...decimals))
    .map(([form, type]) => literal(form, type)),
  fc
    .oneof(
      fc.stringMatching(/^(0\.0[Ee]0|0[Ee]\+00|-?[1-9][0-9]{0,2}\.[0-9]{1,4}[Ee]0)$/),
      fc.stringMatching(/^-?[1-9](\.(0|[0-9]{0,8}[1-9]))?[Ee](-[1-6]|[0-9]|[+-]0[0-9])$/),
    )
    .map(form => literal(form, xsd.double)),
  fc
    .tuple(fc.double({min: -(2 ** 49), max: 2 ** 49}), fc.integer({min: 0, max: 60}), fc.constantFrom(...decimals))
    .map(([value, size, type]) => {
      const fine = value / 2 ** size
      return literal(Number.isInteger(fine) ? `${fine}.0` : String(fine), type)
    }),
  fc
    .tuple(instants, fractions, zones)
    .map(([at, cut, zone]) => literal(new Date(at).toISOString().slice(0, cut) + zone, xsd.dateTime)),
  fc
    .tuple(microInstants, fc.nat(999), zones)
    .map(([at, micros, zone]) =>
      literal(new Date(at).toISOString().slice(0, 23) + String(micros).padStart(3, '0') + zone, xsd.dateTime),
    ),
  fc.tuple(instants, zones).map(([at, zone]) => literal(new Date(at).toISOString().slice(0, 10) + zone, xsd.date)),
)

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
})

test.after.always(() => made.drop())

test('SQL unpacks every inline id like the codec', async t => {
  const packed = fc.sample(literals, 6000).flatMap(given => {
    const id = packLiteral(given)
    return id === undefined ? [] : [{id, form: given.value, datatype: given.datatype.value}]
  })

  const read = await made.database.query(
    `select k.id, ${schemaIdentifier}.inline_lexical_form(k.id) as form,
            $2 || ${schemaIdentifier}.inline_datatype(k.id) as datatype
       from unnest($1::int8[]) with ordinality as k (id, n) order by k.n`,
    [packed.map(({id}) => id), xsdNamespace],
  )

  t.true(packed.length > 4000, `${packed.length} literals fit into an id`)
  t.deepEqual(
    read,
    packed.map(({id, form, datatype}) => ({id: String(id), form, datatype})),
  )
})

test('SQL packs literals like the codec, also those that do not fit', async t => {
  const nearly = fc
    .tuple(fc.stringMatching(/^-?[0-9]{1,2}(\.[0-9]{1,17})?([Ee][+-]?[0-9]{1,2})?$/), fc.constantFrom(...decimals))
    .map(([form, type]) => literal(form, type))
  const given = fc.sample(fc.oneof(literals, nearly), 4000)

  const read = await made.database.query<{id: string | null}>(
    `select ${schemaIdentifier}.sparql_inline_id(k.key) as id from unnest($1::text[]) with ordinality as k (key, n)
      order by k.n`,
    [given.map(termKey)],
  )

  const packed = given.map(one => packLiteral(one)?.toString() ?? null)
  const shown = given.map((one, index) => ({key: termKey(one), codec: packed[index], sql: read[index]?.id}))
  t.true(packed.includes(null))
  t.deepEqual(
    shown.filter(({codec, sql}) => codec !== sql),
    [],
  )
})

test('no function of an id fails for the id of another kind of term', async t => {
  const payloads = [0n, 1n, 2n ** 58n + 5n, 2n ** 59n, 2n ** 60n - 1n, BigInt('0x555555555555555')]
  const inlineIds = fc.sample(literals, 500).flatMap(given => packLiteral(given) ?? [])
  const otherIds = Array.from({length: 8}, (_, kind) => payloads.map(bits => BigInt(kind) * 2n ** 60n + bits)).flat()
  const functions = await made.database.query<{name: string}>(
    `select p.proname as name from pg_proc as p
      where p.pronamespace = $1::regnamespace and p.prokind = 'f' and p.provolatile = 'i'
        and p.proargtypes = '20'::oidvector and p.proargnames[1] = 'id'`,
    [schemaIdentifier],
  )

  t.true(functions.some(({name}) => name === 'inline_lexical_form'))
  for (const {name} of functions) {
    const [read] = await made.database.query<{count: string}>(
      `select count(${schemaIdentifier}.${name}(k.id)) as count from unnest($1::int8[]) as k (id)`,
      [[...inlineIds, ...otherIds]],
    )
    t.true(Number(read?.count) > 0, name)
  }
})

test('SQL packs an instant like the codec', async t => {
  // The codec's limit is 2^46.
  const given = fc.sample(instants, 1000).flatMap(at => (at < 2 ** 46 ? [new Date(at)] : []))

  const read = await made.database.query<{id: string}>(
    `select ${schemaIdentifier}.inline_instant(k.at) as id
       from unnest($1::timestamptz[]) with ordinality as k (at, n) order by k.n`,
    [given],
  )

  t.deepEqual(
    read.map(({id}) => id),
    given.map(at => String(packLiteral(literal(at.toISOString(), xsd.dateTime)))),
  )
})

test('numbers of dates have their order, and tell their ids', async t => {
  const dates = fc.tuple(instants, zones).map(([at, zone]) => new Date(at).toISOString().slice(0, 10) + zone)
  const near = fc.tuple(fc.nat(3), zones).map(([day, zone]) => `2020-01-0${1 + day}${zone}`) // many start together
  const ids = fc.sample(fc.oneof(dates, near), 4000).flatMap(form => packLiteral(literal(form, xsd.date)) ?? [])

  const [found] = await made.database.query(
    `select count(*) filter (where ${schemaIdentifier}.sparql_date_of(d.number) = d.id) as own,
            count(*) filter (where d.place = d.place_of_number) as "inOrder"
       from (select e.*, row_number() over (order by e.number) as place_of_number,
                    row_number() over (order by ${schemaIdentifier}.sparql_day_start(e.id), e.id) as place
               from (select distinct u.id, ${schemaIdentifier}.sparql_date_order(u.id) as number
                       from unnest($1::int8[]) as u (id)) as e) as d`,
    [ids],
  )
  const count = String(new Set(ids).size)
  t.deepEqual({...found}, {own: count, inOrder: count})
})
