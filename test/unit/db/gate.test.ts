/** The queue before the pool, and the shares of its places. */
import test from 'ava'
import fc from 'fast-check'
import {answersOfCaller, createGate, type GateShare, sharesOf} from '../../../src/db/connection/gate.ts'

const busy = {status: 503, rule: 'busy', headers: {'Retry-After': '2'}}

test('as many callers as places enter at once, the next when one leaves, in order', async t => {
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
  leaveFirst() // a second call has no effect
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

test('a wait that is too long is a 503, and its place is given to others', async t => {
  const gate = createGate({places: 1, queueMax: 9, waitMs: 1})
  const leave = await gate.enter()

  t.like(await t.throwsAsync(gate.enter()), busy)
  leave()
  t.is(typeof (await gate.enter()), 'function')
})

/** How many callers of a share enter if none leaves. */
async function entered(places: number, share: GateShare): Promise<number> {
  const gate = createGate({places, queueMax: 0, waitMs: 10_000, hasShares: true})
  for (let count = 0; ; count += 1) {
    const isRefused = await gate.enter(share).then(
      () => false,
      () => true,
    )
    if (isRefused) return count
  }
}

test('no share uses the places that are reserved for the others', async t => {
  const most = async (places: number) => [
    await entered(places, 'read'),
    await entered(places, 'write'),
    await entered(places, 'query'),
    await entered(places, 'long'),
  ]

  t.deepEqual(await most(1), [1, 1, 1, 1])
  t.deepEqual(await most(2), [2, 2, 1, 1])
  t.deepEqual(await most(3), [1, 1, 1, 1])
  t.deepEqual(await most(4), [2, 2, 2, 1])
  t.deepEqual(await most(10), [6, 6, 5, 4])
  t.deepEqual(await most(100), [60, 60, 50, 49])
  t.deepEqual([1, 2, 3, 4, 10, 100].map(answersOfCaller), [1, 1, 1, 1, 3, 48])
})

test('a query with a short answer does not wait for long answers', async t => {
  const gate = createGate({places: 4, queueMax: 100, waitMs: 10_000, hasShares: true})
  await gate.enter('long')
  const waiting = Array.from({length: 50}, () => gate.enter('long'))

  const leave = await gate.enter('query')
  t.deepEqual(gate.load().waiting, {read: 0, write: 0, query: 0, long: waiting.length})
  leave()
  t.deepEqual(gate.load().busy, {read: 0, write: 0, query: 0, long: 1}, 'its place is not given to a long one')
})

test('callers take turns: a caller who waits for many requests of another one is served next', async t => {
  const gate = createGate({places: 1, queueMax: 100, waitMs: 10_000})
  const leave = await gate.enter('write', 'crowd')
  const order: string[] = []
  const pass = async (caller: string) => {
    const leaveAgain = await gate.enter('write', caller)
    order.push(caller)
    leaveAgain()
  }
  const all = [...Array.from({length: 20}, () => pass('crowd')), pass('other')]

  leave()
  await Promise.all(all)

  t.deepEqual(order.slice(0, 3), ['crowd', 'other', 'crowd'])
})

test('a caller who waits for many requests of another share is served when a place is free', async t => {
  const gate = createGate({places: 1, queueMax: 100, waitMs: 10_000, hasShares: true})
  const leave = await gate.enter('long')
  const order: string[] = []
  const pass = async (share: GateShare) => {
    const leaveAgain = await gate.enter(share)
    order.push(share)
    leaveAgain()
  }
  const crowd = Array.from({length: 20}, () => pass('long'))
  const others = [pass('read'), pass('write')]

  leave()
  await Promise.all([...crowd, ...others])

  t.true(order.indexOf('read') < 3 && order.indexOf('write') < 3, order.join())
})

const settled = () => new Promise(resolve => setImmediate(resolve))

test('in random order: no more callers than places, reserved places stay free, every caller is served', async t => {
  const share = fc.constantFrom<GateShare>('read', 'write', 'query', 'long')
  const steps = fc.array(fc.oneof(share, fc.nat(20)), {maxLength: 80})
  await fc.assert(
    fc.asyncProperty(fc.integer({min: 1, max: 12}), steps, async (places, all) => {
      const gate = createGate({places, queueMax: 1000, waitMs: 60_000, hasShares: true})
      const inside: (() => void)[] = []
      let [asked, served] = [0, 0]
      const {kept, answersMax, longMax} = sharesOf(places)
      const check = () => {
        const {busy: taken} = gate.load()
        const answers = taken.query + taken.long
        t.true(taken.read + taken.write + answers <= places && answers <= answersMax && taken.long <= longMax)
        for (const one of [taken.read, taken.write, answers]) t.true(places - one >= 2 * kept)
      }
      for (const step of all) {
        if (typeof step === 'number') inside.splice(step % Math.max(1, inside.length), 1)[0]?.()
        else {
          asked += 1
          void gate.enter(step).then(leave => {
            served += 1
            inside.push(leave)
          })
        }
        check()
      }
      await settled()
      for (let leave = inside.pop(); leave !== undefined; leave = inside.pop()) {
        leave()
        await settled()
      }
      t.is(served, asked)
      const none = {read: 0, write: 0, query: 0, long: 0}
      t.deepEqual(gate.load(), {places, busy: none, waiting: none})
    }),
  )
})

test('a dataset has half of the places of a share, and others enter past its queue', async t => {
  const gate = createGate({places: 10, queueMax: 100, waitMs: 10_000, hasShares: true})
  const left: (() => void)[] = []
  const entered: string[] = []
  const enter = (dataset: string, share: GateShare) =>
    gate.enter(share, undefined, dataset).then(leave => {
      entered.push(`${dataset} ${share}`)
      left.push(leave)
    })
  for (let n = 0; n < 20; n += 1) for (const share of ['read', 'write', 'long'] as const) void enter('flood', share)
  await new Promise(resolve => setImmediate(resolve))
  const counts = () => {
    const found: Record<string, number> = {}
    for (const one of entered) found[one] = (found[one] ?? 0) + 1
    return found
  }
  t.deepEqual(counts(), {'flood read': 3, 'flood write': 3, 'flood long': 2})

  await enter('calm', 'read')
  await enter('calm', 'query')
  t.deepEqual(counts(), {'flood read': 3, 'flood write': 3, 'flood long': 2, 'calm read': 1, 'calm query': 1})

  void enter('calm', 'write')
  await new Promise(resolve => setImmediate(resolve))
  t.is(counts()['calm write'], undefined, 'every place is taken')
  left.shift()?.()
  await new Promise(resolve => setImmediate(resolve))
  t.is(gate.load().busy.read + gate.load().busy.write, 7)
  while (left.length > 0) {
    left.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  t.deepEqual(gate.load().waiting, {read: 0, write: 0, query: 0, long: 0})
  t.is(counts()['calm write'], 1)
})

test('a dataset has half of the queue', async t => {
  const gate = createGate({places: 1, queueMax: 4, waitMs: 60_000})
  const leave = await gate.enter('read', undefined, 'flood')
  const waiting = ['flood', 'flood'].map(dataset => gate.enter('read', undefined, dataset))

  await t.throwsAsync(gate.enter('read', undefined, 'flood'), {message: /Too many requests wait/})
  const calm = gate.enter('read', undefined, 'calm')
  leave()
  const [first] = await Promise.all(waiting.slice(0, 1))
  first?.()
  const next = await calm
  next()
  for (const one of waiting.slice(1)) (await one)()
  t.is(gate.load().busy.read, 0)
})
