/** The interface's rules for results of queries, one by one, in JSON-LD as its clients read them. */
import test from 'ava'
import {c, create, ldp} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'
const contexts = `include="${c}PreferResultsContexts"`
const checksums = `include="${c}PreferDocumentChecksums"`
const prefixes = `PREFIX c: <${c}> PREFIX ex: <${ex}> PREFIX ldp: <${ldp}> `

test.before(async t => {
  service = await startService()
  await create(t, service, {slug: 'projects', body: `<> <${ex}name> "Projects" .`})
  await create(t, service, {slug: 'people', body: ''})
  const {base} = service
  const person = (slug: string, body: string) => create(t, service, {parent: '/people/', slug, body})
  await person('ann', `<> <${ex}name> "Ann" ; <${ex}mail> "ann@example.org" .`)
  await person('bob', `<> <${ex}name> "Bob" .`)
  for (const [slug, budget, lead] of [
    ['x', 30, 'ann'],
    ['y', 20, 'bob'],
    ['z', 10, undefined],
  ] as const) {
    const link = lead === undefined ? '' : ` ; <${ex}lead> <${base}people/${lead}/>`
    const body = `<> a <${ex}Project> ; <${ex}name> "Project ${slug}" ; <${ex}budget> ${budget}${link} .`
    await create(t, service, {parent: '/projects/', slug, body})
  }
})
test.after.always(() => service.stop())

type Node = Readonly<Record<string, unknown>> & {readonly '@id': string; readonly '@graph'?: readonly Node[]}

