/** Turns: a limited number of concurrent queries for each caller; others wait in order, for a limited time. */
import test from 'ava'
import {createTurns} from '../../../src/web/server/turns.ts'

const present = new AbortController().signal

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
  const take = (caller: string | undefined, name: string, begin: () => Promise<void>) =>
    turns.take(caller, present, async () => {
      order.push(name)
      await begin()
    })

  const running = [take('a', 'a1', first.begin), take('a', 'a2', second.begin)]
  await take('b', 'b1', async () => undefined)
  await take(undefined, 'nobody', async () => undefined)
  t.deepEqual(order, ['a1', 'b1', 'nobody'])
  first.end()
  await running[0]
  t.deepEqual(order, ['a1', 'b1', 'nobody', 'a2'])
  second.end()
  await running[1]
  await take('a', 'a3', async () => undefined)

  t.is(order.at(-1), 'a3')
})

test('too many or too long waits are a 429, clients that disconnect stop waiting, and a failure frees its turn', async t => {
  const turns = createTurns({places: 1, waitingMax: 2, waitMs: 20})
  const first = work()
  const running = turns.take('a', present, first.begin)
  const refused = {status: 429, rule: 'queries-at-once', headers: {'Retry-After': '1'}, members: {limit: 1}}
  const nothing = async () => undefined
  const client = new AbortController()

  const late = t.throwsAsync(turns.take('a', present, nothing))
  const gone = t.throwsAsync(turns.take('a', client.signal, nothing))
  t.like(await t.throwsAsync(turns.take('a', present, nothing)), refused)
  client.abort()
  t.like(await gone, {status: 499, rule: 'client-gone'})
  t.like(await late, refused)
  t.like(await t.throwsAsync(turns.take('a', AbortSignal.abort(), nothing)), {status: 499})
  first.end()
  await running
  await t.throwsAsync(
    turns.take('a', present, () => Promise.reject(new Error('failed'))),
    {message: 'failed'},
  )

  t.is(await turns.take('a', present, async () => 'done'), 'done')
})
