/**
 * Requests on a document that a caller may not read have the same responses as requests on a document that does not
 * exist.
 *
 *   PAIR_RUNS=5000 PAIR_SEED=7 npm test -- --one-server test/http/access-pairs.test.ts
 *
 * Sends random requests, most of them invalid, by callers who may do nothing, or append, or control grants. Only a
 * success may show the difference: a caller who may add but not read learns by a 201 or 204 that a document exists. A
 * caller who may create but not add members learns by a 403 about its container document that an access point exists.
 * A caller who may create children learns by a PUT with If-None-Match: * whether a URL is free, as by a Slug.
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import type {Mode} from '../../src/db/store/caller.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {c, ldp, preferChildren, turtle} from '../support/documents.ts'

const runs = Number(process.env.PAIR_RUNS ?? 120)
const seed = process.env.PAIR_SEED

/** The grants of each caller on the parent of both documents. */
const callers: Readonly<Record<string, {readonly at: '/' | '/area/'; readonly modes: readonly Mode[]} | undefined>> = {
  nobody: undefined,
  stranger: undefined,
  sender: {at: '/area/', modes: ['append']},
  'sender-everywhere': {at: '/', modes: ['append']},
  creator: {at: '/area/', modes: ['create']},
  joiner: {at: '/area/', modes: ['members']},
  controller: {at: '/area/', modes: ['control']},
  'controlling-sender': {at: '/area/', modes: ['append', 'control']},
}

const action = (kind: string, member: string) => `[] a <${c}${kind}MemberAction> ; <${c}targetMember> ${member} .`
const bodies = [
  undefined,
  '',
  'no turtle',
  '<> <http://e/p> 1 .',
  '<> <http://e/p> 1 .'.repeat(2000),
  `<> <${c}created> "2020-01-01T00:00:00Z" .`,
  `<> <${ldp}contains> </x/> .`,
  `<> a <${c}AccessPoint> .`,
  `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> .`,
  action('Add', '</member/>'),
  action('Add', '</none/>'),
  action('Add', '"no IRI"'),
  action('Remove', '</member/>'),
  `[] a <${c}AddMemberAction> .`,
  'Add { <> <http://e/p> 1 . } .',
  'Bind ?x <> / <http://e/p> . Add { <> <http://e/q> ?x . } .',
  'Add {',
  'ASK {}',
  'ASK {',
] as const
const types = [
  undefined,
  'text/turtle',
  'text/turtle',
  'application/ld+json',
  'text/nothing',
  'no type',
  '',
  'text/ldpatch',
  'text/ldpatch',
  'application/sparql-query',
]
const tag = ['"1"', 'W/"1"', '*', `"${'0'.repeat(64)}"`, 'broken', '""']
const option = <Value>(...values: readonly Value[]) =>
  fc.oneof({weight: 9, arbitrary: fc.constant(undefined)}, {weight: 2, arbitrary: fc.constantFrom(...values)})
