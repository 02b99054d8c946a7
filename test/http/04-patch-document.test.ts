/** Changing a document: PATCH with LD Patch (docs/interface.md, Patching). */
import test from 'ava'
import type {Database} from '../../src/db/connection/pool.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {createBodies} from '../../src/ldp/bodies.ts'
import {patchGraph} from '../../src/ldp/patch.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {answerOf, c, create, jsonLd, ldp, readValue, refusal, saidOf, xsd} from '../support/documents.ts'
import {
  asContainer,
  asSource,
  brokenInvariants,
  changedBy,
  ex,
  ldpatch,
  patch,
  rdf,
  ruleOf,
  valuesOf,
  writtenHeaders,
} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const prefix = `@prefix ex: <${ex}> . `
const list = async (path: string) =>
  (await saidOf(service, path)).map(line => line.replaceAll(ex, 'ex:').replaceAll(rdf, 'rdf:').replaceAll(xsd, 'xsd:'))

test('the example of the interface: a 204 with a new ETag, with and without Prefer and If-Match', async t => {
  const headerSets = (etag: string) => [
    {Prefer: asSource, 'If-Match': etag},
    {Prefer: asSource},
    {'If-Match': etag},
    {Prefer: asContainer},
    {},
  ]

  for (const [index] of headerSets('').entries()) {
    const body = `@prefix ex: <${ex}> . <> a ex:T ; ex:literalProperty "Example property" .`
    const {path, iri, etag} = await create(t, service, {slug: `example-${index}`, body})
    const answer = await patch(
      service,
      path,
      `@prefix rdf:<${rdf}> .\n@prefix ex:<${ex}> .\nDelete { <${iri}> ex:literalProperty "Example property" . } .
Add { <${iri}> ex:literalProperty "Modified example property" ; rdf:type ex:PATCHExample . } .`,
      {headers: headerSets(etag)[index] ?? {}},
    )
    const newTag = String(answer.headers.etag)
    t.deepEqual(answerOf(t, answer), {status: 204, headers: writtenHeaders(service, path, newTag), body: ''})
    t.not(newTag, etag)
    t.is((await service.send({path})).headers.etag, newTag)
    t.deepEqual(await valuesOf(service, path, `${ex}literalProperty`), ['"Modified example property"'])
    t.true((await valuesOf(service, path, `${rdf}type`)).includes(`${ex}PATCHExample`))
  }
})

test('every operation of LD Patch', async t => {
  const body = `@prefix ex: <${ex}> . <> ex:p 1, 2 ; ex:list (1 2 3) ; ex:node [ ex:q [ ex:r "deep" ] ] ;
    ex:about <#x> .
    <#x> ex:name "x" .`
  const {path} = await create(t, service, {slug: 'operations', body})

  const {status, text} = await patch(
    service,
    path,
    `@base <${service.base}operations/> . ${prefix}
    Bind ?node <> /ex:node .
    Bind ?x <> /ex:about[/ex:name = "x"] .
    Bind ?one 1 .
    UpdateList <> ex:list 1..2 ("two" 2.5) .
    UpdateList <> ex:list .. ("end") .
    UpdateList <> ex:list 0..0 ("start") .
    Cut ?node .
    Delete { <> ex:p ?one . } .
    DeleteExisting { ?x ex:name "x" . } .
    Add { <> ex:p 3 . ?x ex:name "y" . } .
    AddNew { <> ex:new ("a" ("b")) . } .
    UL <> ex:new 0..1 ( [ ex:s "bracket" ] ) .`,
  )

  t.is(status, 204, text)
  const said = await list(path)
  t.deepEqual(
    said.flatMap(line => /^<> <ex:p> (.*)$/.exec(line)?.[1] ?? []),
    ['"2"^^<xsd:integer>', '"3"^^<xsd:integer>'],
  )
  t.deepEqual(said.flatMap(line => /<rdf:first> ("[^"]*")/.exec(line)?.[1] ?? []).sort(), [
    '"1"',
    '"2.5"',
    '"3"',
    '"b"',
    '"end"',
    '"start"',
    '"two"',
  ])
  t.deepEqual(
    said.filter(line => line.includes('ex:name')).map(line => line.replace(/.* /, '')),
    ['"y"'],
  )
  t.false(said.some(line => line.includes('"deep"') || line.includes('ex:node')))
  t.true(said.some(line => line.includes('"bracket"')))
})

