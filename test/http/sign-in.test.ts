/** Signing in with a browser: at a real OpenID Connect provider, and with API keys; sessions and their cookies. */
import test from 'ava'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {audience} from '../support/issuer.ts'
import {clientId, startProvider, type TestProvider} from '../support/provider.ts'
import {createVisitor, type Visitor} from '../support/visitor.ts'

const base = 'https://data.example/'
const host = 'data.example'

let provider: TestProvider
let service: GuardedService

test.before(async () => {
  provider = await startProvider({base, clientSecret: 'a secret/with:signs'})
  service = await startGuarded({
    ACCESS: 'auto',
    BASE_URL: base,
    JWT_ISSUER: provider.url,
    JWT_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: 'a secret/with:signs',
  })
  await service.grant('/', {
    [`agent ${provider.url}#ada`]: ['write', 'control'],
    [`agent ${agentOf('root')}`]: ['write', 'control'],
    [`agent ${agentOf('scoped')}`]: ['read'],
  })
})
test.after.always(async () => {
  await service.stop()
  await provider.stop()
})

const visitor = () => createVisitor({[host]: service.url})

/** The session in the cookie; undefined: there is none. */
function sessionOf({cookies}: Visitor): string | undefined {
  return [...(cookies.get(host)?.values() ?? [])].find(({name}) => name.includes('-session-'))?.value
}

async function signIn(person: Visitor, to = '/') {
  return person.open(`${base}.system/sign-in/issuer?${new URLSearchParams({to})}`)
}

test.serial('a person signs in at the issuer and returns to the page', async t => {
  const person = visitor()
  const refused = await person.open(`${base}?view=edit`)
  const page = await person.open(`${base}.system/sign-in?to=%2F%3Fview%3Dedit`)
  const href = /href="(https:\/\/data\.example\/\.system\/sign-in\/issuer\?to=[^"]*)"/.exec(page.text)?.[1] ?? ''
  const arrived = await person.open(href)

  t.is(refused.status, 401)
  t.regex(refused.text, /href="\/\.system\/sign-in\?to=%2F%3Fview%3Dedit"/)
  t.is(page.status, 200)
  t.deepEqual([arrived.status, arrived.url], [200, `${base}?view=edit`])
  t.regex(arrived.text, /Name of ada/)
  t.regex(arrived.text, new RegExp(`${provider.url}#ada`))
  const begun = new URL(arrived.chain[0]?.headers.location ?? '')
  t.deepEqual(
    ['client_id', 'redirect_uri', 'response_type', 'code_challenge_method', 'scope'].map(name =>
      begun.searchParams.get(name),
    ),
    [clientId, `${base}.system/sign-in/answer`, 'code', 'S256', 'openid profile'],
  )
})

test.serial('the cookie is for this host only, unreadable for scripts, and only its hash is stored', async t => {
  const person = visitor()
  const {chain} = await signIn(person)
  const lines = chain.flatMap(({headers}) => headers['set-cookie'] ?? []).filter(line => line.includes('quadstead-'))
  const session = lines.find(line => line.includes('-session-')) ?? ''

  t.regex(
    session,
    /^__Host-quadstead-session-[0-9a-f]{8}=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
  )
  t.deepEqual(
    lines.filter(line => line.includes('-attempt-')).map(line => line.replace(/=[\w-]{43};/, '=SECRET;')),
    [
      lines[0]?.replace(/=.*/, '=SECRET; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure'),
      lines[0]?.replace(/=.*/, '=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure'),
    ],
  )
  const stored = await service.database.database.query(
    `select encode(hash, 'base64') as hash from quadstead.web_session where hash = sha256($1)`,
    [Buffer.from(sessionOf(person) ?? '')],
  )
  t.is(stored.length, 1)
})

test.serial('an answer counts only in the browser that asked for it, and only once', async t => {
  const person = visitor()
  const {chain} = await signIn(person)
  const answer = chain.find(({url}) => url.includes('/answer?'))?.url ?? ''
  const other = visitor()

  const elsewhere = await other.open(answer)
  t.deepEqual([elsewhere.status, sessionOf(other)], [400, undefined])
  t.regex(elsewhere.text, /sign-in-begun/)

  await other.open(`${base}.system/sign-in/issuer`, {stopAt: /127\.0\.0\.1/})
  const begun = await other.open(answer)
  t.deepEqual([begun.status, sessionOf(other)], [400, undefined])

  const forged = new URL(answer)
  forged.searchParams.set('state', 'abc.L2V2aWwv.def')
  t.is((await other.open(forged.href)).status, 400)

  // In the browser itself, the attempt is over: the answer leads to the documents and makes no other session.
  const before = sessionOf(person)
  const again = await person.open(answer)
  t.deepEqual([again.url, sessionOf(person)], [base, before])
})

