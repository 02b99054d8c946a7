/** The responses to concurrent clients form a linearizable history, and so do changes. Tests of the checker follow. */
import test from 'ava'
import {startFeedReaders} from '../support/feed-ledger.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {useService} from '../support/service.ts'
import {runClients} from './clients.ts'
import {type Interval, type Model, unexplained} from './linearize.ts'
import {type Membership, type MembershipOperation, membershipModel} from './membership.ts'
import {noRegister, type RegisterOperation, registerModel} from './register.ts'

const allowed = [
  /^setup (GET 200|POST 201)$/,
  /^register (GET (200|404)|POST (201|409)|PUT (204|404|412)|PATCH (204|404|412)|DELETE (204|404|412))$/,
  /^member (GET (200|404)|POST (200|201|409)|PUT (204|412|422)|PATCH (204|404)|DELETE (204|404|412))$/,
  /^tangle (GET (200|404)|POST (201|404|409)|PUT (204|404|412|422|428)|PATCH (204|404|422)|DELETE (204|404))$/,
  /^twin POST 200$/,
  /^counter (GET 200|POST (200|201)|PATCH 204)$/,
]
const seconds = Number(process.env.HISTORY_SECONDS ?? 5)
const clients = Number(process.env.HISTORY_CLIENTS ?? 12)
const leastActs = 1500
const writes = ['replaced', 'exchanged', 'patched'] as const // of registers

test(`${clients} clients at random for ${seconds} s: no lost update, no torn read, only answers they may get`, async t => {
  t.timeout((2 * seconds + 90) * 1000)
  const service = await useService(t, {DATABASE_POOL_MAX: String(Math.max(4, clients / 2))})
  const readers = await startFeedReaders(t, service.base)
  const deadline = performance.now() + seconds * 1000
  let acts = 0 // on a busy machine they take longer

  const {registers, membership, complaints, statuses} = await runClients({
    url: service.base,
    clients,
    isOver({seen}) {
      acts += 1
      const hasEnough = acts > leastActs && writes.every(kind => seen.has(kind))
      return performance.now() > deadline && (hasEnough || performance.now() > deadline + 30_000)
    },
  })

  const [{deadlocks} = {deadlocks: 0}] = await service.database.database.query<{deadlocks: string}>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  t.log(
    [...statuses, ['deadlocks', deadlocks] as const]
      .map(([answer, count]) => `${answer}: ${count}`)
      .sort()
      .join(', '),
  )
  t.deepEqual(
    [...statuses.keys()].filter(answer => !allowed.some(pattern => pattern.test(answer))),
    [],
  )
  t.deepEqual(complaints, [])
  const tags = [...registers.values()]
    .flat()
    .flatMap(each => ('tag' in each && each.kind !== 'read' ? (each.tag ?? []) : []))
  t.is(new Set(tags).size, tags.length, 'no tag is given twice')
  for (const kind of writes)
    t.true(
      [...registers.values()].flat().some(each => each.kind === kind),
      `a register was ${kind}`,
    )
  for (const [path, history] of registers) t.deepEqual(aroundUnexplained(history, noRegister, registerModel), [], path)
  t.deepEqual(aroundUnexplained(membership.operations, membership.initial, membershipModel), [])
  for (const check of ['check_store', 'check_changes'])
    t.deepEqual(await service.database.database.query(`select * from ${schemaIdentifier}.${check}()`), [], check)
  t.deepEqual(await readers.verify(), [])
  t.true(
    readers.counts().every(count => count > leastActs / 10),
    readers.counts().join(', '),
  )
  const all = [...registers.values(), membership.operations]
  const told = `${all.length} histories of ${all.flat().length} operations: each has an order; ${deadlocks} deadlocks`
  t.log(told)
  if (process.env.HISTORY_SECONDS !== undefined) process.stderr.write(`${told}\n`)
})

/** The operation that no order explains, and the operations that ended before it and may be the reason. */
function aroundUnexplained<State, Operation extends Interval>(
  operations: readonly Operation[],
  initial: State,
  model: Model<State, Operation>,
): readonly string[] {
  const found = unexplained(operations, initial, model)
  if (found === undefined) return []
  return operations
    .filter(({start, end}) => start <= found.end && end > found.start - 100)
    .sort((a, b) => a.end - b.end)
    .map(each => `${each === found ? 'wrong: ' : ''}${JSON.stringify(each)}`)
}