test('the order of the SDK: UpdateList, Add, Delete, with its prefixes and spaces', async t => {
  const body = `@prefix ex: <${ex}> . <> ex:list ("zero" "one" "two") ; ex:whole ("a" "b") ; ex:old "x", "with } and . in it" ; ex:keep 1 .`
  const {path, iri, etag} = await create(t, service, {slug: 'sdk', body})

  const text =
    `@prefix ex: <${ex}>. @prefix xsd: <${xsd}>. ` +
    `UpdateList <${iri}> ex:list 1..2 (). UpdateList <${iri}> ex:list 2..2 ( "a" "b"@en ). ` +
    `UpdateList <${iri}> ex:list 0..0 ( "4"^^xsd:integer ). UpdateList <${iri}> ex:whole 0.. (). ` +
    `Add { <${iri}> ex:new ( "p" "q" ); a ex:Type; ex:tag "cat"@en, "4"^^<${xsd}float>, "quote \\" \\u00e9 \\n". _:n1 ex:in <${iri}>. <${iri}> ex:node _:n1. }. ` +
    `Delete { <${iri}> ex:old "x", "with } and . in it"; ex:whole (). }.`
  const headers = {accept: 'application/ld+json', prefer: 'return=minimal', 'if-match': etag}
  const answer = await patch(service, path, text, {headers})

  t.is(answer.status, 200, answer.text)
  t.is(answer.headers['preference-applied'], 'return=minimal')
  const said = await list(path)
  t.deepEqual(said.flatMap(line => /<rdf:first> ("[^"]*"(@en)?)/.exec(line)?.[1] ?? []).sort(), [
    '"4"',
    '"a"',
    '"b"@en',
    '"p"',
    '"q"',
    '"two"',
    '"zero"',
  ])
  t.deepEqual(
    said.filter(line => line.startsWith('<> <ex:tag>')),
    ['<> <ex:tag> "4"^^<xsd:float>', '<> <ex:tag> "cat"@en', '<> <ex:tag> "quote " é \n"'],
  )
  t.false(said.some(line => line.includes('ex:old') || line.includes('ex:whole')))
  t.is(said.filter(line => line.includes('ex:node')).length, 1)
  t.deepEqual(await brokenInvariants(service), [])
})

test('a patch that is repeated with the old tag is a 412', async t => {
  const {path, etag} = await create(t, service, {slug: 'stale'})
  const say = () => patch(service, path, `Add { <> <${ex}p> 1 . } .`, {headers: {'If-Match': etag}})
  const first = await say()
  const now = String(first.headers.etag)

  t.is(first.status, 204)
  t.deepEqual(
    answerOf(t, await say()),
    refusal(
      service,
      {
        status: 412,
        rule: 'etag-mismatch',
        detail: `The document has changed: its entity tag is ${now}, not ${etag}.`,
        etag: now.slice(1, -1),
      },
      {path, headers: {etag: now}},
    ),
  )
  t.is((await patch(service, path, 'Bind ?x <> /<http://x.example/none> .', {headers: {'If-Match': etag}})).status, 412)
  t.is((await patch(service, path, 'nonsense', {headers: {'If-Match': etag}})).status, 412)
})