test.serial(
  'a code that was used already, a code with another state, and a refusal of the issuer are refused',
  async t => {
    const person = visitor()
    const first = await person.open(`${base}.system/sign-in/issuer`, {stopAt: /\/answer\?/})
    const answer = first.headers.location ?? ''
    const attempt = person.cookieOf(base)
    t.is((await person.open(answer)).status, 200)

    const thief = visitor()
    const replayed = await thief.open(answer, {headers: {Cookie: attempt}})
    t.is(replayed.status, 403)
    t.regex(replayed.text, /invalid_grant/)
    t.is(sessionOf(thief), undefined)

    const mixed = visitor()
    const own = await mixed.open(`${base}.system/sign-in/issuer`, {stopAt: /\/answer\?/})
    const swapped = new URL(own.headers.location ?? '')
    const second = visitor()
    const others = await second.open(`${base}.system/sign-in/issuer`, {stopAt: /\/answer\?/})
    swapped.searchParams.set('code', new URL(others.headers.location ?? '').searchParams.get('code') ?? '')
    t.is((await mixed.open(swapped.href)).status, 403) // the code belongs to another code verifier

    provider.state.account = undefined
    const declined = await signIn(visitor())
    provider.state.account = 'ada'
    t.is(declined.status, 403)
    t.regex(declined.text, /access_denied/)
  },
)

test.serial('a session ends when it is not used, and at its time', async t => {
  const person = visitor()
  await signIn(person)
  const {query} = service.database.database
  const status = async () => (await person.open(base, {headers: {Accept: 'text/turtle'}})).status
  const hash = Buffer.from(sessionOf(person) ?? '')

  t.is(await status(), 200)
  await query(`update quadstead.web_session set used = now() - interval '121 minutes' where hash = sha256($1)`, [hash])
  t.is(await status(), 401)
  await query(`update quadstead.web_session set used = now(), ends = now() where hash = sha256($1)`, [hash])
  t.is(await status(), 401)

  // The next page takes the cookie away.
  const page = await person.open(base)
  t.is(page.status, 401)
  t.is(sessionOf(person), undefined)
})

test.serial('a token is replaced when the next one is used; a copy of an old one ends the session', async t => {
  const person = visitor()
  await signIn(person)
  const {query} = service.database.database
  const age = (time: string) => query(`update quadstead.web_session set turned = now() - $1::interval`, [time])
  const statusWith = async (cookie: string) =>
    (await service.send({headers: {Host: host, Cookie: cookie, Accept: 'text/turtle'}})).status
  const first = person.cookieOf(base)
  await age('16 minutes')

  t.is((await person.open(base, {headers: {Accept: 'text/turtle'}})).headers['set-cookie'], undefined) // no page
  await person.open(base)
  const second = person.cookieOf(base)
  t.not(second, first)
  t.is(await statusWith(first), 200) // the response with the second token may have been lost
  t.is(await statusWith(second), 200)
  t.is(await statusWith(first), 200) // sent at the same time
  await age('2 minutes')
  t.is(await statusWith(second), 200)
  t.is(await statusWith(first), 401)
  t.is(await statusWith(second), 401)
})

test.serial('signing out ends the session at once, here and at the issuer', async t => {
  const person = visitor()
  await signIn(person)
  const cookie = person.cookieOf(base)

  const out = await person.submit(`${base}.system/sign-out`, {})
  t.deepEqual([out.status, sessionOf(person)], [200, undefined])
  t.regex(out.text, /You are signed out/)
  t.is((await service.send({headers: {Host: host, Cookie: cookie}})).status, 401)
  const [, next = ''] = /^0; url=(.*)$/.exec(String(out.headers.refresh)) ?? []
  const url = new URL(next)
  t.is(url.origin, provider.url)
  t.is(url.searchParams.get('post_logout_redirect_uri'), `${base}.system/sign-out`)
  t.true((url.searchParams.get('id_token_hint') ?? '').length > 100)

  // The session at the issuer goes on until the person confirms; a form of the library asks.
  const asked = await person.open(next)
  const xsrf = /name="xsrf" value="([^"]*)"/.exec(asked.text)?.[1] ?? ''
  const back = await person.submit(`${provider.url}/session/end/confirm`, {xsrf, logout: 'yes'})
  t.deepEqual([back.status, back.url], [200, `${base}.system/sign-out`])
  t.regex(back.text, /You are signed out/)
  provider.state.account = 'bob'
  t.regex((await signIn(person)).text, /Name of bob/)
  provider.state.account = 'ada'
})

