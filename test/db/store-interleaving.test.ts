/** Transactions of several writes to triples that many documents share, interleaved at random. */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {base, openTransaction, type TestStore, useStore} from '../support/store.ts'

const documents = ['a/', 'b/', 'c/', 'd/', 'e/'].map(path => base + path)
const triples = [
  ...['1', '2', '3'].map(name => ['http://e/x', 'http://e/p', `http://e/${name}`]),
  [`${base}a/`, 'http://www.w3.org/ns/ldp#member', `${base}a/child/`],
]
const workers = 6
const rounds = 30

function pick<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** A transaction of one to four writes, committed or rolled back. One that a deadlock ends counts as rolled back. */
async function work(made: TestStore): Promise<string> {
  const transaction = await openTransaction(made)
  try {
    for (let left = 1 + Math.floor(Math.random() * 4); left > 0; left -= 1) await write(transaction.query)
  } catch (error) {
    await transaction.rollback()
    if (error instanceof Problem && [404, 409, 503].includes(error.status)) return error.rule
    throw error
  }
  if (Math.random() < 0.8) await transaction.commit()
  else await transaction.rollback()
  return 'done'
}

async function write(query: TestStore['made']['database']['query']): Promise<void> {
  const dice = Math.random()
  const document = pick(documents)
  const keys = pick(triples).map(iri => `I${iri}`)
  const ids = [0, 1, 2].map(index => `array[(intern_terms($2))[${index + 1}]]`).join(', ')
  if (dice < 0.35) await query(`select put_quads((lock_document($1)).id, ${ids})`, [document, keys])
  else if (dice < 0.75) await query(`select drop_quads((lock_document($1)).id, ${ids})`, [document, keys])
  else if (dice < 0.85) {
    const values = [`${base}a/child/`, `${base}a/`, keys, ['1'], ['2'], ['3']]
    await query('select create_document($1, $2, $3, $4, $5, $6)', values)
  } else if (dice < 0.95) await query('select delete_document($1)', [`${base}a/child/`])
  else await query('select touch_documents(array[(lock_document($1)).id])', [document])
}

test('each triple keeps one primary in any order of writes to shared triples', async t => {
  const made = await useStore(t, {connectionMax: workers + 1})
  for (const document of documents) await made.create(document)

  const outcomes: string[] = []
  const worker = async () => {
    for (let round = 0; round < rounds; round += 1) outcomes.push(await work(made))
  }
  await Promise.all(Array.from({length: workers}, worker))

  t.true(outcomes.includes('done'))
  t.deepEqual(await made.broken(), [])
})
