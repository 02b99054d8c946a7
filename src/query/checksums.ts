/**
 * Computes the checksums of documents from their stored graphs, and caches them by revision.
 *
 * It works inside the caller's transaction, so a checksum belongs to the state that the caller sees.
 * Sources: decision 0001; docs/interface.md, Queries.
 */
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {createSlices} from '../base/slices.ts'
import type {Queryable} from '../db/connection/pool.ts'
import {findRevisions, readGraphTriples} from '../db/query/answers.ts'
import type {NamedNode, Resource, Triple} from '../rdf/term.ts'
import {createDecoder, type Decoder} from './decode.ts'
import {defaultHeldLimits} from './held-limits.ts'
import type {AnsweringProcess} from './state.ts'

export type AskedChecksums = {
  readonly ids: readonly string[]
  readonly realms?: readonly string[] | undefined // undefined: all
}

const graphsAtOnce = 200

/**
 * Checksums by document id. Omits ids that are not documents, and documents in other realms.
 *
 * @throws  Problem 422 `checksum-work`, 503 `checksum-time`
 */
export async function checksumsOf(
  process: AnsweringProcess,
  transaction: Queryable,
  {ids, realms}: AskedChecksums,
): Promise<ReadonlyMap<string, string>> {
  const {checksums, refusals} = process.cache
  const revisions = await findRevisions(transaction, process.schema, [...new Set(ids)], realms)
  const found = new Map<string, string>()
  const missing: Version[] = []
  for (const [id, revision] of revisions) {
    const version = `${id} ${revision}`
    const refusal = refusals.get(version)
    if (refusal !== undefined) throw refusal
    const checksum = checksums.get(version)
    if (checksum === undefined) missing.push({id, version})
    else found.set(id, checksum)
  }
  observe({kind: 'checksums', kept: found.size, computed: missing.length})
  for (let start = 0; start < missing.length; start += graphsAtOnce) {
    const some = missing.slice(start, start + graphsAtOnce)
    for (const [id, checksum] of await computeInPieces(process, transaction, some)) found.set(id, checksum)
  }
  return found
}

type Version = {readonly id: string; readonly version: string} // of a document: its id with its revision

/** Computes checksums of graphs. Those that are too long to hold in memory together: one half after the other. */
async function computeInPieces(
  process: AnsweringProcess,
  transaction: Queryable,
  versions: readonly Version[],
): Promise<readonly (readonly [id: string, checksum: string])[]> {
  try {
    return await compute(process, transaction, versions)
  } catch (error) {
    if (versions.length < 2 || !(error instanceof Problem) || error.rule !== 'result-size') throw error
    const middle = versions.length >> 1
    const first = await computeInPieces(process, transaction, versions.slice(0, middle))
    return [...first, ...(await computeInPieces(process, transaction, versions.slice(middle)))]
  }
}

async function compute(
  {checksums: pool, schema, vocabulary, cache}: AnsweringProcess,
  transaction: Queryable,
  versions: readonly Version[],
) {
  const decoder = createDecoder({transaction, schema, vocabulary, localKeys: new Map(), limits: defaultHeldLimits})
  const ids = versions.map(({id}) => id)
  const graphs = await decodeGraphs(ids, await readGraphTriples(transaction, schema, ids), decoder)
  const computed: [id: string, checksum: string][] = []
  for (const {id, version} of versions) {
    const checksum = await pool.checksum(graphs.get(id) ?? []).catch((error: unknown) => {
      if (error instanceof Problem && error.rule === 'checksum-work') cache.refusals.set(version, error)
      throw error
    })
    cache.checksums.set(version, checksum)
    computed.push([id, checksum])
  }
  return computed
}

/** Decodes the graphs of documents in slices, because together they may be large. */
async function decodeGraphs(
  ids: readonly string[],
  rows: Awaited<ReturnType<typeof readGraphTriples>>,
  decoder: Decoder,
): Promise<ReadonlyMap<string, readonly Triple[]>> {
  const slices = createSlices()
  const terms = new Set<string>()
  for (const {s, p, o} of rows) {
    terms.add(s).add(p).add(o)
    if (slices.isOver()) await slices.pause()
  }
  await decoder.load(terms)
  const graphs = new Map(ids.map((id): [string, Triple[]] => [id, []]))
  for (const {g, s, p, o} of rows) {
    if (slices.isOver()) await slices.pause()
    graphs.get(g)?.push({
      subject: decoder.termOf(s) as Resource,
      predicate: decoder.termOf(p) as NamedNode,
      object: decoder.termOf(o),
    })
  }
  return graphs
}
