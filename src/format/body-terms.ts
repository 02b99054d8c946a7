/**
 * Terms and triples out of a body: what the store can hold, nothing else.
 *
 * Floor 2. Every reader makes its terms here, so one rule holds in every syntax. IRIs are checked once a body.
 * Sources: RDF 1.1 Concepts §3.2–3.4; BCP 47 §2.1; decisions, 8 and 9.
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

export type Place = () => Position | undefined

const nowhere: Place = () => undefined
const languageLimit = 255 // characters
const iriAllowance = 10_000_000 // characters of IRIs written out, for a body of any size
const iriGrowth = 30 // further characters of IRIs for each of the body's
const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/
const halfCharacter = /\p{Surrogate}/u // with the u flag only lone surrogates match

/** Whether a node was written without a label: '[]', a list cell, a node without '@id'. */
export function isAnonymousLabel(label: string): boolean {
  return label.startsWith('!')
}

/** Makes the terms and the triples of one body. */
export class BodyTerms {
  readonly #iris = new Map<Iri, NamedNode>()
  readonly #lookalikes = new Map<string, BlankNode>() // labels that read as ours, as only JSON-LD can hold them
  #anonymous = 0
  readonly #tripleLimit: number
  #triples = 0
  #left: number

  /**
   * @param bodySize     characters or bytes of the body: a short name of a long namespace is long when written out
   * @param tripleLimit  of the body
   */
  constructor(bodySize: number, tripleLimit = Number.POSITIVE_INFINITY) {
    this.#left = iriAllowance + iriGrowth * bodySize
    this.#tripleLimit = tripleLimit
  }

  /** @throws Problem 422 `body-triples` */
  readonly quad = (subject: Resource, predicate: NamedNode, object: Term, graph?: Graph): Quad => {
    this.#triples += 1
    if (this.#triples > this.#tripleLimit) throw tooManyTriples(this.#tripleLimit)
    return quad(subject, predicate, object, graph)
  }

  /** @throws Problem 400 `iri-valid`: relative, or with what no IRI may hold; `iri-size`: too much to write out */
  iri(value: Iri, place: Place = nowhere): NamedNode {
    this.#left -= value.length
    if (this.#left < 0)
      throw new Problem(400, 'iri-size', 'The IRIs of the body, written out, are too long.', at(place))
    const known = this.#iris.get(value)
    if (known !== undefined) return known
    if (!isAbsoluteIri(value))
      throw new Problem(400, 'iri-valid', `Not an absolute IRI: <${excerpt(value)}>`, at(place))
    const node = namedNode(value)
    this.#iris.set(value, node)
    return node
  }

  /** A node with the label that the client wrote; one that could be ours gets a label of ours. */
  blank(label: string): BlankNode {
    if (!isAnonymousLabel(label)) return blankNode(label)
    const node = this.#lookalikes.get(label) ?? this.anonymous()
    this.#lookalikes.set(label, node)
    return node
  }

  /** A node without a label in the body: '!1', '!2' … */
  anonymous(): BlankNode {
    this.#anonymous++
    return blankNode(`!${this.#anonymous}`)
  }

  /** @throws Problem 400 `text-storable` | `language-tag` (rdf:langString without a tag) | `iri-valid` */
  literal(value: string, datatype?: Iri, place: Place = nowhere): Literal {
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
  langLiteral(value: string, language: string, place: Place = nowhere): Literal {
    requireStorable(value, place)
    if (!isLanguageTag(language)) {
      throw new Problem(400, 'language-tag', `Not a language tag: "${excerpt(language)}"`, at(place))
    }
    return langLiteral(value, language)
  }
}

/** Whether every syntax can carry the tag (BCP 47 §2.1: subtags of 1 to 8); no registered tag comes near the limit. */
export function isLanguageTag(text: string): boolean {
  return text.length <= languageLimit && languageTag.test(text)
}

/** A body of few characters can have very many triples: lists of numbers, empty nodes. */
export function tooManyTriples(limit: number): Problem {
  return new Problem(422, 'body-triples', `The body has more than ${limit} triples.`, {members: {limit}})
}

function requireStorable(value: string, place: Place): void {
  if (!halfCharacter.test(value)) return
  throw new Problem(400, 'text-storable', `A literal cannot hold half a surrogate pair: "${excerpt(value)}"`, at(place))
}

function at(place: Place) {
  const members = place()
  return members === undefined ? {} : {members}
}
