/**
 * The examples of access points, members, patches and taxonomies in the guides of existing clients, unchanged (decision
 * 0013).
 */
import ava from 'ava'
import type {Received, Sent} from '../support/client.ts'
import {c, jsonLd, ldp, trig, turtle} from '../support/documents.ts'
import {asSource, brokenInvariants, ex, ruleOf, triplesOf, valuesOf} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

const test = ava.serial // each example builds on the previous ones

const skos = 'http://www.w3.org/2004/02/skos/core#'
const dct = 'http://purl.org/dc/terms/'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const container = `${ldp}Container;rel=interaction-model`
const source = `${ldp}RDFSource;rel=interaction-model`

async function ask(method: string, path: string, headers: Sent['headers'], body?: string): Promise<Received> {
  return service.send({method, path, headers: headers ?? {}, ...(body === undefined ? {} : {body})})
}

const prefixes = `@prefix ex:<${ex}> .\n@prefix ldp:<${ldp}> .\n@prefix c:<${c}> .\n@prefix skos:<${skos}> .\n@prefix dct:<${dct}> .\n`
const context = () => `"@context": {
    "@base": "${service.base}",
    "c": { "@id": "${c}" },
    "ldp": { "@id": "${ldp}" },
    "xsd": { "@id": "http://www.w3.org/2001/XMLSchema#" },
    "ex": { "@id": "${ex}" },
    "ex:name": { "@type": "xsd:string" }
  }`

test('10: a PATCH with prefixes without a space, deleting and adding; If-Match is optional', async t => {
  const body = `${prefixes}<>{ <> a c:Document ; ex:literalProperty "Example property" ; ex:numericalProperty "1"^^<http://www.w3.org/2001/XMLSchema#int> . }`
  await ask('POST', '/', {...trig, Slug: 'test-document'}, body)
  const before = (await ask('GET', '/test-document/', {})).headers.etag
  const iri = `${service.base}test-document/`

  const answer = await ask(
    'PATCH',
    '/test-document/',
    {'Content-Type': 'text/ldpatch', Prefer: source, Accept: 'application/ld+json'},
    `@prefix rdf:<http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix ex:<${ex}> .
Delete {
  <${iri}> ex:literalProperty "Example property" .
} .
Add {
  <${iri}> ex:literalProperty "Modified example property" ;
    rdf:type ex:PATCHExample .
} .`,
  )

  t.deepEqual([answer.status, answer.text], [204, ''])
  t.truthy(answer.headers.etag)
  t.not(answer.headers.etag, before)
  t.deepEqual(await valuesOf(service, '/test-document/', `${ex}literalProperty`), ['"Modified example property"'])
})

test('12 to 14: a project and two persons', async t => {
  const project = `{ ${context()}, "@id": "", "@type": ["ex:Project"], "ex:name": "Project X" }`
  const john = `{ ${context()}, "@id": "", "@type": ["ex:Person"], "ex:name": "John Doe" }`
  const clean = (text: string) => text.replace(`"@base": "${service.base}",`, '')

  const statuses = [
    (await ask('POST', '/', {...jsonLd, Slug: 'project-x', Prefer: container}, clean(project))).status,
    (await ask('POST', '/', {...jsonLd, Slug: 'john-doe', Prefer: container}, clean(john))).status,
    (await ask('POST', '/', {...trig, Slug: 'jane-doe'}, `${prefixes}<>{ <> a ex:Person ; ex:name "Jane Doe" . }`))
      .status,
  ]

  t.deepEqual(statuses, [201, 201, 201])
  t.deepEqual(await valuesOf(service, '/project-x/', `${ex}name`), ['"Project X"'])
})

test('15: a relation that is a string is a 422; corrected it is an access point', async t => {
  const printed = `{ "@context": {"ldp": { "@id": "${ldp}" }, "ex": { "@id": "${ex}" }}, "@id": "", "ldp:hasMemberRelation": "ex:participant" }`
  const headers = {...jsonLd, Slug: 'participants', Prefer: source}

  const refused = await ask('POST', '/project-x/', headers, printed)
  t.deepEqual([refused.status, ruleOf(refused)], [422, 'access-point-relation'])

  const made = await ask(
    'POST',
    '/project-x/',
    headers,
    printed.replace('"ex:participant"', '{"@id": "ex:participant"}'),
  )
  t.deepEqual([made.status, made.headers.location], [201, `${service.base}project-x/participants/`])
  t.truthy(made.headers.etag)
})

test('16: the same in TriG; with ldp:isMemberOfRelation it is bilateral', async t => {
  const body = `${prefixes}<>{ <> ldp:hasMemberRelation ex:manager ; ldp:isMemberOfRelation ex:participatesIn . }`

  const made = await ask('POST', '/project-x/', {...trig, Slug: 'managers', Prefer: source}, body)

  t.is(made.status, 201)
})

