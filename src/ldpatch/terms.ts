/**
 * Patch text to terms: IRIs, literals, blank nodes and variables.
 *
 * Keeps the declarations so far: prefixes, base and variables. The caller of a method has skipped white space. The
 * method moves the position behind the term, or returns undefined and leaves the position.
 * Sources: LD Patch §4; Turtle §6.3, §7.2; docs/interface.md, Patching.
 */
import {excerpt} from '../base/excerpt.ts'
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri, resolveIri} from '../rdf/iri.ts'
import {
  type BlankNode,
  blankNode,
  type Iri,
  type Literal,
  langLiteral,
  literal,
  type NamedNode,
  namedNode,
} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import type {Lexer} from './lexer.ts'
import type {PatchOptions, PatchVariable} from './patch.ts'

/** Real patches nest far less. The limit keeps recursion from exhausting the stack. */
const depthLimit = 100 // levels

/** The limit on characters of expanded IRIs is that of other bodies (format/body-terms.ts). */
const iriAllowance = 10_000_000
const iriGrowth = 30 // for each character of the patch

/** An IRI with a scheme is kept as written, with its dot segments, as in every other body. */
const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

export class TermReader {
  readonly labels = new Set<string>()
  readonly #lexer: Lexer
  readonly #prefixes = new Map<string, Iri>()
  readonly #iris = new Map<string, NamedNode>() // as written → resolved, with the current base and prefixes
  readonly #variables = new Set<string>()
  readonly #tripleLimit: number
  #base: Iri
  #anonymous = 0
  #depth = 0
  #triples = 0
  #left: number

  constructor(lexer: Lexer, {base, tripleLimit = Number.POSITIVE_INFINITY}: PatchOptions) {
    this.#lexer = lexer
    this.#base = base
    this.#tripleLimit = tripleLimit
    this.#left = iriAllowance + iriGrowth * lexer.text.length
  }

