/** A large update runs statements over all of its rows: the number of function calls does not grow with them. */
import test from 'ava'
import {base, useDataset} from '../support/importing.ts'
import {schemaIdentifier} from '../support/postgres.ts'

/** Functions that are called once for each new document: the rule of names, and the record of changes. */
const perDocument = new Set(['is_segment', 'record_change'])

test('an INSERT DATA into new documents with blank nodes calls few functions', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const documents = 500

  const calls = await dataset.database.database.begin('read committed', async ({query, script}) => {
    await script(`set local search_path = ${schemaIdentifier}, pg_temp; set local track_functions = 'all'`)
    const made = await query<{created: number; inserted: string}>(
      `select cardinality(u.created) as created, u.inserted::text
         from (select array_agg('I' || $1 || 'd' || n || '/' order by n) || array_agg('Bb' || n order by n)
                        || array['Ihttp://e/p', 'Ihttp://e/q'] as keys,
                      array_agg(n order by n) as documents, array_agg($2 + n order by n) as nodes,
                      array_fill(2 * $2 + 1, array[$2]) as p, array_fill(2 * $2 + 2, array[$2]) as q
                 from generate_series(1, $2::int) as n) as d
        cross join lateral update_data(false, d.keys, d.documents || d.documents, d.documents || d.nodes, d.p || d.q,
                                       d.nodes || d.documents, '{}', '{}', null) as u`,
      [base, documents],
    )
    t.deepEqual(made, [{created: documents, inserted: String(2 * documents)}])
    return query<{name: string; calls: number}>(
      'select funcname as name, sum(calls)::int as calls from pg_stat_xact_user_functions group by 1 order by 1',
    )
  })

  t.true(calls.length > 0)
  t.deepEqual(
    calls.filter(each => each.calls > (perDocument.has(each.name) ? documents : 10)),
    [],
  )
  t.deepEqual(await dataset.faults(), [])
})