test('Delete of a missing triple and Add of an existing one are a 204 with a new ETag; literals match by exact form', async t => {
  const body = `<> <${ex}p> "1"^^<${xsd}integer>, "01"^^<${xsd}integer>, "a"@en, "a" .`
  const {path} = await create(t, service, {slug: 'no-op', body})
  const before = await list(path)
  let tag = (await service.send({path})).headers.etag

  for (const operation of [
    'Delete { <> ex:p "1.0"^^xsd:decimal, "1"^^xsd:int, "001"^^xsd:integer, "a"@EN, "a"@de, "b" . } .',
    'Delete { <> ex:none 1 . <http://x.example/> ex:p 1 . _:none ex:p 1 . } .',
    'Add { <> ex:p "01"^^xsd:integer, "a"@en . } .',
    'Add { <> ex:p "new" . } . Delete { <> ex:p "new" . } .',
  ]) {
    const answer = await patch(service, path, `${prefix}@prefix xsd: <${xsd}> . ${operation}`)
    t.is(answer.status, 204, answer.text)
    t.not(answer.headers.etag, tag)
    tag = answer.headers.etag
    t.deepEqual(await list(path), before, operation)
  }
  await patch(service, path, `${prefix}@prefix xsd: <${xsd}> . Delete { <> ex:p "01"^^xsd:integer, "a"@en . } .`)
  t.deepEqual(await list(path), ['<> <ex:p> "1"^^<xsd:integer>', '<> <ex:p> "a"'])
})

test('a patch without operations is a 204', async t => {
  const {path, etag} = await create(t, service, {slug: 'nothing'})

  const {status, headers} = await patch(service, path, '')

  t.is(status, 204)
  t.not(headers.etag, etag)
})

test('known labels denote existing blank nodes, also as subject of UpdateList; other labels are new nodes', async t => {
  const body = `@prefix ex: <${ex}> . <> ex:node [ ex:q "v" ; ex:list (1 2) ] .`
  const {path} = await create(t, service, {slug: 'labels', body})
  const label = (await saidOf(service, path)).flatMap(line => /<> \S+ (_:\w+)/.exec(line)?.[1] ?? [])[0] ?? ''

  const patched = await patch(
    service,
    path,
    `${prefix}UpdateList ${label} ex:list 0..1 ("one"). Add { ${label} ex:more "m" . _:own ex:q "other" . } . Delete { ${label} ex:q "v" . } .`,
  )

  t.is(patched.status, 204, patched.text)
  const said = await list(path)
  t.deepEqual(
    said.filter(line => line.startsWith(`${label} <ex:`)).map(line => line.replace(/_:\w+$/, '_')),
    [`${label} <ex:list> _`, `${label} <ex:more> "m"`],
  )
  t.is(said.filter(line => line.includes('<ex:q> "other"')).length, 1)
  t.false(said.some(line => line.startsWith('_:own')))
})

test('a label of another document is a new node here', async t => {
  const first = await create(t, service, {slug: 'foreign-label', body: `<> <${ex}node> [ <${ex}q> "v" ] .`})
  const label = (await saidOf(service, first.path)).flatMap(line => /<> \S+ (_:\w+)/.exec(line)?.[1] ?? [])[0] ?? ''
  const {path} = await create(t, service, {slug: 'foreign-label-2'})

  t.is((await patch(service, path, `Add { <> <${ex}node> ${label} . } .`)).status, 204)

  t.false((await saidOf(service, path)).some(line => line.split(' ').includes(label)))
  t.deepEqual(await brokenInvariants(service), [])
})

test('Cut, Bind, a filter or UpdateList of an unknown label is a 400', async t => {
  const {path} = await create(t, service, {slug: 'unknown-label'})

  for (const text of ['Cut _:none .', 'Bind ?x _:none .', `UpdateList _:none <${ex}p> 0.. () .`]) {
    const answer = await patch(service, path, text)
    t.deepEqual([answer.status, ruleOf(answer)], [400, 'patch-label'], text)
  }
})

