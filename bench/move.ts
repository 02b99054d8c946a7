/**
 * Measures moves and copies of a container with many documents, and of one document beside it.
 *
 *   npm run bench:move [-- --documents 100000 --referring 10000]
 *
 * A temporary PostgreSQL. SQL creates the documents, each with a fragment and a reference to the container. Others
 * refer to some of them. A deletion of the same container is measured for comparison.
 */
import {parseArgs} from 'node:util'
import {createTestDatabase, schemaIdentifier, type TestDatabase} from '../test/support/postgres.ts'
import {startTestServer} from '../test/support/servers.ts'

const {values} = parseArgs({
  options: {documents: {type: 'string', default: '100000'}, referring: {type: 'string', default: '10000'}},
})
const inSchema = `${schemaIdentifier}.`
const [documents, referring] = [Number(values.documents), Number(values.referring)]

const server = await startTestServer(undefined)
process.env.TEST_DATABASE_URL = server.url
try {
  const made = await createTestDatabase()
  await measure(made)
  await made.drop()
} finally {
  await server.stop()
}

async function measure({database}: TestDatabase): Promise<void> {
  const once = {once: true, isPatient: true}
  const ask = <Row extends object>(text: string) => database.query<Row>(text, [], once)
  await ask('set statement_timeout = 0')
  await ask(`select ${inSchema}open_dataset('http://bench/', 'http://bench/', 'http://bench.example/ns#')`)
  const create = (path: string, parent: string) =>
    ask(`select ${inSchema}create_document('http://bench/${path}', 'http://bench/${parent}', '{}', '{}', '{}', '{}')`)
  for (const path of ['box/', 'to/', 'refers/', 'one/']) await create(path, '')
  for (const [parent, count, target] of [
    ['box', documents, 'box/'],
    ['refers', referring, 'box/d$/'],
  ] as const)
    for (let from = 0; from < count; from += 1000) await ask(fill(parent, from, Math.min(1000, count - from), target))
  await ask(`vacuum analyze ${inSchema}quad, ${inSchema}term, ${inSchema}document`)
  const [sizes] = await ask<{quads: string; terms: string}>(
    `select (select count(*) from ${inSchema}quad) as quads, (select count(*) from ${inSchema}term) as terms`,
  )
  report(`${sizes?.quads} quads, ${sizes?.terms} terms, ${documents} documents in the container`)

  const timed = async (what: string, text: string) => {
    const before = performance.now()
    await ask(`select ${inSchema}${text}`)
    report(`${what}: ${((performance.now() - before) / 1000).toFixed(2)} s`)
  }
  const move = (from: string, to: string) =>
    `move_document('http://bench/${from}', null, null, null, 'http://bench/${to}', true)`
  await timed('move of one document', move('one/', 'two/'))
  await timed('the same back', move('two/', 'one/'))
  await timed('move of the container', move('box/', 'to/box/'))
  await timed('move where the new names are terms', move('to/box/', 'box2/'))
  await timed('copy', `copy_document('http://bench/box2/', null, null, null, 'http://bench/copy/', true, true)`)
  await timed('deletion', `delete_document('http://bench/copy/')`)
  await timed('move onto it', move('box2/', 'copy/'))
}

/** SQL that creates some documents: names d0, d1, … */
function fill(parent: string, from: number, count: number, target: string): string {
  const name = (n: string) => `'Ihttp://bench/${parent}/d' || ${n} || '/'`
  const goal = target.includes('$') ? `replace('Ihttp://bench/${target}', '$', n::text)` : `'Ihttp://bench/${target}'`
  return `
    with d as (select n, n - ${from} as at from generate_series(${from}, ${from + count - 1}) as n),
    k as (
      select array_agg(key order by at, place) as keys
        from (select d.at, v.place, v.key
                from d cross join lateral (values (1, ${name('n')}), (2, ${name('n')} || '#it'),
                                                  (3, 'Lhttp://www.w3.org/2001/XMLSchema#string  title ' || n),
                                                  (4, case when '${target}' like '%$%' or at = 0 then ${goal} end))
                  as v (place, key)
               union all
              select -1, p, 'Ihttp://bench.example/p' || p from generate_series(1, 3) as p) as u
       where key is not null),
    t as (
      select array_position(k.keys, ${name('n')}) as s, array_position(k.keys, ${name('n')} || '#it') as f,
             array_position(k.keys, 'Lhttp://www.w3.org/2001/XMLSchema#string  title ' || n) as l,
             array_position(k.keys, ${goal}) as o, at, k.keys
        from d cross join k)
    select count(*) from ${inSchema}create_documents(
      (select array_agg(s order by at) from t), array_fill('http://bench/${parent}/'::text, array[${count}]),
      (select keys from t limit 1),
      (select array_agg(at + 1 order by at, p) from t cross join generate_series(1, 3) as p),
      (select array_agg(case p when 3 then f else s end order by at, p) from t cross join generate_series(1, 3) as p),
      (select array_agg(p order by at, p) from t cross join generate_series(1, 3) as p),
      (select array_agg(case p when 1 then f when 2 then o else l end order by at, p) from t
        cross join generate_series(1, 3) as p))`
}

function report(line: string): void {
  process.stdout.write(`${line}\n`)
}