  /** Counts triples of the patch. @throws Problem 422 `body-triples` */
  count(triples: number): void {
    this.#triples += triples
    if (this.#triples <= this.#tripleLimit) return
    const members = {limit: this.#tripleLimit}
    throw new Problem(422, 'body-triples', `The patch has more than ${this.#tripleLimit} triples.`, {members})
  }

  setBase(base: Iri): void {
    this.#base = base
    this.#iris.clear()
  }

  setPrefix(prefix: string, namespace: Iri): void {
    this.#prefixes.set(prefix, namespace)
    this.#iris.clear()
  }

  declareVariable(name: string): void {
    this.#variables.add(name)
  }

  /** '<' … '>'. @throws Problem 422 `iri-valid`: the syntax is valid, but the IRI is not absolute; 400 `iri-size` */
  reference(): NamedNode | undefined {
    if (this.#lexer.peek() !== '<') return undefined
    const offset = this.#lexer.position
    const text = this.#lexer.iriReference()
    return this.#spend(
      this.#iris.get(`<${text}`) ??
        this.#iri(`<${text}`, hasScheme.test(text) ? text : resolveIri(text, this.#base), offset),
    )
  }

  /** '<' … '>' or prefix ':' local. @throws Problem 400 `patch-prefix-declared` | `iri-size`, 422 `iri-valid` */
  iri(): NamedNode | undefined {
    if (this.#lexer.peek() === '<') return this.reference()
    const offset = this.#lexer.position
    const prefix = this.#lexer.name('prefix')
    if (this.#lexer.peek() !== ':') {
      this.#lexer.position = offset
      return undefined
    }
    this.#lexer.position++
    const local = this.#lexer.name('local')
    const name = `${prefix}:${local}`
    return this.#spend(this.#iris.get(name) ?? this.#iri(name, this.#expand(prefix, local, offset), offset))
  }

  /** Reads a word such as `a` or `true`. Returns false if the word is not there or starts a prefixed name. */
  takeWord(word: string): boolean {
    const offset = this.#lexer.position
    if (!this.#lexer.text.startsWith(word, offset)) return false
    if (this.#lexer.name('prefix') === word && this.#lexer.peek() !== ':') return true
    this.#lexer.position = offset
    return false
  }

  /** A string with its tag or datatype, a number or a boolean. @throws Problem 400 `language-tag` */
  literal(): Literal | undefined {
    const first = this.#lexer.peek()
    if (first === '"' || first === "'") return this.#string()
    const number = this.#lexer.number()
    if (number !== undefined) return literal(number.text, xsd[number.kind])
    if (this.takeWord('true')) return literal('true', xsd.boolean)
    return this.takeWord('false') ? literal('false', xsd.boolean) : undefined
  }

  /** '_:' label. */
  labelled(): BlankNode | undefined {
    if (!this.#lexer.text.startsWith('_:', this.#lexer.position)) return undefined
    this.#lexer.position += 2
    const label = this.#lexer.name('label')
    if (label === '') this.#lexer.expected('a label')
    this.labels.add(label)
    return blankNode(label)
  }

  /** A new blank node, for one that the text does not label. */
  anonymous(): BlankNode {
    this.#anonymous++
    return blankNode(`!${this.#anonymous}`)
  }

  /** '?' name. @throws Problem 400 `patch-variable-bound`: no earlier operation binds the variable */
  variable(): PatchVariable | undefined {
    const offset = this.#lexer.position
    const name = this.variableName()
    if (name === undefined) return undefined
    if (!this.#variables.has(name)) {
      throw new Problem(400, 'patch-variable-bound', `No earlier Bind binds the variable ?${excerpt(name)}`, {
        members: positionAt(this.#lexer.text, offset),
      })
    }
    return {termType: 'Variable', value: name}
  }

  /** '?' name, also of a variable that is not bound. */
  variableName(): string | undefined {
    if (this.#lexer.peek() !== '?') return undefined
    this.#lexer.position++
    return this.#lexer.name('variable') || this.#lexer.expected('the name of a variable')
  }

  /** Calls `read` one nesting level deeper. @throws Problem 400 `patch-depth` */
  nested<Result>(read: () => Result): Result {
    if (this.#depth === depthLimit) {
      throw new Problem(400, 'patch-depth', `The patch nests deeper than ${depthLimit} levels`, {
        members: positionAt(this.#lexer.text, this.#lexer.position),
      })
    }
    this.#depth++
    const result = read()
    this.#depth--
    return result
  }

  #string(): Literal {
    const offset = this.#lexer.position
    const value = this.#lexer.string()
    const {text, position} = this.#lexer
    if (text[position] === '@') {
      this.#lexer.position++
      return langLiteral(value, this.#lexer.languageTag())
    }
    if (!text.startsWith('^^', position)) return literal(value)
    this.#lexer.position += 2
    this.#lexer.skip()
    const datatype = this.iri() ?? this.#lexer.expected('a datatype')
    if (datatype.value === rdf.langString) {
      throw new Problem(400, 'language-tag', `A literal of type rdf:langString needs a tag: "${excerpt(value)}"`, {
        members: positionAt(text, offset),
      })
    }
    return literal(value, datatype.value)
  }

  #expand(prefix: string, local: string, offset: number): Iri {
    const namespace = this.#prefixes.get(prefix)
    if (namespace === undefined) {
      throw new Problem(400, 'patch-prefix-declared', `The prefix "${excerpt(prefix)}:" is not declared`, {
        members: positionAt(this.#lexer.text, offset),
      })
    }
    return namespace + local.replaceAll(/\\(.)/g, '$1')
  }

  /** Counts the characters of an IRI. @throws Problem 400 `iri-size`: the IRIs of the patch are too long in total */
  #spend(node: NamedNode): NamedNode {
    this.#left -= node.value.length
    if (this.#left >= 0) return node
    const members = positionAt(this.#lexer.text, this.#lexer.position)
    throw new Problem(400, 'iri-size', 'The IRIs of the patch, written in full, are too long.', {members})
  }

  #iri(written: string, iri: Iri, offset: number): NamedNode {
    if (!isAbsoluteIri(iri)) {
      throw new Problem(422, 'iri-valid', `Not an absolute IRI: <${excerpt(iri)}>`, {
        members: positionAt(this.#lexer.text, offset),
      })
    }
    const node = namedNode(iri)
    this.#iris.set(written, node)
    return node
  }
}
