/** Creating an access point: POST to its container document (docs/interface.md, Access points). */
import test from 'ava'
import {answerOf, c, create, jsonLd, ldp, quadsOf, readValue, refusal, trig, turtle} from '../support/documents.ts'
import {
  accessPointHeaders,
  asContainer,
  asSource,
  brokenInvariants,
  changedBy,
  childrenOf,
  createAccessPoint,
  ex,
  patch,
  rdf,
  ruleOf,
  triplesOf,
  valuesOf,
} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`
const body = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${relation}> .`

const pointTriples = (path: string, parent: string, more: readonly string[] = []) =>
  [
    `<${path}> <${rdf}type> <${c}AccessPoint>`,
    `<${path}> <${rdf}type> <${c}Document>`,
    `<${path}> <${rdf}type> <${ldp}DirectContainer>`,
    `<${path}> <${rdf}type> <${ldp}RDFSource>`,
    `<${path}> <${ldp}hasMemberRelation> <${relation}>`,
    `<${path}> <${ldp}insertedContentRelation> <${ldp}MemberSubject>`,
    `<${path}> <${ldp}membershipResource> <${parent}>`,
    ...more,
  ].sort()

test('an access point is a 201 with Location and ETag; the service adds types, times and membership', async t => {
  await create(t, service, {slug: 'whole'})

  const answer = await service.send({
    method: 'POST',
    path: '/whole/',
    headers: {...turtle, Prefer: asContainer, Slug: 'participants'},
    body: `${body} <> <${ldp}isMemberOfRelation> <${inverse}> ; <${ex}name> "Participants" .`,
  })
  const path = '/whole/participants/'
  const etag = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {...accessPointHeaders(service, path, etag), location: `${service.base}whole/participants/`},
    body: '',
  })
  t.deepEqual(
    await triplesOf(service, path),
    pointTriples(path, '/whole/', [
      `<${path}> <${ldp}isMemberOfRelation> <${inverse}>`,
      `<${path}> <${ex}name> "Participants"`,
    ]),
  )
  t.is(await readValue(service, path, `${c}created`), await readValue(service, path, `${c}modified`))
  t.is((await service.send({path})).headers.etag, etag)
})

test('every form of the body creates the same access point', async t => {
  await create(t, service, {slug: 'forms'})
  const context = `{"c": "${c}", "ldp": "${ldp}", "ex": {"@id": "${ex}"}}`
  const jsonOf = (type: string) =>
    `{"@context": ${context}, "@id": "", ${type} "ldp:hasMemberRelation": {"@id": "ex:participant"}}`
  const direct = `<> a <${ldp}DirectContainer> ; <${ldp}hasMemberRelation> <${relation}> .`
  const bare = `<> <${ldp}hasMemberRelation> <${relation}> .`
  const forms: readonly (readonly [headers: Record<string, string>, body: string])[] = [
    [turtle, body],
    [{...turtle, Prefer: asSource}, body],
    [{...turtle, Prefer: asContainer}, body],
    [turtle, direct],
    [{...turtle, Prefer: asSource}, direct],
    [{...turtle, Prefer: asSource}, bare],
    [{...turtle, Prefer: `${ldp}RDFSource;rel=interaction-model`}, bare],
    [{...turtle, Prefer: asContainer}, `${direct} <> a <${c}AccessPoint> .`],
    [{...turtle, Prefer: asContainer}, `${body} <> <${ldp}membershipResource> <../> .`],
    [turtle, `${body} <> <${ldp}insertedContentRelation> <${ldp}MemberSubject> .`],
    [trig, `<> { ${body.slice(0, -1)} }`],
    [{...trig, Prefer: asSource}, `<>{ <> <${ldp}hasMemberRelation> <${relation}> . }`],
    [jsonLd, jsonOf('"@type": ["c:AccessPoint"],')],
    [jsonLd, jsonOf('"@type": ["ldp:DirectContainer", "c:AccessPoint"],')],
    [{...jsonLd, Prefer: asSource}, jsonOf('')],
    [jsonLd, `{"@id": "", "@graph": [${jsonOf('"@type": ["c:AccessPoint"],')}]}`],
  ]

  for (const [index, [headers, text]] of forms.entries()) {
    const {path} = await create(t, service, {parent: '/forms/', slug: `form-${index}`, headers, body: text})
    t.deepEqual(await triplesOf(service, path), pointTriples(path, '/forms/'), text)
  }
})

