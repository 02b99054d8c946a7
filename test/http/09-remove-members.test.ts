/** Removing selected members: DELETE or PUT with a c:RemoveMemberAction (docs/interface.md, Members). */
import ava from 'ava'
import {answerOf, c, create, jsonLd, ldp, refusal, trig, turtle} from '../support/documents.ts'
import {
  accessPointHeaders,
  action,
  add,
  asContainer,
  asSource,
  brokenInvariants,
  changedBy,
  childrenOf,
  createAccessPoint,
  ex,
  patch,
  preferAll,
  preferSelected,
  remove,
  ruleOf,
  valuesOf,
} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

const test = ava.serial // the tests share the members

let service: TestService
let people: readonly {readonly path: string; readonly iri: string}[]

test.before(async t => {
  service = await startService()
  people = await Promise.all(['ann', 'bob', 'cyd', 'dee'].map(slug => create(t as never, service, {slug})))
})
test.after.always(() => service.stop())

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`
const iriOf = (index: number) => people[index]?.iri ?? ''
const pathOf = (index: number) => people[index]?.path ?? ''
const link = `<${ldp}Resource>; rel="type"`

/** A container document with an access point and the first three members. */
async function filled(t: Parameters<typeof create>[0], slug: string, isBilateral = true) {
  const {path: parent} = await create(t, service, {slug})
  const point = {parent, slug: 'p', relation, ...(isBilateral ? {inverse} : {})}
  const {path, etag} = await createAccessPoint(t, service, point)
  await add(service, path, [0, 1, 2].map(iriOf))
  return {parent, path, etag, members: () => valuesOf(service, parent, relation)}
}

test('removing a member is a 204 with Date; both triples are removed, and no other document changes', async t => {
  const {parent, path, members} = await filled(t, 'one')

  const changed = await changedBy(t, service, [parent, path, ...people.map(person => person.path)], async () => {
    const answer = await remove(service, path, [iriOf(0)])
    t.deepEqual(answerOf(t, answer), {
      status: 204,
      headers: {link, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff'},
      body: '',
    })
    t.false(Number.isNaN(Date.parse(answer.headers.date ?? '')))
  })

  t.deepEqual(changed, [parent, pathOf(0)])
  t.deepEqual(await members(), [1, 2].map(pathOf))
  t.false((await valuesOf(service, pathOf(0), inverse)).includes(parent))
  t.true((await valuesOf(service, pathOf(1), inverse)).includes(parent))
})

test('several members in one action', async t => {
  const {path, members} = await filled(t, 'several')

  t.is((await remove(service, path, [iriOf(0), iriOf(2)])).status, 204)

  t.deepEqual(await members(), [pathOf(1)])
})

test('removing something that is not a member is a 204 that changes nothing', async t => {
  const {parent, path, members} = await filled(t, 'absent')

  const changed = await changedBy(t, service, [parent, path, ...people.map(person => person.path)], async () => {
    for (const target of [iriOf(3), `${service.base}none/`, 'http://x.example/'])
      t.is((await remove(service, path, [target])).status, 204)
  })

  t.deepEqual(changed, [])
  t.deepEqual(await members(), [0, 1, 2].map(pathOf))
})

test('every object of the relation is a member, whether it is a document here or not', async t => {
  const {parent, path, members} = await filled(t, 'outside', false)
  await patch(service, parent, `Add { <> <${relation}> <http://x.example/outside> . } .`)

  const changed = await changedBy(t, service, [parent, path], () => remove(service, path, ['http://x.example/outside']))

  t.deepEqual(changed, [parent])
  t.deepEqual(await members(), [0, 1, 2].map(pathOf))
})

test('relative IRIs, JSON-LD, TriG in the graph <> and the forms of the SDK', async t => {
  const {path, members} = await filled(t, 'forms')
  const context = `"@context": {"@base": "${service.base}", "c": {"@id": "${c}"}}`
  const sdk = [{'@id': '_:x', '@type': [`${c}RemoveMemberAction`], [`${c}targetMember`]: [{'@id': iriOf(2)}]}]
  const own = {...jsonLd, Prefer: preferSelected}
  const sdkPrefer = `${asContainer}, include="${c}PreferSelectedMembershipTriples", omit="${c}PreferMembershipTriples"`
  const forms: readonly (readonly [headers: Record<string, string | readonly string[]>, body: string])[] = [
    [own, `{${context}, "@id": "_:b0", "@type": ["c:RemoveMemberAction"], "c:targetMember": {"@id": "ann/"}}`],
    [
      {...trig, Prefer: preferSelected},
      `@base <${service.base}> . <> { ${action('Remove', 'bob/')} }`.replace('<> {', `<${service.base}forms/p/> {`),
    ],
    [{accept: 'application/ld+json', 'content-type': 'application/ld+json', prefer: sdkPrefer}, JSON.stringify(sdk)],
  ]

  for (const [headers, body] of forms) {
    const before = (await members()).length
    const answer = await service.send({method: 'DELETE', path, headers, body, isChunked: true})
    t.is(answer.status, 204, answer.text)
    t.is((await members()).length, before - 1, body)
  }
})