const typeOf = (body = ''): (typeof types)[number] => {
  if (/^(?:Add|Bind) /.test(body)) return 'text/ldpatch'
  return body.startsWith('ASK') ? 'application/sparql-query' : 'text/turtle'
}
const content = fc.oneof(
  fc.constantFrom(...bodies).map(body => ({type: typeOf(body), body})),
  fc.record({type: fc.constantFrom(...types), body: fc.constantFrom(...bodies)}),
)
const request = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'DELETE', 'TRACE'),
  suffix: fc.constantFrom('/', '/', '/', '/', '/below/', '', '/?after=1', '/?after=x', '/list/'),
  content,
  isChunked: fc.boolean(),
  headers: fc.record({
    Prefer: option<string | readonly string[]>(
      `${ldp}Container; rel=interaction-model`,
      `${ldp}RDFSource; rel=interaction-model`,
      'http://e/none; rel=interaction-model',
      'return=representation',
      'return=minimal',
      'handling=strict, nothing',
      preferChildren,
      `include=${c}PreferSelectedMembershipTriples, omit=${c}PreferMembershipTriples`,
      `return=representation; include="${ldp}PreferContainment"`,
    ),
    'If-Match': option(...tag),
    'If-None-Match': option(...tag),
    'If-Unmodified-Since': option('Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'broken'),
    Accept: option('text/html', 'application/ld+json', 'text/nothing'),
    Depth: option('0', '1', 'infinity'),
    Slug: option('a/b', '', '.system'),
    'Content-Encoding': option('gzip', 'none'),
  }),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

const noHeaders: Request['headers'] = {
  Prefer: undefined,
  'If-Match': undefined,
  'If-None-Match': undefined,
  'If-Unmodified-Since': undefined,
  Accept: undefined,
  Depth: undefined,
  Slug: undefined,
  'Content-Encoding': undefined,
}

/** A valid child and a valid member action. */
const usual: readonly Request[] = (['POST', 'PUT'] as const).map(method => ({
  method,
  suffix: method === 'PUT' ? '/list/' : '/',
  content: {type: 'text/turtle', body: method === 'PUT' ? action('Add', '</member/>') : '<> <http://e/p> 1 .'},
  isChunked: false,
  headers: noHeaders,
}))

const services = new Map<string, GuardedService>()
test.before(async () => {
  for (const refusal of ['403', '404']) {
    const service = await startGuarded({ACCESS_REFUSAL: refusal, BODY_LIMIT_BYTES: '20000', REQUEST_LIMIT: 'off'})
    services.set(refusal, service)
    const create = (path: string, Slug: string, body = '') =>
      service.sendAs('root', {method: 'POST', path, headers: {...turtle, Slug}, body})
    const list = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> .`
    await create('/', 'member')
    await create('/', 'area')
    await create('/area/', 'veiled', '<> <http://e/p> 1 .')
    await create('/area/veiled/', 'below')
    await create('/area/veiled/', 'list', list)
    await service.grant('/member/', {public: ['read']})
    const granted = (place: string) =>
      Object.fromEntries(
        Object.entries(callers).flatMap(([name, may]) =>
          may?.at === place ? [[`agent ${agentOf(name)}`, may.modes]] : [],
        ),
      )
    await service.grant('/', {[`agent ${agentOf('root')}`]: ['write', 'control'], ...granted('/')})
    await service.grant('/area/', granted('/area/'))
  }
})
test.after.always(async () => {
  for (const service of services.values()) await service.stop()
})

function sentTo(name: string, {method, suffix, content: {type, body}, isChunked, headers}: Request): Sent {
  const given = Object.entries({...headers, 'Content-Type': type}).filter(
    (one): one is [string, string] => one[1] !== undefined,
  )
  const isBodiless = body === undefined || method === 'TRACE'
  return {
    method,
    path: `/area/${name}${suffix}`,
    headers: Object.fromEntries(given),
    ...(isBodiless ? {} : {body, isChunked}),
  }
}

/** Removes the values that always differ, and the name of the document. */
function comparable({status, headers, text}: Received, name: string) {
  const differing = ['date', 'x-request-id', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']
  const others = Object.fromEntries(Object.entries(headers).filter(([header]) => !differing.includes(header)))
  const body = text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
  return JSON.parse(JSON.stringify({status, others, body}).replaceAll(name, '…'))
}

/** Methods and statuses of requests that a caller may make without `read`. */
function doneBy(caller: string): readonly (readonly [string, number])[] {
  const modes = callers[caller]?.modes ?? []
  const mayCreate = modes.includes('append') || modes.includes('create')
  const mayJoin = modes.includes('append') || modes.includes('members')
  return [...(mayCreate ? [['POST', 201] as const] : []), ...(mayJoin ? [['PUT', 204] as const] : [])]
}

/** A POST to an access point needs `members` on its container document, and the 403 says so. */
function isRefusedByContainer({method, suffix}: Request, {status, text}: Received): boolean {
  return method === 'POST' && suffix === '/list/' && status === 403 && text.includes('No grant gives you members on ')
}

/** The request, but no create at the URL by a caller who may create there. */
function withoutCreate(caller: string, asked: Request): Request {
  const isCreate = asked.method === 'PUT' && asked.headers['If-None-Match'] === '*'
  const mayCreate = doneBy(caller).some(([method]) => method === 'POST')
  return isCreate && mayCreate ? {...asked, headers: {...asked.headers, 'If-None-Match': undefined}} : asked
}

async function comparePair(t: ExecutionContext, service: GuardedService, caller: string, drawn: Request) {
  const name = caller === 'nobody' ? undefined : caller
  const asked = withoutCreate(caller, drawn)
  const hidden = await service.sendAs(name, sentTo('veiled', asked))
  const absent = await service.sendAs(name, sentTo('absent', asked))
  const isDone =
    doneBy(caller).some(([method, status]) => method === asked.method && status === hidden.status) ||
    (caller === 'creator' && isRefusedByContainer(asked, hidden))
  if (isDone) t.is(absent.status, 404, absent.text)
  else t.deepEqual(comparable(hidden, 'veiled'), comparable(absent, 'absent'), `${caller}: ${JSON.stringify(asked)}`)
  return hidden.status
}

for (const refusal of ['403', '404']) {
  for (const caller of Object.keys(callers)) {
    test(`${caller} gets equal responses for hidden and absent documents, refused by ${refusal}`, async t => {
      t.timeout(60_000 + runs * 1000)
      const service = services.get(refusal)
      if (service === undefined) throw new Error('it did not start')
      const met = new Map<number, number>()
      const property = fc.asyncProperty(request, async asked => {
        const status = await comparePair(t, service, caller, asked)
        met.set(status, (met.get(status) ?? 0) + 1)
      })
      await fc.assert(property, {
        numRuns: runs,
        examples: usual.map(one => [one]),
        ...(seed === undefined ? {} : {seed: Number(seed)}),
      })

      t.log([...met].map(([status, count]) => `${status}: ${count}`).join(', '))
      const isRefused = (status: number) => [401, 403, 404].includes(status)
      t.true([...met.keys()].some(isRefused))
      for (const status of [201, 204])
        t.is(
          met.has(status),
          doneBy(caller).some(([, done]) => done === status),
          `${status}`,
        )
    })
  }
}