const created: RegisterOperation = {kind: 'created', tag: '1', value: 'a', start: 0, end: 10}
const replaced: RegisterOperation = {kind: 'replaced', from: '1', tag: '2', value: 'b', start: 20, end: 30}
const contentOf = (value: string, marks: readonly string[] = [], list: readonly string[] = []) => ({value, marks, list})

test('a correct history of a register has an order', t => {
  const history: readonly RegisterOperation[] = [
    replaced,
    created,
    {kind: 'read', tag: '1', content: contentOf('a'), start: 5, end: 25},
    {kind: 'read', tag: '2', content: contentOf('b'), start: 22, end: 24},
    {kind: 'mismatch', from: '1', start: 25, end: 40},
    {kind: 'present', start: 1, end: 2},
    {kind: 'patched', tag: '4', change: {kind: 'append', text: 'y'}, start: 31, end: 34},
    {kind: 'patched', tag: '3', change: {kind: 'append', text: 'x'}, start: 32, end: 34},
    {kind: 'patched', from: '4', tag: '5', change: {kind: 'mark', text: 'm'}, start: 35, end: 36},
    {kind: 'exchanged', from: '5', tag: '6', value: 'c', start: 37, end: 38},
    {kind: 'read', tag: '6', content: contentOf('c', ['m'], ['x', 'y']), start: 37, end: 39},
    {kind: 'deleted', from: '6', start: 40, end: 50},
    {kind: 'absent', start: 45, end: 60},
    {kind: 'created', tag: '7', value: 'd', start: 55, end: 70},
    {kind: 'read', tag: '7', content: contentOf('d'), start: 71, end: 72},
  ]

  t.is(unexplained(history, noRegister, registerModel), undefined)
})

const brokenRegisters: readonly (readonly [what: string, operations: readonly RegisterOperation[]])[] = [
  ['a lost update', [{kind: 'replaced', from: '1', tag: '3', value: 'c', start: 25, end: 35}]],
  ['a lost update by a patch', [{kind: 'exchanged', from: '1', tag: '3', value: 'c', start: 25, end: 35}]],
  [
    'a condition that did not count',
    [{kind: 'patched', from: '1', tag: '3', change: {kind: 'mark', text: 'm'}, start: 40, end: 50}],
  ],
  [
    'an appended item that was lost',
    [
      {kind: 'patched', tag: '3', change: {kind: 'append', text: 'x'}, start: 40, end: 50},
      {kind: 'patched', tag: '4', change: {kind: 'append', text: 'y'}, start: 41, end: 51},
      {kind: 'read', tag: '4', content: contentOf('b', [], ['y']), start: 60, end: 61},
    ],
  ],
  [
    'a mark that outlived its removal',
    [
      {kind: 'patched', tag: '3', change: {kind: 'mark', text: 'm'}, start: 40, end: 50},
      {kind: 'patched', tag: '4', change: {kind: 'unmark', text: 'm'}, start: 51, end: 52},
      {kind: 'read', tag: '4', content: contentOf('b', ['m']), start: 60, end: 61},
    ],
  ],
  ['a patch of nothing', [{kind: 'patched', tag: '3', change: {kind: 'empty'}, start: -9, end: -8}]],
  ['a tag that came again', [{kind: 'patched', tag: '2', change: {kind: 'empty'}, start: 40, end: 50}]],
  ['a torn read', [{kind: 'read', tag: '2', content: contentOf('a and b'), start: 40, end: 50}]],
  ['a version from nowhere', [{kind: 'read', tag: '9', content: contentOf('b'), start: 40, end: 50}]],
  ['a stale read', [{kind: 'read', tag: '1', content: contentOf('a'), start: 40, end: 50}]],
  ['an early read', [{kind: 'read', tag: '2', content: contentOf('b'), start: 12, end: 15}]],
  ['a refused current tag', [{kind: 'mismatch', from: '2', start: 40, end: 50}]],
  ['a document that was not found', [{kind: 'absent', start: 40, end: 50}]],
  ['a document in the way before it was there', [{kind: 'present', start: -20, end: -10}]],
  ['an early delete', [{kind: 'deleted', from: '2', start: 12, end: 15}]],
]
for (const [what, operations] of brokenRegisters) {
  test(`no order explains ${what}`, t => {
    t.not(unexplained([created, replaced, ...operations], noRegister, registerModel), undefined)
  })
}

