/** The queue in which callers take turns. */
import test from 'ava'
import fc from 'fast-check'
import {createFairQueue} from '../../../src/base/fair-queue.ts'

test('callers are served in turn, each in its own order', t => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0], item)
  queue.add(undefined, '-1')

  t.deepEqual(
    Array.from({length: 8}, () => queue.next()),
    ['a1', 'b1', 'c1', '-1', 'a2', 'b2', 'a3', undefined],
  )
})

test('a late caller waits for at most one item of each other caller', t => {
  const queue = createFairQueue<string>()
  for (let n = 0; n < 1000; n += 1) queue.add('crowd', `crowd ${n}`)
  queue.next()
  queue.add('late', 'late')

  t.deepEqual([queue.next(), queue.next()], ['crowd 1', 'late'])
})

test('datasets are served in turn, and the callers of each in turn', t => {
  const queue = createFairQueue<string>()
  for (const item of ['aX1', 'aX2', 'aY1', 'aY2']) queue.add(item[1], item, 'a')
  for (const item of ['bX1', 'bX2']) queue.add(item[1], item, 'b')

  t.deepEqual(
    Array.from({length: 7}, () => queue.next()),
    ['aX1', 'bX1', 'aY1', 'bX2', 'aX2', 'aY2', undefined],
  )
})

test('a dataset that is not admitted is passed over and keeps its place', t => {
  const queue = createFairQueue<string>()
  queue.add(undefined, 'a1', 'a')
  queue.add(undefined, 'b1', 'b')
  queue.add(undefined, 'b2', 'b')

  t.is(
    queue.next(dataset => dataset !== 'a'),
    'b1',
  )
  t.deepEqual([queue.sizeOf('a'), queue.sizeOf('b'), queue.size()], [1, 1, 2])
  t.false(queue.has(() => false))
  t.deepEqual([queue.next(), queue.next()], ['a1', 'b2'])
})

test('after random additions and removals, no item is lost or repeated', t => {
  const step = fc.oneof(
    fc.record({add: fc.constantFrom('a', 'b', undefined)}),
    fc.record({remove: fc.nat(30)}),
    fc.constant('next' as const),
  )
  fc.assert(
    fc.property(fc.array(step, {maxLength: 60}), steps => {
      const queue = createFairQueue<{readonly caller: string | undefined}>()
      const inside = new Set<{readonly caller: string | undefined}>()
      const added: {readonly caller: string | undefined}[] = []
      for (const one of steps) {
        if (one === 'next') {
          const item = queue.next()
          t.is(item !== undefined, inside.size > 0)
          if (item !== undefined) t.true(inside.delete(item))
        } else if ('add' in one) {
          const item = {caller: one.add}
          queue.add(item.caller, item)
          inside.add(item)
          added.push(item)
        } else {
          const item = added[one.remove]
          if (item !== undefined) t.is(queue.remove(item.caller, item), inside.delete(item))
        }
        t.is(queue.size(), inside.size)
      }
      const rest = queue.clear()
      t.true(rest.length === inside.size && rest.every(item => inside.has(item)))
      t.deepEqual([queue.size(), queue.next()], [0, undefined])
    }),
  )
})
