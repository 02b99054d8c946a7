/**
 * A failover during writes: the primary is killed, its synchronous standby is promoted, and the service goes on there.
 *
 * Clients write all the time and record what was acknowledged (test/faults/ledger.ts). Nothing acknowledged is lost,
 * requests meanwhile get a 503 with Retry-After, and the service needs no restart.
 */
import {setTimeout as delay} from 'node:timers/promises'
import ava, {type ExecutionContext} from 'ava'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {findPostmaster} from '../../src/db/embedded/postmaster.ts'
import {openLedger} from '../faults/ledger.ts'
import {type DatabaseProxy, startProxy} from '../faults/proxy.ts'
import {ledgerAgent} from '../faults/round.ts'
import {createTrouble} from '../faults/trouble.ts'
import {createRandom} from '../fuzz/random.ts'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {findReplicationBinaries, type Replication, startReplication} from '../support/replication.ts'
import {type Settings, useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findReplicationBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with pg_basebackup here')
const recoveryMs = 30_000 // from the promotion; a service that takes longer has failed

ava.beforeEach(t => t.timeout(120_000))

test('DATABASE_URL names both servers, and the service finds the new primary', async t => {
  const {replication, socketOf} = await setScene(t)
  const [primary, standby] = [await proxyTo(t, socketOf.primary), await proxyTo(t, socketOf.standby)]
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`

  await failOver(t, replication, {
    settings: {DATABASE_URL: `postgres://quadstead@${hosts}/postgres?target_session_attrs=read-write`},
    afterwards: () => primary.become({kind: 'closed'}),
  })
})

test('DATABASE_URL names an endpoint, which leads to the new primary afterwards', async t => {
  const {replication, socketOf} = await setScene(t)
  let target = socketOf.primary()
  const endpoint = await proxyTo(t, () => target)

  await failOver(t, replication, {
    settings: {DATABASE_URL: `postgres://quadstead@127.0.0.1:${endpoint.port}/postgres`},
    afterwards() {
      target = socketOf.standby()
      endpoint.cut()
    },
  })
})

/** A primary with a synchronous standby: a commit is acknowledged when the standby has it. */
async function setScene(t: ExecutionContext) {
  const replication = await startReplication(binaries ?? '', 1)
  t.teardown(replication.stop)
  await replication.primary.query(`alter system set synchronous_standby_names = '*'`)
  await replication.primary.query('select pg_reload_conf()')
  await until(async () => {
    const rows = await replication.primary.query(`select from pg_stat_replication where sync_state = 'sync'`)
    return rows.length === 1
  })
  const socket = (url: string | undefined) => () => parseDatabaseUrl(url ?? '').socketPath ?? ''
  return {replication, socketOf: {primary: socket(replication.url), standby: socket(replication.replicas[0]?.url)}}
}

async function proxyTo(t: ExecutionContext, socket: () => string): Promise<DatabaseProxy> {
  const proxy = await startProxy(socket)
  t.teardown(proxy.close)
  return proxy
}

type Failover = {
  readonly settings: Settings
  readonly afterwards: () => void // what leads clients to the new primary, as DNS or a manager of the cluster does
}

async function failOver(t: ExecutionContext, replication: Replication, {settings, afterwards}: Failover) {
  const [standby] = replication.replicas
  if (standby === undefined) throw new Error('there is one replica')
  const [place] = await replication.primary.query<{data_directory: string}>('show data_directory')
  const service = await useService(t, {...settings, DATABASE_QUEUE_WAIT_MS: '500', STATEMENT_TIMEOUT_MS: '3000'})
  const isReady = async () => (await send(`${service.url}ready`)).status === 200
  const trouble = createTrouble({isReady})
  const agent = ledgerAgent()
  t.teardown(() => agent.destroy())
  const writers = await Promise.all(
    ['w0', 'w1', 'w2'].map((name, seed) =>
      openLedger({base: service.base, name, agent, dice: createRandom(seed), inTrouble: trouble.meet}),
    ),
  )
  const acknowledged = () => writers.reduce((sum, {counts}) => sum + counts.acknowledged, 0)
  let isOver = false
  const writing = writers.map(async ({write}) => {
    for (; !isOver; await delay(20)) await write()
  })
  await until(() => acknowledged() > 60)

  const postmaster = await findPostmaster(place?.data_directory ?? '')
  process.kill(postmaster?.processId ?? 0, 'SIGKILL')
  await delay(500) // writers meet the dead primary
  afterwards()
  await standby.query('select pg_promote()')
  const promoted = performance.now()
  const before = acknowledged()
  await until(isReady, recoveryMs)
  await until(() => acknowledged() > before + 60, recoveryMs)
  const recoveredMs = Math.round(performance.now() - promoted)
  isOver = true
  await Promise.all(writing)
  const lost = (await Promise.all(writers.map(({verify}) => verify()))).flat()

  t.deepEqual(lost, [])
  t.deepEqual(trouble.wrong, [])
  t.true(trouble.met.size > 0, 'a writer met the failover')
  t.deepEqual(await standby.query(`select * from ${schemaIdentifier}.check_store()`), [])
  t.log(`60 writes after ${recoveredMs} ms; ${acknowledged()} acknowledged, met ${JSON.stringify([...trouble.met])}`)
}
