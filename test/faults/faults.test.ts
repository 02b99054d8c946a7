/**
 * Faults below the service: no acknowledged write is lost, no write is half done, and the service recovers.
 *
 * FAULTS_ROUNDS, FAULTS_SEED and FAULTS_ONLY (a part of the faults' names) are the options of `npm run faults`.
 */
import test from 'ava'
import {mountDisk, whyNoDisk} from '../support/disk.ts'
import {testWhen} from '../support/test-when.ts'
import {runFaults} from './campaign.ts'
import {fillDisk} from './disk.ts'
import {type Fault, faults, networkFaults, workerFaults} from './faults.ts'
import {setOwnScene, setScene} from './scene.ts'

const rounds = Number(process.env.FAULTS_ROUNDS ?? 1)
const seed = Number(process.env.FAULTS_SEED ?? 1)
const only = process.env.FAULTS_ONLY ?? ''
const chosen = (all: readonly Fault[]) => all.filter(({name}) => name.includes(only))
const limitMs = (count: number) => (count + 1) * rounds * 120_000

const everywhere = chosen([...faults, ...networkFaults])
testWhen(everywhere.length > 0, 'not chosen')('faults of service, PostgreSQL and network, under load', async t => {
  t.timeout(limitMs(everywhere.length))
  await runFaults(t, {scene: await setScene(t), faults: everywhere, rounds, seed})
})

const isOwn = process.env.TEST_POSTGRES_BINARIES === undefined
const own = chosen(faults.filter(({name}) => name.includes('killed')))
testWhen(isOwn && own.length > 0, 'not chosen, or not with this PostgreSQL')(
  'faults of a service with its own PostgreSQL, under load',
  async t => {
    t.timeout(limitMs(own.length))
    await runFaults(t, {scene: await setOwnScene(t), faults: own, rounds, seed})
  },
)

const withWorkers = chosen([...workerFaults, ...faults.filter(({name}) => name.includes('is killed'))])
testWhen(isOwn && withWorkers.length > 0, 'not chosen, or not with this PostgreSQL')(
  'faults of a service with two workers and its own PostgreSQL, under load',
  async t => {
    t.timeout(limitMs(withWorkers.length))
    await runFaults(t, {scene: await setOwnScene(t, {WORKERS: '2'}), faults: withWorkers, rounds, seed})
  },
)

const noDisk = 'the disk of PostgreSQL is full'.includes(only) ? whyNoDisk() : 'not chosen'
testWhen(noDisk === undefined, noDisk ?? '')('a full disk, under load', async t => {
  t.timeout(limitMs(1))
  const dataDirectory = mountDisk(t, 200)
  const postgresSettings = {min_wal_size: '32MB', max_wal_size: '48MB'}
  const scene = await setScene(t, {dataDirectory, postgresSettings})
  await runFaults(t, {scene, faults: [fillDisk(dataDirectory)], rounds, seed})
})

test('the names of faults are unique', t => {
  const names = [...faults, ...workerFaults, ...networkFaults].map(({name}) => name)
  t.is(new Set(names).size, names.length)
})