test('a body with only the relation and without the model RDFSource creates a plain document', async t => {
  await create(t, service, {slug: 'plain'})
  const bare = `<> <${ldp}hasMemberRelation> <${relation}> .`

  for (const [slug, headers] of [
    ['none', {}],
    ['container', {Prefer: asContainer}],
  ] as const) {
    const {path} = await create(t, service, {parent: '/plain/', slug, headers, body: bare})
    t.deepEqual(await valuesOf(service, path, `${ldp}membershipResource`), [path])
    t.false((await triplesOf(service, path)).some(line => line.includes('AccessPoint')))
  }
})

test('its document lists it under c:accessPoint and as a child, and changes', async t => {
  const {path: parent} = await create(t, service, {slug: 'listed'})

  const changed = await changedBy(t, service, [parent, '/'], async () => {
    await createAccessPoint(t, service, {parent, slug: 'one', relation})
    await createAccessPoint(t, service, {parent, slug: 'two', relation: `${ex}guest`})
    await createAccessPoint(t, service, {parent, slug: 'same-relation', relation})
  })

  const points = ['one', 'same-relation', 'two'].map(slug => `${parent}${slug}/`)
  t.deepEqual(changed, [parent])
  t.deepEqual(await valuesOf(service, parent, `${c}accessPoint`), points)
  t.deepEqual(await childrenOf(service, parent), points)
})

test('an access point is not a member of its document', async t => {
  const {path: parent} = await create(t, service, {slug: 'not-a-member'})
  await createAccessPoint(t, service, {parent, slug: 'point', relation: `${ldp}member`})

  t.deepEqual(await valuesOf(service, parent, `${ldp}member`, {Prefer: `include="${ldp}PreferMembership"`}), [])
})

test('without a Slug its name is a random number', async t => {
  const {path: parent} = await create(t, service, {slug: 'random'})

  const {path} = await create(t, service, {parent, body})

  t.regex(path, /^\/random\/[0-9]+\/$/)
})

test('a document may have any number of access points', async t => {
  const {path: parent} = await create(t, service, {slug: 'many'})

  const made = Array.from({length: 30}, (_, index) =>
    createAccessPoint(t, service, {parent, slug: `p${index}`, relation: `${ex}r${index}`}),
  )
  const paths = (await Promise.all(made)).map(({path}) => path)

  t.deepEqual(await valuesOf(service, parent, `${c}accessPoint`), paths.sort())
  t.deepEqual(await brokenInvariants(service), [])
})

test('a taken Slug of a document or an access point is a 409 that names the URI; nothing changes', async t => {
  const {path: parent} = await create(t, service, {slug: 'taken'})
  const document = await create(t, service, {parent, slug: 'document'})
  const point = await createAccessPoint(t, service, {parent, slug: 'point', relation})

  for (const {iri, slug} of [
    {...document, slug: 'document'},
    {...point, slug: 'point'},
  ]) {
    const changed = await changedBy(t, service, [parent, document.path, point.path], async () => {
      const answer = await service.send({method: 'POST', path: parent, headers: {...turtle, Slug: slug}, body})
      t.deepEqual(
        answerOf(t, answer),
        refusal(
          service,
          {
            status: 409,
            rule: 'document-iri-free',
            detail: `There is a document <${iri}> already`,
            existing: iri,
          },
          {path: parent},
        ),
      )
    })
    t.deepEqual(changed, [])
  }
})

