/**
 * Turtle and TriG text to quads.
 *
 * Floor 2. Labels come back as written; nodes without one ('[]', list cells) get anonymous labels. RDF 1.2 syntax (triple
 * terms, reifiers, base directions, VERSION) is a syntax error, as it is not stored yet.
 * Sources: Turtle §6.5 and §7; TriG §4.5.
 */
import {Problem} from '../base/problem.ts'
import {resolveIri} from '../rdf/iri.ts'
import {
  defaultGraph,
  type Graph,
  type Iri,
  type NamedNode,
  type Quad,
  quad,
  type Resource,
  type Term,
} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {TurtleScanner} from './turtle-scanner.ts'
import {defaultDepthLimit, type ParseOptions} from './types.ts'

type Syntax = 'turtle' | 'trig'

/** @throws Problem 400, see `Parse` in types.ts */
export async function readTurtle(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return new TurtleReader(decodeBody(body), options, 'turtle').read()
}

/** @throws Problem 400, see `Parse` in types.ts */
export async function readTrig(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return new TurtleReader(decodeBody(body), options, 'trig').read()
}

const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

class TurtleReader {
  readonly #scan: TurtleScanner
  readonly #terms = new BodyTerms()
  readonly #syntax: Syntax
  readonly #depthLimit: number
  readonly #prefixes = new Map<string, Iri>()
  readonly #prefixed = new Map<string, NamedNode>() // 'prefix:local' → node
  readonly #quads: Quad[] = []
  readonly #type: NamedNode
  readonly #first: NamedNode
  readonly #rest: NamedNode
  readonly #nil: NamedNode
  #references = new Map<string, NamedNode>() // text between '<' and '>' → node, under the present base
  #base: Iri
  #graph: Graph = defaultGraph
  #depth = 0

  constructor(text: string, options: ParseOptions, syntax: Syntax) {
    this.#scan = new TurtleScanner(text)
    this.#syntax = syntax
    this.#base = options.base
    this.#depthLimit = options.depthLimit ?? defaultDepthLimit
    this.#type = this.#terms.iri(rdf.type)
    this.#first = this.#terms.iri(rdf.first)
    this.#rest = this.#terms.iri(rdf.rest)
    this.#nil = this.#terms.iri(rdf.nil)
  }

