/** A quota that several processes share: together they grant as much as one would. */
import test from 'ava'
import {type Borrow, createLentQuota} from '../../../src/base/lent-quota.ts'
import {type Admission, createQuota, type Loan} from '../../../src/base/quota.ts'

const hour = 3_600_000

/** A keeper that responds one turn of the event loop later, with this many workers. */
function share(amount: number, workers: number) {
  const options = {amount, windowMs: hour, callersMax: 100}
  const quota = createQuota(options)
  const messages: Parameters<Borrow>[0][] = []
  const borrow = async (requests: Parameters<Borrow>[0]): Promise<readonly Loan[]> => {
    messages.push(requests)
    await new Promise(resolve => setImmediate(resolve))
    return requests.map(({caller, most}) => quota.lend(caller, 0, most))
  }
  return {messages, workers: Array.from({length: workers}, () => createLentQuota(options, borrow))}
}

function granted(grants: readonly Admission[]): number {
  return grants.filter(({isGranted}) => isGranted).length
}

for (const [amount, workers] of [
  [1, 2],
  [20, 2],
  [150, 3],
  [1000, 2],
  [10_000, 4],
] as const) {
  test(`${workers} workers grant ${amount} of a burst, however it is distributed, and no more`, async t => {
    const shared = share(amount, workers)
    const asked = Array.from({length: amount * 2}, (_, n) => shared.workers[n % workers])

    const grants = await Promise.all(asked.map(worker => worker?.take('a') ?? t.fail()))

    t.is(granted(grants as readonly Admission[]), amount)
  })

  test(`one of ${workers} workers may grant all ${amount}`, async t => {
    const [worker] = share(amount, workers).workers
    const grants: Admission[] = []

    for (let n = 0; n < amount + 5; n++) grants.push((await worker?.take('a')) as Admission)

    t.deepEqual(
      grants.map(({isGranted, left}) => [isGranted, left]),
      Array.from({length: amount + 5}, (_, n) => [n < amount, Math.max(0, amount - 1 - n)]),
    )
  })
}

test('requests of one turn of the event loop are one message; a loan lasts for a hundredth of the quota', async t => {
  const {messages, workers} = share(1000, 1)
  const [worker] = workers

  await Promise.all(['a', 'b', 'a'].map(caller => worker?.take(caller)))
  for (let n = 0; n < 8; n++) await worker?.take('a')

  t.deepEqual(messages, [
    [
      {caller: 'a', most: 10},
      {caller: 'b', most: 10},
    ],
  ])
})

test('looking takes nothing, and returns whether a request would be granted', async t => {
  const [worker] = share(2, 1).workers

  const looks = [await worker?.look('a'), await worker?.look('a'), await worker?.take('a'), await worker?.take('a')]

  t.deepEqual(
    looks.map(grant => [grant?.isGranted, grant?.left]),
    [
      [true, 2],
      [true, 2],
      [true, 1],
      [true, 0],
    ],
  )
  t.false((await worker?.look('a'))?.isGranted)
})

test('if the keeper is gone, waiting requests fail, and later ones ask it again', async t => {
  const options = {amount: 10, windowMs: hour, callersMax: 100}
  let isGone = true
  const worker = createLentQuota(options, async requests => {
    if (isGone) throw new Error('gone')
    return requests.map(() => ({units: 1, grant: {isGranted: true, left: 9, wholeAfterMs: 1, retryAfterMs: 0}}))
  })

  await t.throwsAsync(async () => worker.take('a'), {message: 'gone'})
  isGone = false
  t.true((await worker.take('a')).isGranted)
})
