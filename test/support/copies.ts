/** Random requests to a source, and the comparison of a source with its copy. */
import type {ExecutionContext} from 'ava'
import type {Database} from '../../src/db/connection/pool.ts'
import {statement, termOf} from '../../src/format/nquads-statement.ts'
import type {NamedNode, Quad, Resource} from '../../src/rdf/term.ts'
import {isIsomorphic} from './isomorphism.ts'
import {action, asContainer, preferAll} from './members.ts'
import {schemaIdentifier} from './postgres.ts'
import {pick, type Random} from './random.ts'
import type {TestService} from './service.ts'

type Sender = Pick<TestService, 'send' | 'base'>

const names = ['a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'c/a', 'a/x/deep']
const turtle = {'Content-Type': 'text/turtle'}
const ldpatch = {'Content-Type': 'text/ldpatch'}

/**
 * One request of any kind to documents below a path; those that the source refuses change nothing.
 *
 * @param top  path of the followed document, such as `projects/`
 */
export async function requestRandomly(random: Random, {send, base}: Sender, top: string): Promise<void> {
  const path = `${top}${pick(random, names)}/`
  const parent = path.replace(/[^/]+\/$/, '')
  const slug = path.slice(parent.length, -1)
  const other = () => `${random.chance(0.8) ? top : ''}${pick(random, names)}/`
  const object = () =>
    pick(random, [`<${base}${other()}>`, '"a\\u0000\\"b\\n"@en', '1', '"1e0"^^<http://e/type>', `<${base}${path}#it>`])
  const triples = () => `<> <http://e/${pick(random, ['p', 'q'])}> ${object()}, [ <http://e/r> ${object()}, [] ] .`
  const create = (body: string, extra = {}) => ({
    method: 'POST',
    path: `/${parent}`,
    headers: {...turtle, Slug: slug, ...extra},
    body,
  })
  const keeper = () => `${top}${pick(random, ['a/', 'a/point/', ''])}`
  const memberRequest = (kind: 'Add' | 'Remove') => ({
    method: 'PUT',
    path: `/${keeper()}`,
    headers: {...turtle, Prefer: asContainer},
    body: action(kind, `${base}${path}`),
  })
  const accessPoint = '<http://www.w3.org/ns/ldp#hasMemberRelation> <http://e/member>'
  const requests = [
    ...Array.from({length: 8}, () => () => create(triples())),
    ...Array.from({length: 3}, () => () => ({
      method: 'PATCH',
      path: `/${path}`,
      headers: ldpatch,
      body: `Add { ${triples()} } .`,
    })),
    () => ({
      ...create(`<> a <https://carbonldp.com/ns/v1/platform#AccessPoint> ; ${accessPoint} .`),
      path: `/${top}a/`,
      headers: {...turtle, Slug: 'point'},
    }),
    () => ({
      method: 'PATCH',
      path: `/${path}`,
      headers: ldpatch,
      body: `Bind ?v <> / <http://e/p> . Delete { <> <http://e/p> ?v } . Add { ${triples()} } .`,
    }),
    () => ({
      method: 'PUT',
      path: `/${path}`,
      headers: {...turtle, 'If-None-Match': '*'},
      body: triples(),
    }),
    () => ({
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'application/sparql-update'},
      body: `DELETE { GRAPH <${base}${path}> { ?s <http://e/q> ?o } }
             INSERT { GRAPH <${base}${path}> { <${base}${path}> <http://e/n> ?n } }
             WHERE { GRAPH <${base}${path}> { ?s <http://e/q> ?o } BIND(STR(?s) AS ?n) }`,
    }),
    ...Array.from({length: 3}, () => () => ({
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'application/sparql-update'},
      body: `INSERT DATA { GRAPH <${base}${path}> { <${base}${path}#it> <http://e/p> [ <http://e/q> ${object()} ] } }`,
    })),
    () => memberRequest('Add'),
    () => memberRequest('Add'),
    () => memberRequest('Remove'),
    () => ({method: 'DELETE', path: `/${keeper()}`, headers: {Prefer: preferAll}}),
    () => ({method: 'DELETE', path: `/${path}`}),
    () => ({method: 'DELETE', path: `/${top}a/point/`}),
    () => ({
      method: 'MOVE',
      path: `/${path}`,
      headers: {Destination: `${base}${other()}`, Overwrite: random.chance(0.3) ? 'T' : 'F'},
    }),
    () => ({
      method: 'COPY',
      path: `/${path}`,
      headers: {Destination: `${base}${other()}`, Overwrite: 'F'},
    }),
  ]
  const {status, text} = await send(pick(random, requests)())
  if (status >= 500 && status !== 503) throw new Error(text)
}

