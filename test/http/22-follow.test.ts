/** Copies of other stores: equal to their sources, whatever happens there, and read-only. */
import test, {type ExecutionContext} from 'ava'
import {expireChanges, keepChanges} from '../../src/db/store/changes.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {addFollow, listFollows, removeFollow} from '../../src/db/store/follows.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {type GuardedService, startGuarded} from '../support/access.ts'
import {requestRandomly, untilCopied} from '../support/copies.ts'
import {c, ldp, turtle} from '../support/documents.ts'
import {add, asContainer, createAccessPoint, ldpatch, preferAll, removeAll, ruleOf} from '../support/members.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {type Settings, type TestService, unlimited, useService} from '../support/service.ts'

const rounds = Number(process.env.FOLLOW_RUNS ?? 4)

const make = (service: TestService, path: string, slug: string, body = '') =>
  service.send({method: 'POST', path, headers: {...turtle, Slug: slug}, body})

const side = ({base, database: {database}}: TestService) => ({base, database})

async function follow(copy: TestService, source: TestService, path: string, key?: string): Promise<string> {
  return addFollow(await openSession(copy.database.database, testSchema), {url: source.base, path, key})
}

const stateOf = async (copy: TestService, id: string) =>
  (await listFollows(await openSession(copy.database.database, testSchema))).find(row => row.id === id)

async function pair(t: ExecutionContext, settings: Settings = {}) {
  const source = await useService(t, settings)
  const copy = await useService(t)
  return {source, copy}
}

test('a subtree is copied with its members, access points, blank nodes and literals, and follows each change', async t => {
  const {source, copy} = await pair(t)
  await make(source, '/', 'projects')
  const seed = Number(process.env.FOLLOW_SEED ?? 20_261_123)
  t.log(`FOLLOW_SEED=${seed}`)
  const random = createRandom(seed)
  for (let count = 0; count < 60; count += 1) await requestRandomly(random, source, 'projects/')
  const id = await follow(copy, source, 'projects/')
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < 60; count += 1) await requestRandomly(random, source, 'projects/')
    await untilCopied(t, side(source), side(copy), 'projects/')
  }
  const state = await stateOf(copy, id)
  t.is(state?.failures, 0, state?.last_reason ?? '')
  t.is(state?.behind, '0')
  const acts = await source.database.database.query<{readonly action: string}>(
    `select distinct action from ${schemaIdentifier}.change where action is not null`,
  )
  const seen = acts.map(({action}) => action)
  for (const action of ['changed', 'created', 'deleted', 'members-added', 'members-removed', 'moved', 'patched'])
    t.true(seen.includes(action), action)
})

test('only the follower writes copies, and other writes leave them as they are', async t => {
  const {source, copy} = await pair(t)
  await make(source, '/', 'box')
  await make(source, '/box/', 'one', '<> <http://e/p> <../../own/>, <../two/> .')
  await make(source, '/box/', 'two')
  await make(copy, '/', 'own')
  await make(copy, '/', 'other', '<> <http://e/p> <../box/one/> .')
  const id = await follow(copy, source, 'box/')
  await untilCopied(t, side(source), side(copy), 'box/')

  const {headers} = await copy.send({path: '/box/one/'})
  const whole = (await copy.send({path: '/box/one/', headers: {Accept: 'text/turtle'}})).text
  const update = {'Content-Type': 'application/sparql-update'}
  const refused = [
    {method: 'POST', path: '/box/', headers: {...turtle, Slug: 'new'}, body: ''},
    {method: 'PUT', path: '/box/new/', headers: {...turtle, 'If-None-Match': '*'}, body: ''},
    {method: 'PUT', path: '/box/one/', headers: {...turtle, 'If-Match': String(headers.etag)}, body: whole},
    {method: 'PATCH', path: '/box/one/', headers: ldpatch, body: 'Add { <> <http://e/p> 2 } .'},
    {method: 'DELETE', path: '/box/one/'},
    {
      method: 'DELETE',
      path: '/box/',
      headers: {
        Prefer: [
          asContainer,
          `include=${c}PreferContainmentResources`,
          `omit=${c}PreferContainer`,
          `omit=${c}PreferMembershipTriples`,
        ],
      },
    },
    {method: 'DELETE', path: '/box/', headers: {Prefer: preferAll}},
    {method: 'MOVE', path: '/box/one/', headers: {Destination: '/moved/'}},
    {method: 'MOVE', path: '/other/', headers: {Destination: '/box/other/'}},
    {method: 'COPY', path: '/other/', headers: {Destination: '/box/other/'}},
    {
      method: 'POST',
      path: '/sparql',
      headers: update,
      body: `INSERT DATA { GRAPH <${copy.base}box/one/> { <http://e/s> <http://e/p> 1 } }`,
    },
    {method: 'POST', path: '/sparql', headers: update, body: `CLEAR GRAPH <${copy.base}box/one/>`},
    {method: 'PUT', path: `/rdf-graph-store?graph=${copy.base}box/one/`, headers: turtle, body: ''},
  ]
  for (const request of refused) {
    const answer = await copy.send(request)
    t.deepEqual(
      [answer.status, ruleOf(answer)],
      [403, 'followed-kept'],
      `${request.method} ${request.path}: ${answer.text}`,
    )
    t.true(JSON.parse(answer.text).source.startsWith(`${source.base}box/`), `${request.method} ${answer.text}`)
  }
  t.is((await copy.send({method: 'DELETE', path: '/own/'})).status, 204, 'the copy keeps its reference')
  t.is((await copy.send({method: 'MOVE', path: '/other/', headers: {Destination: '/another/'}})).status, 201)
  t.is((await make(copy, '/', 'own2')).status, 201)
  t.is((await copy.send({method: 'COPY', path: '/box/one/', headers: {Destination: '/mine/'}})).status, 201)
  await untilCopied(t, side(source), side(copy), 'box/')

  await removeFollow(await openSession(copy.database.database, testSchema), id)
  t.is((await make(copy, '/box/', 'new')).status, 201)
  t.is((await copy.send({method: 'DELETE', path: '/box/'})).status, 204)
  t.is(Number((await copy.database.database.query('select count(*) as n from quadstead.followed_node'))[0]?.n), 0)
})

