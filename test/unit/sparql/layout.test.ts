/** Formatting of SQL does not change its meaning. */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import {layoutSql} from '../../../src/sparql/print/layout.ts'

const folder = new URL('../../queries/', import.meta.url)
const golden = readdirSync(folder).filter(name => name.endsWith('.sql'))

const withoutBlanks = (sql: string) => sql.replace(/('(?:[^']|'')*')|\s+/g, '$1')

test('one clause a line, queries in brackets are indented', t => {
  const sql = `select t1.s as c0 from (select q.s as s from "q".quad as q where q.p = 10::int8) as t1 left join "q".quad as t2 on t2.s = t1.s limit 3`

  t.is(
    layoutSql(sql),
    `select t1.s as c0
from (
  select q.s as s
  from "q".quad as q
  where q.p = 10::int8
) as t1
left join "q".quad as t2 on t2.s = t1.s
limit 3`,
  )
})

test('a long clause breaks at its commas and before AND; brackets without a query stay on their line', t => {
  const column = (name: string) => `coalesce(t1.${name}, '${'x'.repeat(30)}, y') as ${name}`
  const sql = `select ${column('a')}, ${column('b')} from t1 where (t1.a is null or t1.b is null) and ${column('c')}`

  t.is(
    layoutSql(sql),
    `select ${column('a')},
  ${column('b')}
from t1
where (t1.a is null or t1.b is null) and ${column('c')}`,
  )
})

test('a query in an expression and the parts of a union are queries too', t => {
  t.is(
    layoutSql(`(select 1 as a where not (exists (select from b))) union all (select row_number() over (order by c))`),
    `(
  select 1 as a
  where not (exists (
    select
    from b
  ))
)
union all (
  select row_number() over (order by c)
)`,
  )
})

test('WITH TIES belongs to the clause that takes the first rows', t => {
  t.is(
    layoutSql('select a from b order by a fetch first 3 rows with ties'),
    `select a
from b
order by a
fetch first 3 rows with ties`,
  )
})

test('only white space outside quotes changes', t => {
  for (const name of golden) {
    const sql = readFileSync(new URL(name, folder), 'utf8').replace(/^-- .*\n/gm, '')

    t.is(withoutBlanks(layoutSql(sql)), withoutBlanks(sql), name)
  }
  t.is(layoutSql(`select 'a  (b' , "select  from" from t`), `select 'a  (b' , "select  from"\nfrom t`)
})
