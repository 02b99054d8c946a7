/**
 * Exports a dataset with its change log, as lines of JSON (history-lines.ts), from one snapshot.
 *
 * Documents and raw graphs are as they are now, and the log leads back from them. Uses constant memory, besides the
 * terms that have left the dictionary.
 */
import {createHash} from 'node:crypto'
import {Refusal} from '../base/refusal.ts'
import {type ChangeRow, historyRows, readHistoryHead, type StateRow} from '../db/bulk/history-store.ts'
import type {Transaction} from '../db/connection/pool.ts'
import type {Iri} from '../rdf/term.ts'
import {findTermTexts} from './export.ts'
import {type ChangedTriples, type HistoryLine, historyVersion, portionsOf} from './history-lines.ts'
import {TermTexts} from './term-texts.ts'

export type HistoryOptions = {
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly onProgress: (quads: number, changes: number) => void
}

type Context = HistoryOptions & {
  readonly transaction: Transaction
  readonly texts: TermTexts
  readonly gone: GoneTerms
  readonly counts: {documents: number; graphs: number; triples: number; changes: number}
}

const triplesAtOnce = 20_000
const quadBytes = 24
const sendHeader = 20 // bytes before the elements in array_send: dimensions, flags, type, length, lower bound
const sendElement = 12 // bytes of an int8, after four of its length

/**
 * Yields the text of the file in pieces.
 *
 * @throws  Refusal: the dataset keeps no log
 */
export async function* exportHistory(transaction: Transaction, options: HistoryOptions): AsyncGenerator<string> {
  const head = await readHistoryHead(transaction, options.schema)
  if (head === undefined) throw new Refusal('The dataset has no history: CHANGES is off. Export it without --history.')
  const counts = {documents: 0, graphs: 0, triples: 0, changes: 0}
  const texts = new TermTexts(options.vocabulary)
  const context = {...options, transaction, texts, gone: new GoneTerms(), counts}
  const digest = createHash('sha256')
  yield digested({quadstead: 'history', version: historyVersion, ...head})
  for await (const lines of bodyLines(context)) {
    yield lines.map(digested).join('')
    options.onProgress(counts.triples, counts.changes)
  }
  yield shown({end: true, ...counts, sha256: digest.digest('hex')})

  function digested(line: HistoryLine): string {
    const text = shown(line)
    digest.update(text)
    return text
  }
}

function shown(line: HistoryLine): string {
  return `${JSON.stringify(line)}\n`
}

async function* bodyLines(context: Context): AsyncGenerator<readonly HistoryLine[]> {
  const {transaction, schema, gone} = context
  for await (const rows of historyRows(transaction, schema, 'export_names')) {
    for (const {id, is_named: isNamed} of rows) if (!isNamed) gone.name(BigInt(id))
    const names = await namesOf(
      context,
      rows.map(({id}) => id),
    )
    yield rows.map(({id, position, name}) => ({name, of: names(id), until: position}))
  }
  for await (const rows of historyRows(transaction, schema, 'export_states'))
    for (const some of portioned(rows, ({quads}) => quads.length / quadBytes)) yield await stateLines(context, some)
  for await (const rows of historyRows(transaction, schema, 'export_changes'))
    for (const some of portioned(rows, sizeOf)) yield await changeLines(context, some)
}

/** Divides rows, so that a part has at most about `triplesAtOnce` triples. */
function* portioned<Row>(rows: readonly Row[], size: (row: Row) => number): Generator<readonly Row[]> {
  let some: Row[] = []
  let triples = 0
  for (const row of rows) {
    some.push(row)
    triples += size(row)
    if (triples < triplesAtOnce) continue
    yield some
    some = []
    triples = 0
  }
  if (some.length > 0) yield some
}

async function stateLines(context: Context, rows: readonly StateRow[]): Promise<readonly HistoryLine[]> {
  const {counts} = context
  const ids = rows.flatMap(({quads}) => idsIn(quads, {from: 0, step: 8}))
  const resources = rows.flatMap(({parent, member_relation, member_by}) => [parent, member_relation, member_by])
  const terms = await termsOf(context, ids)
  const names = await namesOf(context, resources)
  return rows.flatMap((row): readonly HistoryLine[] => {
    const own = idsIn(row.quads, {from: 0, step: 8})
    const [triples, ...rest] = portionsOf(statements(terms, own.length / 3, (at, part) => own[3 * at + part]).sort())
    const more = rest.map(triples => ({more: row.iri, triples}))
    counts.triples += own.length / 3
    if (row.is_continued) return [{more: row.iri, triples}, ...more]
    if (row.is_raw) {
      counts.graphs++
      return [{graph: row.iri, triples}, ...more]
    }
    counts.documents++
    const {iri: document, tag, created, modified, is_access_point: isAccessPoint} = row
    const memberRelation = names(row.member_relation)
    const places = {parent: names(row.parent), memberBy: names(row.member_by)}
    return [{document, tag, created, modified, isAccessPoint, memberRelation, ...places, triples}, ...more]
  })
}

