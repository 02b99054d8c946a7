/**
 * Reads the facts of the database on which the plan of a query depends.
 *
 * Reads only. The SQL functions are in sql/functions/sparql/8_answer.sql.
 */
import type {Realms} from '../../base/realms.ts'
import {type Extent, hullOf, partsOf} from '../../sparql/plan/extent.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import type {SqlValue} from '../connection/value.ts'

export type StoreFacts = {
  readonly names: string // dataset.names_revision: the ids are those of these names
  readonly hasDocuments: boolean
  readonly memberRelations: readonly string[]
  readonly ids: ReadonlyMap<string, string> // ids of the terms that are in the dictionary, by key
  readonly extents: ReadonlyMap<string, Extent> // by id of the predicate, for valued predicates with an extent
  readonly uncopied: ReadonlySet<string> // ids of asked predicates of which no triple is stored in two graphs
  readonly realms: Realms | undefined // undefined: the caller may read all graphs
}

type FactsRow = {
  readonly names: string
  readonly has_documents: boolean
  readonly relations: readonly string[]
  readonly ids: readonly (string | null)[]
  readonly lows: readonly (string | null)[] | null // two for each valued predicate
  readonly highs: readonly (string | null)[] | null
  readonly copied: readonly boolean[] | null
  readonly realms?: readonly string[] | null
}

export type AskedFacts = {
  readonly keys: readonly string[] // of the query's constants
  readonly valued: readonly string[] // keys of the predicates whose objects affect the plan
  readonly byGraph: readonly string[] // keys of the predicates whose triples are read graph by graph
  readonly grantees?: readonly string[] | undefined // names that match the caller in grants; undefined: it may read all
}

/**
 * Reads the facts of a plan: whether documents have children, from which triples are derived; the predicates of derived
 * triples besides ldp:contains; the ids of constants; the extents of objects; and whether triples are stored in several
 * graphs.
 */
export async function readFacts(
  queryable: Queryable,
  schema: string,
  {keys, valued, byGraph, grantees}: AskedFacts,
): Promise<StoreFacts> {
  const places = [valued, byGraph].map(asked => asked.map(key => keys.indexOf(key) + 1))
  const inSchema = `${quoteIdentifier(schema)}.`
  const names = namesColumn(schema)
  const facts = `${inSchema}sparql_facts($1::text[], $2::int[], $3::int[])`
  const [row] = await (grantees === undefined
    ? queryable.query<FactsRow>(`select f.*, ${names} from ${facts} as f`, [keys, ...places])
    : queryable.query<FactsRow>(
        `select f.*, ${names}, ${inSchema}granted_realms($4, 'read') as realms from ${facts} as f`,
        [keys, ...places, grantees],
      ))
  const ids = new Map<string, string>()
  for (const [index, key] of keys.entries()) {
    const id = row?.ids[index] ?? null
    if (id !== null) ids.set(key, id)
  }
  const extents = new Map<string, Extent>()
  for (const [index, key] of valued.entries()) {
    const id = ids.get(key)
    const extent = hullOf([2 * index, 2 * index + 1].flatMap(at => partOf(row?.lows?.[at], row?.highs?.[at]) ?? []))
    if (id !== undefined && extent !== undefined) extents.set(id, extent)
  }
  const uncopied = byGraph.filter((_, index) => row?.copied?.[index] === false).flatMap(key => ids.get(key) ?? [])
  const realms = row?.realms ?? undefined
  return {
    names: row?.names ?? '0',
    hasDocuments: row?.has_documents ?? false,
    memberRelations: row?.relations ?? [],
    ids,
    extents,
    uncopied: new Set(uncopied),
    realms,
  }
}

function partOf(low: string | null = null, high: string | null = null): Extent | undefined {
  return low === null || high === null ? undefined : {low: BigInt(low), high: BigInt(high)}
}