  read(): readonly Quad[] {
    for (this.#scan.skip(); !this.#scan.isAtEnd; this.#scan.skip()) {
      if (!this.#directive()) this.#statement()
    }
    return this.#quads
  }

  #directive(): boolean {
    if (this.#scan.take('@prefix')) this.#prefix('with dot')
    else if (this.#scan.take('@base')) this.#setBase('with dot')
    else if (this.#scan.takeWord('PREFIX', 'any-case')) this.#prefix('without dot')
    else if (this.#scan.takeWord('BASE', 'any-case')) this.#setBase('without dot')
    else return false
    return true
  }

  #prefix(end: 'with dot' | 'without dot'): void {
    this.#scan.skip()
    const prefix = this.#scan.prefix() ?? this.#scan.expected('a prefix and ":"')
    this.#scan.skip()
    if (this.#scan.peek() !== 60) this.#scan.expected('an IRI')
    this.#prefixes.set(prefix, this.#reference().value)
    this.#prefixed.clear()
    if (end === 'with dot') this.#require('.')
  }

  #setBase(end: 'with dot' | 'without dot'): void {
    this.#scan.skip()
    if (this.#scan.peek() !== 60) this.#scan.expected('an IRI')
    this.#base = this.#reference().value
    this.#references = new Map()
    if (end === 'with dot') this.#require('.')
  }

  #statement(): void {
    if (this.#syntax === 'turtle') {
      this.#triples()
      this.#require('.')
    } else if (this.#scan.peek() === 123) this.#wrappedGraph(defaultGraph)
    else if (this.#scan.takeWord('GRAPH', 'any-case')) {
      this.#scan.skip()
      this.#wrappedGraph(this.#graphName())
    } else this.#triplesOrGraph()
  }

  /** TriG: one subject may turn out to be the name of a graph. */
  #triplesOrGraph(): void {
    const mark = this.#scan.peek()
    const from = this.#scan.position
    const subject = this.#subject()
    this.#scan.skip()
    const canNameGraph = mark !== 40 && (mark !== 91 || isEmptyBrackets(this.#scan.text, from))
    if (canNameGraph && this.#scan.peek() === 123) {
      this.#wrappedGraph(subject)
      return
    }
    this.#predicateObjects(subject, mark === 91 && !canNameGraph)
    this.#require('.')
  }

  #graphName(): Graph {
    if (this.#scan.peek() === 91) {
      if (!isEmptyBrackets(this.#scan.text, this.#scan.position)) this.#scan.fail('Triples cannot name a graph')
    } else if (this.#scan.peek() === 40) this.#scan.fail('A list cannot name a graph')
    return this.#subject()
  }

  /** '{' triples ('.' triples)* '.'? '}' */
  #wrappedGraph(graph: Graph): void {
    this.#require('{')
    this.#graph = graph
    for (this.#scan.skip(); this.#scan.peek() !== 125; this.#scan.skip()) {
      this.#triples()
      this.#scan.skip()
      if (!this.#scan.take('.')) break
    }
    this.#require('}')
    this.#graph = defaultGraph
  }

  #triples(): void {
    const canStandAlone = this.#scan.peek() === 91 && !isEmptyBrackets(this.#scan.text, this.#scan.position)
    this.#predicateObjects(this.#subject(), canStandAlone)
  }

  #subject(): Resource {
    const from = this.#scan.position
    const subject = this.#resource()
    if (subject === undefined) {
      this.#scan.position = from
      return this.#scan.expected('a subject')
    }
    return subject
  }

  /** An IRI, a blank node, a bracketed node or a list; undefined when something else stands here. */
  #resource(): Resource | undefined {
    switch (this.#scan.peek()) {
      case 60: // <
        return this.#reference()
      case 95: // _
        return this.#scan.text.startsWith('_:', this.#scan.position)
          ? this.#terms.blank(this.#scan.blankLabel())
          : undefined
      case 91: // [
        return this.#bracketed()
      case 40: // (
        return this.#list()
      default:
        return this.#prefixedName()
    }
  }

  #reference(): NamedNode {
    const from = this.#scan.position
    const text = this.#scan.iriReference()
    const known = this.#references.get(text)
    if (known !== undefined) return known
    const iri = hasScheme.test(text) ? text : resolveIri(text, this.#base)
    const node = this.#terms.iri(iri, this.#scan.place(from))
    this.#references.set(text, node)
    return node
  }

  #prefixedName(): NamedNode | undefined {
    const from = this.#scan.position
    const prefix = this.#scan.prefix()
    if (prefix === undefined) return undefined
    const local = this.#scan.localName()
    const name = `${prefix}:${local}`
    const known = this.#prefixed.get(name)
    if (known !== undefined) return known
    const namespace = this.#prefixes.get(prefix)
    if (namespace === undefined) return this.#scan.fail(`The prefix "${prefix}:" is not declared`, from)
    const node = this.#terms.iri(namespace + local, this.#scan.place(from))
    this.#prefixed.set(name, node)
    return node
  }

  /** '[' predicateObjects? ']' */
  #bracketed(): Resource {
    this.#enter()
    this.#scan.position++
    const node = this.#terms.anonymous()
    this.#scan.skip()
    if (this.#scan.peek() !== 93) this.#predicateObjects(node, false)
    this.#require(']')
    this.#depth--
    return node
  }

  /** '(' object* ')' */
  #list(): Resource {
    this.#enter()
    this.#scan.position++
    let head: Resource | undefined
    let last: Resource | undefined
    for (this.#scan.skip(); !this.#scan.take(')'); this.#scan.skip()) {
      const cell = this.#terms.anonymous()
      if (last !== undefined) this.#emit(last, this.#rest, cell)
      head ??= cell
      this.#emit(cell, this.#first, this.#object())
      last = cell
    }
    if (last !== undefined) this.#emit(last, this.#rest, this.#nil)
    this.#depth--
    return head ?? this.#nil
  }

  /** verb objects (';' (verb objects)?)* */
  #predicateObjects(subject: Resource, mayBeAbsent: boolean): void {
    this.#scan.skip()
    let predicate = this.#verb()
    if (predicate === undefined) {
      if (mayBeAbsent) return
      this.#scan.expected('a predicate')
    }
    while (predicate !== undefined) {
      this.#objects(subject, predicate)
      if (this.#scan.peek() !== 59) return
      while (this.#scan.take(';')) this.#scan.skip()
      predicate = this.#verb()
    }
  }

  #verb(): NamedNode | undefined {
    if (this.#scan.peek() === 60) return this.#reference()
    return this.#scan.takeWord('a') ? this.#type : this.#prefixedName()
  }

  #objects(subject: Resource, predicate: NamedNode): void {
    do {
      this.#scan.skip()
      this.#emit(subject, predicate, this.#object())
      this.#scan.skip()
    } while (this.#scan.take(','))
  }

  #object(): Term {
    const next = this.#scan.peek()
    if (next === 34 || next === 39) return this.#literal()
    if ((next >= 48 && next <= 57) || next === 43 || next === 45 || next === 46) {
      const token = this.#scan.number()
      return this.#terms.literal(token.text, xsd[token.kind])
    }
    if (this.#scan.takeWord('true')) return this.#terms.literal('true', xsd.boolean)
    if (this.#scan.takeWord('false')) return this.#terms.literal('false', xsd.boolean)
    return this.#resource() ?? this.#scan.expected('an object')
  }

  #literal(): Term {
    const place = this.#scan.place()
    const value = this.#scan.string()
    if (this.#scan.peek() === 64) return this.#terms.langLiteral(value, this.#scan.languageTag(), place)
    if (!this.#scan.take('^^')) return this.#terms.literal(value, undefined, place)
    this.#scan.skip()
    const datatype = this.#scan.peek() === 60 ? this.#reference() : this.#prefixedName()
    if (datatype === undefined) return this.#scan.expected('a datatype')
    return this.#terms.literal(value, datatype.value, place)
  }

  #emit(subject: Resource, predicate: NamedNode, object: Term): void {
    this.#quads.push(quad(subject, predicate, object, this.#graph))
  }

  #require(mark: string): void {
    this.#scan.skip()
    if (!this.#scan.take(mark)) this.#scan.expected(`"${mark}"`)
  }

  #enter(): void {
    this.#depth++
    if (this.#depth <= this.#depthLimit) return
    const members = this.#scan.place()()
    throw new Problem(400, 'body-depth', `The body nests deeper than ${this.#depthLimit} levels.`, {members})
  }
}

const emptyBrackets = /\[(?:[ \t\r\n]|#[^\r\n]*)*\]/y

/** Whether '[]' stands at an offset, with nothing but blanks and comments in it. */
function isEmptyBrackets(text: string, offset: number): boolean {
  emptyBrackets.lastIndex = offset
  return emptyBrackets.test(text)
}