function sizeOf({added_s: added, removed_s: removed}: ChangeRow): number {
  return ((added?.length ?? 0) + (removed?.length ?? 0)) / sendElement
}

async function changeLines(context: Context, rows: readonly ChangeRow[]): Promise<readonly HistoryLine[]> {
  const arrays = rows.map(row => ({
    added: [sentIds(row.added_s), sentIds(row.added_p), sentIds(row.added_o)],
    removed: [sentIds(row.removed_s), sentIds(row.removed_p), sentIds(row.removed_o)],
  }))
  const ids = arrays.flatMap(({added, removed}) => [...added, ...removed].flatMap(list => list ?? []))
  const terms = await termsOf(context, ids)
  const names = await namesOf(
    context,
    rows.flatMap(({document, parent, member_by, realm}) => [document, parent, member_by, realm]),
  )
  return rows.flatMap((row, index): readonly HistoryLine[] => {
    const portions = (name: 'added' | 'removed'): readonly (string | null)[] => {
      const lists = arrays[index]?.[name] ?? []
      const [subjects] = lists
      if (subjects === undefined || subjects === null) return [null]
      return portionsOf(statements(terms, subjects.length, (at, part) => lists[part]?.[at]))
    }
    const [added, removed] = [portions('added'), portions('removed')]
    const parts = Array.from(
      {length: Math.max(added.length, removed.length)},
      (_, at): ChangedTriples => ({added: added[at] ?? null, removed: removed[at] ?? null}),
    )
    const more = parts.map(part => ({moreOf: row.position, ...part}))
    if (row.is_continued) return more
    context.counts.changes++
    const {position: change, transaction, time, before, after, action, agent, request_id: request} = row
    const own = {isAccessPoint: row.is_access_point, before, after, action, agent, request}
    const places = {parent: names(row.parent), memberBy: names(row.member_by), realm: names(row.realm)}
    const first = parts[0] ?? {added: null, removed: null}
    return [{change, transaction, time, document: names(row.document), ...places, ...own, ...first}, ...more.slice(1)]
  })
}

/** `<s> <p> <o>` of each triple. */
function statements(
  terms: (id: bigint) => string,
  count: number,
  idAt: (at: number, part: number) => bigint | undefined,
): string[] {
  const text = (at: number, part: number) => terms(idAt(at, part) ?? 0n)
  return Array.from({length: count}, (_, at) => `${text(at, 0)} ${text(at, 1)} ${text(at, 2)}`)
}

function idsIn(bytes: Buffer, {from, step}: {readonly from: number; readonly step: number}): readonly bigint[] {
  const ids: bigint[] = []
  for (let at = from; at < bytes.length; at += step) ids.push(bytes.readBigInt64BE(at))
  return ids
}

/** The elements of an int8[] as array_send writes it. */
function sentIds(bytes: Buffer | null): readonly bigint[] | null {
  return bytes === null ? null : idsIn(bytes, {from: sendHeader + 4, step: sendElement})
}

/** The function from ids to terms in N-Triples syntax. */
async function termsOf(context: Context, ids: Iterable<bigint>): Promise<(id: bigint) => string> {
  const texts = await findTermTexts(context, new Set(ids))
  return id => texts.get(id) ?? `<${context.gone.name(id)}>`
}

type Names = <Id extends string | null>(id: Id) => Id

/** The function from ids to IRIs. */
async function namesOf(context: Context, ids: readonly (string | null)[]): Promise<Names> {
  const terms = await termsOf(
    context,
    ids.flatMap(id => (id === null ? [] : [BigInt(id)])),
  )
  const name = (id: string | null) => (id === null ? null : terms(BigInt(id)).slice(1, -1))
  return name as Names
}

/** Numbers the terms that have left the dictionary, in the order in which they did. */
class GoneTerms {
  readonly #numbers = new Map<bigint, number>()

  name(id: bigint): string {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1
    this.#numbers.set(id, number)
    return `#${number}`
  }
}