/**
 * SQL for the number of the last rename that a statement's snapshot has seen, as `names`. Ids and names belong
 * together only if it is the same (docs/decisions/0020-moves-rename-terms.md).
 */
export function namesColumn(schema: string): string {
  const revision = `(select d.names_revision from ${quoteIdentifier(schema)}.dataset as d where d.is_only)`
  return `coalesce(${revision}, 0)::text as names`
}

/** The facts that a plan was made for, and the question that returned them. The plan is valid while they hold. */
export type KnownFacts = AskedFacts & {readonly facts: StoreFacts; readonly held?: HeldStates | undefined}

/** States of the store, as `stateText` names them, in which the facts of a plan held. */
export type HeldStates = {states: readonly string[]}

/**
 * SQL for a name of the state that a statement sees; null on a replica. Two statements of one process of the server
 * with equal snapshots see the same transactions. A replica does not list those that it has not seen yet.
 */
export const stateText = `case when not pg_is_in_recovery()
  then concat_ws(' ', pg_current_snapshot(), pg_backend_pid(), pg_postmaster_start_time()) end`

const keptStates = 8 // one for each connection that is often used

/** Remembers that the facts held in a state. Older snapshots do not come back. */
export function rememberState(held: HeldStates, state: string): void {
  if (held.states.includes(state)) return
  const snapshot = state.slice(0, state.indexOf(' ') + 1)
  held.states = [state, ...held.states.filter(one => one.startsWith(snapshot))].slice(0, keptStates)
}

/**
 * The arguments of sparql_facts_hold. While no term is renamed, ids stay, so only terms without an id are looked up
 * again.
 */
export function factValues({facts, keys, valued, grantees}: KnownFacts): SqlValue[] {
  const predicates = valued.flatMap(key => facts.ids.get(key) ?? [])
  const parts = predicates.flatMap(id => {
    const extent = facts.extents.get(id)
    const ranges: readonly (Extent | undefined)[] = extent === undefined ? [undefined] : partsOf(extent)
    return ranges.map(range => ({id, range}))
  })
  return [
    facts.names,
    grantees ?? null,
    facts.realms ?? null,
    facts.hasDocuments,
    facts.memberRelations,
    keys.filter(key => !facts.ids.has(key)),
    parts.map(({id}) => id),
    parts.map(({range}) => range?.low.toString() ?? null),
    parts.map(({range}) => range?.high.toString() ?? null),
    [...facts.uncopied],
  ]
}

const fewRelations = 4

/** Whether `changedText` checks all that a plan depends on. This is so for most plans. */
export function areCommon({facts, keys, valued, grantees}: KnownFacts): boolean {
  return (
    grantees === undefined &&
    facts.memberRelations.length <= fewRelations &&
    facts.uncopied.size === 0 &&
    keys.every(key => facts.ids.has(key)) &&
    !valued.some(key => facts.ids.has(key))
  )
}

/**
 * SQL that is true if the store has changed for all plans: the names, whether documents have children, or the relations
 * of these. A relation that has lost its last document is no change: a plan that reads it finds no triples. The index
 * probes cost less than a call of sparql_facts_hold.
 *
 * @param namesPlace  the parameter with `names`
 */
export function changedText(schema: string, facts: StoreFacts, namesPlace: string): string {
  const {hasDocuments, memberRelations} = facts
  const [dataset, document] = ['dataset', 'document'].map(table => `${quoteIdentifier(schema)}.${table}`)
  const others = [0, ...memberRelations].map((relation, index) => {
    const next = memberRelations[index]
    return `d.member_by > ${relation}${next === undefined ? '' : ` and d.member_by < ${next}`}`
  })
  const unexpected = hasDocuments ? others : [...others, 'd.parent is not null']
  return [
    `(select d.names_revision from ${dataset} as d where d.is_only) <> ${namesPlace}::int8`,
    ...unexpected.map(condition => `exists (select from ${document} as d where ${condition})`),
  ].join(' or ')
}
