/** Pages about grants and API keys, whose forms need no JavaScript; and what pages offer to whom. */
import test from 'ava'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {createVisitor, type Visitor} from '../support/visitor.ts'

const base = 'https://data.example/'
const host = 'data.example'

let service: GuardedService

test.before(async () => {
  service = await startGuarded({BASE_URL: base})
  const add = (path: string, slug: string, body = '') =>
    service.sendAs('root', {method: 'POST', path, headers: {'Content-Type': 'text/turtle', Slug: slug}, body})
  const agentName = `<${agentOf('root')}> <http://purl.org/dc/terms/title> "Somebody else" .`
  await add('/', 'books', `<> <http://purl.org/dc/terms/title> "Library" . ${agentName}`)
  await add('/books/', 'emma')
  await add('/books/', 'sanditon')
  await service.grant('/', {
    [`agent ${agentOf('root')}`]: ['write', 'control'],
    [`agent ${agentOf('reader')}`]: ['read'],
    [`agent ${agentOf('author')}`]: ['read', 'append'],
    public: ['read'],
  })
  await service.grant('/books/', {[`agent ${agentOf('keeper')}`]: ['read', 'edit', 'control'], 'group staff': ['read']})
})
test.after.always(() => service.stop())

/** Somebody who is signed in with an API key. */
async function visitorAs(name: string): Promise<Visitor> {
  const visitor = createVisitor({[host]: service.url})
  const key = (await service.authorizationOf(name)).replace('Bearer ', '')
  await visitor.submit(`${base}.system/sign-in`, {key})
  return visitor
}

const accessOf = (path: string) => `${base}.system/access?${new URLSearchParams({document: base + path})}`

async function grantsOf(path: string) {
  const {text} = await service.sendAs('root', {path: new URL(accessOf(path)).pathname + new URL(accessOf(path)).search})
  return JSON.parse(text)
}

/** Text without tags, blanks collapsed. */
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/&quot;/g, '"')

test.serial('a page offers what the reader may do', async t => {
  const offersOf = async (visitor: Visitor, path = 'books/emma/') => {
    const {text} = await visitor.open(base + path)
    const actions = /<nav class="actions"[^>]*>(.*?)<\/nav>/s.exec(text)?.[1] ?? ''
    return Array.from(actions.matchAll(/<a class="button[^>]*>([^<]*)<\/a>/g), ([, name]) => name)
  }
  const methodsOf = async (visitor: Visitor) =>
    /data-methods="([^"]*)"/.exec((await visitor.open(`${base}books/`)).text)?.[1]
  const [root, keeper, author, reader] = await Promise.all(['root', 'keeper', 'author', 'reader'].map(visitorAs))
  const nobody = createVisitor({[host]: service.url})
  if (!root || !keeper || !author || !reader) return t.fail()

  t.deepEqual(await offersOf(root), ['Edit', 'History', 'Add a child', 'Access', 'Delete'])
  t.deepEqual(await offersOf(keeper), ['Edit', 'History', 'Access'])
  t.deepEqual(await offersOf(author), ['History', 'Add a child'])
  t.deepEqual(await offersOf(reader), ['History'])
  t.deepEqual(await offersOf(nobody), ['History'])
  t.is(await methodsOf(root), 'MOVE COPY DELETE')
  t.is(await methodsOf(reader), 'COPY')
  t.is(await methodsOf(nobody), '')

  for (const view of ['edit', 'create', 'delete']) {
    t.is((await reader.open(`${base}books/emma/?view=${view}`)).status, 403, view)
    const refused = await nobody.open(`${base}books/emma/?view=${view}`)
    t.is(refused.status, 401, view)
    t.true(refused.text.includes(`href="/.system/sign-in?to=%2Fbooks%2Femma%2F%3Fview%3D${view}"`), view)
  }
  t.is((await author.open(`${base}books/?view=create`)).status, 200)
  t.is((await keeper.open(`${base}books/?view=edit`)).status, 200)
})

