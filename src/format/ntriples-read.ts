/**
 * N-Triples and N-Quads text to quads, line by line.
 *
 * Floor 2. Labels come back as written. RDF 1.2 syntax is a syntax error, as it is not stored yet.
 * Sources: N-Triples §7; N-Quads §5.
 */
import {defaultGraph, type Graph, type NamedNode, type Quad, quad, type Resource, type Term} from '../rdf/term.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {TurtleScanner} from './turtle-scanner.ts'

type Syntax = 'ntriples' | 'nquads'

/** @throws Problem 400, see `Parse` in types.ts */
export async function readNTriples(body: Uint8Array): Promise<readonly Quad[]> {
  return new LineReader(decodeBody(body), 'ntriples').read()
}

/** @throws Problem 400, see `Parse` in types.ts */
export async function readNQuads(body: Uint8Array): Promise<readonly Quad[]> {
  return new LineReader(decodeBody(body), 'nquads').read()
}

class LineReader {
  readonly #scan: TurtleScanner
  readonly #syntax: Syntax
  readonly #terms = new BodyTerms()
  readonly #quads: Quad[] = []

  constructor(text: string, syntax: Syntax) {
    this.#scan = new TurtleScanner(text)
    this.#syntax = syntax
  }

  read(): readonly Quad[] {
    for (this.#scan.skip(); !this.#scan.isAtEnd; this.#scan.skip()) {
      this.#quads.push(this.#statement())
      this.#scan.skipOnLine()
      if (!this.#scan.isAtEnd && !this.#scan.take('\n') && !this.#scan.take('\r'))
        this.#scan.expected('the end of the line')
    }
    return this.#quads
  }

  #statement(): Quad {
    const subject = this.#resource('a subject')
    const predicate = this.#iri('a predicate')
    const object = this.#object()
    this.#scan.skipOnLine()
    const graph =
      this.#syntax === 'nquads' && this.#scan.peek() !== 46 ? this.#resource('a graph or "."') : defaultGraph
    this.#scan.skipOnLine()
    if (!this.#scan.take('.')) this.#scan.expected('"."')
    return quad(subject, predicate, object, graph as Graph)
  }

  #resource(what: string): Resource {
    this.#scan.skipOnLine()
    const isBlank = this.#scan.text.startsWith('_:', this.#scan.position)
    return isBlank ? this.#terms.blank(this.#scan.blankLabel()) : this.#iri(what)
  }

  #iri(what: string): NamedNode {
    this.#scan.skipOnLine()
    if (this.#scan.peek() !== 60) this.#scan.expected(what)
    const place = this.#scan.place()
    return this.#terms.iri(this.#scan.iriReference(), place)
  }

  #object(): Term {
    this.#scan.skipOnLine()
    if (this.#scan.peek() !== 34) return this.#resource('an object')
    const place = this.#scan.place()
    if (this.#scan.text.startsWith('"""', this.#scan.position)) this.#scan.expected('a string between single quotes')
    const value = this.#scan.string()
    if (this.#scan.peek() === 64) return this.#terms.langLiteral(value, this.#scan.languageTag(), place)
    if (!this.#scan.take('^^')) return this.#terms.literal(value, undefined, place)
    return this.#terms.literal(value, this.#iri('a datatype').value, place)
  }
}
