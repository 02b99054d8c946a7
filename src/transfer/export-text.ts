/**
 * Serialises exported statements in the format of the output file.
 *
 * Pure.
 */
import {statement, termOf} from '../format/nquads-statement.ts'
import {type NamedNode, namedNode, type Quad, quad, type Resource} from '../rdf/term.ts'
import type {Portion} from './export.ts'

export const outputFormats = ['nquads', 'trig'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** Yields the text of the file in pieces. */
export function exportText(
  format: OutputFormat,
  portions: AsyncIterable<readonly Portion[]>,
): AsyncIterable<string | Uint8Array> {
  return format === 'nquads' ? nquads(portions) : trig(portions)
}

async function* nquads(batches: AsyncIterable<readonly Portion[]>): AsyncGenerator<string> {
  for await (const portions of batches) {
    const text = portions.map(({graph, lines}) => {
      const end = ` <${graph.iri}> .\n`
      return lines.length === 0 ? '' : lines.join(end) + end
    })
    yield text.join('')
  }
}

async function* trig(batches: AsyncIterable<readonly Portion[]>): AsyncGenerator<string | Uint8Array> {
  const {formats, serialiseBatches} = await import('../format/registry.ts') // not loaded for N-Quads
  const format = formats.find(({id}) => id === 'trig')
  if (format === undefined) throw new Error('no writer for TriG')
  yield* serialiseBatches(format, quadsOf(batches))
}

async function* quadsOf(batches: AsyncIterable<readonly Portion[]>): AsyncGenerator<readonly Quad[]> {
  for await (const portions of batches) {
    yield portions.flatMap(({graph, lines}) => {
      const name = namedNode(graph.iri)
      return lines.map(line => quadOf(`${line} .\n`, name))
    })
  }
}

function quadOf(line: string, graph: NamedNode): Quad {
  statement.lastIndex = 0
  const [, subject = '', predicate = '', object = ''] = statement.exec(line) ?? []
  const [s, p, o] = [subject, predicate, object].map(termOf)
  if (s === undefined || p === undefined || o === undefined) throw new Error(`a line that cannot be read: ${line}`)
  return quad(s as Resource, p as NamedNode, o, graph)
}