test.serial('a cookie changes something only for pages of the service', async t => {
  const person = visitor()
  await signIn(person)
  const type = {'Content-Type': 'text/turtle'}
  const post = async (headers: Readonly<Record<string, string>>) =>
    (await person.open(base, {method: 'POST', headers: {...type, ...headers}, body: ''})).status

  t.is(await post({'Sec-Fetch-Site': 'same-origin', Origin: 'https://data.example'}), 201)
  t.is(await post({Origin: 'https://data.example'}), 201)
  for (const headers of [
    {},
    {Origin: 'https://evil.example'},
    {Origin: 'null'},
    {Origin: 'http://data.example'}, // without https
    {Origin: 'http://localhost:3000'}, // allowed by CORS_ORIGINS
    {'Sec-Fetch-Site': 'cross-site', Origin: 'https://data.example'},
    {'Sec-Fetch-Site': 'same-site', Origin: 'https://data.example'},
    {'Sec-Fetch-Site': 'none'},
    {'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document'},
  ])
    t.is(await post(headers), 401, JSON.stringify(headers))
})

test.serial('a cookie reads nothing for pages of other origins, except when somebody follows a link', async t => {
  const person = visitor()
  await signIn(person)
  const read = async (headers: Readonly<Record<string, string>>) =>
    (await person.open(base, {headers: {Accept: 'text/turtle', ...headers}})).status
  const foreign = {'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script'}

  t.is(await read({}), 200)
  t.is(await read({'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document'}), 200)
  t.is(await read({...foreign, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document'}), 200)
  t.is(await read(foreign), 401)
  t.is(await read({...foreign, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe'}), 401)
  t.is(await read({Origin: 'http://localhost:3000'}), 401)
  t.is(await read({Origin: 'https://evil.example'}), 401)

  const allowed = await person.open(base, {headers: {Origin: 'http://localhost:3000', Accept: 'text/turtle'}})
  t.is(allowed.headers['access-control-allow-origin'], 'http://localhost:3000')
  t.is(allowed.status, 401)
})

test.serial('an Authorization field is what it was, with or without a cookie', async t => {
  const person = visitor()
  await signIn(person)
  const read = async (authorization: string) =>
    (await person.open(base, {headers: {Accept: 'text/turtle', Authorization: authorization}})).status

  t.is(await read('Bearer qsk_unknown'), 401)
  t.is(await read('Basic YWRhOnNlY3JldA=='), 401)
  t.is(await read(await service.authorizationOf('stranger')), 403)
  t.is(await read(await service.authorizationOf('root')), 200)
  const written = await person.open(base, {
    method: 'POST',
    headers: {'Content-Type': 'text/turtle', Authorization: await service.authorizationOf('root')},
  })
  t.is(written.status, 201)
})

test.serial('signing in leads to pages of the service only', async t => {
  for (const to of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/.//evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
    '/.system/sign-in?to=/',
    '/.system/sign-out',
    '',
    'x',
    `/${'x'.repeat(3000)}`,
  ]) {
    const person = visitor()
    const {chain} = await signIn(person, to)
    t.is(chain.at(-1)?.headers.location, '/', to)
    const again = await person.open(`${base}.system/sign-in?${new URLSearchParams({to})}`, {stopAt: /./})
    t.is(again.headers.location, '/', to)
  }
  const {chain} = await signIn(visitor(), '/a%20b/?after=%22<x>#y')
  t.is(chain.at(-1)?.headers.location, '/a%20b/?after=%22%3Cx%3E')
})

test.serial('an API key begins a session, with its scope and until it is removed', async t => {
  const authorization = await service.authorizationOf('root')
  const key = authorization.replace('Bearer ', '')
  const person = visitor()

  const wrong = await person.submit(`${base}.system/sign-in`, {key: 'qsk_unknown', to: '/?view=edit'})
  t.is(wrong.status, 401)
  t.regex(wrong.text, /role="alert">The credentials cannot be accepted: the key is unknown or has expired\./)
  t.regex(wrong.text, /name="to"\s+value="\/\?view=edit"/)
  const right = await person.submit(`${base}.system/sign-in`, {key: ` ${key}\n`, to: '/?view=edit'})
  t.deepEqual([right.status, right.url], [200, `${base}?view=edit`])
  t.regex(right.text, /root#me/)
  t.notRegex(right.text + JSON.stringify(right.chain[0]?.headers), new RegExp(key))

  // A scoped key.
  const asked = {name: 'reader', modes: ['read']}
  const made = await service.sendAs('root', {
    method: 'POST',
    path: '/.system/keys',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(asked),
  })
  const {id, key: reading} = JSON.parse(made.text)
  const reader = visitor()
  const page = await reader.submit(`${base}.system/sign-in`, {key: reading})
  t.is(page.status, 200)
  t.notRegex(page.text, /view=edit/)
  const same = {'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/turtle'}
  t.is((await reader.open(base, {method: 'POST', headers: same})).status, 403)
  t.is((await person.open(base, {method: 'POST', headers: same})).status, 201)
  await service.sendAs('root', {method: 'DELETE', path: `/.system/keys/${id}`})
  t.is((await reader.open(base)).status, 401)
})

test.serial('no other page can sign somebody in or out', async t => {
  const key = (await service.authorizationOf('root')).replace('Bearer ', '')
  const person = visitor()
  const form = {'Content-Type': 'application/x-www-form-urlencoded'}
  const foreign = [{}, {Origin: 'https://evil.example'}, {Origin: 'null'}, {'Sec-Fetch-Site': 'cross-site'}]

  for (const headers of foreign) {
    const sent = {method: 'POST', headers: {...form, ...headers}, body: `key=${key}`}
    t.is((await person.open(`${base}.system/sign-in`, sent)).status, 403)
  }
  t.is(sessionOf(person), undefined)
  await person.submit(`${base}.system/sign-in`, {key})
  for (const headers of foreign)
    t.is((await person.open(`${base}.system/sign-out`, {method: 'POST', headers: {...form, ...headers}})).status, 403)
  t.is((await person.open(base)).status, 200)
})

test.serial('responses say that they depend on the cookie', async t => {
  const person = visitor()
  await signIn(person)
  for (const path of ['', '?view=edit', '.system/keys', '.system/access', 'sparql', 'nothing/', 'describe?iri=x:y']) {
    const {headers} = await person.open(base + path)
    t.regex(String(headers['cache-control']), /private|no-store/, path)
    t.regex(String(headers.vary), /Authorization, Cookie/, path)
  }
  const asset = /href="(\/\.system\/assets\/[^"]*\.css)"/.exec((await person.open(base)).text)?.[1] ?? ''
  const {headers} = await person.open(new URL(asset, base).href)
  t.regex(String(headers['cache-control']), /public/)
  t.is(headers['set-cookie'], undefined)
})

test.serial('two tabs can sign in at the same time', async t => {
  const person = visitor()
  const begin = async (to: string) => {
    const url = `${base}.system/sign-in/issuer?${new URLSearchParams({to})}`
    return (await person.open(url, {stopAt: /127\.0\.0\.1/})).headers.location ?? ''
  }
  const [one, two] = [await begin('/'), await begin('/?view=edit')]
  const first = await person.open(one)
  const second = await person.open(two)

  t.deepEqual([first.status, second.status], [200, 200])
  t.regex(second.text, /Name of ada/)
})

test.serial('without an issuer for people there is only the form for a key', async t => {
  const keysOnly = await startGuarded({BASE_URL: base})
  t.teardown(keysOnly.stop)
  const person = createVisitor({[host]: keysOnly.url})
  const page = await person.open(`${base}.system/sign-in`)
  const none = await person.open(`${base}.system/sign-in/issuer`)

  t.is(page.status, 200)
  t.regex(page.text, /name="key" type="password"/)
  t.notRegex(page.text, /sign-in\/issuer/)
  t.is(none.status, 404)
})

test.serial('a public client; an issuer that is away; the claims of the person', async t => {
  const other = await startProvider({base})
  t.teardown(other.stop)
  const open = await startGuarded({
    ACCESS: 'auto',
    BASE_URL: base,
    JWT_ISSUER: other.url,
    JWT_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
  })
  t.teardown(open.stop)
  await open.grant('/', {'group staff': ['read'], [`agent ${agentOf('root')}`]: ['control']})
  const person = createVisitor({[host]: open.url})
  Object.assign(other.state.claims, {webid: 'https://people.example/ada#me', groups: ['staff'], name: 'Ada <L>'})
  const page = await person.open(`${base}.system/sign-in/issuer`)

  t.is(page.status, 200)
  t.regex(page.text, /Ada &lt;L&gt;/)
  t.regex(page.text, /https:\/\/people\.example\/ada#me/)

  const late = await startGuarded({
    ACCESS: 'auto',
    BASE_URL: base,
    JWT_ISSUER: 'http://127.0.0.1:9',
    JWT_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
  })
  t.teardown(late.stop)
  const away = await createVisitor({[host]: late.url}).open(`${base}.system/sign-in/issuer`)
  t.is(away.status, 503)
  t.regex(away.text, /authentication-available/)
})
