/** Preferences for the content of responses (docs/interface.md, Prefer; decisions 0003 and 0009). */
import test from 'ava'
import {answerOf, c, create, documentHeaders, jsonLd, ldp, quadsOf, trig, turtle} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService({PAGE_SIZE: '3'})
})
test.after.always(() => service.stop())

const containment = {Prefer: `return=representation; include="${ldp}PreferContainment"`}
const membership = {Prefer: `return=representation; include="${ldp}PreferMembership"`}

/** The objects of a property of the document, in order. */
async function objectsOf(path: string, headers: Readonly<Record<string, string>>, property: string) {
  const answer = await service.send({path, headers: {Accept: 'application/n-quads', ...headers}})
  const quads = await quadsOf(answer)
  return quads.filter(({predicate}) => predicate.value === property).map(({object}) => object.value)
}

test('return=representation on POST is a 201 with the graph, Content-Location, ETag and Preference-Applied', async t => {
  const headers = {...turtle, Slug: 'full', Prefer: 'return=representation', Accept: 'application/ld+json'}
  const answer = await service.send({method: 'POST', headers, body: '<> <http://x.example/p> "v" .'})
  const etag = String(answer.headers.etag)
  const stored = answerOf(t, await service.send({path: '/full/', headers: {Accept: 'application/ld+json'}}))

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {
      ...documentHeaders(service, '/full/', etag),
      location: `${service.base}full/`,
      'content-location': `${service.base}full/`,
      'content-type': 'application/ld+json',
      'preference-applied': 'return=representation',
    },
    body: stored.body,
  })
  t.is(stored.headers.etag, etag)
})

test('return=representation on PUT is a 200 with the graph', async t => {
  const {path, iri, etag} = await create(t, service, {slug: 'put'})
  const body = `${(await service.send({path})).text}<> <http://x.example/p> "v" .`

  const answer = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, 'If-Match': etag, Prefer: `${ldp}RDFSource; rel=interaction-model, return=representation`},
    body,
  })
  const next = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 200,
    headers: {
      ...documentHeaders(service, path, next),
      'content-location': iri,
      'content-type': 'text/turtle; charset=utf-8',
      'preference-applied': 'return=representation',
    },
    body: (await service.send({path})).text,
  })
  t.not(next, etag)
})

test('return=minimal is an empty 201 or 204 with Preference-Applied; it is the default', async t => {
  const post = (slug: string, prefer: Readonly<Record<string, string>>) =>
    service.send({method: 'POST', headers: {...turtle, Slug: slug, ...prefer}, body: '<> <http://x.example/p> [] .'})
  const minimal = await post('minimal', {Prefer: 'return=minimal'})
  const plain = await post('default', {})

  t.deepEqual([minimal.status, minimal.text, minimal.headers['preference-applied']], [201, '', 'return=minimal'])
  t.deepEqual([plain.status, plain.text, plain.headers['preference-applied']], [201, '', undefined])
})

test('a renamed blank node is reported in a bNodesMap, also under return=minimal', async t => {
  const body = '<> <http://x.example/p> _:mine . _:mine <http://x.example/q> [] .'
  for (const value of ['minimal', 'representation']) {
    const headers = {...turtle, Slug: `map-${value}`, Prefer: `return=${value}`, Accept: 'application/ld+json'}
    const {status, headers: got, text} = await service.send({method: 'POST', headers, body})
    const nodes: Record<string, unknown>[] = JSON.parse(text)
    const typed = (name: string) =>
      nodes.find(node => (node['@type'] as string[] | undefined)?.includes(c + name)) ?? {}
    const [response, metadata, map] = [typed('ResponseMetadata'), typed('DocumentMetadata'), typed('Map')]
    const entry = nodes.find(node => `${c}entryKey` in node) ?? {}
    const [, stored = ''] =
      /_:(\w+) <http:\/\/x\.example\/q>/.exec(
        (await service.send({path: `/map-${value}/`, headers: {Accept: 'application/n-triples'}})).text,
      ) ?? []

    t.deepEqual([status, got['preference-applied']], [201, `return=${value}`])
    t.deepEqual(response, {
      '@id': response['@id'],
      '@type': [`${c}VolatileResource`, `${c}ResponseMetadata`],
      [`${c}documentMetadata`]: [{'@id': metadata['@id']}],
    })
    t.deepEqual(metadata, {
      '@id': metadata['@id'],
      '@type': [`${c}VolatileResource`, `${c}DocumentMetadata`],
      [`${c}relatedDocument`]: [{'@id': `${service.base}map-${value}/`}],
      [`${c}bNodesMap`]: [{'@id': map['@id']}],
    })
    t.deepEqual(map, {'@id': map['@id'], '@type': [`${c}Map`], [`${c}entry`]: [{'@id': entry['@id']}]})
    t.deepEqual(entry, {
      '@id': entry['@id'],
      [`${c}entryKey`]: [{'@id': '_:mine'}],
      [`${c}entryValue`]: [{'@id': `_:${stored}`}],
    })
    t.is(nodes.filter(node => '@graph' in node).length, value === 'minimal' ? 0 : 1)
  }
})

