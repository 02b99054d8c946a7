/**
 * Sends text with a meaning in SQL through every place for a client's text. It must come back unchanged, and the
 * catalog must not change.
 */
import test, {type ExecutionContext} from 'ava'
import {readConfig} from '../../src/settings/config.ts'
import {openStorage, type Storage} from '../../src/storage.ts'
import {type Settings, startService, type TestService} from '../support/service.ts'
import {gatherAllWords} from '../support/similar-words.ts'

/** Texts that would have an effect as part of SQL. */
const payloads = [
  "'; drop table quad; --",
  "' or '1'='1",
  '"; drop schema public cascade; --',
  '$$; select pg_sleep(10); $$',
  '$1); delete from document; --',
  "\\'; drop table term; --",
  "E'\\x27'; copy quad to program 'touch /tmp/x'; --",
  '/* */ union select rolname, rolpassword from pg_authid --',
  '%I %L %s %1$s',
  '{1,2}\\",NULL,(a,b)',
  "\u02bc\uff07'; --",
  "'||(select version())||'",
]
/** Names that an operator may give to a schema. */
const schema = `a"b'; drop schema public; $$--`
const ex = 'http://example.org/'

let service: TestService
let storage: Storage // in a Citus cluster, the dataset of this schema may be on another node than that of other tests
let catalog: unknown

test.before(async () => {
  service = await startService({DATABASE_SCHEMA: schema, LOG_LEVEL: 'silent'} as Settings)
  storage = await openStorage(readConfig({DATABASE_URL: service.database.url, DATABASE_SCHEMA: schema}), 'command')
  await gatherAllWords(storage.database, schema) // the service would create the index of words soon
  catalog = await readCatalog()
})
test.after.always(async () => {
  await storage?.close()
  await service?.stop()
})
test.afterEach(async t => {
  t.deepEqual(await readCatalog(), catalog)
  const name = `"${schema.replaceAll('"', '""')}"`
  t.deepEqual(await storage.database.query(`select * from ${name}.check_store()`), [])
})

/** Every object of the database with its definition, and every role. */
function readCatalog() {
  return storage.database.query(`
    select 'relation' as kind, c.oid::regclass::text as name, c.relkind::text as what, c.relacl::text as rights
      from pg_class as c where c.relnamespace not in ('pg_toast'::regnamespace) and c.relpersistence = 'p'
    union all
    select 'function', p.oid::regprocedure::text, md5(p.prosrc), p.proacl::text from pg_proc as p
    union all
    select 'schema', n.nspname, null, n.nspacl::text from pg_namespace as n where n.nspname !~ '^pg_(toast_)?temp'
    union all
    select 'role', r.rolname, r.rolsuper::text || r.rolcanlogin, null from pg_roles as r
    order by 1, 2`)
}

const create = (body: string, type = 'text/turtle', headers: Readonly<Record<string, string>> = {}) =>
  service.send({method: 'POST', path: '/', headers: {'Content-Type': type, ...headers}, body})

