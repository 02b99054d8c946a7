/** Turns: a limited number of concurrent queries for each caller; others wait in order, for a limited time. */
import test from 'ava'
import {createTurns, type Turns} from '../../../src/web/server/turns.ts'

const present = new AbortController().signal

async function take<Result>(
  turns: Turns,
  caller: string | undefined,
  {begin, signal = present}: {readonly begin: () => Promise<Result>; readonly signal?: AbortSignal},
): Promise<Result> {
  const end = await turns.enter(caller, signal)
  return begin().finally(end)
}

function work() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return {begin: () => ended, end: () => end()}
}

test('each caller has a number of turns, and waiting queries come next in order', async t => {
  const turns = createTurns({places: 1, waitingMax: 5, waitMs: 60_000})
  const [first, second] = [work(), work()]
  const order: string[] = []
  const enter = (caller: string | undefined, name: string, begin: () => Promise<void>) =>
    take(turns, caller, {
      begin() {
        order.push(name)
        return begin()
      },
    })

  const running = [enter('a', 'a1', first.begin), enter('a', 'a2', second.begin)]
  await enter('b', 'b1', async () => undefined)
  await enter(undefined, 'nobody', async () => undefined)
  t.deepEqual(order, ['a1', 'b1', 'nobody'])
  first.end()
  await running[0]
  t.deepEqual(order, ['a1', 'b1', 'nobody', 'a2'])
  second.end()
  await running[1]
  await enter('a', 'a3', async () => undefined)

  t.is(order.at(-1), 'a3')
})

test('too many or too long waits are a 429, clients that disconnect stop waiting, and a failure frees its turn', async t => {
  const turns = createTurns({places: 1, waitingMax: 2, waitMs: 20})
  const first = work()
  const running = take(turns, 'a', first)
  const refused = {status: 429, rule: 'queries-at-once', headers: {'Retry-After': '1'}, members: {limit: 1}}
  const nothing = {begin: async () => undefined}
  const client = new AbortController()

  const late = t.throwsAsync(take(turns, 'a', nothing))
  const gone = t.throwsAsync(take(turns, 'a', {...nothing, signal: client.signal}))
  t.like(await t.throwsAsync(take(turns, 'a', nothing)), refused)
  client.abort()
  t.like(await gone, {status: 499, rule: 'client-gone'})
  t.like(await late, refused)
  t.like(await t.throwsAsync(take(turns, 'a', {...nothing, signal: AbortSignal.abort()})), {status: 499})
  first.end()
  await running
  await t.throwsAsync(take(turns, 'a', {begin: () => Promise.reject(new Error('failed'))}), {message: 'failed'})

  t.is(await take(turns, 'a', {begin: async () => 'done'}), 'done')
})
