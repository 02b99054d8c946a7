/** Runs what deploy/ describes: the service with the settings of Kubernetes, and the scripts of the replica. */
import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmod, cp, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import ava, {type ExecutionContext} from 'ava'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {chooseAccount, commandAs} from '../../src/db/embedded/account.ts'
import {findCitusBinaries, inNode, startCitus} from '../support/citus.ts'
import {send} from '../support/client.ts'
import {readContainer, readSettingsFile} from '../support/deployment.ts'
import {freePort, until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram, temporaryFolder} from '../support/process.ts'
import {projectDirectory} from '../support/program.ts'
import {findReplicationBinaries} from '../support/replication.ts'
import {useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findReplicationBinaries()
const citus = await findCitusBinaries()
const password = `it's "the" pass\\word $1`

ava.serial('the probes of Kubernetes fit a service with its settings', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const {startupProbe, livenessProbe, readinessProbe} = readContainer()
  const ports: Readonly<Record<string, number>> = {http: await freePort(), metrics: await freePort()}
  const program = runProgram(t, {
    ...readSettingsFile(),
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(ports.http),
    METRICS_PORT: String(ports.metrics),
    SPOOL_DIR: await temporaryFolder(t),
    DRAIN_DELAY_MS: '1000',
  })
  await program.ready()
  const probe = async ({httpGet: {path, port}}: typeof startupProbe) => {
    // The kubelet sends the address of the pod as Host.
    const headers = {Host: `10.1.2.3:${ports[port]}`}
    return (await send(`http://127.0.0.1:${ports[port]}`, {path, headers})).status
  }

  t.deepEqual(await Promise.all([startupProbe, livenessProbe, readinessProbe].map(probe)), [200, 200, 200])
  t.is((await send(`http://127.0.0.1:${ports.metrics}/metrics`)).status, 200)
  // 401 like every path that does not exist or that the caller may not read.
  t.is((await send(`http://127.0.0.1:${ports.http}/metrics`)).status, 401)

  program.child.kill('SIGTERM')
  await until(async () => (await probe(readinessProbe)) === 503)
  t.is(await probe(livenessProbe), 200) // a pod that drains is not restarted
  t.is(await program.exit, 0)
})

testWhen(binaries !== undefined, 'no PostgreSQL with pg_basebackup here')(
  'the scripts of deploy/compose make a replica that the service uses, and that survives a restart',
  async t => {
    const scene = await setScene(t, binaries ?? '')
    await scene.initialise()
    const first = await scene.startReplica()
    const service = await useService(t, {DATABASE_URL: scene.primaryUrl, DATABASE_READ_URL: scene.replicaUrl})
    const isUsed = async () => /^quadstead_replica_up\{.*\} 1$/m.test((await service.send({path: '/metrics'})).text)

    await until(isUsed)
    await first.stop()
    await until(async () => !(await isUsed()))
    await scene.startReplica()
    await until(isUsed)

    t.pass()
  },
)

testWhen(citus !== undefined, 'no PostgreSQL with Citus here')(
  'the script of deploy/compose makes a cluster, also when it runs again, and datasets are distributed',
  async t => {
    const cluster = await startCitus(citus ?? '')
    t.teardown(cluster.stop)
    const {coordinator, workers} = cluster
    for (const node of [coordinator, ...workers]) {
      await inNode(node, 'postgres', sql => sql.query('create database fresh'))
      await inNode(node, 'fresh', sql => sql.query('create extension citus'))
    }
    const place = {PGHOST: '127.0.0.1', PGPORT: String(coordinator.port), PGUSER: 'quadstead', PGDATABASE: 'fresh'}
    const env = {...process.env, ...place, WORKERS: workers.map(({port}) => `127.0.0.1:${port}`).join(' ')}
    for (const _ of ['first', 'again'])
      execFileSync('bash', [join(projectDirectory, 'deploy/compose/form-cluster.sh')], {env, stdio: 'pipe'})

    const url = new URL(coordinator.url)
    url.pathname = '/fresh'
    const service = await useService(t, {DATABASE_URL: url.href})
    t.is((await send(service.url, {method: 'POST', headers: {'Content-Type': 'text/turtle'}, body: ''})).status, 201)
    const shown = runProgram(t, {DATABASE_URL: url.href}, ['datasets', 'nodes'])
    t.is(await shown.exit, 0, shown.complaints())
    t.deepEqual(
      workers.map(({port}) => shown.output().includes(`* 127.0.0.1:${port}`)).filter(isHome => isHome),
      [true],
      shown.output(),
    )
  },
)