test('without ldp:hasMemberRelation it is a 422; so is a literal or a blank node, and more than one', async t => {
  const {path: parent} = await create(t, service, {slug: 'shapes'})
  const typed = `<> a <${c}AccessPoint> .`
  const missing = `An access point needs <${ldp}hasMemberRelation>, under which its members are recorded`
  const bodies: readonly (readonly [body: string, rule: string, detail?: string])[] = [
    [typed, 'access-point-relation', missing],
    [`${typed} <#other> <${ldp}hasMemberRelation> <${relation}> .`, 'access-point-relation', missing],
    [
      `${typed} <> <${ldp}hasMemberRelation> "ex:participant" .`,
      'access-point-relation',
      `<${ldp}hasMemberRelation> must be an IRI, got "ex:participant"`,
    ],
    [`${typed} <> <${ldp}hasMemberRelation> [] .`, 'access-point-relation'],
    [
      `${typed} <> <${ldp}hasMemberRelation> <${relation}>, <${ex}other> .`,
      'membership-shape',
      `<${ldp}hasMemberRelation> can have one value, got 2`,
    ],
    [`${body} <> <${ldp}isMemberOfRelation> "ex:in" .`, 'membership-shape'],
    [`${body} <> <${ldp}isMemberOfRelation> <${ex}a>, <${ex}b> .`, 'membership-shape'],
    [`${body} <> <${ldp}insertedContentRelation> "x" .`, 'membership-shape'],
  ]

  for (const [text, rule, detail] of bodies) {
    const headers = {...turtle, Slug: 'refused'}
    const answer = answerOf(t, await service.send({method: 'POST', path: parent, headers, body: text}))
    const {detail: told} = answer.body as {detail: string}
    t.deepEqual(answer, refusal(service, {status: 422, rule, detail: detail ?? told}, {path: parent}), text)
  }
  t.is((await service.send({path: `${parent}refused/`})).status, 404)
  t.deepEqual(await valuesOf(service, parent, `${c}accessPoint`), [])
})

test('a string as relation with the model RDFSource alone is a 422 too', async t => {
  const {path} = await create(t, service, {slug: 'string'})
  const text = `{"@context": {"ldp": "${ldp}"}, "@id": "", "ldp:hasMemberRelation": "ex:participant"}`

  const answer = await service.send({method: 'POST', path, headers: {...jsonLd, Prefer: asSource}, body: text})

  t.deepEqual([answer.status, ruleOf(answer)], [422, 'access-point-relation'])
})

test('a relation that the service maintains is a 422, by POST and by PATCH, for documents and access points', async t => {
  const {path} = await create(t, service, {slug: 'kept'})
  const kept = ['created', 'modified', 'accessPoint', 'checksum', 'document']
    .map(name => c + name)
    .concat(
      ['contains', 'membershipResource', 'hasMemberRelation', 'isMemberOfRelation'].map(name => ldp + name),
      `${rdf}type`,
    )
  for (const iri of kept) {
    const bodies = [
      `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${iri}> .`,
      `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${ex}in> ; <${ldp}isMemberOfRelation> <${iri}> .`,
      `<> <${ldp}hasMemberRelation> <${iri}> .`,
    ]
    for (const body of bodies) {
      const answer = await service.send({method: 'POST', path, headers: turtle, body})
      t.deepEqual([answer.status, ruleOf(answer)], [422, 'membership-shape'], body)
    }
    const answer = await patch(service, path, `Add { <> <${ldp}isMemberOfRelation> <${iri}> } .`)
    t.deepEqual([answer.status, ruleOf(answer)], [422, 'membership-shape'], iri)
  }
  t.deepEqual(await childrenOf(service, path), [])
})

test('a foreign membershipResource is a 409 that names it', async t => {
  const {path} = await create(t, service, {slug: 'foreign'})

  for (const resource of ['<>', '</>', '<http://x.example/>']) {
    const text = `${body} <> <${ldp}membershipResource> ${resource} .`
    const answer = await service.send({method: 'POST', path, headers: turtle, body: text})
    t.is(answer.status, 409)
    t.like(JSON.parse(answer.text), {
      title: 'reserved-free',
      reservedProperties: [{property: `${ldp}membershipResource`}],
    })
  }
})

test('an access point in an access point is a 422', async t => {
  const {path: parent} = await create(t, service, {slug: 'nested'})
  const {path, iri} = await createAccessPoint(t, service, {parent, slug: 'point', relation})

  const changed = await changedBy(t, service, [parent, path], async () => {
    const answer = await service.send({method: 'POST', path, headers: turtle, body})
    t.deepEqual(
      answerOf(t, answer),
      refusal(
        service,
        {
          status: 422,
          rule: 'access-point-place',
          detail: `<${iri}> is an access point itself, and holds no members of its own.`,
        },
        {path},
      ),
    )
  })

  t.deepEqual(changed, [])
})