const never = Number.POSITIVE_INFINITY
const perhaps: RegisterOperation = {kind: 'replaced', from: '2', value: 'c', start: 35, end: never, isMaybe: true}
const uncertain: readonly (readonly [what: string, operations: readonly RegisterOperation[]])[] = [
  ['did not take place', [{kind: 'read', tag: '2', content: contentOf('b'), start: 90, end: 95}]],
  ['took place', [{kind: 'read', tag: '3', content: contentOf('c'), start: 40, end: 50}]],
  [
    'took place late',
    [
      {kind: 'read', tag: '2', content: contentOf('b'), start: 40, end: 50},
      {kind: 'mismatch', from: '2', start: 55, end: 60},
      {kind: 'read', tag: '5', content: contentOf('c'), start: 65, end: 70},
      {kind: 'replaced', from: '5', tag: '6', value: 'd', start: 75, end: 80},
    ],
  ],
  ['was overtaken', [{kind: 'replaced', from: '2', tag: '3', value: 'd', start: 40, end: 50}]],
]
for (const [what, operations] of uncertain) {
  test(`a write without an answer that ${what} has an order`, t => {
    t.is(unexplained([created, replaced, perhaps, ...operations], noRegister, registerModel), undefined)
  })
}

const brokenInTrouble: readonly (readonly [what: string, operations: readonly RegisterOperation[]])[] = [
  [
    'one that took place twice',
    [
      {kind: 'read', tag: '3', content: contentOf('c'), start: 40, end: 50},
      {kind: 'read', tag: '4', content: contentOf('c'), start: 60, end: 70},
    ],
  ],
  [
    'one that came undone',
    [
      {kind: 'read', tag: '3', content: contentOf('c'), start: 40, end: 50},
      {kind: 'read', tag: '2', content: contentOf('b'), start: 60, end: 70},
    ],
  ],
  ['half of one', [{kind: 'read', tag: '3', content: contentOf('b and c'), start: 40, end: 50}]],
  ['one before it was sent', [{kind: 'read', tag: '3', content: contentOf('c'), start: 31, end: 34}]],
  ['one without a new version', [{kind: 'read', tag: '2', content: contentOf('c'), start: 40, end: 50}]],
  [
    'one that took place though it was overtaken',
    [
      {kind: 'replaced', from: '2', tag: '3', value: 'd', start: 40, end: 50},
      {kind: 'read', tag: '4', content: contentOf('c'), start: 60, end: 70},
    ],
  ],
]
for (const [what, operations] of brokenInTrouble) {
  test(`no order explains a write without an answer: ${what}`, t => {
    t.not(unexplained([created, replaced, perhaps, ...operations], noRegister, registerModel), undefined)
  })
}

test('a write without an answer does not take place after its end', t => {
  const over = {...perhaps, end: 60}
  const early: RegisterOperation = {kind: 'read', tag: '2', content: contentOf('b'), start: 70, end: 80}
  const late: RegisterOperation = {kind: 'read', tag: '3', content: contentOf('c'), start: 85, end: 90}

  t.is(unexplained([created, replaced, over, early], noRegister, registerModel), undefined)
  t.is(unexplained([created, replaced, over, late], noRegister, registerModel), undefined)
  t.is(unexplained([created, replaced, over, early, late], noRegister, registerModel), late)
})

const initial: Membership = {there: ['m', 'n'], lists: {a: [], b: [], own: []}, tag: '1', isTold: true}
const addedToA: MembershipOperation = {kind: 'added', list: 'a', names: ['m', 'n'], start: 0, end: 10}
const noLists = {a: [], b: [], own: []}