async function construct(
  text: string,
  prefer?: string,
): Promise<{readonly nodes: readonly Node[]; readonly applied: unknown}> {
  const headers = {'Content-Type': 'application/sparql-query', Accept: 'application/ld+json'}
  const preference = prefer === undefined ? {} : {Prefer: prefer}
  const answer = await service.send({
    method: 'POST',
    path: '/',
    headers: {...headers, ...preference},
    body: prefixes + text,
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return {nodes: JSON.parse(answer.text), applied: answer.headers['preference-applied']}
}

const value = (text: string, type?: string) => [{'@value': text, ...(type === undefined ? {} : {'@type': type})}]
const sorted = (nodes: readonly Node[]) => [...nodes].sort((left, right) => (left['@id'] < right['@id'] ? -1 : 1))

/** The node with its checksum replaced by a constant. */
function masked(t: {regex: (text: string, form: RegExp) => unknown}, node: Node): Node {
  const [checksum] = (node[`${c}checksum`] ?? []) as readonly {'@value': string}[]
  if (checksum === undefined) return node
  t.regex(checksum['@value'], /^[0-9a-f]{64}$/)
  return {...node, [`${c}checksum`]: 'checksum'}
}

const nameOfX = 'CONSTRUCT { ?p ex:name ?n } { ?p a ex:Project ; ex:name ?n FILTER(?n = "Project x") }'

test('1: no contexts by default; with the preference an array of objects with @id and @graph', async t => {
  const iri = `${service.base}projects/x/`
  const node = {'@id': iri, [`${ex}name`]: value('Project x')}

  t.deepEqual(await construct(nameOfX), {nodes: [node], applied: undefined})
  t.deepEqual(await construct(nameOfX, contexts), {nodes: [{'@id': iri, '@graph': [node]}], applied: contexts})
})

test('1: every returned property is in the context that stores it, also properties of one subject', async t => {
  const {base} = service
  await create(t, service, {slug: 'notes', body: `<${base}projects/x/> <${ex}note> "late" .`})

  const {nodes} = await construct('CONSTRUCT { ?p ex:name ?n ; ex:note ?t } { ?p ex:name ?n ; ex:note ?t }', contexts)

  t.deepEqual(sorted(nodes), [
    {'@id': `${base}notes/`, '@graph': [{'@id': `${base}projects/x/`, [`${ex}note`]: value('late')}]},
    {'@id': `${base}projects/x/`, '@graph': [{'@id': `${base}projects/x/`, [`${ex}name`]: value('Project x')}]},
  ])
})

test('2: with both preferences each returned document node has a c:checksum', async t => {
  const {base} = service
  const {nodes, applied} = await construct(
    'CONSTRUCT { ?p ex:name ?n . ?l ex:name ?m } { ?p ex:lead ?l ; ex:name ?n . ?l ex:name ?m }',
    `${contexts}, ${checksums}`,
  )

  t.is(applied, `${contexts}, ${checksums}`)
  t.deepEqual(
    sorted(nodes).map(node => ({...node, '@graph': (node['@graph'] ?? []).map(inner => masked(t, inner))})),
    ['people/ann', 'people/bob', 'projects/x', 'projects/y'].map(path => {
      const iri = `${base}${path}/`
      const name = {ann: 'Ann', bob: 'Bob', x: 'Project x', y: 'Project y'}[path.slice(path.indexOf('/') + 1)] ?? ''
      return {'@id': iri, '@graph': [{'@id': iri, [`${ex}name`]: value(name), [`${c}checksum`]: 'checksum'}]}
    }),
  )
})

test('3: the preference for checksums alone adds none', async t => {
  const plain = await construct(nameOfX)

  t.deepEqual(await construct(nameOfX, checksums), plain)
})

test('4: with GRAPH ?doc and c:document in the template, checksums come in a flat array', async t => {
  const iri = `${service.base}projects/x/`
  const {nodes, applied} = await construct(
    `CONSTRUCT { ?p ex:name ?n ; c:document ?doc } { GRAPH ?doc { ?p a ex:Project } ?p ex:name ?n FILTER(?n = "Project x") }`,
    checksums,
  )

  t.is(applied, checksums)
  t.deepEqual(
    nodes.map(node => masked(t, node)),
    [
      {
        '@id': iri,
        [`${ex}name`]: value('Project x'),
        [`${c}document`]: [{'@id': iri}],
        [`${c}checksum`]: 'checksum',
      },
    ],
  )
})

test('5: if every property is optional, each OPTIONAL has a GRAPH', async t => {
  const iri = `${service.base}people/bob/`
  const {nodes} = await construct(
    `CONSTRUCT { ?s ex:name ?n ; ex:mail ?m ; c:document ?doc }
     { VALUES ?s { <people/bob/> }
       OPTIONAL { GRAPH ?doc { ?s ex:mail ?m } } OPTIONAL { GRAPH ?doc { ?s ex:name ?n } } }`,
    checksums,
  )

  t.deepEqual(
    nodes.map(node => masked(t, node)),
    [{'@id': iri, [`${ex}name`]: value('Bob'), [`${c}document`]: [{'@id': iri}], [`${c}checksum`]: 'checksum'}],
  )
})

test('6: c:checksum and c:document are not stored: no pattern finds them, and none can be written', async t => {
  const iri = `${service.base}projects/x/`
  const before = await construct('CONSTRUCT { ?s c:checksum ?o } { { ?s c:checksum ?o } UNION { ?s c:document ?o } }')
  const patch = (property: string) =>
    service.send({
      method: 'PATCH',
      path: '/projects/x/',
      headers: {'Content-Type': 'text/ldpatch'},
      body: `Add { <${iri}> <${c}${property}> "x" . } .`,
    })

  t.deepEqual(before.nodes, [])
  t.is((await patch('checksum')).status, 409)
  t.is((await patch('document')).status, 409)
})

test('7: a FILTER on a variable of an OPTIONAL drops solutions without it; inside, it drops only failing ones', async t => {
  const names = async (pattern: string) => {
    const {nodes} = await construct(`CONSTRUCT { ?p ex:name ?n } { ?p a ex:Project ; ex:name ?n ${pattern} }`)
    return sorted(nodes).map(node => node['@id'].slice(-2, -1))
  }

  t.deepEqual(await names('; ex:lead ?l FILTER(?l != <people/bob/>)'), ['x'])
  t.deepEqual(await names('OPTIONAL { ?p ex:lead ?l } FILTER(?l != <people/bob/>)'), ['x'])
  t.deepEqual(await names('OPTIONAL { ?p ex:lead ?l FILTER(?l != <people/bob/>) }'), ['x', 'y', 'z'])
})

test('8: a sub-select of subjects makes pages; the outer query adds all of their properties', async t => {
  const page = async (offset: number) => {
    const {nodes} = await construct(
      `CONSTRUCT { ?p a ?type ; ex:name ?n ; ex:budget ?b } {
         { SELECT DISTINCT ?p { <projects/> ldp:contains ?p . ?p ex:budget ?order }
           ORDER BY DESC(?order) LIMIT 2 OFFSET ${offset} }
         ?p a ?type . OPTIONAL { ?p ex:name ?n } OPTIONAL { ?p ex:budget ?b } }`,
    )
    return sorted(nodes).map(node => [
      node['@id'].slice(-2, -1),
      (node['@type'] as readonly string[]).length,
      node[`${ex}budget`],
    ])
  }
  const integer = 'http://www.w3.org/2001/XMLSchema#integer'

  t.deepEqual(await page(0), [
    ['x', 4, value('30', integer)],
    ['y', 4, value('20', integer)],
  ])
  t.deepEqual(await page(2), [['z', 4, value('10', integer)]])
})

test('9: triples of a CONSTRUCT that are not stored have no context', async t => {
  const {base} = service
  const text = `CONSTRUCT { <urn:summary> ex:mentions ?p . ?p ex:label ?l ; ex:name ?n }
    { ?p a ex:Project ; ex:name ?n BIND(UCASE(?n) AS ?l) FILTER(?n = "Project x") }`
  const iri = `${base}projects/x/`

  t.deepEqual(sorted((await construct(text)).nodes), [
    {'@id': iri, [`${ex}label`]: value('PROJECT X'), [`${ex}name`]: value('Project x')},
    {'@id': 'urn:summary', [`${ex}mentions`]: [{'@id': iri}]},
  ])
  const placed = sorted((await construct(text, contexts)).nodes)
  t.deepEqual(
    placed.filter(node => node['@graph'] !== undefined),
    [{'@id': iri, '@graph': [{'@id': iri, [`${ex}name`]: value('Project x')}]}],
  )
  t.deepEqual(
    placed.filter(node => node['@graph'] === undefined),
    [
      {'@id': iri, [`${ex}label`]: value('PROJECT X')},
      {'@id': 'urn:summary', [`${ex}mentions`]: [{'@id': iri}]},
    ],
  )
})

test('10: a link is returned only with the wanted property of its target', async t => {
  const {base} = service
  const {nodes} = await construct(
    `CONSTRUCT { ?p ex:name ?n ; ex:lead ?l . ?l ex:mail ?m }
     { <projects/> ldp:contains ?p . ?p ex:name ?n OPTIONAL { ?p ex:lead ?l . ?l ex:mail ?m } }`,
  )

  t.deepEqual(sorted(nodes), [
    {'@id': `${base}people/ann/`, [`${ex}mail`]: value('ann@example.org')},
    {'@id': `${base}projects/x/`, [`${ex}name`]: value('Project x'), [`${ex}lead`]: [{'@id': `${base}people/ann/`}]},
    {'@id': `${base}projects/y/`, [`${ex}name`]: value('Project y')},
    {'@id': `${base}projects/z/`, [`${ex}name`]: value('Project z')},
  ])
})