test('a client label that resembles one of the metadata is distinguished from it', async t => {
  const labels = ['metadata-response', 'metadata-document', 'metadata-labels', 'metadata-entry-1']
  const body = labels.map(label => `<> <http://x.example/p> _:${label} .`).join('\n')
  const headers = {...turtle, Prefer: 'return=minimal', Accept: 'application/ld+json'}

  const {text} = await service.send({method: 'POST', headers, body})

  const nodes: Record<string, unknown>[] = JSON.parse(text)
  const keys = nodes.flatMap(node => (node[`${c}entryKey`] ?? []) as {'@id': string}[]).map(key => key['@id'])
  t.deepEqual(keys.sort(), labels.map(label => `_:${label}`).sort())
  t.deepEqual(
    nodes.map(node => node['@id']).filter(id => keys.includes(String(id))),
    [],
  )
})

test('a plain GET lists no children; PreferContainment adds ldp:contains, PreferMembership ldp:member', async t => {
  const parent = await create(t, service, {slug: 'listed'})
  const children = [await create(t, service, {parent: parent.path}), await create(t, service, {parent: parent.path})]
  const iris = children.map(({iri}) => iri)

  t.deepEqual(await objectsOf(parent.path, {}, `${ldp}contains`), [])
  t.deepEqual(await objectsOf(parent.path, {}, `${ldp}member`), [])
  t.deepEqual(await objectsOf(parent.path, containment, `${ldp}contains`), iris)
  t.deepEqual(await objectsOf(parent.path, containment, `${ldp}member`), [])
  t.deepEqual(await objectsOf(parent.path, membership, `${ldp}member`), iris)
  const both = {Prefer: `include="${ldp}PreferContainment ${ldp}PreferMembership"`}
  t.deepEqual(await objectsOf(parent.path, both, `${ldp}contains`), iris)
  t.deepEqual(await objectsOf(parent.path, both, `${ldp}member`), iris)
})

test('a listing has a weak tag that changes with the children, gives a 304, and does not match If-Match', async t => {
  const parent = await create(t, service, {slug: 'weak'})
  const read = (headers: Readonly<Record<string, string>> = {}) =>
    service.send({path: parent.path, headers: {...containment, ...headers}})
  const before = await read()
  const tag = String(before.headers.etag)

  t.regex(tag, /^W\/"[^",]+"$/)
  t.is(before.headers['preference-applied'], 'return=representation')
  t.is((await read({'If-None-Match': tag})).status, 304)
  await create(t, service, {parent: parent.path})
  t.is((await read({'If-None-Match': tag})).status, 200)
  t.not((await read()).headers.etag, tag)
  const body = (await service.send({path: parent.path})).text
  for (const value of [tag, tag.slice(2)])
    t.is(
      (await service.send({method: 'PUT', path: parent.path, headers: {...turtle, 'If-Match': value}, body})).status,
      412,
    )
})

