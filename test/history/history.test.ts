/**
 * What many clients see at once is a history that one store could have had.
 */
import test from 'ava'
import {schemaIdentifier} from '../support/postgres.ts'
import {useService} from '../support/service.ts'
import {faultsOf, type Operation} from './check.ts'
import {runClients} from './clients.ts'

const allowed = /^(GET (200|404)|POST (201|404|409)|PUT (204|404|412|428)|DELETE (2\d\d|404|412))$/
const seconds = Number(process.env.HISTORY_SECONDS ?? 5)
const clients = Number(process.env.HISTORY_CLIENTS ?? 12)

test(`${clients} clients at random for ${seconds} s: no lost update, no torn read, only answers they may get`, async t => {
  t.timeout((seconds + 60) * 1000)
  const service = await useService(t, {DATABASE_POOL_MAX: String(Math.max(4, clients / 2))})
  const deadline = performance.now() + seconds * 1000

  const {histories, statuses} = await runClients({
    url: service.base,
    clients,
    isOver: () => performance.now() > deadline,
  })

  t.log(
    [...statuses]
      .map(([answer, count]) => `${answer}: ${count}`)
      .sort()
      .join(', '),
  )
  t.deepEqual(
    [...statuses.keys()].filter(answer => !allowed.test(answer)),
    [],
  )
  t.deepEqual(
    Object.fromEntries([...histories].map(([path, history]) => [path, faultsOf(history)])),
    emptyOf(histories),
  )
  t.true([...histories.values()].every(history => history.some(({kind}) => kind === 'replaced')))
  t.deepEqual(await service.database.database.query(`select * from ${schemaIdentifier}.check_store()`), [])
})

function emptyOf(histories: ReadonlyMap<string, unknown>): Record<string, []> {
  return Object.fromEntries([...histories.keys()].map(path => [path, []]))
}

const created: Operation = {kind: 'created', tag: '1', value: 'a', start: 0, end: 10}
const replaced: Operation = {kind: 'replaced', from: '1', tag: '2', value: 'b', start: 20, end: 30}

test('the check takes a correct history', t => {
  const history: Operation[] = [
    replaced,
    created,
    {kind: 'read', tag: '1', value: 'a', start: 5, end: 25},
    {kind: 'read', tag: '2', value: 'b', start: 22, end: 24},
    {kind: 'mismatch', from: '1', start: 25, end: 40},
    {kind: 'present', start: 1, end: 2},
    {kind: 'deleted', from: '2', start: 40, end: 50},
    {kind: 'absent', start: 45, end: 60},
    {kind: 'created', tag: '3', value: 'c', start: 55, end: 70},
  ]

  t.deepEqual(faultsOf(history), [])
})

test('the check finds lost updates, torn, stale and early reads, and wrong refusals', t => {
  const base: readonly Operation[] = [created, replaced]
  const cases: readonly Operation[] = [
    {kind: 'replaced', from: '1', tag: '3', value: 'c', start: 25, end: 35},
    {kind: 'read', tag: '2', value: 'a and b', start: 40, end: 50},
    {kind: 'read', tag: '9', value: 'b', start: 40, end: 50},
    {kind: 'read', tag: '1', value: 'a', start: 40, end: 50},
    {kind: 'read', tag: '2', value: 'b', start: 12, end: 15},
    {kind: 'mismatch', from: '2', start: 40, end: 50},
    {kind: 'absent', start: 40, end: 50},
    {kind: 'present', start: -20, end: -10},
    {kind: 'deleted', from: '2', start: 12, end: 15},
  ]

  t.deepEqual(
    cases.map(each => faultsOf([...base, each])[0]),
    [
      'version 1 was replaced or deleted twice: a lost update',
      'version 2 was read as a and b, written as b',
      'version 9 was read and never written',
      'the write of 2 came too late',
      'version 2 was read before it was written',
      'the current tag 2 was refused',
      'the document was not found while it was there',
      'the document was in the way while it was not there',
      'the delete of 2 came too late',
    ],
  )
})
