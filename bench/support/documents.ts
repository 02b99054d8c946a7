/**
 * The document of the document benches: twelve triples of a product in a shop, three of them with literals that no
 * other document has. As Turtle, as parameters of a SQL call, and in bulk in a database.
 */

import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {encodeGraphs} from '../../src/db/store/graph-codec.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {langLiteral, literal, type NamedNode, namedNode, type Term, type Triple} from '../../src/rdf/term.ts'
import {rdf, xsd} from '../../src/rdf/vocabulary.ts'
import {sqlDirectory} from '../../src/sql-directory.ts'
import type {Place} from './cluster.ts'

export const base = 'http://bench.example/'
export const schema = 'quadstead'
export const platform = 'https://carbonldp.com/ns/v1/platform#'
const shop = 'http://example.org/shop#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const portion = 2000 // documents in a transaction of `fill`

/** The properties of a document. `mark` distinguishes it from others. */
function properties(mark: string, number: number): readonly (readonly [string, Term])[] {
  const one = (name: string, count: number) => namedNode(`http://example.org/${name}/${number % count}`)
  return [
    [rdf.type, namedNode(`${shop}Product`)],
    [`${rdfs}label`, langLiteral(`Product ${mark}`, 'en')],
    [`${rdfs}comment`, literal(`What is to be said of product ${mark}: it is made to measure, and sold by the dozen.`)],
    [`${shop}sku`, literal(`SKU-${mark}`)],
    [`${shop}producer`, one('producers', 300)],
    [`${shop}category`, one('categories', 70)],
    [`${shop}feature`, one('features', 500)],
    [`${shop}feature`, one('materials', 40)],
    [`${shop}price`, literal(`${number % 1000}.50`, xsd.decimal)],
    [`${shop}stock`, literal(String(number % 400), xsd.integer)],
    [
      `${shop}released`,
      literal(new Date(1_600_000_000_000 + (number % 1000) * 86_400_000).toISOString(), xsd.dateTime),
    ],
    [`${shop}active`, literal(String(number % 3 > 0), xsd.boolean)],
  ]
}

/** The body of a POST. */
export function turtle(mark: string, number: number): string {
  const lines = properties(mark, number).map(([property, value]) => `  <${property}> ${turtleTerm(value)}`)
  return `<>\n${lines.join(' ;\n')} .\n`
}

function turtleTerm(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType !== 'Literal') throw new Error(`no ${term.termType} here`)
  return term.language === '' ? `"${term.value}"^^<${term.datatype.value}>` : `"${term.value}"@${term.language}`
}

export function triplesOf(document: string, mark: string, number: number): Triple[] {
  const subject = namedNode(document)
  return properties(mark, number).map(([predicate, object]) => {
    return {subject, predicate: namedNode(predicate) as NamedNode, object}
  })
}

/** Creates an empty dataset. */
export async function openStore({database}: Place): Promise<void> {
  await migrate(database, {schema, directory: sqlDirectory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
}

/**
 * Creates documents `<parent><prefix><n>/` in bulk, equal to documents that are created by POST.
 *
 * @param parent  path of an existing document
 */
export async function fill(
  {database}: Place,
  parent: string,
  prefix: string,
  {from = 0, count}: {readonly from?: number; readonly count: number},
): Promise<void> {
  for (let first = from; first < from + count; first += portion) {
    const numbers = Array.from({length: Math.min(portion, from + count - first)}, (_, index) => first + index)
    await fillPortion(
      database,
      `${base}${parent}`,
      numbers.map(number => ({name: `${prefix}${number}`, number})),
    )
  }
}

/** Makes PostgreSQL plan the store's functions for these arrays, which are longer than those of requests. */
export function planned<Result>(database: Database, work: (transaction: Transaction) => Promise<Result>) {
  return database.begin('read committed', async transaction => {
    await transaction.script('set local plan_cache_mode = force_custom_plan')
    return work(transaction)
  })
}

type Named = {readonly name: string; readonly number: number}

async function fillPortion(database: Place['database'], parent: string, documents: readonly Named[]): Promise<void> {
  const iris = documents.map(({name}) => `${parent}${name}/`)
  const graphs = documents.map(({name, number}, index) => triplesOf(iris[index] ?? '', name, number))
  const {keys, references} = encodeGraphs(graphs)
  const [terms] = await planned(database, transaction =>
    transaction.query<{ids: string[]; parent: string}>(
      `select ${schema}.intern_terms($1::text[]) as ids, (${schema}.term_ids(array[$2]))[1] as parent`,
      [keys, `I${parent}`],
    ),
  )
  if (terms === undefined) throw new Error('intern_terms gave no row')
  const idOf = (reference: string) => (reference.startsWith('-') ? reference : (terms.ids[Number(reference) - 1] ?? ''))
  const ids = new Map(keys.map((key, index) => [key, terms.ids[index] ?? '']))
  const own = iris.map(iri => ids.get(`I${iri}`) ?? '')
  await database.query(
    `insert into ${schema}.document (id, parent, created, modified, has_member_relation, member_by)
     select n.id, $2::int8, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
            ${schema}.ldp_member(), ${schema}.ldp_member()
       from unnest($1::int8[]) as n (id)`,
    [own, terms.parent],
  )
  const column = (place: number) => graphs.flatMap((_, graph) => (references[graph * 3 + place] ?? []).map(idOf))
  const graphColumn = graphs.flatMap((triples, index) => triples.map(() => own[index] ?? ''))
  await database.query(
    `insert into ${schema}.quad (g, s, p, o) select * from unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[])`,
    [graphColumn, column(0), column(1), column(2)],
  )
  await database.query(addServiceTriples, [own])
}

/** The triples of the service about each document (docs/interface.md, Documents). */
const addServiceTriples = `
  insert into ${schema}.quad (g, s, p, o)
  select d.id, d.id, said.p, said.o
    from ${schema}.document as d
   cross join lateral (values
     (${schema}.rdf_type(), ${schema}.platform_document()), (${schema}.rdf_type(), ${schema}.ldp_rdf_source()),
     (${schema}.rdf_type(), ${schema}.ldp_basic_container()),
     (${schema}.platform_created(), ${schema}.inline_instant(d.created)),
     (${schema}.platform_modified(), ${schema}.inline_instant(d.modified)),
     (${schema}.ldp_membership_resource(), d.id), (${schema}.ldp_has_member_relation(), ${schema}.ldp_member()),
     (${schema}.ldp_inserted_content_relation(), ${schema}.ldp_member_subject())) as said (p, o)
   where d.id = any ($1::int8[])`
