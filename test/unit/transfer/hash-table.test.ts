/** Ids by hash: all values are found while the table grows. */
import {randomFillSync} from 'node:crypto'
import test from 'ava'
import {HashTable} from '../../../src/transfer/hash-table.ts'

test('a hundred thousand hashes are found with their values', t => {
  const table = new HashTable(16)
  const hashes = Array.from({length: 100_000}, () => randomFillSync(new Int32Array(4)))
  for (const [index, hash] of hashes.entries()) {
    const at = table.place(hash)
    t.true(table.isNew(at))
    table.set(at, hash, -index, index + 1)
    table.setNote(at, index % 7)
  }

  const wrong = hashes.filter((hash, index) => {
    const at = table.place(hash)
    const found = [table.isNew(at), table.high(at), table.low(at), table.note(at)]
    return found.join() !== [false, -index | 0, index + 1, index % 7].join()
  })

  t.is(wrong.length, 0)
  t.is(table.size, hashes.length)
})

test('hashes with the same beginning are distinguished', t => {
  const table = new HashTable(16)
  for (let n = 0; n < 8; n++) {
    const hash = Int32Array.of(1, 2, 3, n)
    table.set(table.place(hash), hash, 0, n + 1)
  }

  const found = Array.from({length: 8}, (_, n) => table.low(table.place(Int32Array.of(1, 2, 3, n))))

  t.deepEqual(found, [1, 2, 3, 4, 5, 6, 7, 8])
})