test('new labels are returned as a c:bNodesMap, with return=minimal and return=representation', async t => {
  for (const preference of ['minimal', 'representation']) {
    const {path, iri} = await create(t, service, {slug: `map-${preference}`})
    const headers = {Prefer: `return=${preference}`, Accept: 'application/ld+json'}

    const answer = await patch(service, path, `${prefix}Add { <> ex:node _:mine . _:mine ex:q "v" . } .`, {headers})

    t.is(answer.status, 200)
    t.is(answer.headers['preference-applied'], `return=${preference}`)
    t.is(answer.headers['content-type'], 'application/ld+json')
    t.is(answer.headers['content-location'], iri)
    type Node = {'@id': string; '@type'?: string[]; '@graph'?: unknown[]; [property: string]: unknown}
    const nodes: Node[] = JSON.parse(answer.text)
    const typed = (name: string): Node => nodes.find(node => node['@type']?.includes(c + name)) ?? {'@id': 'none'}
    const ids = (value: unknown) => (value as {'@id': string}[]).map(each => each['@id'])
    const [response, metadata, map] = [typed('ResponseMetadata'), typed('DocumentMetadata'), typed('Map')]
    t.deepEqual(ids(response[`${c}documentMetadata`]), [metadata['@id']])
    t.deepEqual(ids(metadata[`${c}relatedDocument`]), [iri])
    t.deepEqual(ids(metadata[`${c}bNodesMap`]), [map['@id']])
    const entries = ids(map[`${c}entry`]).map(id => nodes.find(node => node['@id'] === id))
    const stored = (await saidOf(service, path)).flatMap(line => /<> \S+ (_:\w+)/.exec(line)?.[1] ?? [])
    t.deepEqual(
      entries.map(entry => [ids(entry?.[`${c}entryKey`]), ids(entry?.[`${c}entryValue`])]),
      [[['_:mine'], stored]],
    )
    t.deepEqual(
      nodes.filter(node => node['@graph'] !== undefined).map(node => node['@id']),
      preference === 'minimal' ? [] : [iri],
    )
  }
})

test('return=representation returns the patched document, as a GET does', async t => {
  const {path} = await create(t, service, {slug: 'returned', body: `<> <${ex}p> 1 .`})
  const headers = {Prefer: 'return=representation', Accept: 'application/n-triples'}

  const answer = await patch(service, path, `Add { <> <${ex}p> 2 . } .`, {headers})
  const got = await service.send({path, headers: {Accept: 'application/n-triples'}})

  t.is(answer.status, 200)
  t.is(answer.headers['preference-applied'], 'return=representation')
  t.is(answer.headers.etag, got.headers.etag)
  t.deepEqual(answer.text.split('\n').sort(), got.text.split('\n').sort())
})

test('a syntax error is a 400 with line and column, and changes nothing', async t => {
  const {path} = await create(t, service, {slug: 'syntax', body: `<> <${ex}p> 1 .`})
  const patches: readonly (readonly [text: string, rule: string, line: number, column: number])[] = [
    [`${prefix}\nAdd { <> ex:p 2 }\nAdd { <> ex:p 3 . } .`, 'patch-syntax', 3, 1],
    ['nonsense', 'patch-syntax', 1, 1],
    ['Add { <> no:p 1 . } .', 'patch-prefix-declared', 1, 10],
    [`Add { ?x <${ex}p> 1 . } .`, 'patch-variable-bound', 1, 7],
    [`\n  UpdateList <> <${ex}p> 3..1 () .`, 'patch-slice-order', 2, 43],
    [`Add { <> <${ex}p> 2 . } .\nAdd { <> <${ex}p> "open . } .`, 'patch-syntax', 2, 36],
  ]

  const changed = await changedBy(t, service, [path], async () => {
    for (const [text, rule, line, column] of patches) {
      const answer = await patch(service, path, text)
      const {title, line: toldLine, column: toldColumn} = JSON.parse(answer.text)
      t.deepEqual([answer.status, title, toldLine, toldColumn], [400, rule, line, column], text)
    }
  })

  t.deepEqual(changed, [])
})