test('in a document that does not exist it is a 404', async t => {
  const answer = await service.send({method: 'POST', path: '/none/', headers: turtle, body})

  t.deepEqual([answer.status, ruleOf(answer)], [404, 'parent-exists'])
})

test('return=representation returns the access point', async t => {
  const {path: parent} = await create(t, service, {slug: 'returned'})

  const headers = {
    ...turtle,
    Slug: 'p',
    Accept: 'application/n-triples',
    Prefer: [asContainer, 'return=representation'],
  }
  const answer = await service.send({method: 'POST', path: parent, headers, body})

  t.is(answer.status, 201)
  t.is(answer.headers['preference-applied'], 'return=representation')
  t.is(answer.headers['content-location'], `${service.base}returned/p/`)
  const got = await service.send({path: `${parent}p/`, headers: {Accept: 'application/n-triples'}})
  t.deepEqual(answer.text.split('\n').sort(), got.text.split('\n').sort())
})

test('a PUT cannot change fixed properties of an access point: 412 with the property; others can change', async t => {
  const {path: parent} = await create(t, service, {slug: 'fixed-put'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})
  const put = async (change: (text: string) => string) => {
    const {text, headers} = await service.send({path, headers: {Accept: 'application/n-triples'}})
    return service.send({
      method: 'PUT',
      path,
      headers: {...turtle, Prefer: asSource, 'If-Match': headers.etag ?? ''},
      body: change(text),
    })
  }
  const iri = service.base + path.slice(1)
  const changes: readonly (readonly [property: string, change: (text: string) => string])[] = [
    [`${ldp}hasMemberRelation`, text => text.replace(`<${relation}>`, `<${ex}other>`)],
    [`${ldp}hasMemberRelation`, text => `${text}\n<> <${ldp}hasMemberRelation> <${ex}other> .`],
    [`${ldp}isMemberOfRelation`, text => text.replace(`<${inverse}>`, `<${ex}other>`)],
    [`${ldp}isMemberOfRelation`, text => text.replace(new RegExp(`.*${ldp}isMemberOfRelation.*`), '')],
    [
      `${ldp}membershipResource`,
      text => text.replace(`membershipResource> <${service.base}fixed-put/>`, `membershipResource> <${iri}>`),
    ],
    [`${ldp}insertedContentRelation`, text => text.replace('MemberSubject', 'Other')],
  ]

  for (const [property, change] of changes) {
    const answer = await put(change)
    t.is(answer.status, 412, property)
    const {title, reservedProperties} = JSON.parse(answer.text)
    t.deepEqual(
      [title, reservedProperties.map((each: {property: string}) => each.property)],
      ['reserved-kept', [property]],
    )
  }
  t.is((await put(text => `${text}\n<> <${ex}name> "new" .`)).status, 204)
  t.deepEqual(
    await triplesOf(service, path),
    pointTriples(path, parent, [`<${path}> <${ldp}isMemberOfRelation> <${inverse}>`, `<${path}> <${ex}name> "new"`]),
  )
})

test('a PUT without the types of an access point keeps them', async t => {
  const {path: parent} = await create(t, service, {slug: 'types-put'})
  const {path, etag} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  const {text} = await service.send({path, headers: {Accept: 'application/n-triples'}})
  const without = text
    .split('\n')
    .filter(line => !line.includes(`${rdf}type`))
    .join('\n')

  const {status} = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, Prefer: asSource, 'If-Match': etag},
    body: without,
  })

  t.is(status, 204)
  t.deepEqual(await triplesOf(service, path), pointTriples(path, parent))
})

