/**
 * Turtle and TriG text to quads.
 *
 * Floor 2. Labels come back as written; nodes without one ('[]', list cells) get anonymous labels. RDF 1.2 syntax (triple
 * terms, reifiers, base directions, VERSION) is a syntax error, as it is not stored yet.
 * Sources: Turtle §6.5 and §7; TriG §4.5.
 */
import {Problem} from '../base/problem.ts'
import {defaultGraph, type Graph, type NamedNode, type Quad, quad, type Resource, type Term} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {marks} from './character-codes.ts'
import {TurtleScanner} from './turtle-scanner.ts'
import {TurtleTerms} from './turtle-terms.ts'
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

class TurtleReader {
  readonly #scan: TurtleScanner
  readonly #terms = new BodyTerms()
  readonly #names: TurtleTerms
  readonly #syntax: Syntax
  readonly #depthLimit: number
  readonly #quads: Quad[] = []
  readonly #type: NamedNode
  readonly #first: NamedNode
  readonly #rest: NamedNode
  readonly #nil: NamedNode
  #graph: Graph = defaultGraph
  #depth = 0

  constructor(text: string, options: ParseOptions, syntax: Syntax) {
    this.#scan = new TurtleScanner(text)
    this.#syntax = syntax
    this.#names = new TurtleTerms(this.#scan, this.#terms, options.base)
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
    if (this.#scan.peek() !== marks.less) this.#scan.expected('an IRI')
    this.#names.declare(prefix, this.#names.reference().value)
    if (end === 'with dot') this.#require('.')
  }

  #setBase(end: 'with dot' | 'without dot'): void {
    this.#scan.skip()
    if (this.#scan.peek() !== marks.less) this.#scan.expected('an IRI')
    this.#names.rebase(this.#names.reference().value)
    if (end === 'with dot') this.#require('.')
  }

  #statement(): void {
    if (this.#syntax === 'turtle') {
      this.#triples()
      this.#require('.')
    } else if (this.#scan.peek() === marks.openBrace) this.#wrappedGraph(defaultGraph)
    else if (this.#scan.takeWord('GRAPH', 'any-case')) {
      this.#scan.skip()
      this.#wrappedGraph(this.#graphName())
    } else this.#triplesOrGraph()
  }

  /** TriG: one subject may turn out to be the name of a graph. */
  #triplesOrGraph(): void {
    const mark = this.#scan.peek()
    const canNameGraph =
      mark !== marks.openParenthesis && (mark !== marks.openBracket || this.#scan.isAtEmptyBrackets())
    const subject = this.#subject()
    this.#scan.skip()
    if (canNameGraph && this.#scan.peek() === marks.openBrace) {
      this.#wrappedGraph(subject)
      return
    }
    this.#predicateObjects(subject, mark === marks.openBracket && !canNameGraph ? 'optional' : 'required')
    this.#require('.')
  }

  #graphName(): Graph {
    if (this.#scan.peek() === marks.openBracket) {
      if (!this.#scan.isAtEmptyBrackets()) this.#scan.fail('Triples cannot name a graph')
    } else if (this.#scan.peek() === marks.openParenthesis) this.#scan.fail('A list cannot name a graph')
    return this.#subject()
  }

  /** '{' triples ('.' triples)* '.'? '}' */
  #wrappedGraph(graph: Graph): void {
    this.#require('{')
    this.#graph = graph
    for (this.#scan.skip(); this.#scan.peek() !== marks.closeBrace; this.#scan.skip()) {
      this.#triples()
      this.#scan.skip()
      if (!this.#scan.take('.')) break
    }
    this.#require('}')
    this.#graph = defaultGraph
  }

  #triples(): void {
    const canStandAlone = this.#scan.peek() === marks.openBracket && !this.#scan.isAtEmptyBrackets()
    this.#predicateObjects(this.#subject(), canStandAlone ? 'optional' : 'required')
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
      case marks.less:
        return this.#names.reference()
      case marks.lowLine:
        return this.#scan.text.startsWith('_:', this.#scan.position)
          ? this.#terms.blank(this.#scan.blankLabel())
          : undefined
      case marks.openBracket:
        return this.#bracketed()
      case marks.openParenthesis:
        return this.#list()
      default:
        return this.#names.prefixedName()
    }
  }

  /** '[' predicateObjects? ']' */
  #bracketed(): Resource {
    this.#enter()
    this.#scan.position++
    const node = this.#terms.anonymous()
    this.#scan.skip()
    if (this.#scan.peek() !== marks.closeBracket) this.#predicateObjects(node, 'required')
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
  #predicateObjects(subject: Resource, predicates: 'required' | 'optional'): void {
    this.#scan.skip()
    let predicate = this.#verb()
    if (predicate === undefined) {
      if (predicates === 'optional') return
      this.#scan.expected('a predicate')
    }
    while (predicate !== undefined) {
      this.#objects(subject, predicate)
      if (this.#scan.peek() !== marks.semicolon) return
      while (this.#scan.take(';')) this.#scan.skip()
      predicate = this.#verb()
    }
  }

  #verb(): NamedNode | undefined {
    if (this.#scan.peek() === marks.less) return this.#names.reference()
    return this.#scan.takeWord('a') ? this.#type : this.#names.prefixedName()
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
    if (next === marks.quote || next === marks.apostrophe) return this.#names.literal()
    if (this.#scan.isAtNumber()) {
      const token = this.#scan.number()
      return this.#terms.literal(token.text, xsd[token.kind])
    }
    if (this.#scan.takeWord('true')) return this.#terms.literal('true', xsd.boolean)
    if (this.#scan.takeWord('false')) return this.#terms.literal('false', xsd.boolean)
    return this.#resource() ?? this.#scan.expected('an object')
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