test('a place that is not free, or overlaps with another copy, cannot become one', async t => {
  const {source, copy} = await pair(t)
  await make(copy, '/', 'taken')
  await follow(copy, source, 'free/')
  for (const path of ['taken/', '', 'free/', 'free/below/', 'absent/below/'])
    await t.throwsAsync(follow(copy, source, path), {message: /document|copy/}, path)
  await t.throwsAsync(follow(copy, copy, 'itself/'), {message: /itself/})
  await make(source, '/', 'free')
  await untilCopied(t, side(source), side(copy), 'free/')
})

test('when the log has expired, the documents are listed again, and readers lose nothing', async t => {
  const {source, copy} = await pair(t)
  await make(source, '/', 'box')
  for (const slug of ['kept', 'gone', 'changed'])
    await make(source, '/box/', slug, '<> <http://e/p> [ <http://e/q> 1 ] .')
  await make(source, '/box/gone/', 'below')
  const id = await follow(copy, source, 'box/')
  await untilCopied(t, side(source), side(copy), 'box/')
  const tagOf = async (path: string) => (await copy.send({path})).headers.etag
  const tag = await tagOf('/box/kept/')

  const {database} = copy.database
  await database.query(
    "update quadstead.follow set next_attempt = now() + interval '3 seconds', holder = null, held_until = null",
  )
  await source.send({method: 'DELETE', path: '/box/gone/'})
  await source.send({method: 'PATCH', path: '/box/changed/', headers: ldpatch, body: 'Add { <> <http://e/p> 2 } .'})
  await make(source, '/box/', 'new')
  await source.database.database.query("update quadstead.change set time = time - interval '2 days'")
  await keepChanges(source.database.database, testSchema, 86_400)
  while ((await expireChanges(source.database.database, testSchema, 1000)) > 0);
  let isWatching = true
  const lost: number[] = []
  const watching = (async () => {
    while (isWatching) {
      const {status} = await copy.send({path: '/box/kept/'})
      if (status !== 200) lost.push(status)
    }
  })()
  await untilCopied(t, side(source), side(copy), 'box/')
  isWatching = false
  await watching
  t.deepEqual(lost, [])
  t.is(await tagOf('/box/kept/'), tag, 'it was not written again')
  t.is((await database.query<{round: number}>('select round from quadstead.follow'))[0]?.round, 2)
  t.is((await stateOf(copy, id))?.failures, 0)
  await make(source, '/box/', 'later')
  await untilCopied(t, side(source), side(copy), 'box/')
})

