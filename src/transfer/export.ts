/**
 * Exports the documents of a dataset, or raw graphs, as statements of one snapshot. Graphs are sorted by IRI, and the
 * statements of a graph as text, so that equal content gives equal bytes.
 *
 * Derived membership triples are part of their document, as in the answer to a GET that includes them. Containment
 * triples are not, because they follow from the IRIs. PostgreSQL sorts graphs that are too large to sort here by their
 * content.
 */
import {
  type GraphKind,
  type GraphName,
  type GraphRows,
  graphNames,
  readExportedGraphs,
  readLargeGraph,
  readTerms,
} from '../db/bulk/export-store.ts'
import type {Transaction} from '../db/connection/pool.ts'
import type {Iri} from '../rdf/term.ts'
import type {GraphChecksums} from './graph-checksums.ts'
import {TermTexts} from './term-texts.ts'

export type ExportOptions = {
  readonly schema: string
  readonly kind: GraphKind
  readonly subtree: Iri | undefined
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly checksums: GraphChecksums | undefined // undefined: compute none
}

/** Statements of one graph, `<s> <p> <o>` without graph name and full stop. Large graphs have several portions. */
export type Portion = {
  readonly graph: GraphName
  readonly lines: readonly string[]
  readonly checksum: Promise<string> | undefined // with the last portion of the graph
}

type Context = ExportOptions & {readonly transaction: Transaction; readonly texts: TermTexts}

const largeGraph = 5000 // stored quads, or memberships
const rowsAtOnce = 20_000
const graphsAtOnce = 250
const quadBytes = 24
const memberBytes = 16

/** Yields the requested graphs in order. */
export async function* exportGraphs(
  transaction: Transaction,
  options: ExportOptions,
): AsyncGenerator<readonly Portion[]> {
  const context = {...options, transaction, texts: new TermTexts(options.vocabulary)}
  for await (const batch of ahead(graphBatches(context))) {
    const small = batch.filter(({rows}) => !isLarge(rows))
    const texts = await findTermTexts(context, idsOf(small.map(({rows}) => rows)))
    let portions: Portion[] = []
    for (const {name, rows} of batch) {
      if (!isLarge(rows)) {
        portions.push(smallGraph(name, rows, texts, options.checksums))
        continue
      }
      yield portions
      portions = []
      yield* largeGraphPortions(context, name)
    }
    yield portions
  }
}

type NamedRows = {readonly name: GraphName; readonly rows: GraphRows}

/** Reads graphs with their rows. Adapts the number of graphs so that batches have about the same size. */
async function* graphBatches({transaction, schema, kind, subtree}: Context): AsyncGenerator<readonly NamedRows[]> {
  let size = 50
  for await (const names of graphNames(transaction, schema, {kind, subtree})) {
    for (let at = 0; at < names.length; ) {
      const some = names.slice(at, at + size)
      const ids = some.map(({id}) => id)
      const rows = await readExportedGraphs(transaction, schema, ids, largeGraph)
      at += some.length
      yield some.flatMap((name, index) => {
        const own = rows[index]
        return own === undefined ? [] : [{name, rows: own}]
      })
      const count = rows.reduce(
        (sum, {quads, members}) => sum + quads.length / quadBytes + members.length / memberBytes,
        1,
      )
      size = Math.max(1, Math.min(graphsAtOnce, 2 * size, Math.ceil((some.length * rowsAtOnce) / count)))
    }
  }
}

/** Requests the next item while the consumer handles the current one. */
async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  for (;;) {
    const {value, done} = await next
    if (done) return
    next = items.next()
    next.catch(() => undefined) // the await below throws it
    yield value
  }
}

function isLarge({quads, members}: GraphRows): boolean {
  return quads.length > largeGraph * quadBytes || members.length > largeGraph * memberBytes
}

function idsOf(graphs: readonly GraphRows[]): Set<bigint> {
  const ids = new Set<bigint>()
  for (const {id, quads, members} of graphs) {
    for (let at = 0; at < quads.length; at += 8) ids.add(quads.readBigInt64BE(at))
    for (let at = 0; at < members.length; at += 8) ids.add(members.readBigInt64BE(at))
    if (members.length > 0) ids.add(BigInt(id))
  }
  return ids
}

/** The texts of terms, from the cache or the dictionary. Those that are in neither are left out. */
export async function findTermTexts(
  {transaction, schema, texts}: Pick<Context, 'transaction' | 'schema' | 'texts'>,
  ids: Iterable<bigint>,
): Promise<Map<bigint, string>> {
  const found = new Map<bigint, string>()
  const unknown: bigint[] = []
  for (const id of ids) {
    const text = texts.find(id)
    if (text === undefined) unknown.push(id)
    else found.set(id, text)
  }
  const learned = texts.learn(await readTerms(transaction, schema, unknown.map(String)))
  for (const [id, text] of learned) found.set(id, text)
  return found
}

function smallGraph(
  graph: GraphName,
  {id, quads, members}: GraphRows,
  texts: ReadonlyMap<bigint, string>,
  checksums: GraphChecksums | undefined,
): Portion {
  const text = (term: bigint) => texts.get(term) ?? missing(term)
  const stored: string[] = []
  for (let at = 0; at < quads.length; at += quadBytes) {
    const subject = text(quads.readBigInt64BE(at))
    stored.push(`${subject} ${text(quads.readBigInt64BE(at + 8))} ${text(quads.readBigInt64BE(at + 16))}`)
  }
  stored.sort()
  const checksum = checksums?.ofGraph(stored)
  if (members.length === 0) return {graph, lines: stored, checksum}
  const subject = text(BigInt(id))
  const derived: string[] = []
  for (let at = 0; at < members.length; at += memberBytes) {
    derived.push(`${subject} ${text(members.readBigInt64BE(at))} ${text(members.readBigInt64BE(at + 8))}`)
  }
  return {graph, lines: [...stored, ...derived].sort(), checksum}
}

async function* largeGraphPortions(context: Context, graph: GraphName): AsyncGenerator<readonly Portion[]> {
  const digest = context.checksums?.ofLines()
  for await (const rows of readLargeGraph(context.transaction, context.schema, graph.id)) {
    const texts = await findTermTexts(context, new Set(rows.flatMap(({s, p, o}) => [BigInt(s), BigInt(p), BigInt(o)])))
    const text = (id: string) => texts.get(BigInt(id)) ?? missing(id)
    const lines = rows.map(({s, p, o}) => `${text(s)} ${text(p)} ${text(o)}`)
    digest?.add(lines)
    yield [{graph, lines, checksum: undefined}]
  }
  yield [{graph, lines: [], checksum: digest?.done()}]
}

function missing(id: bigint | string): never {
  throw new Error(`term ${id} is not in the dictionary`)
}
