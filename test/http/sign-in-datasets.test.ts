/** Sessions of several datasets in one host: each has its own. */
import test from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {createKey} from '../../src/db/store/keys.ts'
import {sessionOf, useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {createVisitor} from '../support/visitor.ts'

const agent = 'http://agents.example/ada#me'
const host = 'data.example'

test('two datasets in one host do not share sessions', async t => {
  const place = await useDatasetPlace(t, {ACCESS: 'grants'})
  const names = ['one', 'two'] as const
  for (const name of names) await place.add({name, base: `https://${host}/${name}/`})
  const {url} = await useDatasets(t, place)
  const person = createVisitor({[host]: url})
  const keys: string[] = []
  for (const name of names) {
    const session = await sessionOf(t, place, name)
    const grants = [{grantee: `agent ${agent}`, modes: ['read'] as const}]
    await putGrants(session, `https://${host}/${name}/`, {grants, ifMatch: undefined, keepsControl: false})
    const key = makeKey()
    await createKey(session, {
      hash: hashKey(key),
      agent,
      groups: [],
      name,
      modes: null,
      within: null,
      expires: null,
    })
    keys.push(key)
  }
  const statusOf = async (name: string) => (await person.open(`https://${host}/${name}/`)).status

  t.is((await person.submit(`https://${host}/one/.system/sign-in`, {key: keys[1] ?? ''})).status, 401)
  const first = await person.submit(`https://${host}/one/.system/sign-in`, {key: keys[0] ?? '', to: '/two/'})
  t.deepEqual([first.status, first.url], [200, `https://${host}/one/`]) // not another dataset
  t.deepEqual([await statusOf('one'), await statusOf('two')], [200, 401])
  t.regex(
    String(first.chain[0]?.headers['set-cookie']),
    /^__Secure-quadstead-session-[0-9a-f]{8}=[\w-]{43}; Path=\/one\/; .*; Secure$/,
  )

  await person.submit(`https://${host}/two/.system/sign-in`, {key: keys[1] ?? ''})
  t.deepEqual([await statusOf('one'), await statusOf('two')], [200, 200])
  const [one, two] = names.map(name => person.cookieOf(`https://${host}/${name}/`))
  t.not(one?.split('=')[0], two?.split('=')[0])

  // A token of one dataset means nothing to the other, under either name.
  const [, token = ''] = one?.split('=') ?? []
  for (const cookie of [one ?? '', `${two?.split('=')[0]}=${token}`]) {
    const other = createVisitor({[host]: url})
    t.is((await other.open(`https://${host}/two/`, {headers: {Cookie: cookie}})).status, 401)
  }

  await person.submit(`https://${host}/one/.system/sign-out`, {})
  t.deepEqual([await statusOf('one'), await statusOf('two')], [401, 200])
})

test('a dataset has its own client at the issuer, and its secret is the name of a variable', async t => {
  const place = await useDatasetPlace(t, {ACCESS: 'grants'})
  const issuer = {JWT_ISSUER: 'https://login.example/', JWT_AUDIENCE: 'x', OIDC_CLIENT_ID: 'c'}
  process.env.QUADSTEAD_SECRET_SIGN_IN = 'a secret'
  const variable = (name: string) => `\${QUADSTEAD_SECRET_${name}}`
  const add = (name: string, settings: Readonly<Record<string, string>>) => place.add({name, settings})

  await t.throwsAsync(add('plain', {...issuer, OIDC_CLIENT_SECRET: 'a secret'}), {message: /name of a variable/})
  await t.throwsAsync(add('unset', {...issuer, OIDC_CLIENT_SECRET: variable('UNSET')}), {
    message: /QUADSTEAD_SECRET_UNSET/,
  })
  await t.notThrowsAsync(add('good', {...issuer, OIDC_CLIENT_SECRET: variable('SIGN_IN')}))
})