test('two processes follow one source without doing anything twice', async t => {
  const {source, copy} = await pair(t)
  const settings = {...unlimited, PORT: '0', DATABASE_URL: copy.database.url, DATABASE_POOL_MAX: '4'}
  const other = await start(readConfig(settings))
  t.teardown(() => other.stop())
  await make(source, '/', 'box')
  await follow(copy, source, 'box/')
  for (let count = 0; count < 50; count += 1) {
    await make(source, '/box/', `d${count}`)
    // both processes believe that they may go on
    if (count % 5 === 0) await copy.database.database.query('update quadstead.follow set held_until = null')
  }
  await untilCopied(t, side(source), side(copy), 'box/')
  const twice = await copy.database.database.query(
    'select document from quadstead.change where action is not null group by document having count(*) > 1',
  )
  t.deepEqual(twice.filter(({document}) => document !== null).length, 0)
})

test('a key shows what it may read, and a whole store is copied to another base', async t => {
  const source: GuardedService = await startGuarded()
  t.teardown(source.stop)
  const copy = await useService(t, {BASE_URL: 'http://copy.test/data/'})
  const asRoot = (path: string, slug: string) =>
    source.sendAs('root', {
      method: 'POST',
      path,
      headers: {...turtle, Slug: slug},
      body: `<> <http://e/p> </${slug}/>, "${source.base}" .`,
    })
  await asRoot('/', 'open')
  await asRoot('/open/', 'below')
  await asRoot('/', 'secret')
  await source.grant('/', {
    'agent http://agents.example/root#me': ['control', 'write'],
    'agent http://agents.example/copier#me': ['read'],
  })
  await source.grant('/secret/', {'agent http://agents.example/root#me': ['read']})
  const key = (await source.authorizationOf('copier')).slice('Bearer '.length)
  await follow(copy, source, '', key)
  await untilCopied(t, side(source), side(copy), '')
  t.regex(
    (await copy.send({path: '/data/open/', headers: {Host: 'copy.test'}})).text,
    /http:\/\/copy\.test\/data\/open\//,
  )
  t.is((await stateOf(copy, '1'))?.has_key, true)
})

test('large documents and lists are copied', async t => {
  const {source, copy} = await pair(t)
  await make(source, '/', 'box')
  const values = Array.from({length: 12_000}, (_, index) => `<http://e/p> ${index}`).join(' ; ')
  await make(source, '/box/', 'early', `<> ${values} .`)
  await follow(copy, source, 'box/')
  await untilCopied(t, side(source), side(copy), 'box/')
  await make(source, '/box/', 'late', `<> ${values} .`)
  await createAccessPoint(t, source, {
    parent: '/box/',
    slug: 'point',
    relation: 'http://e/member',
    inverse: 'http://e/of',
  })
  await add(source, '/box/point/', [`${source.base}box/early/`, `${source.base}box/late/`])
  await removeAll(source, '/box/')
  await untilCopied(t, side(source), side(copy), 'box/')
})

test('documents can be listed in pages, which lead to the changes after them', async t => {
  const source = await useService(t)
  for (const slug of ['b', 'a', 'c']) await make(source, '/', slug, '<> <http://e/p> [] .')
  for (const slug of ['z', 'y']) await make(source, '/a/', slug)
  const read = async (query: string) => {
    const {status, text, headers} = await source.send({path: `/changes?${query}`})
    const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    return {
      status,
      lines: text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
      next,
    }
  }
  const seen: string[] = []
  let query = 'after=documents&limit=2&triples=patch'
  for (let page = 0; page < 10 && query.includes('documents'); page += 1) {
    const {lines, next} = await read(query)
    t.true(lines.length <= 2)
    for (const line of lines) {
      seen.push(line.document.slice(source.base.length))
      t.is(line.action, 'present')
      t.is(line.memberBy, line.document === source.base ? undefined : `${ldp}member`)
      t.regex(line.patch, /^TX \.\nA /)
      t.is((await source.send({path: `/${seen.at(-1)}`})).headers.etag, line.after)
    }
    if (page === 1) await make(source, '/', 'during')
    query = next
  }
  t.deepEqual(seen.sort(), ['', 'a/', 'a/y/', 'a/z/', 'b/', 'c/', 'during/'])
  const {lines} = await read(query)
  t.deepEqual(
    lines.map(({document}) => document),
    [`${source.base}during/`],
  )

  t.deepEqual(
    (await read('after=documents&under=/a/z/')).lines.map(({document}) => document),
    [`${source.base}a/z/`],
  )
  t.deepEqual((await read('after=documents&under=/absent/')).lines, [])
  t.is((await source.send({path: '/changes?after=documents', headers: {Accept: 'text/event-stream'}})).status, 400)
  t.is((await source.send({path: '/changes?after=documents.x'})).status, 400)
  t.is((await source.send({path: '/changes?after=documents.1.2.3.4.5'})).status, 200)
})
