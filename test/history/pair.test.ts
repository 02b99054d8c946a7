/** Updates of two documents beside other writes of each: their responses are linearizable, and no state is torn. */
import {Agent} from 'node:http'
import test from 'ava'
import {schemaIdentifier} from '../support/postgres.ts'
import {useService} from '../support/service.ts'
import {unexplained} from './linearize.ts'
import {type Pair, type PairOperation, pairModel} from './pair.ts'
import {createPairClient, makePair} from './pair-client.ts'
import {createWire, oneOf} from './wire.ts'

const seconds = Number(process.env.HISTORY_SECONDS ?? 4)
const clients = Number(process.env.HISTORY_CLIENTS ?? 8)
const pairs = 4
const kinds = ['added', 'swapped', 'replaced', 'patched', 'mismatch', 'read', 'snapshot'] as const
const allowed = [
  /^setup (POST 201|PATCH 204)$/,
  /^pair (GET 200|POST 200|PUT (204|412)|PATCH 204)$/, // an update that meets others too often is a 503
]

test(`${clients} clients that update pairs of documents for ${seconds} s: each history has an order`, async t => {
  t.timeout((2 * seconds + 60) * 1000)
  const service = await useService(t, {DATABASE_POOL_MAX: String(Math.max(4, clients / 2))})
  const agent = new Agent({keepAlive: true, maxSockets: clients})
  t.teardown(() => agent.destroy())
  const wire = createWire(service.base, agent, {inTrouble: async ({status}) => void t.is(status, 503)})
  const histories = await Promise.all(
    Array.from({length: pairs}, async (_, index) => {
      const place = await makePair(wire, `pair-${index}`)
      return {place, operations: [] as PairOperation[]}
    }),
  )
  const deadline = performance.now() + seconds * 1000

  const missing = () => kinds.filter(kind => !histories.some(each => each.operations.some(one => one.kind === kind)))
  const client = async () => {
    const acts = histories.map(({place, operations}) => createPairClient(wire, place, one => operations.push(one)))
    while (performance.now() < deadline || (missing().length > 0 && performance.now() < deadline + 30_000))
      await oneOf(acts)()
  }
  await Promise.all(Array.from({length: clients}, client))

  t.log([...wire.statuses].map(([answer, count]) => `${answer}: ${count}`).join(', '))
  const others = [...wire.statuses.keys()].filter(answer => !allowed.some(pattern => pattern.test(answer)))
  t.deepEqual(
    others.filter(answer => !answer.endsWith(' 503')),
    [],
  )
  t.deepEqual(missing(), [])
  for (const {place, operations} of histories)
    t.is(unexplained(operations, {values: [0, 0], tags: place.tags}, pairModel), undefined, JSON.stringify(place))
  t.deepEqual(await service.database.database.query(`select * from ${schemaIdentifier}.check_store()`), [])
})

const initial: Pair = {values: [1, 2], tags: ['1', '2']}
const added: PairOperation = {kind: 'added', by: 10, tags: ['3', '4'], start: 0, end: 10}

test('a correct history of a pair has an order', t => {
  const history: readonly PairOperation[] = [
    added,
    {kind: 'snapshot', values: [1, 2], start: 1, end: 5},
    {kind: 'snapshot', values: [11, 12], start: 1, end: 4},
    {kind: 'read', at: 1, tag: '4', value: 12, start: 2, end: 12},
    {kind: 'swapped', start: 20, end: 90, isMaybe: true},
    {kind: 'snapshot', values: [12, 11], start: 30, end: 31},
    {kind: 'mismatch', at: 0, from: '3', start: 32, end: 33},
    {kind: 'replaced', at: 0, from: '9', tag: '10', value: 5, start: 34, end: 35},
    {kind: 'patched', at: 1, tag: '11', by: 1, start: 36, end: 37},
    {kind: 'snapshot', values: [5, 12], start: 38, end: 39},
  ]

  t.is(unexplained(history, initial, pairModel), undefined)
})

const broken: readonly (readonly [what: string, operations: readonly PairOperation[]])[] = [
  ['half of an update', [{kind: 'snapshot', values: [11, 2], start: 1, end: 9}]],
  [
    'half of an update in two reads',
    [
      {kind: 'read', at: 0, tag: '3', value: 11, start: 1, end: 2},
      {kind: 'read', at: 1, tag: '2', value: 2, start: 3, end: 4},
    ],
  ],
  [
    'an update that was lost on one side',
    [
      {kind: 'replaced', at: 1, from: '2', tag: '5', value: 7, start: 1, end: 20},
      {kind: 'snapshot', values: [11, 7], start: 1, end: 6},
      {kind: 'snapshot', values: [11, 12], start: 21, end: 22},
    ],
  ],
  ['a condition that did not count', [{kind: 'replaced', at: 0, from: '1', tag: '5', value: 7, start: 11, end: 20}]],
  [
    'a swap of one side',
    [
      {kind: 'swapped', tags: ['5', '6'], start: 11, end: 12},
      {kind: 'snapshot', values: [12, 12], start: 13, end: 14},
    ],
  ],
]
for (const [what, operations] of broken) {
  test(`no order explains ${what} of a pair`, t => {
    t.not(unexplained([added, ...operations], initial, pairModel), undefined)
  })
}
