/** Reads from standbys of Citus nodes: those of the node that holds the dataset answer, wherever it moves. */
import {chmodSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import ava, {type ExecutionContext} from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {describeAddress, parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {type CitusNode, citusSettings, distribute, findCitusBinaries, inNode, startCitus} from '../support/citus.ts'
import {until} from '../support/machine.ts'
import {ldpatch} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {findReplicationBinaries, startReplica} from '../support/replication.ts'
import {type TestService, useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findCitusBinaries()
const isPossible = binaries !== undefined && binaries === (await findReplicationBinaries())
const test = testWhen(isPossible, 'no PostgreSQL with Citus and pg_basebackup here')
const name = 'postgres' // the database
const turtle = {'Content-Type': 'text/turtle'}

ava.beforeEach(t => t.timeout(300_000))

/** A cluster with a dataset, and a standby of each worker. */
async function setScene(t: ExecutionContext) {
  const programs = binaries ?? ''
  const {coordinator, workers, stop} = await startCitus(programs)
  t.teardown(stop)
  const {port} = await distribute(coordinator, name, testSchema)
  const root = mkdtempSync(join(tmpdir(), 'qs-citus-standbys-'))
  chmodSync(root, 0o755)
  t.teardown(() => rmSync(root, {recursive: true, force: true}))
  async function withStandby(node: CitusNode) {
    const standby = await startReplica(
      {binaries: programs, settings: citusSettings},
      join(root, `${node.port}`),
      node.url,
    )
    t.teardown(standby.stop)
    return {node, standby, isUsed: new RegExp(`^quadstead_replica_up\\{.*"${addressOf(standby.url)}".*\\} 1$`, 'm')}
  }
  const [home, other] = [...workers].sort(one => (one.port === port ? -1 : 1)) as [CitusNode, CitusNode]
  return {coordinator, home: await withStandby(home), other: await withStandby(other)}
}

function addressOf(url: string): string {
  return describeAddress(parseDatabaseUrl(url)).replace(/[/.]/g, '.')
}

/** The servers that answer reads, in order: 'replica', or why the primary did. */
function watchReads(t: ExecutionContext): string[] {
  const servers: string[] = []
  const end = subscribe((observation: Observation) => {
    if (observation.kind === 'read') servers.push(observation.fallback ?? 'replica')
  })
  t.teardown(end)
  return servers
}

/** Creates the document with a value, or counts it up. @returns the token of the response */
async function put(service: TestService, value: number): Promise<string> {
  const triple = (number: number) => `{ <> <http://a/p> ${number} . } .`
  const {status, headers, text} =
    value === 1
      ? await service.send({method: 'POST', headers: {...turtle, Slug: 'a'}, body: '<> <http://a/p> 1 .'})
      : await service.send({
          path: '/a/',
          method: 'PATCH',
          headers: ldpatch,
          body: `Delete ${triple(value - 1)} Add ${triple(value)}`,
        })
  if (status >= 300) throw new Error(`${status} ${text}`)
  return String(headers['quadstead-consistency'])
}

async function read(service: TestService, token: string): Promise<string | undefined> {
  const headers = {Accept: 'application/n-triples', 'Quadstead-Consistency': token}
  const {text} = await service.send({path: '/a/', headers})
  return /<http:\/\/a\/p> "(\d+)"/.exec(text)?.[1]
}

test('standbys of the node that holds the dataset answer, and nobody reads what was before a move', async t => {
  const {coordinator, home, other} = await setScene(t)
  const DATABASE_READ_URL = `${home.standby.url},${other.standby.url}`
  const settings = {DATABASE_READ_URL, BASE_URL: 'http://localhost/', DATABASE_READ_LAG_MS: '60000'}
  const moving = await useService(t, {...settings, DATABASE_URL: coordinator.url})
  const unaware = await useService(t, {...settings, DATABASE_URL: other.node.url})
  const servers = watchReads(t)
  const isUsed = async (service: TestService, {isUsed: line}: typeof home) =>
    line.test((await service.send({path: '/metrics'})).text)
  const move = (to: CitusNode) =>
    inNode(coordinator, name, sql =>
      sql.query(`select citus_schema_move($1::regnamespace, '127.0.0.1', $2, 'block_writes')`, [
        `${testSchema}_tables`,
        to.port,
      ]),
    )
  const answered = async (service: TestService, token: string) => {
    servers.length = 0
    return {value: await read(service, token), servers: [...servers]}
  }

  const first = await put(moving, 1)
  await until(async () => (await isUsed(moving, home)) && (await isUsed(unaware, home)))
  await until(async () => (await answered(unaware, first)).servers[0] === 'replica')
  t.deepEqual(await answered(moving, first), {value: '1', servers: ['replica']})
  t.false(await isUsed(moving, other))

  // The log of the first node is far ahead, and its standby has the dataset as it was before the move.
  await inNode(home.node, name, async sql => {
    for (let count = 0; count < 4; count += 1) {
      await sql.query(`select pg_logical_emit_message(false, 'x', 'x')`)
      await sql.query('select pg_switch_wal()')
    }
  })
  await until(async () => (await answered(unaware, first)).servers[0] === 'replica')
  await home.standby.pause()
  await move(other.node)
  const second = await put(moving, 2)
  t.true(second > first, `${first} ${second}`)
  t.is((await answered(unaware, second)).value, '2')
  t.is((await answered(moving, second)).value, '2')

  await until(() => isUsed(moving, other))
  await until(async () => (await answered(moving, second)).servers[0] === 'replica')
  t.deepEqual(await answered(moving, first), {value: '2', servers: ['replica']})

  await move(home.node)
  const third = await put(moving, 3)
  t.is((await answered(moving, third)).value, '3')
  t.is((await answered(moving, first)).value, '3', 'its standby still has the first stay')
  t.is((await answered(unaware, third)).value, '3')
  await home.standby.resume()
  await until(async () => (await answered(moving, third)).servers[0] === 'replica')
  t.deepEqual(await answered(moving, third), {value: '3', servers: ['replica']})
})
