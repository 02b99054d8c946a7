/** The share of one of several processes in the limits of the service. */
import test from 'ava'
import fc from 'fast-check'
import {readConfig} from '../../src/settings/config.ts'
import {configOfShare, partOf} from '../../src/workers/share.ts'

test('parts add up to the total and differ by at most one', t => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({min: 1, max: 64}), (total, of) => {
      const parts = Array.from({length: of}, (_, index) => partOf(total, {number: index + 1, of}))
      const [sum, spread] = [parts.reduce((one, other) => one + other, 0), Math.max(...parts) - Math.min(...parts)]
      return sum === total && spread <= 1
    }),
  )
  t.pass()
})

test('each of three workers has its part of connections, queue, queries and room for answers', t => {
  const config = readConfig({WORKERS: '3', DATABASE_POOL_MAX: '10', SPOOL_LIMIT_TOTAL_BYTES: '300'})

  const {database, callers, spool, limits} = configOfShare(config, {number: 1, of: 3})

  t.like(database, {connectionMax: 4, queueMax: 334})
  t.like(callers, {queriesAtOnce: 2, requests: 10_000, connections: 5000, connectionsPerAddress: 500})
  t.like(spool, {totalBytes: 100, callerBytes: 178_956_971, answerBytes: 268_435_456})
  t.is(limits, config.limits)
  t.is(configOfShare(readConfig({QUERY_LIMIT_AT_ONCE: 'off'}), {number: 1, of: 2}).callers.queriesAtOnce, Infinity)
})