test('a c:RemoveMemberAction may come by PUT, for proxies that drop the body of a DELETE', async t => {
  const {parent, path, etag, members} = await filled(t, 'by-put')

  const changed = await changedBy(t, service, [parent, path, pathOf(0)], async () => {
    const headers = {...turtle, Prefer: asContainer}
    const answer = await service.send({method: 'PUT', path, headers, body: action('Remove', iriOf(0))})
    t.deepEqual(answerOf(t, answer), {status: 204, headers: accessPointHeaders(service, path, etag), body: ''})
  })

  t.deepEqual(changed, [parent, pathOf(0)])
  t.deepEqual(await members(), [1, 2].map(pathOf))
})

test('an empty body or none is a 400 that removes nothing', async t => {
  const {parent, path} = await filled(t, 'empty')
  const bodies: readonly (readonly [headers: Record<string, string>, body: string | undefined, rule: string])[] = [
    [turtle, '', 'member-action-given'],
    [turtle, undefined, 'member-action-given'],
    [jsonLd, '[]', 'member-action-given'],
    [trig, '# nothing', 'member-action-given'],
    [{}, undefined, 'content-type-given'],
  ]

  const changed = await changedBy(t, service, [parent, path, pathOf(0)], async () => {
    for (const [headers, body, rule] of bodies) {
      const sent = {method: 'DELETE', path, headers: {...headers, Prefer: preferSelected}}
      const answer = await service.send(body === undefined ? sent : {...sent, body})
      t.deepEqual([answer.status, ruleOf(answer)], [400, rule], `${body}`)
    }
  })

  t.deepEqual(changed, [])
})

test('a body that is not a c:RemoveMemberAction is a 422 that removes nothing', async t => {
  const {parent, path} = await filled(t, 'wrong')
  const bodies = [
    action('Add', iriOf(0)),
    `[] a <${c}RemoveMemberAction> .`,
    `[] a <${c}RemoveMemberAction> ; <${c}targetMember> "ann" .`,
    `[] <${c}targetMember> <${iriOf(0)}> .`,
  ]

  const changed = await changedBy(t, service, [parent, path, pathOf(0)], async () => {
    for (const body of bodies) {
      const headers = {...turtle, Prefer: preferSelected}
      const answer = await service.send({method: 'DELETE', path, headers, body})
      t.deepEqual([answer.status, ruleOf(answer)], [422, 'member-action-shape'], body)
    }
  })

  t.deepEqual(changed, [])
})

test('a missing or contradictory preference is a 400 that removes nothing', async t => {
  const {parent, path, members} = await filled(t, 'lost')
  const [model = '', include = '', omit = ''] = preferSelected
  const sets: readonly (readonly string[])[] = [
    [],
    [model],
    [include],
    [omit],
    [include, omit],
    [model, include],
    [model, omit],
    [asSource],
    [asSource, include, omit],
    [model, include, omit, `include=${c}PreferMembershipTriples`],
    [model, include, omit, `include=${c}PreferContainmentResources`],
    [model, include, omit, `omit=${c}PreferSelectedMembershipTriples`],
    preferAll,
    [model, `include=${c}PreferContainmentResources`, `omit=${c}PreferContainer`, omit],
  ]

  const changed = await changedBy(t, service, [parent, path, pathOf(0)], async () => {
    for (const prefer of sets) {
      const headers = {...turtle, ...(prefer.length === 0 ? {} : {Prefer: prefer})}
      for (const isChunked of [false, true]) {
        const body = action('Remove', iriOf(0))
        const answer = await service.send({method: 'DELETE', path, headers, body, isChunked})
        t.is(answer.status, 400, prefer.join(' | '))
        t.true(['delete-scope', 'prefer-contradiction'].includes(ruleOf(answer)))
      }
    }
  })

  t.deepEqual(changed, [])
  t.deepEqual(await members(), [0, 1, 2].map(pathOf))
})

test('extra omits are allowed', async t => {
  const {path, members} = await filled(t, 'extra')
  const headers = {Prefer: [...preferSelected, `omit="${c}PreferContainer ${c}PreferContainmentResources"`]}

  t.is((await remove(service, path, [iriOf(0)], {headers})).status, 204)
  t.deepEqual(await members(), [1, 2].map(pathOf))
})

