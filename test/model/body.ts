/** Writes the lines of a document as a body in each media type of the interface. */
import {isBlank, isIri, read} from './lines.ts'

export const bodyTypes = [
  'text/turtle',
  'application/n-triples',
  'application/trig',
  'application/n-quads',
  'application/ld+json',
  'application/rdf+xml',
] as const
export type BodyType = (typeof bodyTypes)[number]

/** @param graph  IRI of the document. If the format has graphs, the lines are in this graph */
export function bodyOf(type: BodyType, lines: readonly string[], graph: string): string {
  switch (type) {
    case 'text/turtle':
    case 'application/n-triples':
      return lines.map(line => `${line} .`).join('\n')
    case 'application/trig':
      return `<${graph}> {\n${lines.map(line => `${line} .`).join('\n')}\n}`
    case 'application/n-quads':
      return lines.map(line => `${line} <${graph}> .`).join('\n')
    case 'application/ld+json':
      return JSON.stringify([{'@id': graph, '@graph': lines.map(jsonOf)}])
    case 'application/rdf+xml':
      return xmlOf(lines)
  }
}

function jsonOf(line: string): unknown {
  const [s, p, o] = read(line)
  const {value, datatype, language} = partsOf(o)
  const object = o.startsWith('"')
    ? {'@value': value, ...(datatype && {'@type': datatype}), ...(language && {'@language': language})}
    : {'@id': o}
  return {'@id': s, [p]: [object]}
}

function xmlOf(lines: readonly string[]): string {
  const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
  return `<rdf:RDF xmlns:rdf="${rdf}">\n${lines.map(descriptionOf).join('\n')}\n</rdf:RDF>`
}

function descriptionOf(line: string): string {
  const [s, p, o] = read(line)
  const [, namespace = '', name = ''] = /^(.*[/#])([^/#]+)$/.exec(p) ?? []
  const subject = isBlank(s) ? `rdf:nodeID="${s.slice(2)}"` : `rdf:about="${escaped(s)}"`
  const said = property(`<n:${name} xmlns:n="${namespace}"`, `</n:${name}>`, o)
  return `<rdf:Description ${subject}>${said}</rdf:Description>`
}

function property(start: string, end: string, object: string): string {
  if (isBlank(object)) return `${start} rdf:nodeID="${object.slice(2)}"/>`
  if (isIri(object)) return `${start} rdf:resource="${escaped(object)}"/>`
  const {value, datatype, language} = partsOf(object)
  const type = datatype === undefined ? '' : ` rdf:datatype="${escaped(datatype)}"`
  return `${start}${type}${language === undefined ? '' : ` xml:lang="${language}"`}>${escaped(value)}${end}`
}

function partsOf(object: string) {
  const [, quoted = '""', language, datatype] = /^("(?:[^"\\]|\\.)*")(?:@(.*)|\^\^<(.*)>)?$/.exec(object) ?? []
  return {value: JSON.parse(quoted) as string, language, datatype}
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** A line in the syntax of LD Patch, with the document's labels. */
export const inPatch = (lines: readonly string[]) => lines.map(line => `${line} .`).join(' ')
