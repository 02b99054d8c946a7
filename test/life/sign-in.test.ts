/** Sessions of browsers in a service of two worker processes: no process keeps anything of them for itself. */
import test from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {createKey} from '../../src/db/store/keys.ts'
import {freePort, until} from '../support/machine.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {clientId, startProvider} from '../support/provider.ts'
import {createVisitor} from '../support/visitor.ts'
import {workersOf} from '../support/workers.ts'

const attempts = 12

test('any worker completes a sign-in, knows the session, and forgets it when it ends', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const port = await freePort()
  const base = `http://localhost:${port}/`
  const provider = await startProvider({base})
  t.teardown(provider.stop)
  const program = runProgram(t, {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: testSchema,
    PORT: String(port),
    WORKERS: '2',
    JWT_ISSUER: provider.url,
    JWT_AUDIENCE: 'x',
    OIDC_CLIENT_ID: clientId,
  })
  await program.ready()
  await until(() => workersOf(program).length === 2)
  const session = await openSession(database.database, testSchema)
  const grantees = [`agent ${provider.url}#ada`, 'agent http://agents.example/program']
  const grants = grantees.map(grantee => ({grantee, modes: ['write', 'control'] as const}))
  await putGrants(session, base, {grants, ifMatch: undefined, keepsControl: false})
  const many = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({length: attempts}, ask))

  // Every request has a connection of its own, which either worker may accept.
  const signedIn = await many(() => createVisitor().open(`${base}.system/sign-in/issuer`))
  t.deepEqual([...new Set(signedIn.map(({status, text}) => `${status} ${text.includes('Name of ada')}`))], ['200 true'])

  const key = makeKey()
  const holder = {agent: 'http://agents.example/program', groups: [], modes: null, within: null, expires: null}
  await createKey(session, {...holder, hash: hashKey(key), name: ''})
  const person = createVisitor()
  t.is((await person.submit(`${base}.system/sign-in`, {key})).status, 200)
  const cookie = person.cookieOf(base)
  const statuses = async () =>
    new Set((await many(() => createVisitor().open(base, {headers: {Cookie: cookie}}))).map(({status}) => status))
  t.deepEqual([...(await statuses())], [200])
  await person.submit(`${base}.system/sign-out`, {})
  t.deepEqual([...(await statuses())], [401])
})
