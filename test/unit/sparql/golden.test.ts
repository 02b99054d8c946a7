/**
 * Queries and the SQL they become: test/queries/*.rq with *.sql beside them.
 *
 * After a wanted change, GOLDEN=write makes the files anew; read what changed before you commit it.
 */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'

const folder = new URL('../../queries/', import.meta.url)
const names = readdirSync(folder).filter(name => name.endsWith('.rq'))
const fixed: ReadonlyMap<string, string> = new Map([['Ihttp://www.w3.org/ns/ldp#contains', '10']])

/** The SQL of a query over a store where every constant is known but those of http://unknown/. */
function compile(text: string) {
  const prepared = prepareQuery(text, 'http://e/')
  const known = [...prepared.constants.keys()].filter(key => !key.includes('http://unknown/'))
  const stored = new Map(known.map((key, index) => [key, fixed.get(key) ?? String(1000 + index)]))
  const frequencies = {triples: 0, predicates: new Map(), values: new Map()}
  const extents = new Map()
  const facts = {hasDocuments: true, memberRelations: ['11'], extents, frequencies}
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00.000Z'})
}

/** One clause a line, parameters below. */
function show({text, parameters}: ReturnType<typeof compile>): string {
  const lines = text.replace(
    / (?=(?:from|where|group by|order by|union|left join|inner join|cross join|limit) )/g,
    '\n',
  )
  return [lines, ...parameters.map((value, index) => `-- $1[${index + 1}] ${JSON.stringify(value)}`), ''].join('\n')
}

for (const name of names) {
  test(name, t => {
    const place = new URL(name.replace(/rq$/, 'sql'), folder)
    const sql = show(compile(readFileSync(new URL(name, folder), 'utf8')))
    if (process.env.GOLDEN === 'write') writeFileSync(place, sql)

    t.is(sql, readFileSync(place, 'utf8'))
  })
}

test('no text of a query is text of its SQL', t => {
  const hostile = `x'"\\ $1; drop`
  const {text, parameters} = compile(
    `SELECT (CONCAT(?l, ${JSON.stringify(hostile)}) AS ?${'v'.repeat(100)})
     { ?s <http://e/${encodeURIComponent(hostile)}> ?l }`,
  )

  t.false(text.includes('drop'))
  t.true(JSON.stringify(parameters).includes('drop'))
  t.false(text.includes('vvvv'))
})
