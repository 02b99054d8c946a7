/** Checksums in worker threads: the same results, in limited time. */
import test from 'ava'
import {checksumOf, groundChecksumOf} from '../../../src/checksum/canonical.ts'
import {createChecksumPool} from '../../../src/checksum/pool.ts'
import {blankNode, literal, namedNode, triple} from '../../../src/rdf/term.ts'
import {cliqueOf, property} from './graphs.ts'

const blank = [
  triple(blankNode('x'), property, blankNode('y')),
  triple(blankNode('y'), property, literal('é\u{1F600}')),
]
const ground = Array.from({length: 3_000}, (_, index) =>
  triple(namedNode(`http://e/${index}`), property, literal(`${index}`)),
)

test('a worker thread gives the same checksum, for many concurrent graphs of any size', async t => {
  const pool = createChecksumPool({threads: 2})
  t.teardown(pool.close)

  const checksums = await Promise.all([blank, ground, blank, ground.slice(0, 5)].map(pool.checksum))

  t.deepEqual(checksums, [
    await checksumOf(blank),
    groundChecksumOf(ground),
    await checksumOf(blank),
    groundChecksumOf(ground.slice(0, 5)),
  ])
})

test('a graph that needs too much work is refused, and the thread takes the next one', async t => {
  const pool = createChecksumPool({threads: 1, workFactor: 1})
  t.teardown(pool.close)

  const [refused, done] = await Promise.allSettled([pool.checksum(cliqueOf(6)), pool.checksum(blank)])

  t.like(refused, {status: 'rejected', reason: {status: 422, rule: 'checksum-work', members: {workFactor: 1}}})
  t.deepEqual(done, {status: 'fulfilled', value: await checksumOf(blank)})
})

test('a graph that takes too long ends its thread, and the next one gets a new thread', async t => {
  const pool = createChecksumPool({threads: 1, limitMs: 300, workFactor: 4}) // the allowed work would take minutes
  t.teardown(pool.close)

  const [refused, done] = await Promise.allSettled([pool.checksum(cliqueOf(14)), pool.checksum(blank)])

  t.like(refused, {status: 'rejected', reason: {status: 503, rule: 'checksum-time', members: {limitMs: 300}}})
  t.deepEqual(done, {status: 'fulfilled', value: await checksumOf(blank)})
})

test('graphs beyond the length of the queue are refused at once', async t => {
  const pool = createChecksumPool({threads: 1, queueLimit: 1})
  t.teardown(pool.close)

  const outcomes = await Promise.allSettled([blank, blank, blank].map(pool.checksum))

  t.deepEqual(
    outcomes.map(({status}) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
})

test('closing fails waiting and running jobs', async t => {
  const pool = createChecksumPool({threads: 1})
  const outcomes = Promise.allSettled([pool.checksum(cliqueOf(14)), pool.checksum(blank)])

  await pool.close()

  t.like(await outcomes, [
    {status: 'rejected', reason: {status: 503, rule: 'checksum-time'}},
    {status: 'rejected', reason: {status: 503, rule: 'checksum-time'}},
  ])
})
