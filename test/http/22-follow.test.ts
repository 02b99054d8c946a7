/** Copies of other stores: equal to their sources, whatever happens there, and read-only. */
import test, {type ExecutionContext} from 'ava'
import {openSession} from '../../src/db/store/create-session.ts'
import {addFollow, listFollows} from '../../src/db/store/follows.ts'
import {requestRandomly, untilCopied} from '../support/copies.ts'
import {turtle} from '../support/documents.ts'
import {testSchema} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {type Settings, type TestService, useService} from '../support/service.ts'

const rounds = Number(process.env.FOLLOW_RUNS ?? 4)

const make = (service: TestService, path: string, slug: string, body = '') =>
  service.send({method: 'POST', path, headers: {...turtle, Slug: slug}, body})

const side = ({base, database: {database}}: TestService) => ({base, database})

async function follow(copy: TestService, source: TestService, path: string, key?: string): Promise<string> {
  return addFollow(await openSession(copy.database.database, testSchema), {url: source.base, path, key})
}

const stateOf = async (copy: TestService, id: string) =>
  (await listFollows(await openSession(copy.database.database, testSchema))).find(row => row.id === id)

async function pair(t: ExecutionContext, settings: Settings = {}) {
  const source = await useService(t, settings)
  const copy = await useService(t)
  return {source, copy}
}

test('a subtree is copied with its members, access points, blank nodes and literals, and follows each change', async t => {
  const {source, copy} = await pair(t)
  await make(source, '/', 'projects')
  const seed = Number(process.env.FOLLOW_SEED ?? 20_261_123)
  t.log(`FOLLOW_SEED=${seed}`)
  const random = createRandom(seed)
  for (let count = 0; count < 60; count += 1) await requestRandomly(random, source, 'projects/')
  const id = await follow(copy, source, 'projects/')
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < 60; count += 1) await requestRandomly(random, source, 'projects/')
    await untilCopied(t, side(source), side(copy), 'projects/')
  }
  const state = await stateOf(copy, id)
  t.is(state?.failures, 0, state?.last_reason ?? '')
  t.is(state?.behind, '0')
})