test('Link rel=next leads through the pages, which list each child exactly once', async t => {
  const parent = await create(t, service, {slug: 'pages'})
  const made: string[] = []
  for (let n = 0; n < 8; n += 1) made.push((await create(t, service, {parent: parent.path})).iri)

  const found: string[] = []
  const sizes: number[] = []
  let next: string | undefined = parent.path
  while (next !== undefined) {
    const answer: Awaited<ReturnType<TestService['send']>> = await service.send({
      path: next,
      headers: {...containment, Accept: 'application/n-quads'},
    })
    const page = (await quadsOf(answer)).filter(({predicate}) => predicate.value === `${ldp}contains`)
    found.push(...page.map(({object}) => object.value))
    sizes.push(page.length)
    const [, link] = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link)) ?? []
    next = link?.replace(service.base, '/')
  }

  t.deepEqual(sizes, [3, 3, 2])
  t.deepEqual(found.sort(), made.sort())
})

test('an invalid page is a 400', async t => {
  for (const after of ['x', '-1', '1e3', '9'.repeat(19), '%00'])
    t.is((await service.send({path: `/?after=${after}`, headers: containment})).status, 400, after)
  t.is((await service.send({path: '/?after=x'})).status, 200)
})

test('unknown or malformed preferences are ignored; with handling=strict they are a 400', async t => {
  const odd = ['nonsense', 'foo=bar', 'return=everything', 'include=relative', '"', '=;,', 'rel=interaction-model']

  for (const preference of odd) {
    t.is((await service.send({headers: {Prefer: preference}})).status, 200, preference)
    const {status, text} = await service.send({
      headers: {Prefer: `${preference}, handling=strict`.replace('",', '", x,')},
    })
    t.is(status, preference === '"' ? 200 : 400, preference)
    if (status === 400) t.is(JSON.parse(text).title, 'preference-known')
  }
  t.is((await service.send({headers: {Prefer: 'handling=strict, return=minimal, wait=10'}})).status, 200)
  t.is(
    (await service.send({method: 'POST', headers: {...turtle, Prefer: 'handling=strict, foo'}, body: ''})).status,
    400,
  )
})

test('one IRI included and omitted is a 400', async t => {
  const {status, text} = await service.send({
    headers: {Prefer: 'include="http://x.example/a", omit="http://x.example/a"'},
  })

  t.deepEqual([status, JSON.parse(text).title], [400, 'prefer-contradiction'])
})

test('the metadata is in the requested format, and in TriG and JSON-LD outside of the graph', async t => {
  const headers = {...trig, Prefer: 'return=representation', Accept: 'application/n-quads'}
  const answer = await service.send({method: 'POST', headers, body: '<> <http://x.example/p> _:b .'})
  const graphs = new Set((await quadsOf(answer)).map(({graph}) => graph.value))

  t.deepEqual(graphs, new Set(['', String(answer.headers.location)]))
})

test('only labels of the client are reported', async t => {
  const headers = {...jsonLd, Prefer: 'return=minimal', Accept: 'application/ld+json'}
  const body = '{"@id": "", "http://x.example/p": {"http://x.example/q": "v"}, "http://x.example/l": {"@list": [1, 2]}}'

  const {status, text} = await service.send({method: 'POST', headers, body})

  t.deepEqual([status, text], [201, ''])
})

test('a write whose representation the format cannot express is a success without a body, never a 406', async t => {
  const headers = {...turtle, Slug: 'no-name', Prefer: 'return=representation', Accept: 'application/rdf+xml'}
  const answer = await service.send({method: 'POST', headers, body: '<> <http://x.example/123> "v" .'})
  const etag = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {...documentHeaders(service, '/no-name/', etag), location: `${service.base}no-name/`},
    body: '',
  })
  t.is((await service.send({path: '/no-name/', headers: {Accept: 'application/rdf+xml'}})).status, 406)
})

test('a membership that was stored before the child was created is listed once', async t => {
  const child = `${service.base}early/child/`
  const parent = await create(t, service, {slug: 'early', body: `<> <${ldp}member> <${child}> .`})
  await create(t, service, {parent: parent.path, slug: 'child'})

  t.deepEqual(await objectsOf(parent.path, membership, `${ldp}member`), [child])
})