test.serial('the page of grants says who may do what, why, and what is below', async t => {
  const root = await visitorAs('root')
  const page = await root.open(accessOf('books/'))
  const text = plain(page.text)

  t.is(page.status, 200)
  t.regex(text, /Group staff read of this document Revoke/)
  t.regex(text, /keeper#me .*control edit read of this document Revoke/)
  t.regex(text, /Everybody read inherited from all documents/)
  t.regex(text, /root#me .*control write inherited from/)
  t.regex(text, /You may: read, create, members, edit, delete, control\. Everybody may: read\./)
  t.regex(text, /Access to Library/)
  t.notRegex(text, /Somebody else/, 'a document does not say who an agent is')
  t.regex(plain((await root.open(accessOf('books/emma/'))).text), /All documents Library emma Access to emma/)
  t.regex(plain((await root.open(accessOf(''))).text), /Below it .* books\/ .*keeper#me/)

  // Who controls only a part sees only the grants that concern the caller.
  const keeper = await visitorAs('keeper')
  const part = plain((await keeper.open(accessOf('books/'))).text)
  t.regex(part, /3 more grants apply here, of documents above that you do not control/)
  t.notRegex(part, /root#me/)
  t.is((await keeper.open(accessOf(''))).status, 403)
  const anonymous = await createVisitor({[host]: service.url}).open(accessOf('books/'))
  t.is(anonymous.status, 401)
  t.regex(anonymous.text, /href="\/\.system\/sign-in\?to=%2F\.system%2Faccess%3Fdocument%3D/)
})

test.serial('grants are added and revoked by forms', async t => {
  const root = await visitorAs('root')
  const url = accessOf('books/emma/')
  const bob = 'https://people.example/bob#me'

  const added = await root.submit(url, {
    action: 'add',
    kind: 'agent',
    who: ` ${bob} `,
    mode: ['read', 'edit'],
    expires: '2099-01-31',
  })
  t.deepEqual([added.status, added.url, added.chain[0]?.status], [200, url, 303])
  await root.submit(url, {action: 'add', kind: 'public', who: 'ignored', mode: 'append', expires: ''})
  t.deepEqual((await grantsOf('books/emma/')).grants, [
    {grantee: `agent ${bob}`, modes: ['edit', 'read'], expires: '2099-02-01T00:00:00.000Z'},
    {grantee: 'public', modes: ['append']},
  ])

  const removal = {action: 'remove', grantee: `agent ${bob}`}
  const missed = await root.submit(url, {...removal, until: 'never'})
  t.is(missed.status, 404)
  t.regex(missed.text, /role="alert">[^<]*has no such grant/)
  await root.submit(url, {...removal, until: '2099-02-01T00:00:00.000Z'})
  await root.submit(url, {action: 'remove', grantee: 'public', until: 'never'})
  t.deepEqual((await grantsOf('books/emma/')).grants, [])
})

test.serial('a refused grant shows the form again, with what was entered', async t => {
  const root = await visitorAs('root')
  const url = accessOf('books/emma/')
  const given = {action: 'add', kind: 'group', who: 'a "b" <c>', mode: ['read', 'query'], expires: '2001-01-31'}
  const refusals: readonly (readonly [Readonly<Record<string, string | readonly string[]>>, number])[] = [
    [given, 422],
    [{...given, expires: '', mode: []}, 400],
    [{...given, expires: '2001-02-31'}, 400],
    [{...given, kind: 'agent', expires: ''}, 400],
    [{...given, action: 'else'}, 400],
  ]
  for (const [fields, status] of refusals) {
    const {text, status: received} = await root.submit(url, fields)
    t.is(received, status, JSON.stringify(fields))
    t.regex(text, /class="problem" role="alert"/)
    t.regex(text, /value="a &quot;b&quot; &lt;c&gt;"/)
  }
  const shown = (await root.submit(url, given)).text
  t.regex(shown, /value="query" checked/)
  t.regex(shown, /value="2001-01-31"/)
  t.deepEqual((await grantsOf('books/emma/')).grants, [])

  const last = await root.submit(accessOf(''), {
    action: 'remove',
    grantee: `agent ${agentOf('root')}`,
    until: 'never',
  })
  t.is(last.status, 409)
})

test.serial('a document becomes private and inherits again by a form; its keeper keeps control', async t => {
  const root = await visitorAs('root')
  const url = accessOf('books/sanditon/')

  const isolated = await root.submit(url, {action: 'isolate'})
  t.is(isolated.status, 200)
  t.regex(plain(isolated.text), /It is private/)
  const {inherits, grants} = await grantsOf('books/sanditon/')
  t.deepEqual([inherits, grants], [false, [{grantee: `agent ${agentOf('root')}`, modes: ['control', 'read']}]])
  t.regex(plain((await root.open(accessOf('books/'))).text), /sanditon\/ private .*root#me/)

  // Who controls only what is above does not see it.
  const keeper = await visitorAs('keeper')
  t.notRegex((await keeper.open(accessOf('books/'))).text, /sanditon/)
  await root.submit(url, {action: 'inherit'})
  t.is((await grantsOf('books/sanditon/')).inherits, true)
})

test.serial('a list of more than 50 documents below has pages', async t => {
  const add = (slug: string) =>
    service.sendAs('root', {method: 'POST', path: '/', headers: {'Content-Type': 'text/turtle', Slug: slug}})
  await add('many')
  for (let n = 10; n < 62; n++) {
    await service.sendAs('root', {
      method: 'POST',
      path: '/many/',
      headers: {'Content-Type': 'text/turtle', Slug: `d${n}`},
    })
    await service.grant(`/many/d${n}/`, {public: ['read']})
  }
  const root = await visitorAs('root')
  const first = await root.open(accessOf('many/'))
  const names = (text: string) => Array.from(text.matchAll(/<code>(d\d\d\/)<\/code>/g), ([, name]) => name)
  const next = /rel="next" href="([^"]*)"/.exec(first.text)?.[1]?.replace(/&amp;/g, '&') ?? ''
  const second = await root.open(new URL(next, base).href)

  t.is(names(first.text).length, 50)
  t.deepEqual(names(second.text), ['d60/', 'd61/'])
})

test.serial('keys are made and removed by forms, and shown once', async t => {
  const keeper = await visitorAs('keeper')
  const url = `${base}.system/keys`

  const made = await keeper.submit(url, {
    name: 'import <1>',
    mode: ['read'],
    within: `${base}books/`,
    expires: '2099-01-31',
  })
  const key = /<code class="secret">(qsk_[\w-]{43})<\/code>/.exec(made.text)?.[1] ?? ''
  t.is(made.status, 201)
  t.is(made.headers['cache-control'], 'no-store')
  t.regex(String(made.headers.location), /^https:\/\/data\.example\/\.system\/keys\/[0-9a-f]{16}$/)
  const read = async () =>
    (await service.send({path: '/books/', headers: {Host: host, Authorization: `Bearer ${key}`}})).status
  t.is(await read(), 200)

  const page = await keeper.open(url)
  t.notRegex(page.text, new RegExp(key))
  t.regex(
    plain(page.text),
    /import &lt;1&gt; [0-9a-f]{16} read in .*books.* until 1 February 2099, 00:00 UTC · made .*, /,
  )
  const within = await keeper.open(`${url}?${new URLSearchParams({within: `${base}books/`})}`)
  t.is(within.text.match(/name="remove"/g)?.length, 1)
  const elsewhere = await keeper.open(`${url}?${new URLSearchParams({within: `${base}many/`})}`)
  t.is(elsewhere.text.match(/name="remove"/g), null)

  const id = String(made.headers.location).slice(-16)
  const removed = await keeper.submit(url, {remove: id})
  t.deepEqual([removed.status, removed.url], [200, url])
  t.is((await keeper.submit(url, {remove: id})).status, 404)
  t.notRegex(removed.text, new RegExp(id))
})

test.serial('a refused key shows the form again; other agents have keys only from who controls the root', async t => {
  const keeper = await visitorAs('keeper')
  const url = `${base}.system/keys`
  const refused = await keeper.submit(url, {name: 'n', within: `${base}books/emma/`, expires: ''})
  t.is(refused.status, 422)
  t.regex(refused.text, /role="alert">[^<]*emma/)
  t.regex(refused.text, /name="within"\s+value="https:\/\/data\.example\/books\/emma\/"/)
  t.is((await keeper.submit(url, {name: 'n', agent: agentOf('root')})).status, 403)
  t.notRegex((await keeper.open(url)).text, /name="agent"/)

  const root = await visitorAs('root')
  const made = await root.submit(url, {name: 'for the reader', agent: agentOf('reader')})
  t.is(made.status, 201)
  t.regex(plain(made.text), /for the reader [0-9a-f]{16} of .*reader#me/)
})

test.serial('forms of other pages change neither grants nor keys', async t => {
  const root = await visitorAs('root')
  const form = {'Content-Type': 'application/x-www-form-urlencoded'}
  for (const [url, body] of [
    [accessOf('books/'), 'action=add&kind=public&mode=control'],
    [`${base}.system/keys`, 'name=x'],
  ] as const)
    for (const headers of [{}, {Origin: 'https://evil.example'}, {'Sec-Fetch-Site': 'same-site'}]) {
      const authorization = {Authorization: await service.authorizationOf('root')}
      t.true([401, 415].includes((await root.open(url, {method: 'POST', headers: {...form, ...headers}, body})).status))
      // A proxy that adds the field does not make the form of another site count.
      const sent = {method: 'POST', headers: {...form, ...headers, ...authorization}, body}
      t.is((await root.open(url, sent)).status, 415)
    }
  t.is((await grantsOf('books/')).grants.length, 2)
  t.notRegex((await root.open(`${base}.system/keys`)).text, />x</)
})

test.serial('who is not signed in finds a link to sign in and back, also where hidden documents are a 404', async t => {
  const hiding = await startGuarded({ACCESS_REFUSAL: '404', BASE_URL: base})
  t.teardown(hiding.stop)
  const person = createVisitor({[host]: hiding.url})
  const missing = await person.open(`${base}a%20b/?view=values&property=x:y`)
  const link = '/.system/sign-in?to=%2Fa%2520b%2F%3Fview%3Dvalues%26property%3Dx%3Ay'

  t.is(missing.status, 404)
  t.true(missing.text.includes(`<a class="button primary" href="${link}">Sign in</a>`))
  const posted = await person.open(base, {method: 'POST', headers: {'Content-Type': 'text/turtle'}})
  t.true(posted.text.includes('href="/.system/sign-in?to=%2F"'))

  const key = (await hiding.authorizationOf('stranger')).replace('Bearer ', '')
  const still = await person.submit(`${base}.system/sign-in`, {key, to: '/a/'})
  t.deepEqual([still.status, still.text.includes('>Sign in</a>')], [404, false])
})
