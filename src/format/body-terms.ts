/**
 * The terms and triples of one body, checked: only what the store can hold.
 *
 * Every reader makes its terms here, so the same rules apply to every syntax. Each IRI is checked once per body.
 * Sources: RDF 1.1 Concepts §3.2–3.4; BCP 47 §2.1; decisions 0006 and 0007.
 */

import {excerpt} from '../base/excerpt.ts'
import type {Position} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import {
  type BlankNode,
  blankNode,
  type Graph,
  type Iri,
  type Literal,
  langLiteral,
  literal,
  type NamedNode,
  namedNode,
  type Quad,
  quad,
  type Resource,
  type Term,
} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'

export type Locate = () => Position | undefined

const nowhere: Locate = () => undefined
const languageLimit = 255 // characters
const iriAllowance = 10_000_000 // characters of expanded IRIs, for a body of any size
const iriGrowth = 30 // further characters of expanded IRIs for each character or byte of the body
const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/
const halfCharacter = /\p{Surrogate}/u // with the u flag only lone surrogates match

/** Whether a label was made here, for a node that the body writes without one: '[]', a list cell, no '@id'. */
export function isAnonymousLabel(label: string): boolean {
  return label.startsWith('!')
}

/** Makes the terms and the triples of one body. */
export class BodyTerms {
  readonly #iris = new Map<Iri, NamedNode>()
  readonly #lookalikes = new Map<string, BlankNode>() // labels in the body that start with '!', from JSON-LD
  #anonymous = 0
  readonly #tripleLimit: number
  #triples = 0
  #left: number

  /**
   * @param bodySize     characters or bytes of the body. It limits the expanded IRIs: a short prefixed name can stand
   *                     for a very long IRI.
   * @param tripleLimit  of the body
   */
  constructor(bodySize: number, tripleLimit = Number.POSITIVE_INFINITY) {
    this.#left = iriAllowance + iriGrowth * bodySize
    this.#tripleLimit = tripleLimit
  }

  /** Makes a quad and counts it. @throws Problem 422 `body-triples` */
  readonly quad = (subject: Resource, predicate: NamedNode, object: Term, graph?: Graph): Quad => {
    this.#triples += 1
    if (this.#triples > this.#tripleLimit) throw tooManyTriples(this.#tripleLimit)
    return quad(subject, predicate, object, graph)
  }

  /** @throws Problem 400 `iri-valid`: relative, or with a forbidden character; `iri-size`: too long in all */
  iri(value: Iri, place: Locate = nowhere): NamedNode {
    this.#left -= value.length
    if (this.#left < 0)
      throw new Problem(400, 'iri-size', 'The IRIs of the body, written in full, are too long.', at(place))
    const known = this.#iris.get(value)
    if (known !== undefined) return known
    if (!isAbsoluteIri(value))
      throw new Problem(400, 'iri-valid', `Not an absolute IRI: <${excerpt(value)}>`, at(place))
    const node = namedNode(value)
    this.#iris.set(value, node)
    return node
  }

  /** A node with the label that the client wrote. A label that starts with '!' is replaced by a generated one. */
  blank(label: string): BlankNode {
    if (!isAnonymousLabel(label)) return blankNode(label)
    const node = this.#lookalikes.get(label) ?? this.anonymous()
    this.#lookalikes.set(label, node)
    return node
  }

  /** A node without a label in the body. It gets the label '!1', '!2' … */
  anonymous(): BlankNode {
    this.#anonymous++
    return blankNode(`!${this.#anonymous}`)
  }

  /** @throws Problem 400 `text-storable` | `language-tag` (rdf:langString without a tag) | `iri-valid` */
  literal(value: string, datatype?: Iri, place: Locate = nowhere): Literal {
    requireStorable(value, place)
    if (datatype === undefined) return literal(value)
    if (datatype === rdf.langString) {
      throw new Problem(
        400,
        'language-tag',
        `A literal of type rdf:langString needs a tag: "${excerpt(value)}"`,
        at(place),
      )
    }
    return literal(value, this.iri(datatype, place).value)
  }

  /** @throws Problem 400 `text-storable` | `language-tag` */
  langLiteral(value: string, language: string, place: Locate = nowhere): Literal {
    requireStorable(value, place)
    if (!isLanguageTag(language)) {
      throw new Problem(400, 'language-tag', `Not a language tag: "${excerpt(language)}"`, at(place))
    }
    return langLiteral(value, language)
  }
}

/** Whether every syntax can write the tag (BCP 47 §2.1: subtags of 1 to 8). Registered tags are far below the limit. */
export function isLanguageTag(text: string): boolean {
  return text.length <= languageLimit && languageTag.test(text)
}

/** The Problem 422 `body-triples`. Even a short body can have very many triples (lists of numbers, empty nodes). */
export function tooManyTriples(limit: number): Problem {
  return new Problem(422, 'body-triples', `The body has more than ${limit} triples.`, {members: {limit}})
}

function requireStorable(value: string, place: Locate): void {
  if (!halfCharacter.test(value)) return
  throw new Problem(400, 'text-storable', `A literal cannot hold half a surrogate pair: "${excerpt(value)}"`, at(place))
}

function at(place: Locate) {
  const members = place()
  return members === undefined ? {} : {members}
}