type Stored = {readonly documents: readonly string[]; readonly quads: readonly Quad[]}

/** The documents below a path with all their triples, derived memberships included. */
export async function readStored(database: Database, base: string, top: string): Promise<Stored> {
  const inSchema = schemaIdentifier
  const documents = await database.query<{readonly text: string}>(
    `select concat_ws(' ', t.lex, p.lex, case when d.is_access_point then 'point' end) as text
       from ${inSchema}.document as d
       join ${inSchema}.term as t on t.id = d.id
       left join ${inSchema}.term as p on p.id = d.parent
      where starts_with(t.lex, $1) order by t.lex`,
    [base + top],
  )
  const rows = await database.query<{readonly text: string}>(
    `select concat_ws(' ', ${inSchema}.show_term(q.s), ${inSchema}.show_term(q.p), ${inSchema}.show_term(q.o),
                      ${inSchema}.show_term(q.g), e'.\n') as text
       from (select q.g, q.s, q.p, q.o from ${inSchema}.quad as q
              union
             select d.parent, d.parent, d.member_by, d.id from ${inSchema}.document as d
              where d.member_by is not null) as q
       join ${inSchema}.term as t on t.id = q.g
      where starts_with(t.lex, $1)`,
    [base + top],
  )
  return {documents: documents.map(({text}) => text), quads: rows.map(({text}) => quadOf(text))}
}

function quadOf(text: string): Quad {
  statement.lastIndex = 0
  const tokens = statement.exec(text)?.slice(1) ?? []
  const [subject, predicate, object, graph] = tokens.map(termOf)
  if (subject === undefined || object === undefined || graph === undefined) throw new Error(`not a quad: ${text}`)
  return {subject: subject as Resource, predicate: predicate as NamedNode, object, graph: graph as NamedNode}
}

type Side = {readonly database: Database; readonly base: string}

/** Whether the copy is equal to the source, after the base of its IRIs was mapped. */
export async function isCopy(source: Side, copy: Side, top: string): Promise<boolean> {
  const [there, here] = await Promise.all([source, copy].map(side => readStored(side.database, side.base, top)))
  if (there === undefined || here === undefined) return false
  const mapped = (text: string) => text.replaceAll(copy.base, source.base)
  if (here.documents.map(mapped).join('\n') !== there.documents.join('\n')) return false
  return isIsomorphic(there.quads, JSON.parse(mapped(JSON.stringify(here.quads))))
}

/**
 * Waits until the copy is equal to the source, and checks its invariants. The wait ends when nothing has been applied
 * for a minute, however slow the machine is.
 */
export async function untilCopied(t: ExecutionContext, source: Side, copy: Side, top: string): Promise<void> {
  let [last, lastAt] = ['', performance.now()]
  while (performance.now() < lastAt + 60_000) {
    if (await isCopy(source, copy, top)) break
    const [row] = await copy.database.query<{readonly place: string}>(
      `select string_agg(concat_ws(' ', position, behind), ',') as place from ${schemaIdentifier}.follow`,
    )
    const place = row?.place ?? ''
    if (place !== last) [last, lastAt] = [place, performance.now()]
    await new Promise(done => setTimeout(done, 100))
  }
  const [there, here] = await Promise.all([source, copy].map(side => readStored(side.database, side.base, top)))
  const shown = (stored: Stored | undefined) => stored?.documents.map(text => text.replaceAll(copy.base, source.base))
  t.deepEqual(shown(here), shown(there))
  t.true(await isCopy(source, copy, top), JSON.stringify([there?.quads, here?.quads]).slice(0, 200_000))
  for (const {database} of [source, copy])
    for (const check of ['check_store', 'check_changes'])
      t.deepEqual(await database.query(`select * from ${schemaIdentifier}.${check}()`), [], check)
}
