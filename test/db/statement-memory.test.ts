/** The memory of statements: minor collections free it, so that major collections, which take long, are rare. */
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import test from 'ava'
import {createTestDatabase} from '../support/postgres.ts'

setFlagsFromString('--expose-gc')
const collect: (options: {readonly type: 'minor'}) => void = runInNewContext('gc')

/** The bytes of the old generation, after minor collections. */
function oldBytes(): number {
  for (let n = 0; n < 3; n++) collect({type: 'minor'})
  const old = getHeapSpaceStatistics().find(({space_name: name}) => name === 'old_space')
  return old?.space_used_size ?? 0
}

test.serial('minor collections free the parameters and rows of statements', async t => {
  const {database, drop} = await createTestDatabase('template0', {connectionMax: 1})
  t.teardown(drop)
  const ask = async (count: number) => {
    for (let n = 0; n < count; n++)
      await database.query('select $1::int8[] as ids', [`{${n},${'1,'.repeat(500)}2}`], {
        before: [`select set_config('jit', $1, true)`, ['off']],
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
