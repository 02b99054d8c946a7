/**
 * The triples of a patch: Turtle's triples with variables as subjects and objects.
 *
 * Sources: LD Patch §4, productions graph to collection; Turtle §6.5.
 */
import type {NamedNode, Resource} from '../rdf/term.ts'
import type {Lexer} from './lexer.ts'
import {first, nil, rest, type} from './nodes.ts'
import type {NewItem, PatchTerm, PatchTriple, PatchVariable} from './patch.ts'
import type {TermReader} from './terms.ts'

/** Reads one block of triples, or one list with the nodes nested in it, and collects them in `triples`. */
export class TriplesReader {
  readonly triples: PatchTriple[] = []
  readonly #lexer: Lexer
  readonly #terms: TermReader

  constructor(lexer: Lexer, terms: TermReader) {
    this.#lexer = lexer
    this.#terms = terms
  }

  /** '{' triples ('.' triples)* '.'? '}' */
  block(): void {
    this.#lexer.require('{')
    do this.#sentence()
    while (this.#lexer.take('.') && !this.#isAt('}'))
    this.#lexer.require('}')
  }

  /** '(' object* ')'. Returns each object with its new cell. The triples of the cells are not in `triples`. */
  list(): readonly NewItem[] {
    this.#lexer.require('(')
    return this.#terms.nested(() => {
      const items: NewItem[] = []
      while (!this.#lexer.take(')')) {
        this.#terms.count(2)
        items.push({cell: this.#terms.anonymous(), value: this.#object()})
      }
      return items
    })
  }

  #isAt(mark: string): boolean {
    this.#lexer.skip()
    return this.#lexer.peek() === mark
  }

  #sentence(): void {
    const [subject, canStandAlone] = this.#subject()
    const predicate = this.#verb()
    if (predicate === undefined && !canStandAlone) this.#lexer.expected('a predicate')
    this.#predicateObjects(subject, predicate)
  }

  /** The subject, and whether it may stand without predicates: '[' predicateObjects ']'. */
  #subject(): readonly [Resource | PatchVariable, boolean] {
    this.#lexer.skip()
    const before = this.triples.length
    if (this.#lexer.peek() === '[') return [this.#bracketed(), this.triples.length > before]
    return [this.#node() ?? this.#lexer.expected('a subject'), false]
  }

  /** verb objects (';' (verb objects)?)*. The first verb has been read. */
  #predicateObjects(subject: Resource | PatchVariable, verb: NamedNode | undefined): void {
    for (let predicate = verb; predicate !== undefined; predicate = this.#verb()) {
      this.#objects(subject, predicate)
      if (!this.#lexer.take(';')) return
      while (this.#lexer.take(';'));
    }
  }

  #objects(subject: Resource | PatchVariable, predicate: NamedNode): void {
    do this.#push({subject, predicate, object: this.#object()})
    while (this.#lexer.take(','))
  }

  #push(triple: PatchTriple): void {
    this.#terms.count(1)
    this.triples.push(triple)
  }

  #verb(): NamedNode | undefined {
    this.#lexer.skip()
    return this.#terms.takeWord('a') ? type : this.#terms.iri()
  }

  #object(): PatchTerm {
    this.#lexer.skip()
    if (this.#lexer.peek() === '[') return this.#bracketed()
    return this.#node() ?? this.#terms.literal() ?? this.#lexer.expected('an object')
  }

  /** A term that may be a subject or an object, other than '[ … ]'. */
  #node(): Resource | PatchVariable | undefined {
    switch (this.#lexer.peek()) {
      case '?':
        return this.#terms.variable()
      case '(':
        return this.#collection()
      case '_':
        return this.#terms.labelled()
      default:
        return this.#terms.iri()
    }
  }

  /** '[' predicateObjects? ']' */
  #bracketed(): Resource {
    this.#lexer.require('[')
    return this.#terms.nested(() => {
      const node = this.#terms.anonymous()
      if (!this.#isAt(']')) this.#predicateObjects(node, this.#verb() ?? this.#lexer.expected('a predicate'))
      this.#lexer.require(']')
      return node
    })
  }

  #collection(): Resource {
    const items = this.list()
    for (const [index, {cell, value}] of items.entries()) {
      this.triples.push({subject: cell, predicate: first, object: value})
      this.triples.push({subject: cell, predicate: rest, object: items[index + 1]?.cell ?? nil})
    }
    return items[0]?.cell ?? nil
  }
}