test('an operation that fails is a 422 with line and column, and nothing changes, not even by earlier operations', async t => {
  const body = `@prefix ex: <${ex}> . <> ex:p 1, 2 ; ex:list (1 2) ; ex:node [ ex:q 1 ] ; ex:text "t" .`
  const {path} = await create(t, service, {slug: 'evaluation', body})
  const patches: readonly (readonly [operation: string, rule: string])[] = [
    ['Bind ?x <> /ex:p .', 'path-unique'],
    ['Bind ?x <> /ex:none .', 'path-unique'],
    ['Bind ?x <> /ex:p! .', 'path-unique'],
    ['AddNew { <> ex:p 1 . } .', 'add-new'],
    ['DeleteExisting { <> ex:p 3 . } .', 'delete-existing'],
    ['Bind ?x <> . Cut ?x .', 'cut-possible'],
    ['UpdateList <> ex:p 0.. () .', 'list-shape'],
    ['UpdateList <> ex:text 0.. () .', 'list-shape'],
    ['UpdateList <> ex:list 5..6 () .', 'list-slice'],
    ['Bind ?t <> /ex:text . Add { ?t ex:p 1 . } .', 'patch-subject'],
  ]

  const changed = await changedBy(t, service, [path], async () => {
    for (const [operation, rule] of patches) {
      const answer = await patch(service, path, `${prefix}\nAdd { <> ex:before 1 . } .\n ${operation}`)
      const {title, line, column} = JSON.parse(answer.text)
      t.deepEqual([answer.status, title, line, typeof column], [422, rule, 3, 'number'], operation)
    }
  })

  t.deepEqual(changed, [])
})

