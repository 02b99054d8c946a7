/**
 * Reads the statistics of the database by which queries are planned.
 *
 * Reads only. The SQL functions are in sql/functions/sparql/9_statistics.sql.
 */
import {termKey} from '../../rdf/term-key.ts'
import type {Frequencies, PredicateFrequency} from '../../sparql/plan/frequencies.ts'
import {containsId} from '../../sparql/plan/join/derived.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import {namesColumn} from './facts.ts'
import {foundTerm} from './rows.ts'

/** Frequencies of the store, and the terms for which they have a number; undefined: too many. */
export type StoredFrequencies = Frequencies & {readonly mentioned?: MentionedTerms | undefined}

export type MentionedTerms = {
  readonly names: string // see namesColumn
  readonly ids: ReadonlyMap<string, string> // by key
}

const mentionedMax = 20_000

type StatisticsRow = {
  readonly p: string
  readonly triples: number
  readonly subjects: number
  readonly objects: number
  readonly of_same_subject: number
  readonly of_same_object: number
  readonly quantiles: readonly string[]
  readonly subjects_at: readonly string[]
  readonly frequent: readonly (readonly [object: string, rows: number])[] | null
}

type TextsRow = {readonly literals: number; readonly has_letters: boolean; readonly texts: readonly string[]}

/** @param avoidsTextIndex  reads no sample of texts, so that queries are planned as if there were no text index */
export async function readFrequencies(
  queryable: Queryable,
  schema: string,
  {
    avoidsTextIndex = false,
    hasSearch = true,
  }: {readonly avoidsTextIndex?: boolean | undefined; readonly hasSearch?: boolean | undefined} = {},
): Promise<StoredFrequencies> {
  const inSchema = `${quoteIdentifier(schema)}.`
  const textsOf = () => queryable.query<TextsRow>(`select * from ${inSchema}sparql_text_sample()`)
  const [rows, graphs, [sample]] = await Promise.all([
    queryable.query<StatisticsRow>(`select * from ${inSchema}sparql_frequencies()`),
    queryable.query<{g: string; quads: number}>(`select * from ${inSchema}sparql_large_graphs()`),
    avoidsTextIndex ? [] : textsOf(),
  ])
  const values = rows.flatMap(({p, frequent}) =>
    p === containsId ? [] : (frequent ?? []).map(([object, count]) => [`${p} ${object}`, count] as const),
  )
  const frequencies: Frequencies = {
    triples: rows.reduce((sum, {triples}) => sum + triples, 0),
    predicates: new Map(rows.map(row => [row.p, frequencyOf(row)])),
    values: new Map(values),
    children: new Map(rows.find(({p}) => p === containsId)?.frequent ?? []),
    graphs: new Map(graphs.map(({g, quads}) => [g, quads])),
    texts: sample && {literals: sample.literals, hasLetters: sample.has_letters, texts: sample.texts},
    hasSearch,
    joins: {means: new Map(), constants: new Set(), counts: new Map(), counted: new Set()},
  }
  return {...frequencies, mentioned: await readMentioned(queryable, schema, frequencies)}
}

function frequencyOf(row: StatisticsRow): PredicateFrequency {
  const {triples, subjects, objects, of_same_subject: ofSameSubject, of_same_object: ofSameObject} = row
  const [quantiles, subjectsAt] = [row.quantiles.map(BigInt), row.subjects_at.map(BigInt)]
  return {triples, subjects, objects, ofSameSubject, ofSameObject, quantiles, subjectsAt}
}

/** The ids of the objects, containers and graphs for which the frequencies have a number. */
export function idsInFrequencies({values, children, graphs}: Frequencies): readonly string[] {
  const objects = Array.from(values.keys(), key => key.slice(key.indexOf(' ') + 1))
  return [...objects, ...(children?.keys() ?? []), ...(graphs?.keys() ?? [])]
}

async function readMentioned(
  queryable: Queryable,
  schema: string,
  frequencies: Frequencies,
): Promise<MentionedTerms | undefined> {
  const all = [...idsInFrequencies(frequencies), ...frequencies.predicates.keys()]
  const ids = [...new Set(all)].filter(id => !id.startsWith('-'))
  if (ids.length > mentionedMax) return undefined
  const text = `select t.id, t.lex, coalesce('@' || t.lang, t.datatype) as type, ${namesColumn(schema)}
                  from ${quoteIdentifier(schema)}.term as t where t.id = any ($1::int8[])`
  const rows = await queryable.query<{id: string; lex: string; type: string | null; names: string}>(text, [ids])
  const found = {ids: rows.map(({id}) => id), texts: rows.map(({lex}) => lex), types: rows.map(({type}) => type)}
  const keys = rows.map(({id}, at): [string, string] => [termKey(foundTerm(found, at)), id])
  return {names: rows[0]?.names ?? '', ids: new Map(keys)}
}

/** The size of the table of quads without its indexes. PostgreSQL knows it without a scan. */
export async function readQuadBytes(queryable: Queryable, schema: string): Promise<number> {
  const text = `select pg_relation_size(${quoteIdentifier(schema)}.store_relation('quad', 'quad'))::float8 as bytes`
  const [row] = await queryable.query<{bytes: number}>(text)
  return row?.bytes ?? 0
}
