/**
 * Writes each table of a past state as a query: the present rows that have not changed since, and the past rows, which
 * are in arrays.
 *
 * Pure. The arrays are parameters of the statement (sql/functions/change/past.sql, past_read). Their rows are found by
 * binary search if the value of a column with an index is known. PostgreSQL finds present rows by the conditions of the
 * query, which it moves into this one.
 */
import type {PastNames} from '../plan/block.ts'
import type {From, Scalar, SelectQuery} from '../plan/relation.ts'

/** The arrays from parameter $2 on, in the order of past_read. */
const arrays = [
  's',
  'p',
  'o',
  'g',
  'isCopy',
  'seed',
  'hashKey',
  'hashRow',
  'id',
  'isThere',
  'parent',
  'memberBy',
  'realm',
  'parentKey',
  'parentRow',
  'objectKey',
  'objectRow',
  'graphKey',
  'graphRow',
] as const

const at = Object.fromEntries(arrays.map((name, index) => [name, `$${index + 2}`])) as Readonly<
  Record<(typeof arrays)[number], string>
>

export type PastTable = {
  readonly name: Extract<From, {kind: 'table'}>['name']
  readonly schema: string
  readonly names: PastNames
  readonly known: (column: string) => string | undefined // SQL of the value that a column must have
}

/** The table as SQL: a query in brackets, or the name of the present table if that has not changed. */
export function pastTable({name, schema, names, known}: PastTable): string {
  switch (name) {
    case 'quad':
      return pastQuads(schema, known)
    case 'document':
      return pastDocuments(schema, known)
    case 'term':
      return names.first === undefined ? `${schema}.term` : renamedTerms(schema, names.first)
    case 'raw_graph':
      return `${schema}.raw_graph`
  }
}

function pastQuads(schema: string, known: PastTable['known']): string {
  const place = `${at.hashRow}[width_bucket(${hashOf(schema, ['pq.s', 'pq.p', 'pq.o'])}, ${at.hashKey})]`
  const isChanged = (['s', 'p', 'o'] as const).map(name => `${at[name]}[${place}] = pq.${name}`).join(' and ')
  const columns = ['g', 's', 'p', 'o'] as const
  const present = `select pq.g, pq.s, pq.p, pq.o, pq.copy from ${schema}.quad as pq where (${isChanged}) is not true`
  const rows = columns.map(name => `${at[name]}[pr.i] as ${name}`).join(', ')
  const past = `select ${rows}, case when ${at.isCopy}[pr.i] then true end as copy from ${quadPlaces(schema, known)}`
  return `(${present} union all ${past} where ${at.g}[pr.i] > 0)`
}

function hashOf(schema: string, terms: readonly string[]): string {
  return `${schema}.past_hash(${terms.join(', ')}, ${at.seed})`
}

/** The places of the rows with the known values, by the most selective index: a table `pr` with the column i. */
function quadPlaces(schema: string, known: PastTable['known']): string {
  const [s, p, o, g] = [known('s'), known('p'), known('o'), known('g')]
  if (s !== undefined && p !== undefined && o !== undefined)
    return byKey(hashOf(schema, [s, p, o]), at.hashKey, at.hashRow)
  if (s !== undefined) return inOrder(s, at.s)
  if (o !== undefined) return byKey(`(${o} >> 1)`, at.objectKey, at.objectRow)
  if (g !== undefined) return byKey(`greatest(${g}, 1)`, at.graphKey, at.graphRow)
  return `generate_series(1, cardinality(${at.s})) as pr (i)`
}

function pastDocuments(schema: string, known: PastTable['known']): string {
  const isUnchanged = `${at.id}[width_bucket(pd.id, ${at.id})] is distinct from pd.id`
  const present = `select pd.id, pd.parent, pd.member_by, pd.realm from ${schema}.document as pd where ${isUnchanged}`
  const optional = ([name, column]: readonly [string, string]) => `nullif(${name}[pr.i], -1) as ${column}`
  const places = [
    [at.parent, 'parent'],
    [at.memberBy, 'member_by'],
    [at.realm, 'realm'],
  ] as const
  const [id, parent] = [known('id'), known('parent')]
  const all = `generate_series(1, cardinality(${at.id})) as pr (i)`
  const byParent = parent === undefined ? all : byKey(`greatest(${parent}, 1)`, at.parentKey, at.parentRow)
  const from = id === undefined ? byParent : inOrder(id, at.id)
  const past = `select ${at.id}[pr.i] as id, ${places.map(optional).join(', ')} from ${from}`
  return `(${present} union all ${past} where ${at.isThere}[pr.i])`
}

/** The places of a node in a sorted array. Its keys are at least 1; literals, whose ids may be the least, have none. */
function inOrder(id: string, keys: string): string {
  return `generate_series(width_bucket(greatest(${id}, 1) - 1, ${keys}) + 1, width_bucket(${id}, ${keys})) as pr (i)`
}

/** The places of a key that is greater than the least int8. */
function byKey(key: string, keys: string, rows: string): string {
  const range = `generate_series(width_bucket(${key} - 1, ${keys}) + 1, width_bucket(${key}, ${keys}))`
  return `(select ${rows}[pn.n] as i from ${range} as pn (n)) as pr`
}

/** The dictionary as it was at the position `first`: a term that was renamed since has the first name that it lost. */
function renamedTerms(schema: string, first: string): string {
  const since = `from ${schema}.old_name as po where po.position > ${first}`
  const lost = `(select po.name ${since} and po.id = pt.id order by po.position limit 1)`
  const kept = `select pt.id, coalesce(${lost}, pt.lex) as lex, pt.datatype, pt.lang from ${schema}.term as pt`
  const isGone = `not exists (select from ${schema}.term as pt where pt.id = po.id)`
  const names = `select distinct on (po.id) po.id, po.name, null, null ${since}`
  const gone = `${names} and ${isGone} order by po.id, po.position`
  return `(${kept} union all (${gone}))`
}

/** Values from outside a query that columns of its tables must have, by alias and column. */
export type KnownColumns = ReadonlyMap<string, ReadonlyMap<string, Scalar>>

/** @param outer  the values that the query's own columns must have, by position */
export function knownIn(node: SelectQuery, outer: readonly (Scalar | undefined)[]): KnownColumns {
  const known = new Map(aliasesIn(node.from).map(alias => [alias, new Map<string, Scalar>()]))
  const note = (held: Scalar, value: Scalar | undefined) => {
    if (held.kind !== 'column' || value === undefined) return
    const isOutside = value.kind === 'number' || (value.kind === 'column' && !known.has(value.table))
    if (isOutside) known.get(held.table)?.set(held.name, value)
  }
  const visit = (condition: Scalar): void => {
    if (condition.kind === 'all') condition.conditions.forEach(visit)
    if (condition.kind !== 'operator' || condition.operator !== '=') return
    note(condition.left, condition.right)
    note(condition.right, condition.left)
  }
  if (isTransparent(node)) for (const [index, {scalar}] of node.columns.entries()) note(scalar, outer[index])
  node.where.forEach(visit)
  return known
}

/** Whether a condition on the rows of a query is one on the rows of its tables. */
function isTransparent({limit, offset = 0, groupBy, isFenced = false}: SelectQuery): boolean {
  return limit === undefined && offset === 0 && groupBy === undefined && !isFenced
}

function aliasesIn(from: From | undefined): readonly string[] {
  if (from === undefined) return []
  return from.kind === 'join' ? [...aliasesIn(from.left), ...aliasesIn(from.right)] : [from.alias]
}
