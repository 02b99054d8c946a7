/**
 * Writes an export to a stream and its manifest to another.
 */
import {createHash} from 'node:crypto'
import {Readable, type Writable} from 'node:stream'
import {finished, pipeline} from 'node:stream/promises'
import {createGzip} from 'node:zlib'
import type {ReadableFormat} from '../format/formats.ts'
import type {Portion} from './export.ts'
import {exportText} from './export-text.ts'
import {type ManifestEnd, showEnd, showEntry} from './manifest.ts'

export type WriteOptions = {
  readonly format: ReadableFormat
  readonly isPacked: boolean
  readonly output: Writable
  readonly manifest: Writable | undefined
  readonly onProgress: (graphs: number, quads: number) => void
}

/** Writes the export and ends the streams, except standard output. */
export async function writeExport(
  batches: AsyncIterable<readonly Portion[]>,
  {format, isPacked, output, manifest, onProgress}: WriteOptions,
): Promise<ManifestEnd> {
  const tally = new Tally(manifest, onProgress)
  const digest = createHash('sha256')
  await writeText(digested(exportText(format, tally.pass(batches)), digest), {output, isPacked})
  const summary = {sha256: digest.digest('hex'), graphs: tally.graphs, quads: tally.quads}
  await tally.end(showEnd(summary))
  return summary
}

/** Writes text to a stream and ends it, except standard output. */
export async function writeText(
  texts: AsyncIterable<string | Uint8Array>,
  {output, isPacked}: Pick<WriteOptions, 'output' | 'isPacked'>,
): Promise<void> {
  const source = Readable.from(texts, {objectMode: false})
  const end = output !== process.stdout
  if (isPacked) await pipeline(source, createGzip({level: 1, chunkSize: 1 << 18}), output, {end})
  else await pipeline(source, output, {end})
}

async function* digested(
  texts: AsyncIterable<string | Uint8Array>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    digest.update(bytes)
    if (bytes.length > 0) yield bytes
  }
}

/** Counts graphs and quads, and writes the lines of the manifest when their checksums are ready. */
class Tally {
  graphs = 0
  quads = 0
  readonly #manifest: Writable | undefined
  readonly #onProgress: WriteOptions['onProgress']

  constructor(manifest: Writable | undefined, onProgress: WriteOptions['onProgress']) {
    this.#manifest = manifest
    this.#onProgress = onProgress
  }

  async *pass(batches: AsyncIterable<readonly Portion[]>): AsyncGenerator<readonly Portion[]> {
    let last = ''
    for await (const portions of batches) {
      for (const {graph, lines} of portions) {
        if (graph.iri !== last) this.graphs++
        last = graph.iri
        this.quads += lines.length
      }
      const lines = this.#lines(portions)
      yield portions
      await this.#write(await lines)
      this.#onProgress(this.graphs, this.quads)
    }
  }

  async end(line: string): Promise<void> {
    await this.#write(line)
    const manifest = this.#manifest
    if (manifest !== undefined) await finished(manifest.end())
  }

  async #lines(portions: readonly Portion[]): Promise<string> {
    const lines = await Promise.all(
      portions.map(async ({graph: {iri, etag}, checksum}) =>
        checksum === undefined ? '' : showEntry({checksum: await checksum, etag, iri}),
      ),
    )
    return lines.join('')
  }

  async #write(text: string): Promise<void> {
    const manifest = this.#manifest
    if (manifest === undefined || text === '') return
    await new Promise<void>((resolve, reject) => {
      manifest.write(text, error => (error ? reject(error) : resolve()))
    })
  }
}
