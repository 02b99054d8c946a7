/**
 * The IRIs and literals of Turtle and TriG: references under a base, prefixed names, quoted literals.
 *
 * Floor 2. Each name is resolved and checked once. Sources: Turtle §2.4, §2.5, §6.3.
 */
import {resolveIri} from '../rdf/iri.ts'
import type {Iri, NamedNode, Term} from '../rdf/term.ts'
import type {BodyTerms} from './body-terms.ts'
import {marks} from './character-codes.ts'
import type {TurtleScanner} from './turtle-scanner.ts'

const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

export class TurtleTerms {
  readonly #scan: TurtleScanner
  readonly #terms: BodyTerms
  readonly #prefixes = new Map<string, Iri>()
  readonly #prefixed = new Map<string, NamedNode>() // 'prefix:local' → node
  readonly #references = new Map<string, NamedNode>() // text between '<' and '>' → node, under the present base
  #base: Iri

  constructor(scan: TurtleScanner, terms: BodyTerms, base: Iri) {
    this.#scan = scan
    this.#terms = terms
    this.#base = base
  }

  declare(prefix: string, namespace: Iri): void {
    this.#prefixes.set(prefix, namespace)
    this.#prefixed.clear()
  }

  rebase(base: Iri): void {
    this.#base = base
    this.#references.clear()
  }

  reference(): NamedNode {
    const from = this.#scan.position
    const text = this.#scan.iriReference()
    const known = this.#references.get(text)
    if (known !== undefined) return known
    const iri = hasScheme.test(text) ? text : resolveIri(text, this.#base)
    const node = this.#terms.iri(iri, this.#scan.place(from))
    this.#references.set(text, node)
    return node
  }

  /** Undefined when no prefix stands here. */
  prefixedName(): NamedNode | undefined {
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

  literal(): Term {
    const place = this.#scan.place()
    const value = this.#scan.string()
    if (this.#scan.peek() === marks.at) return this.#terms.langLiteral(value, this.#scan.languageTag(), place)
    if (!this.#scan.take('^^')) return this.#terms.literal(value, undefined, place)
    this.#scan.skip()
    const datatype = this.#scan.peek() === marks.less ? this.reference() : this.prefixedName()
    if (datatype === undefined) return this.#scan.expected('a datatype')
    return this.#terms.literal(value, datatype.value, place)
  }
}
