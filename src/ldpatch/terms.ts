/**
 * Patch text to terms: IRIs, literals, blank nodes and variables, each one token or a few.
 *
 * Floor 2. Holds what is declared so far: prefixes, base, variables. Every method expects blanks to be passed and
 * leaves the position behind the term, or where it was when it answers undefined.
 * Sources: LD Patch §4; Turtle §6.3, §7.2; decisions, "LD Patch syntax error, undeclared prefix, unbound variable".
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
import type {PatchOptions, Variable} from './patch.ts'

/** Brackets nest far less; the limit keeps recursion far away from the end of the stack. */
const depthLimit = 100 // levels

/** Characters of the IRIs, written out: as of other bodies, see format/body-terms.ts. */
const iriAllowance = 10_000_000
const iriGrowth = 30 // for each character of the patch

/** What has a scheme is kept as it stands, dot segments too, like the IRIs of every body. */
const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

export class TermReader {
  readonly labels = new Set<string>()
  readonly #lexer: Lexer
  readonly #prefixes = new Map<string, Iri>()
  readonly #iris = new Map<string, NamedNode>() // as written → resolved, under the present base and prefixes
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

  /** '<' … '>'. @throws Problem 422 `iri-valid`: it reads well, but names nothing */
  reference(): NamedNode | undefined {
    if (this.#lexer.peek() !== '<') return undefined
    const offset = this.#lexer.position
    const text = this.#lexer.iriReference()
    return this.#spend(
      this.#iris.get(`<${text}`) ??
        this.#iri(`<${text}`, hasScheme.test(text) ? text : resolveIri(text, this.#base), offset),
    )
  }

  /** '<' … '>' or prefix ':' local. @throws Problem 400 `patch-prefix-declared`, 422 `iri-valid` */
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

  /** A word that is no prefixed name, such as `a`, `true` or `Bind`. */
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

  /** A node that the text gives no label. */
  anonymous(): BlankNode {
    this.#anonymous++
    return blankNode(`!${this.#anonymous}`)
  }

  /** '?' name of a variable that is bound. @throws Problem 400 `patch-variable-bound` */
  variable(): Variable | undefined {
    const offset = this.#lexer.position
    const name = this.variableName()
    if (name === undefined) return undefined
    if (!this.#variables.has(name)) {
      throw new Problem(400, 'patch-variable-bound', `No Bind before this binds the variable ?${excerpt(name)}`, {
        members: positionAt(this.#lexer.text, offset),
      })
    }
    return {termType: 'Variable', value: name}
  }

  /** '?' name. */
  variableName(): string | undefined {
    if (this.#lexer.peek() !== '?') return undefined
    this.#lexer.position++
    return this.#lexer.name('variable') || this.#lexer.expected('the name of a variable')
  }

  /** Reads something nested. @throws Problem 400 `patch-depth` */
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

  /** @throws Problem 400 `iri-size`: the IRIs, written out, are too long */
  #spend(node: NamedNode): NamedNode {
    this.#left -= node.value.length
    if (this.#left >= 0) return node
    const members = positionAt(this.#lexer.text, this.#lexer.position)
    throw new Problem(400, 'iri-size', 'The IRIs of the patch, written out, are too long.', {members})
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
