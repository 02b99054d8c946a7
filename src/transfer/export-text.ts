/**
 * Serialises exported statements in the format of the output file.
 *
 * Pure.
 */
import {optionName, type ReadableFormat, readableFormats} from '../format/formats.ts'
import {statement, termOf} from '../format/nquads-statement.ts'
import {type NamedNode, namedNode, type Quad, quad, type Resource} from '../rdf/term.ts'
import type {Portion} from './export.ts'

/** The formats of an export by the values of --format: those with graphs that an import reads. */
export const outputFormats: ReadonlyMap<string, ReadableFormat> = new Map(
  readableFormats.filter(({hasGraphs}) => hasGraphs).map(format => [optionName(format), format]),
)

/** Yields the text of the file in pieces. */
export function exportText(
  format: ReadableFormat,
  portions: AsyncIterable<readonly Portion[]>,
): AsyncIterable<string | Uint8Array> {
  return format.id === 'n-quads' ? nquads(portions) : serialised(format, portions)
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

async function* serialised(
  {id}: ReadableFormat,
  batches: AsyncIterable<readonly Portion[]>,
): AsyncGenerator<string | Uint8Array> {
  const {formats, serialiseBatches} = await import('../format/registry.ts') // not loaded for N-Quads
  const format = formats.find(format => format.id === id)
  if (format === undefined) throw new Error(`no writer for ${id}`)
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
