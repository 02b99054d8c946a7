/**
 * Small readers of formats that the service writes but does not read: TriX, RDF/JSON and binary RDF. For round-trip
 * tests.
 *
 * They are written from the same specifications as the writers and share no code with them.
 */
import {SaxesParser} from 'saxes'
import {
  blankNode,
  defaultGraph,
  type Graph,
  type Iri,
  langLiteral,
  literal,
  namedNode,
  type Quad,
  quad,
  type Resource,
  type Term,
} from '../../src/rdf/term.ts'

export function readTrix(text: string): readonly Quad[] {
  const quads: Quad[] = []
  const xml = new SaxesParser({xmlns: true})
  const stack: string[] = []
  let graph: Graph = defaultGraph
  let triple: Term[] = []
  let characters = ''
  let attributes: Readonly<Record<string, {readonly value: string}>> = {}
  const put = (term: Term) => {
    if (stack.at(-1) === 'graph') graph = term as Resource
    else triple.push(term)
  }
  const closers: Readonly<Record<string, () => void>> = {
    uri: () => put(namedNode(characters)),
    id: () => put(blankNode(characters)),
    plainLiteral: () => {
      const language = attributes['xml:lang']?.value
      put(language === undefined ? literal(characters) : langLiteral(characters, language))
    },
    typedLiteral: () => put(literal(characters, attributes.datatype?.value ?? '')),
    triple: () => {
      quads.push(quad(...(triple as [Resource, Quad['predicate'], Term]), graph))
      triple = []
    },
    graph: () => {
      graph = defaultGraph
    },
  }
  xml.on('error', error => {
    throw error
  })
  xml.on('opentag', tag => {
    if (tag.uri !== 'http://www.w3.org/2004/03/trix/trix-1/') throw new Error(`No TriX: ${tag.uri}`)
    stack.push(tag.local)
    attributes = tag.attributes
    characters = ''
  })
  xml.on('text', more => {
    characters += more
  })
  xml.on('closetag', tag => {
    stack.pop()
    closers[tag.local]?.()
  })
  xml.write(text).close()
  return quads
}

type JsonTerm = {readonly value: string; readonly type: string; readonly lang?: string; readonly datatype?: Iri}

export function readRdfJson(text: string): readonly Quad[] {
  const document = JSON.parse(text) as Record<string, Record<string, JsonTerm[]>>
  const resource = (id: string): Resource => (id.startsWith('_:') ? blankNode(id.slice(2)) : namedNode(id))
  const object = ({value, type, lang, datatype}: JsonTerm): Term => {
    if (type !== 'literal') return resource(value)
    return lang === undefined ? literal(value, datatype) : langLiteral(value, lang)
  }
  return Object.entries(document).flatMap(([subject, predicates]) =>
    Object.entries(predicates).flatMap(([predicate, objects]) =>
      objects.map(each => quad(resource(subject), namedNode(predicate), object(each))),
    ),
  )
}

/** Version 1 only. */
export function readBinary(bytes: Uint8Array): readonly Quad[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const declared = new Map<number, Term>()
  const quads: Quad[] = []
  let at = 0
  const byte = () => data.getUint8(at++)
  const int = () => {
    at += 4
    return data.getInt32(at - 4)
  }
  const string = () => {
    let text = ''
    for (let left = int(); left > 0; left--, at += 2) text += String.fromCharCode(data.getUint16(at))
    return text
  }
  const value = (): Term | undefined => {
    const kind = byte()
    switch (kind) {
      case 0:
        return undefined
      case 1:
        return namedNode(string())
      case 2:
        return blankNode(string())
      case 3:
        return literal(string())
      case 4:
        return langLiteral(string(), string())
      case 5:
        return literal(string(), string())
      case 6:
        return declared.get(int())
      default:
        throw new Error(`Unknown value ${kind} at ${at}`)
    }
  }
  const term = () => value() ?? namedNode('null')
  if (String.fromCharCode(byte(), byte(), byte(), byte()) !== 'BRDF' || int() !== 1)
    throw new Error('No BRDF version 1')
  for (let record = byte(); record !== 127; record = byte()) {
    if (record === 3) declared.set(int(), term())
    else if (record !== 1) throw new Error(`Unknown record ${record} at ${at}`)
    else {
      const [subject, predicate, object] = [term(), term(), term()]
      quads.push(
        quad(
          subject as Resource,
          predicate as Quad['predicate'],
          object,
          (value() as Resource | undefined) ?? defaultGraph,
        ),
      )
    }
  }
  if (at !== bytes.byteLength) throw new Error(`${bytes.byteLength - at} bytes after the end`)
  return quads
}