test('a correct history of member lists has an order', t => {
  const history: readonly MembershipOperation[] = [
    addedToA,
    {kind: 'read', tag: '1', lists: noLists, start: 1, end: 9},
    {kind: 'snapshot', there: ['m', 'n'], lists: noLists, referring: [], start: 1, end: 9},
    {kind: 'read', tag: '2', lists: {...noLists, a: ['m', 'n']}, start: 8, end: 11},
    {kind: 'added', list: 'own', names: ['n'], from: '2', tag: '3', start: 12, end: 20},
    {kind: 'added', list: 'own', names: ['n'], tag: '3', start: 13, end: 22},
    {kind: 'mismatch', from: '2', start: 14, end: 24},
    {kind: 'unmade', name: 'n', start: 30, end: 40},
    {kind: 'unknown', names: ['m', 'n'], start: 31, end: 33},
    {kind: 'added', list: 'b', names: ['m', 'n'], start: 31, end: 33},
    {kind: 'absent', name: 'n', start: 34, end: 35},
    {kind: 'removed', list: 'a', names: ['m'], start: 41, end: 50},
    {kind: 'snapshot', there: ['m'], lists: {...noLists, b: ['m']}, referring: ['m'], start: 51, end: 52},
    {kind: 'removed', list: 'b', names: 'all', start: 53, end: 54},
    {kind: 'seen', name: 'm', isReferring: false, start: 55, end: 56},
    {kind: 'made', name: 'x', list: 'a', start: 57, end: 58},
    {kind: 'present', name: 'x', start: 59, end: 60},
    {kind: 'read', tag: '9', lists: {...noLists, a: ['x']}, start: 61, end: 62},
  ]

  t.is(unexplained(history, initial, membershipModel), undefined)
})

const inA = {...noLists, a: ['m', 'n']}
const brokenLists: readonly (readonly [what: string, operations: readonly MembershipOperation[]])[] = [
  ['a lost member', [{kind: 'read', tag: '2', lists: {...noLists, a: ['m']}, start: 20, end: 30}]],
  ['half of an addition', [{kind: 'read', tag: '2', lists: {...noLists, a: ['n']}, start: 5, end: 8}]],
  ['a member of the other access point', [{kind: 'read', tag: '2', lists: {...inA, b: ['m']}, start: 20, end: 30}]],
  ['a list that changed under its tag', [{kind: 'read', tag: '1', lists: inA, start: 20, end: 30}]],
  [
    'a tag that changed without the list',
    [
      {kind: 'read', tag: '2', lists: inA, start: 20, end: 30},
      {kind: 'removed', list: 'b', names: 'all', start: 31, end: 32},
      {kind: 'read', tag: '3', lists: inA, start: 40, end: 50},
    ],
  ],
  [
    'a member without its side of the relation',
    [{kind: 'snapshot', there: ['m', 'n'], lists: inA, referring: ['m'], start: 20, end: 30}],
  ],
  [
    'a side that stays when the other goes',
    [
      {kind: 'removed', list: 'a', names: ['m'], start: 20, end: 21},
      {kind: 'snapshot', there: ['m', 'n'], lists: {...noLists, a: ['n']}, referring: ['m', 'n'], start: 22, end: 30},
    ],
  ],
  ['a member that does not refer', [{kind: 'seen', name: 'm', isReferring: false, start: 20, end: 30}]],
  [
    'a removed member that comes back',
    [
      {kind: 'removed', list: 'a', names: 'all', start: 20, end: 21},
      {kind: 'read', tag: '3', lists: inA, start: 22, end: 23},
    ],
  ],
  [
    'a deleted document that stays on a list',
    [
      {kind: 'unmade', name: 'm', start: 5, end: 15},
      {kind: 'snapshot', there: ['n'], lists: inA, referring: ['n'], start: 20, end: 30},
    ],
  ],
  [
    'a member added after its end',
    [
      {kind: 'unmade', name: 'm', start: 20, end: 21},
      {kind: 'added', list: 'b', names: ['m'], start: 22, end: 23},
    ],
  ],
  ['a member that was there refused', [{kind: 'unknown', names: ['m'], start: 20, end: 30}]],
  ['a child made twice', [{kind: 'made', name: 'm', list: 'a', start: 20, end: 30}]],
  [
    'a child made without its membership',
    [
      {kind: 'made', name: 'x', list: 'a', start: 20, end: 30},
      {kind: 'snapshot', there: ['m', 'n', 'x'], lists: inA, referring: ['m', 'n'], start: 31, end: 32},
    ],
  ],
  [
    'a stale condition that counted',
    [{kind: 'added', list: 'own', names: ['m'], from: '1', tag: '5', start: 20, end: 30}],
  ],
  [
    'a current condition that was refused',
    [
      {kind: 'read', tag: '2', lists: inA, start: 20, end: 30},
      {kind: 'mismatch', from: '2', start: 40, end: 50},
    ],
  ],
]
for (const [what, operations] of brokenLists) {
  test(`no order explains ${what}`, t => {
    t.not(unexplained([addedToA, ...operations], initial, membershipModel), undefined)
  })
}
