/** Reads from replicas of the server of one dataset. */
import ava from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {createOffice} from '../../src/datasets/administration.ts'
import {describeAddress, parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {until} from '../support/machine.ts'
import {findReplicationBinaries, startReplication} from '../support/replication.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findReplicationBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with pg_basebackup here')

ava('replicas without a database of the dataset are refused', async t => {
  const place = await useDatasetPlace(t)
  const name = 'alone'
  await t.throwsAsync(place.add({name, readUrl: 'postgres://localhost/x'}), {message: /database of its own/})
  t.is(await place.administration.registry.find(name), undefined)
})

test('a dataset with a database of its own has replicas of its own, and reads its own writes', async t => {
  if (binaries === undefined) return
  const replication = await startReplication(binaries, 1)
  const [replica] = replication.replicas
  t.teardown(replication.stop)
  const place = await useDatasetPlace(t)
  const [databaseUrl, readUrl] = [replication.url, replica?.url ?? '']
  await place
    .add({name: 'far', databaseUrl, readUrl, settings: {ACCESS: 'grants', ACCESS_ALLOW_PUBLIC: 'on'}})
    .catch(() => place.add({name: 'far', databaseUrl, readUrl}))
  await place.add({name: 'near'})
  const {send} = await useDatasets(t, place)
  const servers: string[] = []
  const end = subscribe((observation: Observation) => {
    if (observation.kind === 'read') servers.push(observation.fallback ?? 'replica')
  })
  t.teardown(end)
  const post = (path: string) =>
    send({path, method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'a'}, body: '<> <http://a/p> 1 .'})

  for (const path of ['/far/', '/near/']) t.is((await post(path)).status, 201)
  await until(async () => /^quadstead_replica_up\{.*\} 1$/m.test((await send({path: '/metrics'})).text))
  await replication.caughtUp()
  servers.length = 0
  t.is((await send({path: '/near/a/'})).status, 200)
  t.deepEqual(servers, [])
  t.is((await send({path: '/far/a/'})).status, 200)
  t.deepEqual(servers, ['replica'])

  await replica?.pause()
  const {headers} = await send({path: '/far/', method: 'POST', headers: {'Content-Type': 'text/turtle'}, body: ''})
  const own = {'Quadstead-Consistency': String(headers['quadstead-consistency'])}
  const path = new URL(String(headers.location)).pathname
  t.is((await send({path, headers: own})).status, 200)
  t.is(servers.at(-1), 'behind')
  await replica?.resume()

  const [far] = await createOffice(place.administration).list()
  t.deepEqual(far?.replicas, [describeAddress(parseDatabaseUrl(readUrl))])
})