const memberAction = (kind: string, targets: string) => `{
  "@context": { "@base": "${service.base}", "c": { "@id": "${c}" } },
  "@id": "_:b0",
  "@type": ["c:${kind}MemberAction"],
  "c:targetMember": ${targets}
}`
const trigAction = (kind: string, targets: string) =>
  `@base <${service.base}> .\n@prefix c:<${c}> .\n_:b0 a c:${kind}MemberAction ;\n  c:targetMember ${targets} .`
const selected = [container, `include=${c}PreferSelectedMembershipTriples`, `omit=${c}PreferMembershipTriples`]
const participants = () => valuesOf(service, '/project-x/', `${ex}participant`)
const path = '/project-x/participants/'

test('17: a member is added by JSON-LD with a base', async t => {
  const answer = await ask('PUT', path, {...jsonLd, Prefer: container}, memberAction('Add', '{ "@id": "john-doe/" }'))

  t.deepEqual([answer.status, answer.text], [204, ''])
  t.truthy(answer.headers.etag)
  t.deepEqual(await participants(), ['/john-doe/'])
})

test('18: a member is added by TriG with a base, in the default graph', async t => {
  t.is((await ask('PUT', path, {...trig, Prefer: container}, trigAction('Add', '<jane-doe/>'))).status, 204)
  t.deepEqual(await participants(), ['/jane-doe/', '/john-doe/'])
})

test('19: a member is removed by JSON-LD', async t => {
  const body = memberAction('Remove', '{ "@id": "john-doe/" }')

  const answer = await ask('DELETE', path, {...jsonLd, Prefer: selected}, body)

  t.is(answer.status, 204)
  t.truthy(answer.headers.date)
  t.deepEqual(await participants(), ['/jane-doe/'])
})

test('20: a member is removed by TriG', async t => {
  t.is((await ask('DELETE', path, {...trig, Prefer: selected}, trigAction('Remove', '<jane-doe/>'))).status, 204)
  t.deepEqual(await participants(), [])
})

test('21: several members at once', async t => {
  const both = '[{ "@id": "john-doe/" }, { "@id": "jane-doe/" }]'

  t.is((await ask('PUT', path, {...jsonLd, Prefer: container}, memberAction('Add', both))).status, 204)
  t.deepEqual(await participants(), ['/jane-doe/', '/john-doe/'])
  t.is((await ask('DELETE', path, {...jsonLd, Prefer: selected}, memberAction('Remove', both))).status, 204)
  t.is(
    (await ask('PUT', path, {...trig, Prefer: container}, trigAction('Add', '<john-doe/>, <jane-doe/>'))).status,
    204,
  )
  t.deepEqual(await participants(), ['/jane-doe/', '/john-doe/'])
})

test('22: all members; with Prefer Container alone, as in 2018, it is a 400 that removes nothing', async t => {
  const old = await ask('DELETE', path, {Prefer: container})
  t.deepEqual([old.status, ruleOf(old), (await participants()).length], [400, 'delete-scope', 2])

  const all = [container, `include=${c}PreferMembershipTriples`, `omit=${c}PreferSelectedMembershipTriples`]
  const answer = await ask('DELETE', path, {Prefer: all})
  t.is(answer.status, 204)
  t.truthy(answer.headers.date)
  t.deepEqual(await participants(), [])
  t.is((await ask('GET', path, {})).status, 200)
})

test('23: an access point shows its four types and its membership properties', async t => {
  const path = '/project-x/managers/'
  const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

  t.deepEqual(
    await triplesOf(service, path, {Prefer: source}),
    [
      [rdfType, `${c}AccessPoint`],
      [rdfType, `${c}Document`],
      [rdfType, `${ldp}DirectContainer`],
      [rdfType, `${ldp}RDFSource`],
      [`${ldp}hasMemberRelation`, `${ex}manager`],
      [`${ldp}insertedContentRelation`, `${ldp}MemberSubject`],
      [`${ldp}isMemberOfRelation`, `${ex}participatesIn`],
      [`${ldp}membershipResource`, '/project-x/'],
    ]
      .map(([property, value]) => `<${path}> <${property}> <${value}>`)
      .sort(),
  )
})

test('24: an access point is deleted; its members stay', async t => {
  await ask('PUT', '/project-x/managers/', {...trig, Prefer: container}, trigAction('Add', '<john-doe/>'))

  t.is((await ask('DELETE', '/project-x/managers/', {Prefer: source})).status, 204)

  t.is((await ask('GET', '/project-x/managers/', {})).status, 404)
  t.deepEqual(await valuesOf(service, '/project-x/', `${ex}manager`), ['/john-doe/'])
  t.deepEqual(await valuesOf(service, '/john-doe/', `${ex}participatesIn`), ['/project-x/'])
  t.deepEqual(await valuesOf(service, '/project-x/', `${c}accessPoint`), [path])
})

