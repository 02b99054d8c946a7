/** The memory of statements: minor collections free it, so that major collections, which take long, are rare. */
import test from 'ava'
import {oldBytes} from '../support/old-generation.ts'
import {createTestDatabase} from '../support/postgres.ts'

test.serial('minor collections free the parameters and rows of statements', async t => {
  const {database, drop} = await createTestDatabase('template0', {connectionMax: 1})
  t.teardown(drop)
  const ask = async (count: number) => {
    for (let n = 0; n < count; n++)
      await database.query('select $1::int8[] as ids', [`{${n},${'1,'.repeat(500)}2}`], {
        before: [[`select set_config('jit', $1, true)`, ['off']]],
      })
  }
  await ask(500) // compiles the code
  const growths: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = oldBytes()
    await ask(200)
    growths.push((oldBytes() - before) / 200)
  }
  const [, , median = Number.NaN] = growths.sort((one, other) => one - other)
  t.true(median < 2000, `${Math.round(median)} bytes a statement`)
})
