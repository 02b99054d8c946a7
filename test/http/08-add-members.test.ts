/**
 * Adding members: PUT of a c:AddMemberAction to an access point or a plain document; POST to an access point
 * (docs/interface.md, Members).
 */
import ava from 'ava'
import {answerOf, c, create, jsonLd, ldp, readValue, refusal, trig, turtle} from '../support/documents.ts'
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
  removeAll,
  ruleOf,
  triplesOf,
  valuesOf,
  writtenHeaders,
} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

const test = ava.serial // the tests share the members

let service: TestService
let people: readonly {readonly path: string; readonly iri: string}[]

test.before(async t => {
  service = await startService({PAGE_SIZE: '3'})
  await create(t as never, service, {slug: 'people'})
  people = await Promise.all(
    ['ann', 'bob', 'cyd', 'dee', 'eve', 'fay', 'gus'].map(slug =>
      create(t as never, service, {parent: '/people/', slug}),
    ),
  )
})
test.after.always(() => service.stop())

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`
const iriOf = (index: number) => people[index]?.iri ?? ''
const pathOf = (index: number) => people[index]?.path ?? ''
const membership = {Prefer: `include="${ldp}PreferMembership"`}

test('a member is added to the container document; the access point does not change', async t => {
  const {path: parent} = await create(t, service, {slug: 'one'})
  const {path, etag} = await createAccessPoint(t, service, {parent, slug: 'p', relation})

  const changed = await changedBy(t, service, [parent, path, pathOf(0), '/people/', '/'], async () => {
    const answer = await add(service, path, [iriOf(0)])
    t.deepEqual(answerOf(t, answer), {status: 204, headers: accessPointHeaders(service, path, etag), body: ''})
  })

  t.deepEqual(changed, [parent])
  t.deepEqual(await valuesOf(service, parent, relation), [pathOf(0)])
  t.false((await triplesOf(service, path)).some(line => line.includes(pathOf(0))))
})

test('many members in one action', async t => {
  const {path: parent} = await create(t, service, {slug: 'many'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation})

  t.is((await add(service, path, [iriOf(0), iriOf(1), iriOf(2)])).status, 204)

  t.deepEqual(await valuesOf(service, parent, relation), [0, 1, 2].map(pathOf))
})

test('two actions in one body both take effect', async t => {
  const {path} = await create(t, service, {slug: 'two-actions'})
  const body = `${action('Add', iriOf(0))} ${action('Add', iriOf(1))}`

  t.is((await service.send({method: 'PUT', path, headers: {...turtle, Prefer: asContainer}, body})).status, 204)

  t.deepEqual(await valuesOf(service, path, `${ldp}member`), [0, 1].map(pathOf))
})

test('with ldp:isMemberOfRelation the member refers to the container document; both change', async t => {
  const {path: parent} = await create(t, service, {slug: 'bilateral'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  const changed = await changedBy(t, service, [parent, path, pathOf(0), pathOf(1)], () =>
    add(service, path, [iriOf(0)]),
  )

  t.deepEqual(changed, [parent, pathOf(0)])
  t.deepEqual(await valuesOf(service, parent, relation), [pathOf(0)])
  t.true((await valuesOf(service, pathOf(0), inverse)).includes(parent))
})

test('adding a member again changes nothing; together with a new one, only that one changes', async t => {
  const {path: parent} = await create(t, service, {slug: 'idempotent'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})
  await add(service, path, [iriOf(0)])
  const all = [parent, path, pathOf(0), pathOf(1)]

  t.deepEqual(await changedBy(t, service, all, () => add(service, path, [iriOf(0)])), [])
  t.deepEqual(await changedBy(t, service, all, () => add(service, path, [iriOf(0), iriOf(1)])), [parent, pathOf(1)])
  t.deepEqual(await valuesOf(service, parent, relation), [0, 1].map(pathOf))
})

test('a member added to a plain document is its ldp:member', async t => {
  const {path, iri} = await create(t, service, {slug: 'plain'})

  const changed = await changedBy(t, service, [path, pathOf(0)], async () => {
    const answer = await add(service, path, [iriOf(0)])
    t.deepEqual(answerOf(t, answer), {
      status: 204,
      headers: writtenHeaders(service, path, (await service.send({path})).headers.etag),
      body: '',
    })
  })

  t.deepEqual(changed, [path])
  t.deepEqual(await valuesOf(service, path, `${ldp}member`), [pathOf(0)])
  t.is(await readValue(service, path, `${ldp}membershipResource`), iri)
})

test('a plain document with relations of its own uses them, both ways', async t => {
  const body = `<> <${ldp}hasMemberRelation> <${ex}narrower> ; <${ldp}isMemberOfRelation> <${ex}broader> .`
  const {path} = await create(t, service, {slug: 'plain-relations', body})

  await add(service, path, [iriOf(3)])

  t.deepEqual(await valuesOf(service, path, `${ex}narrower`), [pathOf(3)])
  t.deepEqual(await valuesOf(service, pathOf(3), `${ex}broader`), [path])
})

test('the inverse relation of a plain document can be changed later, but must be one IRI', async t => {
  const {path} = await create(t, service, {slug: 'plain-inverse'})
  const say = (value: string) => patch(service, path, `Add { <> <${ldp}isMemberOfRelation> ${value} . } .`)

  for (const value of ['"text"', '[]', `<${ex}a>, <${ex}b>`]) {
    const refused = await say(value)
    t.deepEqual([refused.status, ruleOf(refused)], [422, 'membership-shape'], value)
  }
  t.is((await say(`<${ex}in>`)).status, 204)
  const second = await say(`<${ex}in2>`)
  t.deepEqual([second.status, ruleOf(second)], [422, 'membership-shape'])
  await add(service, path, [iriOf(4)])

  t.deepEqual(await valuesOf(service, pathOf(4), `${ex}in`), [path])
  const {text, headers} = await service.send({path})
  const put = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, Prefer: asSource, 'If-Match': headers.etag ?? ''},
    body: `${text}\n<> <${ldp}isMemberOfRelation> "text" .`,
  })
  t.deepEqual([put.status, ruleOf(put)], [422, 'membership-shape'])
})

test('relative IRIs resolve against the declared base', async t => {
  const {path: parent} = await create(t, service, {slug: 'relative'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  const put = async (headers: Record<string, string>, body: string) => {
    await removeAll(service, path)
    const {status, text} = await service.send({method: 'PUT', path, headers: {...headers, Prefer: asContainer}, body})
    t.is(status, 204, text)
    return valuesOf(service, parent, relation)
  }
  const prefix = `@base <${service.base}> . @prefix c: <${c}> .`
  const say = '_:b0 a c:AddMemberAction ; c:targetMember <people/ann/>, <people/bob/> .'
  const context = `"@context": {"@base": "${service.base}", "c": {"@id": "${c}"}}`
  const members = '"c:targetMember": [{"@id": "people/ann/"}, {"@id": "people/bob/"}]'
  const both = [0, 1].map(pathOf)

  t.deepEqual(await put(turtle, `${prefix} ${say}`), both)
  t.deepEqual(await put(trig, `${prefix} ${say}`), both)
  t.deepEqual(await put(trig, `@prefix c: <${c}> . <> { ${say.replaceAll('<people', '</people')} }`), both)
  t.deepEqual(await put(jsonLd, `{${context}, "@id": "_:b0", "@type": ["c:AddMemberAction"], ${members}}`), both)
  t.deepEqual(await put(jsonLd, `{${context}, "@type": "c:AddMemberAction", ${members}}`), both)
  t.deepEqual(
    await put(turtle, `[] a <${c}AddMemberAction> ; <${c}targetMember> <../../people/ann/>, </people/bob/> .`),
    both,
  )
})

test('the action may be in any graph, and may have a name', async t => {
  const {path: parent} = await create(t, service, {slug: 'graphs'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  const put = (text: string) => service.send({method: 'PUT', path, headers: {...trig, Prefer: asContainer}, body: text})

  t.is((await put(`<> { ${action('Add', iriOf(0))} }`)).status, 204)
  t.is((await put(`<#a> a <${c}AddMemberAction> ; <${c}targetMember> <${iriOf(1)}> .`)).status, 204)
  t.is((await put(`@base <${service.base}> . <> { ${action('Add', iriOf(2))} }`)).status, 204)
  t.deepEqual(await valuesOf(service, parent, relation), [0, 1, 2].map(pathOf))
  t.is((await put(`@base <${service.base}> . <> { ${action('Remove', iriOf(2))} }`)).status, 204)

  t.deepEqual(await valuesOf(service, parent, relation), [0, 1].map(pathOf))
  const name = (node: string) => `<${c}${node}>`
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  const quads = `_:a ${type} ${name('AddMemberAction')} _:g .\n_:a ${name('targetMember')} <${iriOf(2)}> <http://e/> .`
  const headers = {'Content-Type': 'application/n-quads', Prefer: asContainer}
  t.is((await service.send({method: 'PUT', path, headers, body: quads})).status, 204)
  t.deepEqual(await valuesOf(service, parent, relation), [0, 1, 2].map(pathOf))
})

