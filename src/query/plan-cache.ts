/**
 * Everything that a process keeps of the queries of one dataset: parsed texts, shapes and plans, facts of the store,
 * terms and checksums.
 *
 * A cache belongs to a database and a schema, because ids, facts and plans do. It never holds answers. What may become
 * out of date is checked where it is used (db/query/short-answer.ts). Names belong to a state of the names (`namesAt`).
 * The checksum of a revision never changes.
 */
import {createLru, type Lru} from '../base/lru.ts'
import type {Problem} from '../base/problem.ts'
import type {Realms} from '../base/realms.ts'
import type {HeldStates, StoreFacts} from '../db/query/facts.ts'
import type {StoredFrequencies} from '../db/query/frequencies.ts'
import type {TermText} from '../format/results-types.ts'
import type {Term} from '../rdf/term.ts'
import type {CompiledQuery, CompiledText, PreparedQuery} from '../sparql/compile.ts'
import type {ParameterText} from '../sparql/lift.ts'
import type {Extent} from '../sparql/plan/extent.ts'
import type {Shape} from '../sparql/shape.ts'

export type PlanCache = {
  readonly texts: Lru<string, CachedQuery> // by text, base and dataset
  readonly shapes: Lru<string, PreparedQuery | SeenShape | 'unfit'> // see prepare.ts
  readonly shared: Lru<string, SharedPlan | 'none'> // see shared-plans.ts
  readonly facts: CachedFacts
  names: CachedNames | undefined // undefined: none yet
  readonly checksums: Lru<string, string> // by document id and revision
  readonly refusals: Lru<string, Problem> // graphs too costly to canonicalise, by document id and revision
  frequencies: CountedFrequencies | undefined
  counting: Promise<StoredFrequencies> | undefined // of the first frequencies, while some query counts them
  samplesFrom: number // time from which joins of a query may be sampled; infinite while some are
  readonly part: number // of the usual sizes
}

/** A shape that has occurred once, and its query. */
export type SeenShape = {readonly shape: Shape; readonly prepared: PreparedQuery}

/** A prepared query and its last plans, one for each of the last sets of realms that its callers could read. */
export type CachedQuery = {
  readonly prepared: PreparedQuery
  readonly liftable: readonly string[] // keys of constants that a shared plan may leave open
  plans: readonly Plan[]
  tried?: TriedPlans | undefined // while its joins are learnt of (join-samples.ts)
}

/** What is known of the plans of a query that were run while its joins were learnt of. */
export type TriedPlans = {
  readonly of: StoredFrequencies
  readonly counted: number // runs that counted the rows of its joins (join-counts.ts)
  readonly fastest: {readonly plan: Plan; readonly ms: number}
}

export type Plan = {
  readonly facts: StoreFacts // the plan is valid while these hold
  readonly frequencies: StoredFrequencies
  readonly compiled: CompiledQuery
  readonly shared?: Share | undefined
  length: AnswerLength | undefined // of the last answer, an estimate for the next; undefined: none yet
  gathered: string | undefined // the statement that returns a short answer, once made
  readonly held: HeldStates // in which the facts held
  isSampled?: boolean // samples tell nothing that the plan does not use (join-samples.ts)
  isCounted?: boolean // nor do runs (join-counts.ts)
}

/** What a plan knows before its first answer. */
export function unusedPlan(): Pick<Plan, 'length' | 'gathered' | 'held'> {
  return {length: undefined, gathered: undefined, held: {states: []}}
}

/** A shared plan with the constants of one query. */
export type Share = {
  readonly plan: SharedPlan
  readonly keys: readonly string[] // of the lifted constants
  readonly ids: readonly (string | undefined)[] // undefined: unknown, so the statement has to look it up
}

/** A plan of queries that differ only in lifted constants. */
export type SharedPlan = {
  readonly frequencies: StoredFrequencies
  readonly compiled: CompiledText // with markers
  length: AnswerLength | undefined // of the last answer to any of the queries
  gathered: ParameterText | undefined
  isSampled?: boolean // as of a plan of one query
  isOutdated?: boolean // more is known about the joins since it was made
}

export type AnswerLength = 'long' | 'short'

/** Ids and terms as they belong together between two renames (dataset.names_revision). */
export type CachedNames = {
  readonly revision: string
  readonly ids: Lru<string, string> // by key
  readonly terms: Lru<string, Term> // by id
  readonly texts: Map<TermText, Lru<string, string>> // by format and id
}

export type CachedFacts = {
  general: Pick<StoreFacts, 'hasDocuments' | 'memberRelations'> | undefined
  readonly extents: Lru<string, Extent | 'none'> // by predicate id
  readonly copied: Lru<string, boolean> // by predicate id: whether a triple is stored in two graphs
  readonly realms: Lru<string, Realms | 'all'> // by grantees
}

export type CountedFrequencies = {
  readonly held: StoredFrequencies
  readonly bytes: number // size of the quads at the time of the count
  readonly until: number // time at which they expire, whatever the size
  sizedAt: number // time of the last comparison of sizes
}

const keptTerms = 40_000 // some 10 MB, and as much for their texts in one format
const keptChecksums = 100_000
const keptRefusals = 1000
const keptIds = 20_000 // some 5 MB
const keptExtents = 2000
const keptCallers = 10_000

const usualQueries = 500

/** @param keptQueries  capacity for texts, for shapes, and for shared plans. The others are in proportion */
export function createPlanCache(keptQueries = usualQueries): PlanCache {
  const part = keptQueries / usualQueries
  const lruOf = <Value>(usual: number) => createLru<string, Value>(Math.ceil(usual * part))
  return {
    part,
    texts: createLru(keptQueries),
    shapes: createLru(keptQueries),
    shared: createLru(keptQueries),
    facts: {
      general: undefined,
      extents: lruOf(keptExtents),
      copied: lruOf(keptExtents),
      realms: lruOf(keptCallers),
    },
    names: undefined,
    checksums: lruOf(keptChecksums),
    refusals: lruOf(keptRefusals),
    frequencies: undefined,
    counting: undefined,
    samplesFrom: 0,
  }
}

/**
 * The cached names for a state of the names. Another state replaces them: usually a later one, sometimes that of a
 * replica that lags.
 */
export function namesAt(cache: PlanCache, revision: string): CachedNames {
  if (cache.names?.revision === revision) return cache.names
  const {part} = cache
  const [ids, terms] = [Math.ceil(keptIds * part), Math.ceil(keptTerms * part)]
  cache.names = {revision, ids: createLru(ids), terms: createLru(terms), texts: new Map()}
  return cache.names
}

/** The cached terms as a format writes them. */
export function textsIn({terms, texts}: CachedNames, format: TermText): Lru<string, string> {
  const known = texts.get(format) ?? createLru(terms.limit)
  texts.set(format, known)
  return known
}