test('a PATCH cannot change fixed properties of an access point: 409 with the property', async t => {
  const {path: parent} = await create(t, service, {slug: 'fixed-patch'})
  const {path} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})
  const patches: readonly (readonly [property: string, text: string])[] = [
    [`${ldp}hasMemberRelation`, `Delete { <> <${ldp}hasMemberRelation> <${relation}> . } .`],
    [`${ldp}hasMemberRelation`, `Add { <> <${ldp}hasMemberRelation> <${ex}other> . } .`],
    [`${ldp}isMemberOfRelation`, `Delete { <> <${ldp}isMemberOfRelation> <${inverse}> . } .`],
    [`${ldp}isMemberOfRelation`, `Add { <> <${ldp}isMemberOfRelation> <${ex}other> . } .`],
    [`${ldp}membershipResource`, `Add { <> <${ldp}membershipResource> <> . } .`],
    [`${ldp}insertedContentRelation`, `Add { <> <${ldp}insertedContentRelation> <${ex}x> . } .`],
    [`${rdf}type`, `Delete { <> a <${c}AccessPoint> . } .`],
    [`${rdf}type`, `Add { <> a <${ldp}BasicContainer> . } .`],
  ]

  const changed = await changedBy(t, service, [path], async () => {
    for (const [property, text] of patches) {
      const answer = await patch(service, path, text)
      t.is(answer.status, 409, text)
      t.like(JSON.parse(answer.text), {title: 'reserved-free', reservedProperties: [{property}]}, text)
    }
  })

  t.deepEqual(changed, [])
})

test('no PUT or PATCH of the document changes its c:accessPoint list', async t => {
  const {path: parent} = await create(t, service, {slug: 'list-kept'})
  const {path, iri} = await createAccessPoint(t, service, {parent, slug: 'p', relation})
  const {text, headers} = await service.send({path: parent, headers: {Accept: 'application/n-triples'}})
  const without = text
    .split('\n')
    .filter(line => !line.includes('#accessPoint>'))
    .join('\n')

  const put = await service.send({
    method: 'PUT',
    path: parent,
    headers: {...turtle, Prefer: asSource, 'If-Match': headers.etag ?? ''},
    body: without,
  })
  const patched = await patch(service, parent, `Delete { <> <${c}accessPoint> <${iri}> . } .`)

  t.deepEqual([put.status, ruleOf(put)], [412, 'reserved-kept'])
  t.deepEqual([patched.status, ruleOf(patched)], [409, 'reserved-free'])
  t.deepEqual(await valuesOf(service, parent, `${c}accessPoint`), [path])
})

test('no document becomes an access point by PUT', async t => {
  const {path, etag} = await create(t, service, {slug: 'stays-plain'})
  const {text} = await service.send({path})

  const answer = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, Prefer: asSource, 'If-Match': etag},
    body: `${text}\n<> a <${c}AccessPoint> .`,
  })

  t.deepEqual([answer.status, ruleOf(answer)], [409, 'reserved-free'])
  t.false((await triplesOf(service, path)).some(line => line.includes('AccessPoint')))
})

test('a GET of an access point in JSON-LD is one graph with its four types', async t => {
  const {path: parent} = await create(t, service, {slug: 'json'})
  const {path, iri} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  const answer = await service.send({path, headers: {Accept: 'application/ld+json'}})
  const created = await readValue(service, path, `${c}created`)

  const time = [{'@value': created, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime'}]
  const [graph] = JSON.parse(answer.text)
  const [node] = graph['@graph']
  t.deepEqual(
    {...node, '@type': [...node['@type']].sort()},
    {
      '@id': iri,
      '@type': [`${ldp}DirectContainer`, `${ldp}RDFSource`, `${c}AccessPoint`, `${c}Document`].sort(),
      [`${c}created`]: time,
      [`${c}modified`]: time,
      [`${ldp}hasMemberRelation`]: [{'@id': relation}],
      [`${ldp}isMemberOfRelation`]: [{'@id': inverse}],
      [`${ldp}insertedContentRelation`]: [{'@id': `${ldp}MemberSubject`}],
      [`${ldp}membershipResource`]: [{'@id': service.base + parent.slice(1)}],
    },
  )
  t.deepEqual([graph['@id'], JSON.parse(answer.text).length, graph['@graph'].length], [iri, 1, 1])
  t.is((await quadsOf(answer)).length, 10)
})