test('a missing document is a 404, a stale If-Match a 412, an invalid body a 400', async t => {
  const {parent, path, etag, members} = await filled(t, 'refused')
  const stale = await remove(service, path, [iriOf(0)], {headers: {'If-Match': '"0"'}})

  t.deepEqual(
    answerOf(t, stale),
    refusal(
      service,
      {
        status: 412,
        rule: 'etag-mismatch',
        detail: `The document has changed: its entity tag is ${etag}, not "0".`,
        etag: etag.slice(1, -1),
      },
      {path, headers: {etag}},
    ),
  )
  t.is((await remove(service, '/none/', [iriOf(0)])).status, 404)
  const broken = await service.send({method: 'DELETE', path, headers: {...turtle, Prefer: preferSelected}, body: '<'})
  t.is(broken.status, 400)
  t.deepEqual(await members(), [0, 1, 2].map(pathOf))
  t.is((await remove(service, path, [iriOf(0)], {headers: {'If-Match': etag}})).status, 204)
  t.is(parent, '/refused/')
})

test('a member of another list stays in it, and keeps the inverse triple of that list', async t => {
  const {parent, path, members} = await filled(t, 'lists')
  const other = await createAccessPoint(t, service, {parent, slug: 'guests', relation: `${ex}guest`, inverse})
  await add(service, other.path, [iriOf(0)])
  const holds = async () => (await valuesOf(service, pathOf(0), inverse)).includes(parent)

  t.deepEqual(await changedBy(t, service, [parent, pathOf(0)], () => remove(service, path, [iriOf(0)])), [parent])
  t.deepEqual([await members(), await valuesOf(service, parent, `${ex}guest`)], [[1, 2].map(pathOf), [pathOf(0)]])
  t.true(await holds())

  await remove(service, other.path, [iriOf(0)])
  t.false(await holds())
})

test('a child that is removed from the members of its parent stays a child, and can be added again', async t => {
  const {path} = await create(t, service, {slug: 'parent'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  const membership = () => valuesOf(service, path, `${ldp}member`, {Prefer: `include="${ldp}PreferMembership"`})
  t.deepEqual(await membership(), [child.path])

  t.deepEqual(await changedAll(path, child.path, () => remove(service, path, [child.iri])), [path])
  t.deepEqual([await membership(), await childrenOf(service, path)], [[], [child.path]])

  t.deepEqual(await changedAll(path, child.path, () => remove(service, path, [child.iri])), [])
  t.is((await add(service, path, [child.iri])).status, 204)
  t.deepEqual(await valuesOf(service, path, `${ldp}member`), [child.path])
  t.is((await remove(service, path, [child.iri])).status, 204)
  t.deepEqual([await membership(), await childrenOf(service, path)], [[], [child.path]])

  /** A plain GET does not show derived memberships, so its triples may stay the same while the tag is new. */
  async function changedAll(first: string, second: string, act: () => Promise<unknown>): Promise<readonly string[]> {
    const tags = () => Promise.all([first, second].map(async each => (await service.send({path: each})).headers.etag))
    const before = await tags()
    await act()
    const after = await tags()
    return [first, second].filter((_, index) => before[index] !== after[index])
  }
})

test('a child of an access point that is removed from its members stays its child', async t => {
  const {parent, path} = await filled(t, 'posted')
  const child = await create(t, service, {parent: path, slug: 'child'})

  await remove(service, path, [child.iri])

  t.deepEqual(await valuesOf(service, parent, relation), [0, 1, 2].map(pathOf))
  t.deepEqual(await valuesOf(service, child.path, inverse), [])
  t.deepEqual(await childrenOf(service, path), [child.path])
})

test('deleting a member document removes it from every list', async t => {
  const first = await filled(t, 'first-list')
  const second = await filled(t, 'second-list', false)
  const plain = await create(t, service, {slug: 'plain-list'})
  const gone = await create(t, service, {slug: 'gone'})
  for (const path of [first.path, second.path, plain.path]) await add(service, path, [gone.iri])
  const all = [first.parent, first.path, second.parent, second.path, plain.path, pathOf(0)]

  const changed = await changedBy(t, service, all, () => service.send({method: 'DELETE', path: gone.path}))

  t.deepEqual(changed, [first.parent, second.parent, plain.path])
  t.deepEqual(await first.members(), [0, 1, 2].map(pathOf))
  t.deepEqual(await second.members(), [0, 1, 2].map(pathOf))
  t.deepEqual(await valuesOf(service, plain.path, `${ldp}member`), [])
  t.deepEqual(await brokenInvariants(service), [])
})

test('deleting the container document removes the inverse triples of its members', async t => {
  const {parent, path} = await filled(t, 'container')

  const changed = await changedBy(
    t,
    service,
    people.map(person => person.path),
    async () => {
      t.is((await service.send({method: 'DELETE', path: parent})).status, 204)
    },
  )

  t.deepEqual(changed, [0, 1, 2].map(pathOf))
  t.is((await service.send({path})).status, 404)
  t.false((await valuesOf(service, pathOf(0), inverse)).includes(parent))
  t.deepEqual(await brokenInvariants(service), [])
})
