/** The pool: what one statement leaves behind never reaches the next. */
import test from 'ava'
import {createTestDatabase} from '../support/postgres.ts'

test('after a statement that failed among its rows, the next has its own rows only', async t => {
  const made = await createTestDatabase('template0', {connectionMax: 1})
  t.teardown(made.drop)

  await t.throwsAsync(made.database.query('select 1 / (n - 1000) as x from generate_series(1, 2000) as s (n)'))
  const rows = await made.database.query('select n from generate_series(1, 2) as s (n)')

  t.deepEqual([...rows], [{n: 1}, {n: 2}])
})