test('reserved properties, the types of the service and ldp:contains are a 409 that names them; nothing changes', async t => {
  const {path, iri} = await create(t, service, {slug: 'reserved'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  const created = `"${await readValue(service, path, `${c}created`)}"^^<${xsd}dateTime>`
  const patches: readonly (readonly [text: string, property: string | undefined])[] = [
    [`Delete { <> <${c}created> ${created} . } .`, `${c}created`],
    [`Add { <> <${c}created> "now" . } .`, `${c}created`],
    [`Add { <> <${c}modified> "now" . } .`, `${c}modified`],
    [`Add { <> <${c}accessPoint> <#x> . } .`, `${c}accessPoint`],
    [`Add { <> <${ldp}membershipResource> <#x> . } .`, `${ldp}membershipResource`],
    [`Delete { <> <${ldp}hasMemberRelation> <${ldp}member> . } .`, `${ldp}hasMemberRelation`],
    [`Add { <> <${ldp}insertedContentRelation> <#x> . } .`, `${ldp}insertedContentRelation`],
    [`Delete { <> a <${c}Document> . } .`, `${rdf}type`],
    [`Add { <> a <${c}AccessPoint> . } .`, `${rdf}type`],
    [`Delete { <> <${ldp}contains> <${child.iri}> . } .`, undefined],
    [`Add { <> <${ldp}contains> <http://x.example/> . } .`, undefined],
    [`Add { <> <${c}checksum> "x" . } .`, `${c}checksum`],
    [`Add { <#x> <${c}document> <> . } .`, `${c}document`],
    [`Add { <${service.base}> <${ldp}contains> <#x> . } .`, undefined],
    [`Bind ?d <${iri}> . Add { ?d <${c}created> "now" . } .`, `${c}created`],
    [`Bind ?t <> /<${c}created> . Delete { <> <${c}created> ?t . } .`, `${c}created`],
  ]

  const changed = await changedBy(t, service, [path], async () => {
    for (const [text, property] of patches) {
      const answer = await patch(service, path, text)
      const {title, reservedProperties} = JSON.parse(answer.text || '{}')
      t.deepEqual(
        [answer.status, title, reservedProperties],
        property === undefined ? [409, 'containment-kept', undefined] : [409, 'reserved-free', [{property}]],
        text,
      )
      t.regex(String(answer.headers.link), /constrainedBy/)
    }
  })

  t.deepEqual(changed, [])
})

test('adding a triple that the service maintains is allowed', async t => {
  const {path} = await create(t, service, {slug: 'said-anyway'})
  const child = await create(t, service, {parent: path, slug: 'child'})

  const {status} = await patch(
    service,
    path,
    `Add { <> a <${c}Document> ; <${ldp}hasMemberRelation> <${ldp}member> ; <${ldp}contains> <${child.iri}> . } .`,
  )

  t.is(status, 204)
  t.deepEqual(await saidOf(service, path), [])
})

test('a patch, ground or not, can remove a child from the members of its parent, but not from its parent', async t => {
  const {path} = await create(t, service, {slug: 'member-patch', body: `<> <${ex}list> (1) .`})
  const listed = {Prefer: `include="${ldp}PreferMembership"`}

  for (const more of ['', `UpdateList <> <${ex}list> .. (2) . `]) {
    const {iri} = await create(t, service, {parent: path})
    t.is((await valuesOf(service, path, `${ldp}member`, listed)).length, 1)
    t.is((await patch(service, path, `${more}Delete { <> <${ldp}member> <${iri}> . } .`)).status, 204)
    t.deepEqual(await valuesOf(service, path, `${ldp}member`, listed), [])
    const refused = await patch(service, path, `${more}Delete { <> <${ldp}contains> <${iri}> . } .`)
    t.deepEqual([refused.status, ruleOf(refused)], [409, 'containment-kept'])
  }
})

test('other subjects are allowed and stay in the graph of the document', async t => {
  const {path} = await create(t, service, {slug: 'outside'})
  const other = await create(t, service, {slug: 'outside-other'})

  const changed = await changedBy(t, service, [path, other.path], () =>
    patch(service, path, `Add { <${other.iri}> <${ex}p> 1 . <#f> <${ex}p> 2 . } .`),
  )

  t.deepEqual(changed, [path])
})

test('a body without Content-Type is a 400, another one a 415, both with Accept-Patch', async t => {
  const {path} = await create(t, service, {slug: 'media'})

  for (const [headers, status, rule] of [
    [{}, 400, 'content-type-given'],
    [jsonLd, 415, 'media-type-known'],
    [{'Content-Type': 'application/sparql-query'}, 415, 'media-type-known'],
  ] as const) {
    const answer = await service.send({method: 'PATCH', path, headers, body: 'x'})
    t.deepEqual(
      [answer.status, ruleOf(answer), answer.headers['accept-patch']],
      [status, rule, 'text/ldpatch, application/sparql-update'],
    )
  }
  const withCharset = {'Content-Type': 'text/ldpatch; charset=UTF-8'}
  t.is((await service.send({method: 'PATCH', path, headers: withCharset, body: ''})).status, 204)
})

test('a document that does not exist is a 404, whatever the body', async t => {
  for (const body of ['', 'nonsense', 'Bind ?x <> /<http://x.example/p> .', `Add { <> <${ex}p> 1 . } .`]) {
    const answer = await patch(service, '/none/', body)
    t.deepEqual([answer.status, ruleOf(answer)], [404, 'document-exists'], body)
  }
})

test('an unknown interaction model is a 400', async t => {
  const headers = {Prefer: 'http://x.example/Model; rel=interaction-model'}

  t.is((await patch(service, '/', '', {headers})).status, 400)
})

test('twenty parallel patches that read the document all take effect', async t => {
  const {path} = await create(t, service, {slug: 'parallel', body: `<> <${ex}list> () .`})

  const answers = await Promise.all(
    Array.from({length: 20}, async (_, index) => {
      const {status} = await patch(service, path, `UpdateList <> <${ex}list> .. (${index}) .`)
      return status
    }),
  )

  t.deepEqual([...new Set(answers)], [204])
  const items = (await list(path)).flatMap(line => /<rdf:first> "(\d+)"/.exec(line)?.[1] ?? [])
  t.deepEqual(
    items.map(Number).sort((a, b) => a - b),
    Array.from({length: 20}, (_, index) => index),
  )
  t.deepEqual(await brokenInvariants(service), [])
})

test('a one-triple patch of a document of 10,000 triples writes one triple, and c:modified', async t => {
  const body = Array.from({length: 10_000}, (_, index) => `<#${index}> <${ex}p> ${index} .`).join('\n')
  const {path} = await create(t, service, {slug: 'large', body})
  const {database} = service.database

  const writes: readonly (readonly [text: string, rows: number, change: number])[] = [
    [`Add { <#new> <${ex}p> "new" . } .`, 2, 1],
    [`Bind ?s <#17> . Add { ?s <${ex}q> "new" . } .`, 2, 1],
    [`Bind ?v <#18> /<${ex}p> . Add { <#18> <${ex}q> ?v . } .`, 2, 1],
    [`Delete { <#19> <${ex}p> 19 . } .`, 1, -1],
  ]
  const countText =
    'select count(*) as n from quadstead.quad as q join quadstead.term as t on t.id = q.g where t.lex = $1'
  const count = async () => Number((await database.query<{n: string}>(countText, [service.base + path.slice(1)]))[0]?.n)
  for (const [text, rows, change] of writes) {
    const before = await count()
    t.is((await patch(service, path, text)).status, 204)
    const [last] = await database.query<{n: string}>(
      `select count(*) as n from quadstead.quad
        where xmin = (select q.xmin from quadstead.quad as q join quadstead.term as t on t.id = q.g
                       where t.lex = $1 and q.s = q.g and q.p = quadstead.platform_modified())`,
      [service.base + path.slice(1)],
    )
    t.deepEqual([Number(last?.n), (await count()) - before], [rows, change], text)
  }
})

test('a patch of ground Add and Delete is one statement, any other a read and a write', async t => {
  const {iri} = await create(t, service, {slug: 'trips', body: `<> <${ex}p> 1 ; <${ex}list> (1) .`})
  const {database} = service.database
  const asked: string[] = []
  const counting: Database = {
    ...database,
    query: (text, ...rest) => {
      asked.push(text)
      return database.query(text, ...rest)
    },
    begin: (mode, work) => {
      asked.push(mode)
      return database.begin(mode, work)
    },
    read: (_, work) => work(counting, undefined),
  }
  const session = createSession(counting, testSchema, await readVocabulary(database, testSchema))
  const bodies = createBodies()
  t.teardown(bodies.close)
  const checksum = () => Promise.reject(new Error('no checksum is asked for'))
  const dataset = {session, base: service.base, platform: platformVocabulary(c), checksum, bodies}
  const conditions = {ifMatch: undefined, ifNoneMatch: undefined, ifUnmodifiedSince: undefined}
  const trips = async (text: string, isReturning = false) => {
    asked.length = 0
    await patchGraph(dataset, iri, conditions, {bytes: Buffer.from(text), isReturning})
    return asked.length
  }

  t.is(await trips(`Add { <> <${ex}p> 2 ; <${ex}node> _:new . } . Delete { <> <${ex}p> 1 . } .`), 1)
  t.is(await trips(`Add { <> <${ex}p> 3 . } .`, true), 1)
  t.is(await trips(`Bind ?d <> . Add { ?d <${ex}p> 4 . } .`), 1)
  t.is(await trips(`UpdateList <> <${ex}list> .. (2) .`), 2)
  t.is(await trips(`Bind ?p <> /<${ex}list> . Add { <> <${ex}same> ?p . } .`, true), 2)
})

test('OPTIONS and a refused method name PATCH and its media type', async t => {
  const {headers} = await service.send({method: 'OPTIONS'})

  t.true(String(headers['accept-patch']).split(', ').includes(ldpatch['Content-Type']))
  t.regex(headers.allow ?? '', /PATCH/)
})
