/** GET and POST of /.system/sessions: people see where they are signed in, and end these sessions. */
import test from 'ava'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {createVisitor, type Visitor} from '../support/visitor.ts'

const base = 'https://data.example/'
const place = `${base}.system/sessions`

let service: GuardedService

test.before(async () => {
  service = await startGuarded({BASE_URL: base})
  await service.grant('/', {[`agent ${agentOf('root')}`]: ['write', 'control'], [`agent ${agentOf('ada')}`]: ['write']})
})
test.after.always(() => service.stop())

/** A browser in which an agent is signed in. */
async function signedIn(name: string, client: string): Promise<Visitor> {
  const visitor = createVisitor({'data.example': service.url})
  const key = (await service.authorizationOf(name)).replace('Bearer ', '')
  const headers = {
    'User-Agent': client,
    Origin: new URL(base).origin,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  await visitor.open(`${base}.system/sign-in`, {method: 'POST', headers, body: String(new URLSearchParams({key}))})
  return visitor
}

type Listed = {readonly id: string; readonly client: string; readonly isOwn: boolean}

async function listed(visitor: Visitor): Promise<readonly Listed[]> {
  const {text} = await visitor.open(place, {headers: {Accept: 'application/json'}})
  return JSON.parse(text).sessions
}

const isSignedIn = async (visitor: Visitor) => (await visitor.open(place)).status === 200

test('sessions of other agents are neither seen nor ended', async t => {
  const [ada, eve] = [await signedIn('ada', 'One'), await signedIn('eve', 'Two')]
  const [session] = await listed(ada)

  t.deepEqual(
    (await listed(eve)).map(({client, isOwn}) => [client, isOwn]),
    [['Two', true]],
  )
  const refused = await eve.submit(place, {end: session?.id ?? ''})
  t.is(refused.status, 404)
  t.regex(refused.text, /role="alert">You have no session/)
  t.is((await eve.submit(place, {end: 'x'})).status, 404)
  await eve.submit(place, {end: 'others'})
  t.true(await isSignedIn(ada))
})

test('one session is ended, or all others', async t => {
  const [here, there, elsewhere] = await Promise.all(['Here', 'There', 'Else'].map(name => signedIn('bob', name)))
  if (here === undefined || there === undefined || elsewhere === undefined) return t.fail()
  const sessions = await listed(here)
  t.deepEqual(sessions.map(({client}) => client).sort(), ['Else', 'Here', 'There'])
  t.deepEqual(Object.keys(sessions[0] ?? {}), ['id', 'client', 'means', 'begun', 'used', 'ends', 'isOwn'])

  const {id = ''} = sessions.find(({client}) => client === 'There') ?? {}
  t.is((await here.submit(place, {end: id})).status, 200)
  t.deepEqual([await isSignedIn(here), await isSignedIn(there), await isSignedIn(elsewhere)], [true, false, true])

  await here.submit(place, {end: 'others'})
  t.deepEqual([await isSignedIn(here), await isSignedIn(elsewhere)], [true, false])
})

test('programs list sessions; ending them needs a page of the service', async t => {
  await signedIn('carol', 'Browser')
  const Authorization = await service.authorizationOf('carol')
  const {text} = await service.send({path: '/.system/sessions', headers: {Authorization}})
  t.deepEqual(
    JSON.parse(text).sessions.map(({client, means, isOwn}: Record<string, unknown>) => [client, means, isOwn]),
    [['Browser', 'key', false]],
  )

  const form = {'Content-Type': 'application/x-www-form-urlencoded', Authorization}
  const foreign = await service.send({method: 'POST', path: '/.system/sessions', headers: form, body: 'end=others'})
  t.is(foreign.status, 403)
  t.regex(foreign.text, /page-own/)
  t.is((await service.send({path: '/.system/sessions'})).status, 401)
  t.is((await service.send({method: 'DELETE', path: '/.system/sessions', headers: {Authorization}})).status, 405)
})
