/**
 * Computes the checksums of documents from their stored graphs, and caches them by revision.
 *
 * It works inside the caller's transaction, so a checksum belongs to the state that the caller sees.
 * Sources: decision 0001; docs/interface.md, Queries.
 */
import {createLru, type Lru} from '../base/lru.ts'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {createSlices} from '../base/slices.ts'
import type {ChecksumPool} from '../checksum/pool.ts'
import type {Queryable} from '../db/connection/pool.ts'
import {findRevisions, readGraphs} from '../db/query/answers.ts'
import type {Iri, NamedNode, Resource, Triple} from '../rdf/term.ts'
import {createDecoder, type Decoder, defaultHeldLimits} from './decode.ts'

export type Checksums = {
  /**
   * Checksums by document id. Omits ids that are not documents, and documents in other realms.
   *
   * @throws  Problem 422 `checksum-work`, 503 `checksum-time`
   */
  readonly of: (
    transaction: Queryable,
    ids: readonly string[],
    realms?: readonly string[], // undefined: all
  ) => Promise<ReadonlyMap<string, string>>
}

export type ChecksumOptions = {
  readonly pool: ChecksumPool
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly keptChecksums?: number
}

const graphsAtOnce = 200

export function createChecksums({pool, schema, vocabulary, keptChecksums = 100_000}: ChecksumOptions): Checksums {
  const kept: Lru<string, string> = createLru(keptChecksums)
  const refused: Lru<string, Problem> = createLru(1000) // graphs too costly to canonicalise: tried once

  async function compute(transaction: Queryable, revisions: ReadonlyMap<string, string>, ids: readonly string[]) {
    const decoder = createDecoder({transaction, schema, vocabulary, localKeys: new Map(), limits: defaultHeldLimits})
    const rows = await readGraphs(transaction, schema, ids)
    const graphs = await decodeGraphs(ids, rows, decoder)
    for (const [id, triples] of graphs) {
      const version = `${id} ${revisions.get(id)}`
      const checksum = await pool.checksum(triples).catch((error: unknown) => {
        if (error instanceof Problem && error.rule === 'checksum-work') refused.set(version, error)
        throw error
      })
      kept.set(version, checksum)
    }
  }

  /** Computes checksums of graphs that are too long to hold in memory together: one half after the other. */
  async function computeInPieces(...[transaction, revisions, ids]: Parameters<typeof compute>): Promise<void> {
    try {
      await compute(transaction, revisions, ids)
    } catch (error) {
      if (ids.length < 2 || !(error instanceof Problem) || error.rule !== 'result-size') throw error
      const middle = ids.length >> 1
      await computeInPieces(transaction, revisions, ids.slice(0, middle))
      await computeInPieces(transaction, revisions, ids.slice(middle))
    }
  }

  return {
    async of(transaction, ids, realms) {
      const revisions = await findRevisions(transaction, schema, [...new Set(ids)], realms)
      const found = new Map<string, string>()
      const missing: string[] = []
      for (const [id, revision] of revisions) {
        const refusal = refused.get(`${id} ${revision}`)
        if (refusal !== undefined) throw refusal
        const checksum = kept.get(`${id} ${revision}`)
        if (checksum === undefined) missing.push(id)
        else found.set(id, checksum)
      }
      observe({kind: 'checksums', kept: found.size, computed: missing.length})
      for (let start = 0; start < missing.length; start += graphsAtOnce) {
        const some = missing.slice(start, start + graphsAtOnce)
        await computeInPieces(transaction, revisions, some)
        for (const id of some) found.set(id, kept.get(`${id} ${revisions.get(id)}`) ?? '')
      }
      return found
    },
  }
}

/** Decodes the graphs of documents in slices, because together they may be large. */
async function decodeGraphs(
  ids: readonly string[],
  rows: Awaited<ReturnType<typeof readGraphs>>,
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