/** A primary as the image of PostgreSQL makes it: whoever connects over TCP needs a password, and nobody replicates. */
async function setScene(t: ExecutionContext, programs: string) {
  const root = await mkdtemp(join(tmpdir(), 'qs-compose-'))
  t.teardown(() => rm(root, {recursive: true, force: true}))
  await chmod(root, 0o777)
  const account = chooseAccount()
  const [primary, replica] = [join(root, 'primary'), join(root, 'volume/18/replica')]
  const [port, replicaPort] = [await freePort(), await freePort()]
  const scripts = join(root, 'scripts')
  await cp(join(projectDirectory, 'deploy/compose'), scripts, {recursive: true})
  await mkdir(join(root, 'volume'))
  await chmod(join(root, 'volume'), 0o777)
  const environment = {PATH: `${programs}:${process.env.PATH}`, LC_ALL: 'C', PGPORT: String(port), PGHOST: root}
  const run = (program: string, parameters: readonly string[], more: Record<string, string> = {}) => {
    const command = commandAs(account, program, parameters)
    return {...command, options: {...command.options, cwd: root, env: {...environment, ...more}}}
  }
  const start = (program: string, parameters: readonly string[], more: Record<string, string> = {}) => {
    const {file, parameters: words, options} = run(program, parameters, more)
    const child = spawn(file, words, {...options, stdio: 'ignore'})
    const exit = once(child, 'exit')
    const stop = async () => {
      child.kill('SIGINT')
      await exit
    }
    t.teardown(stop)
    return {stop}
  }
  const call = (program: string, parameters: readonly string[], more: Record<string, string> = {}) => {
    const {file, parameters: words, options} = run(program, parameters, more)
    execFileSync(file, words, {...options, stdio: 'pipe'})
  }
  const listen = (own: number) => ['-p', String(own), '-k', root, '-c', 'listen_addresses=127.0.0.1']

  call('initdb', ['-D', primary, '-U', 'quadstead', '--auth=trust', '--encoding=UTF8', '--no-sync'])
  await writeFile(join(primary, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n')
  start('postgres', ['-D', primary, ...listen(port), '-c', 'fsync=off'])
  const urlOf = (own: number) =>
    `postgres://quadstead@localhost:${own}/postgres?host=${encodeURIComponent(root)}&port=${own}`
  const primaryUrl = urlOf(port)
  const pool = openPool(t, primaryUrl)
  await answers(pool)
  return {
    primaryUrl,
    replicaUrl: urlOf(replicaPort),
    async initialise() {
      call('bash', [join(scripts, 'allow-replication.sh')], {
        PGDATA: primary,
        POSTGRES_USER: 'quadstead',
        POSTGRES_DB: 'postgres',
        REPLICATION_PASSWORD: password,
      })
      await pool.query('select pg_reload_conf()') // the image starts its server anew
    },
    async startReplica() {
      const started = start('bash', [join(scripts, 'replica.sh'), ...listen(replicaPort)], {
        PGDATA: replica,
        PGPASSWORD: password,
        PRIMARY_HOST: '127.0.0.1',
        PRIMARY_PORT: String(port),
      })
      await answers(openPool(t, urlOf(replicaPort)))
      return started
    },
  }
}

function openPool(t: ExecutionContext, url: string): Database {
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0}
  const pool = createPool(parseDatabaseUrl(url), options)
  t.teardown(() => pool.end(0))
  return pool
}

async function answers(pool: Database): Promise<void> {
  await until(() =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  )
}
