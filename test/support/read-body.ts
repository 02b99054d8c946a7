/** Reads texts with the readers of the registry. */
import {formatOfMediaType} from '../../src/format/registry.ts'
import type {ParseOptions} from '../../src/format/types.ts'
import type {Quad} from '../../src/rdf/term.ts'

export const documentIri = 'http://h/doc/'

export async function readBody(
  mediaType: string,
  body: string | Uint8Array,
  options: Partial<ParseOptions> = {},
): Promise<readonly Quad[]> {
  const parse = formatOfMediaType(mediaType)?.parse
  if (parse === undefined) throw new Error(`No reader of ${mediaType}`)
  return await parse(typeof body === 'string' ? new TextEncoder().encode(body) : body, {base: documentIri, ...options})
}

/** Quads as short lines: IRIs without brackets, literals quoted with their type or tag. */
export function lines(quads: readonly Quad[]): string[] {
  return quads.map(quad => {
    const {object, graph} = quad
    const subject = quad.subject.termType === 'BlankNode' ? `_:${quad.subject.value}` : quad.subject.value
    let text = object.termType === 'BlankNode' ? `_:${object.value}` : object.value
    if (object.termType === 'Literal') {
      const local = object.datatype.value.replace(/^.*[#/]/, '')
      text = `"${object.value}"${object.language === '' ? `^^${local}` : `@${object.language}`}`
    }
    const where =
      graph.termType === 'DefaultGraph' ? '' : ` ${graph.termType === 'BlankNode' ? '_:' : ''}${graph.value}`
    return `${subject} ${quad.predicate.value} ${text}${where}`
  })
}