const ask = (query: string, path = '/sparql') =>
  service.send({
    method: 'POST',
    path,
    headers: {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'},
    body: query,
  })

async function bindings(t: ExecutionContext, query: string): Promise<readonly Record<string, {value: string}>[]> {
  const {status, text} = await ask(query)
  t.is(status, 200, `${query}\n${text}`)
  return JSON.parse(text).results.bindings
}

/** A literal in Turtle and SPARQL. */
const quoted = (text: string) => JSON.stringify(text)

/** The end of an IRI, with characters escaped that IRIs may not contain. */
const inIri = (text: string) => text.replace(/[\u0000- <>"{}|\\^`]/g, mark => encodeURIComponent(mark))

test.serial('literals come back unchanged: in documents, queries, comparisons and functions', async t => {
  for (const [n, payload] of payloads.entries()) {
    const node = {'@id': '', [`${ex}text${n}`]: payload, [`${ex}typed${n}`]: {'@value': payload, '@type': `${ex}type`}}
    const created = await create(JSON.stringify(node), 'application/ld+json')
    t.is(created.status, 201, created.text)
    const {pathname} = new URL(String(created.headers.location))
    const read = await service.send({path: pathname, headers: {Accept: 'application/ld+json'}})
    t.true(read.text.includes(JSON.stringify(payload)), read.text)

    const [found] = await bindings(
      t,
      `SELECT ?v ?c (REPLACE(?v, "zzz", "y") AS ?r) { ?s <${ex}text${n}> ?v FILTER(?v = ${quoted(payload)} &&
         CONTAINS(?v, ${quoted(payload.slice(1))}) && !REGEX(?v, "^zzzzz"))
         BIND(CONCAT(?v, ${quoted(payload)}) AS ?c) }`,
    )
    t.deepEqual([found?.v?.value, found?.c?.value, found?.r?.value], [payload, payload + payload, payload])
  }
})

test.serial('IRIs come back unchanged: subjects, predicates, objects, datatypes, graphs', async t => {
  for (const [n, payload] of payloads.entries()) {
    const iri = `${ex}${n}/${inIri(payload)}`
    const created = await create(`<> <${iri}> <${iri}> ; <${ex}of${n}> "x"^^<${iri}> . <${iri}> a <${iri}> .`)
    t.is(created.status, 201, created.text)

    const found = await bindings(
      t,
      `SELECT ?s ?p ?o ?t { ?d <${ex}of${n}> ?x BIND(DATATYPE(?x) AS ?t) ?s ?p ?o FILTER(?o = <${iri}>) }`,
    )
    t.deepEqual(
      found.map(({t: type}) => type?.value),
      [iri, iri],
    )
    t.deepEqual(
      found.map(({o}) => o?.value),
      [iri, iri],
    )
    t.is((await ask(`ASK { GRAPH <${iri}> { ?s ?p ?o } }`)).text.includes('false'), true)
    t.is((await ask('ASK {}', `/sparql?default-graph-uri=${encodeURIComponent(iri)}`)).status, 200)
  }
})

test.serial('names in syntaxes come back unchanged: prefixes, variables, blank nodes, language tags', async t => {
  for (const payload of payloads) {
    for (const text of [
      `PREFIX ${payload}: <${ex}> SELECT * { ?s ?p ?o }`,
      `SELECT ?${payload} { ?s ?p ?o }`,
      `SELECT (1 AS ?${payload}) {}`,
      `SELECT * { _:${payload} ?p "x"@${payload} }`,
      `SELECT * { ?s ?p ?o } ORDER BY ${payload} LIMIT ${payload}`,
      `SELECT (<${ex}${inIri(payload)}>(1) AS ?x) {}`,
    ]) {
      const {status, text: said} = await ask(text)
      t.true([200, 400].includes(status), `${status} ${text}: ${said}`)
    }
    const {status} = await create(`<> <${ex}p> "x"@${payload} .`)
    t.is(status, 400)
    const tagged = JSON.stringify({'@id': '', [`${ex}p`]: {'@value': 'x', '@language': payload}})
    t.true([201, 400, 422].includes((await create(tagged, 'application/ld+json')).status))
  }
  const names = ['select', 'union', 'order', 'pg_sleep', 'user', 'ünï', '_0', 'c0']
  const asked = `SELECT ${names.map(name => `("${name}" AS ?${name})`).join(' ')} {}`
  const [row] = await bindings(t, asked)
  t.deepEqual(Object.fromEntries(Object.entries(row ?? {}).map(([name, {value}]) => [name, value])), {
    ...Object.fromEntries(names.map(name => [name, name])),
  })
})

test.serial('searches and suggestions', async t => {
  for (const payload of payloads)
    for (const name of ['q', 'lang', 'type', 'property', 'under', 'sort', 'page', 'suggest']) {
      const words = name === 'suggest' ? {} : {q: 'drop table pg_sleep'}
      const parameters = new URLSearchParams({...words, [name]: payload})
      const {status, text} = await service.send({path: `/search?${parameters}`})
      t.true([200, 400, 404].includes(status), `${status} ${parameters}: ${text}`)
    }
})

test.serial('paths, slugs and headers', async t => {
  const fields = ['Slug', 'Prefer', 'Accept', 'If-Match', 'If-None-Match', 'Depth', 'Content-Type', 'X-Request-Id']
  for (const payload of payloads.map(text => text.replace(/[^ -~]/g, '?'))) {
    const slugged = await create('<> a <http://example.org/T> .', 'text/turtle', {Slug: encodeURIComponent(payload)})
    t.true([201, 400, 409].includes(slugged.status), slugged.text)
    if (slugged.status === 201) {
      const {pathname} = new URL(String(slugged.headers.location))
      t.is((await service.send({path: pathname})).status, 200)
      t.is((await service.send({method: 'DELETE', path: pathname})).status, 204)
    }
    for (const name of fields) {
      const {status, text} = await service.send({path: '/', headers: {[name]: payload}})
      t.true(status < 500, `${name}: ${payload}: ${text}`)
    }
    t.true((await service.send({path: `/${encodeURIComponent(payload)}/`})).status < 500)
    t.true((await service.send({path: `/?after=${encodeURIComponent(payload)}`})).status < 500)
    const query = encodeURIComponent(`ASK { ?s ?p ${quoted(payload)} }`)
    t.is((await service.send({path: `/sparql?query=${query}`})).status, 200)
  }
})

test.serial('patches, members and access points', async t => {
  for (const [n, payload] of payloads.entries()) {
    const iri = `${ex}member/${n}/${inIri(payload)}`
    const path = `/patched-${n}/`
    await create('<> a <http://example.org/T> .', 'text/turtle', {Slug: `patched-${n}`})
    const patched = await service.send({
      method: 'PATCH',
      path,
      headers: {'Content-Type': 'text/ldpatch'},
      body: `Bind ?x <> . Add { ?x <${iri}> ${quoted(payload)} , ( <${iri}> ${quoted(payload)} ) . } .`,
    })
    t.is(patched.status, 204, patched.text)
    const point = await service.send({
      method: 'POST',
      path,
      headers: {'Content-Type': 'text/turtle', Slug: 'point'},
      body: `<> a <https://carbonldp.com/ns/v1/platform#AccessPoint> ;
               <http://www.w3.org/ns/ldp#hasMemberRelation> <${iri}> ;
               <http://www.w3.org/ns/ldp#isMemberOfRelation> <${iri}/of> .`,
    })
    t.is(point.status, 201, point.text)
    const added = await service.send({
      method: 'PUT',
      path: `${path}point/`,
      headers: {'Content-Type': 'text/turtle', Prefer: 'http://www.w3.org/ns/ldp#Container; rel=interaction-model'},
      body: `[] a <https://carbonldp.com/ns/v1/platform#AddMemberAction> ;
               <https://carbonldp.com/ns/v1/platform#targetMember> <${service.base}> .`,
    })
    t.is(added.status, 204, added.text)
    const found = await bindings(t, `SELECT ?m { <${service.base}patched-${n}/> <${iri}> ?m FILTER(isIRI(?m)) }`)
    t.deepEqual(
      found.map(({m}) => m?.value),
      [service.base],
    )
    t.is((await service.send({method: 'DELETE', path})).status, 204)
  }
})
