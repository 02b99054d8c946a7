/**
 * Turns the triples of CONSTRUCT and DESCRIBE into quads, with graph names and checksums if the client prefers them.
 *
 *   preferences              quads
 *   none                     each triple in the default graph
 *   contexts                 each triple in every graph that stores it; a triple that is not stored goes into the
 *                            c:document of its subject if the template gives one, otherwise into the default graph
 *   contexts and checksums   the same, and c:checksum of each document whose graph is in the answer
 *   checksums                each triple in the default graph, and c:checksum of each subject to which the template
 *                            gives a c:document
 *
 * Sources: docs/sparql.md, What comes back; decision 0013.
 */
import {findGraphs, type IdTriple} from '../db/query/answers.ts'
import {defaultGraph, type Graph, literal, type NamedNode, namedNode, type Quad, type Resource} from '../rdf/term.ts'
import {termOfKey} from '../rdf/term-key.ts'
import {checksumsOf} from './checksums.ts'
import {type IdOrKey, type IdOrKeyTriple, isId, kindOf} from './construct.ts'
import {loadedPieces} from './decode.ts'
import {heldLimitsOf, tooMany} from './held-limits.ts'
import type {OpenRows} from './open-rows.ts'
import type {AnsweringProcess} from './state.ts'

export type GraphOptions = {
  readonly process: AnsweringProcess
  readonly hasContexts: boolean
  readonly checksumMode: 'none' | 'documents' | 'subjects'
}

/** Yields distinct triples as quads, batch by batch. The checksums come at the end. */
export async function* placeTriples(
  rows: OpenRows,
  batches: AsyncIterable<readonly IdOrKeyTriple[]>,
  options: GraphOptions,
): AsyncGenerator<readonly Quad[]> {
  const {process, hasContexts, checksumMode} = options
  const {platform} = process
  const limits = heldLimitsOf(process)
  const graphs = new Set<string>()
  let subjectCount = 0
  const subjectsOf = new Map<string, Set<IdOrKey>>() // by document id: the subjects to which the template gives it
  const idsOf = (triples: readonly IdOrKeyTriple[]) => triples.flatMap(({s, p, o}) => [s, p, o]).filter(isId)
  for await (const triples of inPieces(batches, batch => loadedPieces(rows.decoder, batch, idsOf))) {
    const idOf = (token: IdOrKey) => (isId(token) && !rows.compiled.localKeys.has(token) ? token : undefined)
    const quad = ({s, p, o}: IdOrKeyTriple, graph: Graph): Quad => ({
      subject: termOf(rows, s) as Resource,
      predicate: termOf(rows, p) as NamedNode,
      object: termOf(rows, o),
      graph,
    })
    const homes = new Map<IdOrKey, IdOrKey>()
    for (const {s, p, o} of triples) {
      if (termOf(rows, p).value !== platform.document || kindOf(o) !== 'iri') continue
      homes.set(s, o)
      const document = idOf(o)
      if (document === undefined) continue
      if (checksumMode !== 'subjects') continue
      subjectsOf.set(document, (subjectsOf.get(document) ?? new Set()).add(s))
      if (++subjectCount > limits.items) throw tooMany('subjects with checksums', limits)
    }
    if (!hasContexts) {
      yield triples.map(triple => quad(triple, defaultGraph))
      continue
    }
    const places = await placesOf(rows, process.schema, triples, idOf)
    const all = triples.map(({s}, index): readonly IdOrKey[] => {
      const stored = places[index] ?? []
      const home = homes.get(s)
      return stored.length > 0 || home === undefined ? stored : [home]
    })
    await rows.decoder.loadMore(all.flat().filter(isId))
    if (checksumMode === 'documents') for (const graph of all.flat()) if (idOf(graph) !== undefined) graphs.add(graph)
    if (graphs.size > limits.items) throw tooMany('documents with checksums', limits)
    yield triples.flatMap((triple, index) => {
      const found = all[index] ?? []
      return found.length === 0
        ? [quad(triple, defaultGraph)]
        : found.map(graph => quad(triple, termOf(rows, graph) as NamedNode))
    })
  }
  if (checksumMode === 'documents') yield* documentChecksums(rows, graphs, options)
  if (checksumMode === 'subjects') yield* subjectChecksums(rows, subjectsOf, options)
}

async function* inPieces<Item>(
  batches: AsyncIterable<readonly Item[]>,
  piecesOf: (batch: readonly Item[]) => AsyncIterable<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for await (const batch of batches) yield* piecesOf(batch)
}

function termOf({decoder}: OpenRows, token: IdOrKey) {
  return isId(token) ? decoder.termOf(token) : termOfKey(token)
}

async function placesOf(
  {transaction, compiled}: OpenRows,
  schema: string,
  triples: readonly IdOrKeyTriple[],
  idOf: (token: IdOrKey) => string | undefined,
): Promise<readonly (readonly string[])[]> {
  const places = triples.map((): readonly string[] => [])
  const asked: IdTriple[] = []
  const positions: number[] = []
  for (const [index, triple] of triples.entries()) {
    const [s, p, o] = [idOf(triple.s), idOf(triple.p), idOf(triple.o)]
    if (s === undefined || p === undefined || o === undefined) continue
    asked.push({s, p, o})
    positions.push(index)
  }
  for (const [index, graphs] of (await findGraphs(transaction, schema, asked, compiled.realms)).entries()) {
    const position = positions[index]
    if (position !== undefined) places[position] = graphs
  }
  return places
}

const batchSize = 1000

async function* documentChecksums(
  {transaction, decoder, compiled}: OpenRows,
  graphs: ReadonlySet<string>,
  {process}: GraphOptions,
): AsyncGenerator<readonly Quad[]> {
  const ids = [...graphs]
  for (let start = 0; start < ids.length; start += batchSize) {
    const found = await checksumsOf(process, transaction, {
      ids: ids.slice(start, start + batchSize),
      realms: compiled.realms,
    })
    await decoder.load(found.keys())
    yield [...found].map(([id, checksum]): Quad => {
      const document = decoder.termOf(id) as NamedNode
      return {
        subject: document,
        predicate: namedNode(process.platform.checksum),
        object: literal(checksum),
        graph: document,
      }
    })
  }
}

async function* subjectChecksums(
  rows: OpenRows,
  subjectsOf: ReadonlyMap<string, ReadonlySet<IdOrKey>>,
  {process}: GraphOptions,
): AsyncGenerator<readonly Quad[]> {
  const ids = [...subjectsOf.keys()]
  for (let start = 0; start < ids.length; start += batchSize) {
    const found = await checksumsOf(process, rows.transaction, {
      ids: ids.slice(start, start + batchSize),
      realms: rows.compiled.realms,
    })
    const pairs = [...found].flatMap(([id, checksum]) =>
      [...(subjectsOf.get(id) ?? [])].map(subject => ({subject, checksum})),
    )
    await rows.decoder.load(pairs.map(({subject}) => subject).filter(isId))
    yield pairs.map(
      ({subject, checksum}): Quad => ({
        subject: termOf(rows, subject) as Resource,
        predicate: namedNode(process.platform.checksum),
        object: literal(checksum),
        graph: defaultGraph,
      }),
    )
  }
}
