/** The queue before the pool. */
import test from 'ava'
import {createGate} from '../../../src/db/gate.ts'

const busy = {status: 503, rule: 'busy', headers: {'Retry-After': '2'}}

test('as many as there are places enter at once, the next when one leaves, in order', async t => {
  const gate = createGate({places: 2, queueMax: 9, waitMs: 10_000})
  const order: string[] = []
  async function enterAs(name: string): Promise<() => void> {
    const leave = await gate.enter()
    order.push(name)
    return leave
  }
  const [leaveFirst] = await Promise.all([gate.enter(), gate.enter()])
  const third = enterAs('third')
  const fourth = enterAs('fourth')

  leaveFirst()
  leaveFirst() // twice does no harm
  const leaveThird = await third
  t.deepEqual(order, ['third'])

  leaveThird()
  await fourth
  t.deepEqual(order, ['third', 'fourth'])
})

test('a full queue is a 503 at once', async t => {
  const gate = createGate({places: 1, queueMax: 0, waitMs: 10_000})
  await gate.enter()

  t.like(await t.throwsAsync(gate.enter()), busy)
})

test('a wait that is too long is a 503, and its place goes to others', async t => {
  const gate = createGate({places: 1, queueMax: 9, waitMs: 1})
  const leave = await gate.enter()

  t.like(await t.throwsAsync(gate.enter()), busy)
  leave()
  t.is(typeof (await gate.enter()), 'function')
})
