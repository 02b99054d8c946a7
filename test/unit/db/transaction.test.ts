/** Which transactions are repeated, and how often. */
import test from 'ava'
import {problemOf} from '../../../src/db/connection/problem-of.ts'
import {retry} from '../../../src/db/connection/transaction.ts'

/** Work that throws these codes one after the other, then returns how often it ran. */
function failing(...codes: readonly string[]): () => Promise<number> {
  let runs = 0
  return async () => {
    const code = codes[runs++]
    if (code !== undefined) throw problemOf(Object.assign(new Error(code), {code}))
    return runs
  }
}

test('after a serialization failure and two deadlocks the fourth try succeeds', async t => {
  t.is(await retry('write', failing('40001', '40P01', '40P01')), 4)
})

test('after three retries it is a 503 that may be repeated at once', async t => {
  const error = await t.throwsAsync(retry('write', failing('40001', '40001', '40001', '40001')))

  t.like(error, {status: 503, rule: 'busy', headers: {'Retry-After': '0'}})
})

test('a read is repeated once after a lost connection', async t => {
  t.is(await retry('read', failing('57P01')), 2)
  t.like(await t.throwsAsync(retry('read', failing('57P01', 'CONNECTION_CLOSED'))), {rule: 'database-available'})
})

test('a write is not repeated, because it may have been done', async t => {
  t.like(await t.throwsAsync(retry('write', failing('CONNECTION_CLOSED'))), {rule: 'database-available'})
})

test('any other error is not repeated', async t => {
  t.like(await t.throwsAsync(retry('read', failing('23514'))), {code: '23514'})
})
