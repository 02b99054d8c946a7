/** The shutdown of a service under load, as clients and a supervisor see it. */
import {Agent} from 'node:http'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {areDistributed, createTestDatabase, schemaIdentifier} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {testWhen} from '../support/test-when.ts'

const testDropped = testWhen(!areDistributed, 'in a Citus cluster the service makes the schema again')

async function serve(t: ExecutionContext, settings: Readonly<Record<'DRAIN_DELAY_MS', string>>) {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: database.url, LOG_REQUESTS: 'none', ...settings})
  return {program, database, url: (await program.ready()).url}
}

test.serial('under load no request is lost: each response is complete, the last one has "close"', async t => {
  const {program, url} = await serve(t, {DRAIN_DELAY_MS: '1500'})
  const seen = {statuses: new Set<number>(), faults: new Set<unknown>(), closes: 0, answers: 0}
  let isAway = false
  async function ask(): Promise<void> {
    const agent = new Agent({keepAlive: true, maxSockets: 1})
    t.teardown(() => agent.destroy())
    while (!isAway) {
      try {
        const {status, headers, text} = await send(url, {agent})
        seen.answers += 1
        seen.statuses.add(status)
        if (headers.connection === 'close') seen.closes += 1
        t.regex(text, /BasicContainer/)
      } catch (error) {
        seen.faults.add(error instanceof Error && 'code' in error ? error.code : error)
        return
      }
    }
  }
  const clients = Array.from({length: 8}, ask)
  await until(() => seen.answers > 50)

  program.child.kill('SIGTERM')
  await until(async () => (await send(`${url}ready`)).status === 503)
  t.is((await send(`${url}live`)).status, 200)
  await until(() => seen.closes > 0)
  isAway = true // like a load balancer after /ready
  await Promise.all(clients)

  t.is(await program.exit, 0)
  t.deepEqual([[...seen.statuses], [...seen.faults]], [[200], []])
  await t.throwsAsync(send(url), {code: 'ECONNREFUSED'})
})

testDropped('/ready is a 503 if the dataset does not exist, /live is a 200', async t => {
  const {program, url, database} = await serve(t, {DRAIN_DELAY_MS: '0'})
  t.is((await send(`${url}ready`)).status, 200)

  await database.database.query(`drop schema ${schemaIdentifier} cascade`)

  t.like(await send(`${url}ready`), {status: 503, text: 'the database does not answer\n'})
  t.is((await send(`${url}live`)).status, 200)
  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
})