test('the SDK sends expanded JSON-LD, chunked', async t => {
  const {path} = await create(t, service, {slug: 'sdk'})
  const node = {
    '@id': '_:6e8bc430-9c3a-4d12-8f69-0800200c9a66',
    '@type': [`${c}AddMemberAction`],
    [`${c}targetMember`]: [{'@id': iriOf(0)}, {'@id': iriOf(1)}],
  }

  const {status} = await service.send({
    method: 'PUT',
    path,
    headers: {accept: 'application/ld+json', 'content-type': 'application/ld+json', prefer: asContainer},
    body: JSON.stringify([node]),
    isChunked: true,
  })

  t.is(status, 204)
  t.deepEqual(await valuesOf(service, path, `${ldp}member`), [0, 1].map(pathOf))
})

test('a member action works without Prefer, and needs no If-Match', async t => {
  const {path} = await create(t, service, {slug: 'no-prefer'})

  const {status} = await service.send({method: 'PUT', path, headers: turtle, body: action('Add', iriOf(0))})

  t.is(status, 204)
  t.deepEqual(await valuesOf(service, path, `${ldp}member`), [pathOf(0)])
})

test('a member that is not a document of the service is a 422, and nothing changes', async t => {
  const {path: parent} = await create(t, service, {slug: 'unknown'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  const changed = await changedBy(t, service, [parent, path, pathOf(0)], async () => {
    for (const target of [`${service.base}none/`, 'http://x.example/doc/', `${iriOf(0)}#fragment`]) {
      const answer = await add(service, path, [iriOf(0), target])
      t.deepEqual(
        answerOf(t, answer),
        refusal(
          service,
          {
            status: 422,
            rule: 'member-known',
            detail: `Only documents of this service can be members: <${target}> is none.`,
          },
          {path},
        ),
      )
    }
  })

  t.deepEqual(changed, [])
})

test('a body that is not a member action is a 422', async t => {
  const {path} = await create(t, service, {slug: 'no-action'})
  const target = `<${c}targetMember> <${iriOf(0)}>`
  const bodies = [
    '',
    `[] ${target} .`,
    `[] a <${c}AddMemberAction> .`,
    `[] a <${c}AddMemberAction> . [] ${target} .`,
    `[] a <${c}AddMemberAction> ; <${c}targetMember> "text" .`,
    `[] a <${c}AddMemberAction> ; <${c}targetMember> [] .`,
    `[] a <${c}AddMemberAction>, <${c}RemoveMemberAction> ; ${target} .`,
    `${action('Add', iriOf(0))} ${action('Remove', iriOf(1))}`,
  ]

  const changed = await changedBy(t, service, [path], async () => {
    for (const body of bodies) {
      const answer = await service.send({method: 'PUT', path, headers: {...turtle, Prefer: asContainer}, body})
      t.deepEqual([answer.status, ruleOf(answer)], [422, 'member-action-shape'], body)
    }
  })

  t.deepEqual(changed, [])
})

test('an invalid body is a 400, one without Content-Type too, another media type a 415', async t => {
  const {path} = await create(t, service, {slug: 'bad-body'})
  const put = (headers: Record<string, string>, body: string) =>
    service.send({method: 'PUT', path, headers: {...headers, Prefer: asContainer}, body})

  const answers = [
    await put(turtle, `${action('Add', iriOf(0))} <`),
    await put({}, action('Add', iriOf(0))),
    await put({'Content-Type': 'text/plain'}, action('Add', iriOf(0))),
  ]

  t.deepEqual(
    answers.map(answer => [answer.status, ruleOf(answer)]),
    [
      [400, 'body-syntax'],
      [400, 'content-type-given'],
      [415, 'media-type-known'],
    ],
  )
})

test('for a missing document it is a 404, before other errors', async t => {
  for (const body of [action('Add', iriOf(0)), '', '<']) {
    const headers = {...turtle, Prefer: asContainer}
    const answer = await service.send({method: 'PUT', path: '/none/', headers, body})
    t.deepEqual([answer.status, ruleOf(answer)], [404, 'document-exists'])
  }
})

test('If-Match applies to the addressed document: a stale one is a 412 and adds nothing', async t => {
  const {path: parent, etag: parentTag} = await create(t, service, {slug: 'conditional'})
  const {path, etag} = await createAccessPoint(t, service, {parent, slug: 'p', relation})

  const changed = await changedBy(t, service, [parent, path], async () => {
    const stale = await add(service, path, [iriOf(0)], {headers: {'If-Match': parentTag}})
    t.deepEqual([stale.status, ruleOf(stale), stale.headers.etag], [412, 'etag-mismatch', etag])
  })
  t.deepEqual(changed, [])

  for (const value of [etag, '*', `"x", ${etag}`])
    t.is((await add(service, path, [iriOf(0)], {headers: {'If-Match': value}})).status, 204, value)
})

test('two access points of one document have two lists', async t => {
  const {path: parent} = await create(t, service, {slug: 'two-lists'})
  const first = await createAccessPoint(t, service, {parent, slug: 'first', relation})
  const second = await createAccessPoint(t, service, {parent, slug: 'second', relation: `${ex}guest`})

  await add(service, first.path, [iriOf(0), iriOf(1)])
  await add(service, second.path, [iriOf(1), iriOf(2)])
  await removeAll(service, second.path)
  await add(service, second.path, [iriOf(3)])

  t.deepEqual(await valuesOf(service, parent, relation), [0, 1].map(pathOf))
  t.deepEqual(await valuesOf(service, parent, `${ex}guest`), [pathOf(3)])
})

test('a document can be a member of itself, of many lists and of its own child', async t => {
  const {path: parent, iri} = await create(t, service, {slug: 'self'})
  const child = await create(t, service, {parent, slug: 'child'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  t.is((await add(service, path, [iri, child.iri])).status, 204)
  t.is((await add(service, child.path, [iri])).status, 204)

  t.deepEqual(await valuesOf(service, parent, relation), [parent, child.path])
  t.deepEqual(await valuesOf(service, parent, inverse), [parent])
  t.deepEqual(await valuesOf(service, child.path, `${ldp}member`), [parent])
  t.deepEqual(await brokenInvariants(service), [])
})

test('a POST to an access point creates a child of it and its membership, both ways', async t => {
  const {path: parent} = await create(t, service, {slug: 'posted'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'comments', relation, inverse})

  const changed = await changedBy(t, service, [parent, path], async () => {
    const headers = {...turtle, Slug: 'first', Prefer: asContainer}
    const answer = await service.send({method: 'POST', path, headers, body: `<> <${ex}text> "hello" .`})
    const etag = String(answer.headers.etag)
    t.deepEqual(answerOf(t, answer), {
      status: 201,
      headers: {
        ...writtenHeaders(service, `${path}first/`, etag),
        location: `${service.base}posted/comments/first/`,
      },
      body: '',
    })
    t.is((await service.send({path: `${path}first/`})).headers.etag, etag)
  })

  t.deepEqual(changed, [parent])
  t.deepEqual(await childrenOf(service, path), [`${path}first/`])
  t.deepEqual(await childrenOf(service, parent), [path])
  t.deepEqual(await valuesOf(service, parent, relation), [`${path}first/`])
  t.deepEqual(await valuesOf(service, `${path}first/`, inverse), [parent])
  t.deepEqual(await valuesOf(service, `${path}first/`, `${ex}text`), ['"hello"'])
})

test('a refused POST to an access point adds no member', async t => {
  const {path: parent} = await create(t, service, {slug: 'posted-refused'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  await create(t, service, {parent: path, slug: 'taken'})

  const changed = await changedBy(t, service, [parent, path], async () => {
    const again = await service.send({method: 'POST', path, headers: {...turtle, Slug: 'taken'}, body: ''})
    t.is(again.status, 409)
  })

  t.deepEqual(changed, [])
  t.deepEqual(await valuesOf(service, parent, relation), [`${path}taken/`])
})

test('a new child is a member of its plain parent; with an inverse relation the child has the inverse triple', async t => {
  const body = `<> <${ldp}hasMemberRelation> <${ex}narrower> ; <${ldp}isMemberOfRelation> <${ex}broader> .`
  const {path: parent} = await create(t, service, {slug: 'born', body})

  const changed = await changedBy(t, service, [parent], () => create(t, service, {parent, slug: 'child'}))

  t.deepEqual(changed, [])
  t.deepEqual(await valuesOf(service, parent, `${ex}narrower`), [])
  t.deepEqual(await valuesOf(service, parent, `${ex}narrower`, membership), [`${parent}child/`])
  t.deepEqual(await valuesOf(service, `${parent}child/`, `${ex}broader`), [parent])
})

test('an access point lists the members of its document with PreferMembership, in pages', async t => {
  const {path: parent, iri} = await create(t, service, {slug: 'paged'})
  const {path, etag} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  await add(
    service,
    path,
    people.slice(0, 6).map(person => person.iri),
  )
  await create(t, service, {parent: path, slug: 'child'})
  await patch(service, parent, `Add { <> <${relation}> <http://x.example/outside>, "text", 5 . } .`)

  const listed: string[] = []
  let next: string | undefined = path
  let pages = 0
  while (next !== undefined) {
    const headers = {...membership, Accept: 'application/n-triples'}
    const answer = await service.send({path: next, headers})
    t.is(answer.status, 200, answer.text)
    t.regex(answer.headers.etag ?? '', new RegExp(`^W/"${etag.slice(1, -1)}-`))
    listed.push(...answer.text.split('\n').filter(line => line.startsWith(`<${iri}> <${relation}> `)))
    const [, target] = /<[^>]*(\?after=[^>]*)>; rel="next"/.exec(String(answer.headers.link)) ?? []
    next = target === undefined ? undefined : path + target
    pages += 1
  }

  const expected = [
    ...people.slice(0, 6).map(person => person.iri),
    `${service.base}paged/p/child/`,
    'http://x.example/outside',
  ]
  t.deepEqual(listed.sort(), expected.map(member => `<${iri}> <${relation}> <${member}> .`).sort())
  t.is(pages, 3)
})

test('a GET of an access point shows no member without PreferMembership', async t => {
  const {path: parent} = await create(t, service, {slug: 'own-only'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  const before = await triplesOf(service, path)
  await add(service, path, [iriOf(0)])

  t.deepEqual(await triplesOf(service, path), before)
  t.is((await triplesOf(service, path, membership)).length, before.length + 1)
})

test('twenty parallel additions to one list all take effect, and the store is sound', async t => {
  const {path: parent} = await create(t, service, {slug: 'parallel'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  const answers = await Promise.all(
    Array.from({length: 20}, (_, index) => add(service, path, [iriOf(index % 7), iriOf((index + 1) % 7)])),
  )

  t.deepEqual([...new Set(answers.map(({status}) => status))], [204])
  t.deepEqual(await valuesOf(service, parent, relation), people.map(person => person.path).sort())
  t.deepEqual(await brokenInvariants(service), [])
})
