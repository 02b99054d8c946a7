/**
 * Reads, writes and compares manifests. A manifest has one line per graph and a summary of the export at its end.
 *
 *   <checksum> <entity tag> <IRI>
 *   # sha256 <of the export's bytes, uncompressed> graphs <number> quads <number>
 *
 * Graphs are sorted by IRI, so two manifests of any length can be compared line by line.
 */
import {Refusal} from '../base/refusal.ts'
import type {Iri} from '../rdf/term.ts'
import type {Portion} from './export.ts'

export type ManifestEntry = {readonly checksum: string; readonly etag: string; readonly iri: Iri}
export type ManifestEnd = {readonly sha256: string; readonly graphs: number; readonly quads: number}

const entryForm = /^((?:lines-)?[0-9a-f]{64}) ([0-9]+) (\S+)$/
const endForm = /^# sha256 ([0-9a-f]{64}) graphs ([0-9]+) quads ([0-9]+)$/

export function showEntry({checksum, etag, iri}: ManifestEntry): string {
  return `${checksum} ${etag} ${iri}\n`
}

export function showEnd({sha256, graphs, quads}: ManifestEnd): string {
  return `# sha256 ${sha256} graphs ${graphs} quads ${quads}\n`
}

/** Yields the entries of an export while it runs. */
export async function* entriesOf(batches: AsyncIterable<readonly Portion[]>): AsyncGenerator<ManifestEntry> {
  for await (const portions of batches) {
    for (const {graph, checksum} of portions) {
      if (checksum !== undefined) yield {checksum: await checksum, etag: graph.etag, iri: graph.iri}
    }
  }
}

/**
 * Reads a manifest.
 *
 * @param onEnd  receives the summary in the last line
 * @throws       Refusal: an invalid line, or no summary at the end
 */
export async function* readManifest(
  lines: AsyncIterable<string>,
  onEnd: (end: ManifestEnd) => void,
): AsyncGenerator<ManifestEntry> {
  let number = 0
  let isEnded = false
  for await (const line of lines) {
    number++
    const [, checksum, etag, iri] = entryForm.exec(line) ?? []
    const [, sha256, graphs, quads] = endForm.exec(line) ?? []
    if (sha256 !== undefined) {
      isEnded = true
      onEnd({sha256, graphs: Number(graphs), quads: Number(quads)})
    } else if (checksum !== undefined && etag !== undefined && iri !== undefined && !isEnded) {
      yield {checksum, etag, iri}
    } else throw new Refusal(`Line ${number} is not one of a manifest: ${JSON.stringify(line.slice(0, 80))}.`)
  }
  if (!isEnded) throw new Refusal('The manifest is not complete: its last line is missing.')
}

export type Difference = {readonly kind: 'missing' | 'added' | 'changed'; readonly iri: Iri}

/** Yields the differences of two manifests. Both must be sorted by the code points of their IRIs. */
export async function* compareManifests(
  expected: AsyncGenerator<ManifestEntry>,
  actual: AsyncGenerator<ManifestEntry>,
): AsyncGenerator<Difference> {
  let left = await expected.next()
  let right = await actual.next()
  while (!left.done || !right.done) {
    const order = left.done
      ? 1
      : right.done
        ? -1
        : Buffer.compare(Buffer.from(left.value.iri), Buffer.from(right.value.iri))
    if (order < 0 && !left.done) yield {kind: 'missing', iri: left.value.iri}
    if (order > 0 && !right.done) yield {kind: 'added', iri: right.value.iri}
    if (order === 0 && !left.done && !right.done && left.value.checksum !== right.value.checksum) {
      yield {kind: 'changed', iri: left.value.iri}
    }
    if (order <= 0) left = await expected.next()
    if (order >= 0) right = await actual.next()
  }
}
