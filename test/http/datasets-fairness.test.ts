/** A dataset that is flooded does not starve another one. */
import {setMaxListeners} from 'node:events'
import test from 'ava'
import {useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {until} from '../support/machine.ts'
import {areDistributed} from '../support/postgres.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}

/** Takes as long as the statement may: a cross product that no index helps. */
const slowQuery = `select (count(*) as ?n) { ${['a', 'b', 'c', 'd', 'e'].map(x => `?${x} ?${x}p ?${x}o .`).join(' ')} }`

const testLock: Declare = areDistributed ? testWhen(false, 'it locks a table, which is on another node') : test

testLock('while one dataset has all of its places busy with slow work, another reads, writes and queries', async t => {
  const place = await useDatasetPlace(t, {
    DATABASE_POOL_MAX: '8',
    STATEMENT_TIMEOUT_MS: '20000',
    DATABASE_QUEUE_MAX: '40',
  })
  await place.add({name: 'flood'})
  await place.add({name: 'calm'})
  const {send} = await useDatasets(t, place)
  const gone = new AbortController()
  setMaxListeners(0, gone.signal)
  const post = (name: string, slug: string, body: string) =>
    send({path: `/${name}/`, method: 'POST', headers: {...turtle, Slug: slug}, body})
  const many = Array.from({length: 60}, (_, n) => `<http://a/${n}> <http://a/p${n}> ${n} .`).join('\n')
  t.is((await post('flood', 'much', many)).status, 201)
  t.is((await post('calm', 'one', '<> <http://a/p> 1 .')).status, 201)
  const database = place.database.database

  // Writers of `flood` wait for a lock that this test holds, so each keeps its connection.
  await database.begin('read committed', async transaction => {
    await transaction.query('lock table dataset_flood.dataset in access exclusive mode')
    const slow = Array.from({length: 60}, (_, n) => [
      send({path: `/flood/sparql?query=${encodeURIComponent(slowQuery)}`, signal: gone.signal}),
      send({path: '/flood/', method: 'POST', headers: turtle, body: `<> <http://a/p> ${n} .`, signal: gone.signal}),
      send({path: '/flood/much/', signal: gone.signal}),
    ])
      .flat()
      .map(sent => sent.catch(() => undefined))
    await until(async () => {
      const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      return (await database.query(text)).length >= 2
    })

    const begun = performance.now()
    const answers = [
      await send({path: '/calm/one/'}),
      await post('calm', 'two', '<> <http://a/p> 2 .'),
      await send({path: `/calm/sparql?query=${encodeURIComponent('ask { ?s <http://a/p> 1 }')}`}),
      await send({path: '/calm/two/', method: 'DELETE'}),
    ]
    const ms = performance.now() - begun
    t.deepEqual(
      answers.map(({status}) => status),
      [200, 201, 200, 204],
    )
    t.true(ms < 10_000, `${ms} ms: a slow statement of the other dataset takes 20 s`)
    gone.abort()
    await Promise.all(slow)
  })
})