test('28 and 29: a container of schemes and a scheme', async t => {
  const schemes = await ask('POST', '/', {...trig, Slug: 'schemes'}, `${prefixes}<>{ <> a ldp:BasicContainer . }`)
  const body = `${prefixes}<>{ <> a ldp:BasicContainer, skos:ConceptScheme; ldp:memberOfRelation skos:inScheme; dct:title "Topics" . }`
  const topics = await ask('POST', '/schemes/', {...trig, Slug: 'topics', Prefer: container}, body)

  t.deepEqual([schemes.status, topics.status], [201, 201])
  t.deepEqual(await valuesOf(service, '/schemes/topics/', `${dct}title`), ['"Topics"'])
})

test('30: an access point in Turtle, by its type ldp:DirectContainer', async t => {
  const body = `${prefixes}<> a ldp:DirectContainer; ldp:membershipResource <${service.base}schemes/topics/>; ldp:hasMemberRelation skos:hasTopConcept .`

  const made = await ask('POST', '/schemes/topics/', {...turtle, Slug: 'top-concepts', Prefer: source}, body)

  t.is(made.status, 201)
  t.deepEqual(await valuesOf(service, '/schemes/topics/', `${c}accessPoint`), ['/schemes/topics/top-concepts/'])
})

test('31: concepts with a list of narrower ones of their own', async t => {
  const labels: readonly (readonly [slug: string, english: string, spanish: string])[] = [
    ['design', 'Design', 'Diseño'],
    ['technology', 'Technology', 'Tecnología'],
    ['information-architecture', 'Information Architecture', 'Arquitectura de información'],
    ['html5', 'HTML5', 'HTML5'],
    ['javascript', 'JavaScript', 'JavaScript'],
  ]

  for (const [slug, english, spanish] of labels) {
    const body = `${prefixes}<>{ <> a ldp:BasicContainer, skos:Concept; ldp:hasMemberRelation skos:narrower; ldp:isMemberOfRelation skos:broader; skos:prefLabel "${english}"@en, "${spanish}"@es . }`
    t.is((await ask('POST', '/schemes/topics/', {...trig, Slug: slug, Prefer: container}, body)).status, 201)
  }
  t.deepEqual(await valuesOf(service, '/schemes/topics/design/', `${skos}prefLabel`), ['"Design"@en', '"Diseño"@es'])
})

const concepts = (...slugs: readonly string[]) => {
  const targets = slugs.map(slug => `<${service.base}schemes/topics/${slug}/>`).join(', ')
  return `${prefixes}<>{ _:b0 a c:AddMemberAction; c:targetMember ${targets} . }`
}

test('32: top concepts are added, the action in the graph <>', async t => {
  const headers = {...trig, Prefer: container}

  t.is((await ask('PUT', '/schemes/topics/top-concepts/', headers, concepts('design', 'technology'))).status, 204)

  t.deepEqual(await valuesOf(service, '/schemes/topics/', `${skos}hasTopConcept`), [
    '/schemes/topics/design/',
    '/schemes/topics/technology/',
  ])
})

test('33: a concept gets a narrower one, which gets it as its broader one', async t => {
  const headers = {...trig, Prefer: container}

  t.is((await ask('PUT', '/schemes/topics/design/', headers, concepts('information-architecture'))).status, 204)
  t.is((await ask('PUT', '/schemes/topics/technology/', headers, concepts('html5', 'javascript'))).status, 204)

  const narrower = (slug: string) => valuesOf(service, `/schemes/topics/${slug}/`, `${skos}narrower`)
  const broader = (slug: string) => valuesOf(service, `/schemes/topics/${slug}/`, `${skos}broader`)
  t.deepEqual(await narrower('design'), ['/schemes/topics/information-architecture/'])
  t.deepEqual(await broader('information-architecture'), ['/schemes/topics/design/'])
  t.deepEqual(await narrower('technology'), ['/schemes/topics/html5/', '/schemes/topics/javascript/'])
  t.deepEqual(await broader('javascript'), ['/schemes/topics/technology/'])
})

test('35: an ldp:RDFSource is created, read, replaced and deleted', async t => {
  const foaf = 'http://xmlns.com/foaf/0.1/'
  const body = `@prefix ldp:<${ldp}> .\n@prefix foaf:<${foaf}> .\n<> a ldp:RDFSource, foaf:Person ; foaf:name "Ann" .`
  const made = await ask('POST', '/', {...turtle, Slug: 'ann'}, body)
  const got = await ask('GET', '/ann/', {Accept: 'text/turtle'})
  const headers = {...turtle, Prefer: asSource, 'If-Match': got.headers.etag ?? ''}

  const put = await ask('PUT', '/ann/', headers, `${got.text}\n<> <${ex}email> "ann@example.org" .`)

  t.deepEqual([made.status, got.status, put.status], [201, 200, 204])
  t.deepEqual(await valuesOf(service, '/ann/', `${ex}email`), ['"ann@example.org"'])
  t.is((await ask('DELETE', '/ann/', {})).status, 204)
  t.is((await ask('GET', '/ann/', {})).status, 404)
  t.deepEqual(await brokenInvariants(service), [])
})
