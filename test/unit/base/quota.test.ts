/** Quotas: a burst, then a steady rate, for each caller. */
import test from 'ava'
import {createQuota} from '../../../src/base/quota.ts'

const ten = {amount: 10, windowMs: 1000, callersMax: 100}

test('a caller may use the whole quota at once, and no more', t => {
  const quota = createQuota(ten)

  const grants = Array.from({length: 12}, () => quota.take('a', 5000))

  t.deepEqual(
    grants.map(({isGranted, left}) => [isGranted, left]),
    [...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(left => [true, left]), [false, 0], [false, 0]],
  )
  t.like(grants[0], {wholeAfterMs: 100, retryAfterMs: 0})
  t.like(grants[11], {wholeAfterMs: 1000, retryAfterMs: 100})
})

test('the quota grows back one by one, and refusals cost nothing', t => {
  const quota = createQuota(ten)
  for (let n = 0; n < 30; n++) quota.take('a', 0)

  t.deepEqual(
    [99, 100, 100, 350, 350, 350].map(at => quota.take('a', at).isGranted),
    [false, true, false, true, true, false],
  )
  t.like(quota.take('a', 5000), {isGranted: true, left: 9})
})

test('callers do not share, and a forgotten caller starts again', t => {
  const quota = createQuota({...ten, amount: 1, callersMax: 2})

  t.deepEqual(
    ['a', 'b', 'a', 'b', 'c', 'a', 'c'].map(caller => quota.take(caller, 0).isGranted),
    [true, true, false, false, true, true, false],
  )
})

test('looking returns the same as taking, and takes nothing', t => {
  const quota = createQuota({...ten, amount: 2})

  t.deepEqual(quota.look('a', 0), {isGranted: true, left: 2, wholeAfterMs: 0, retryAfterMs: 0})
  quota.take('a', 0)
  t.deepEqual(quota.look('a', 0), quota.look('a', 0))
  quota.take('a', 0)
  t.deepEqual(quota.look('a', 0), {isGranted: false, left: 0, wholeAfterMs: 1000, retryAfterMs: 500})
  t.deepEqual(quota.look('a', 5000), {isGranted: true, left: 2, wholeAfterMs: 0, retryAfterMs: 0})
})
