/**
 * Terms out of a body: what the store can hold, nothing else.
 *
 * Floor 2. Every reader makes its terms here, so one rule holds in every syntax. IRIs are checked once a body.
 * Sources: RDF 1.1 Concepts §3.2–3.4; Turtle, LANGTAG; decisions, 8 and 9.
 */
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
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
import {rdf} from '../rdf/vocabulary.ts'
import {excerpt, type Position} from './body-text.ts'

export type Place = () => Position | undefined

const nowhere: Place = () => undefined
const languageTag = /^[A-Za-z]+(?:-[A-Za-z0-9]+)*$/
const unstorable = /\0|\p{Surrogate}/u // with the u flag only lone surrogates match

/** Whether a node was written without a label ('[]', a list cell, a node without '@id'): no client can write such a label. */
export function isAnonymousLabel(label: string): boolean {
  return label.startsWith('!')
}

/** Makes the terms of one body. */
export class BodyTerms {
  readonly #iris = new Map<Iri, NamedNode>()
  #anonymous = 0

  /** @throws Problem 400 `iri-valid`: relative, or with what no IRI may hold */
  iri(value: Iri, place: Place = nowhere): NamedNode {
    const known = this.#iris.get(value)
    if (known !== undefined) return known
    if (!isAbsoluteIri(value))
      throw new Problem(400, 'iri-valid', `Not an absolute IRI: <${excerpt(value)}>`, at(place))
    const node = namedNode(value)
    this.#iris.set(value, node)
    return node
  }

  /** A node with the label that the client wrote. */
  blank(label: string): BlankNode {
    return blankNode(label)
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
    if (!languageTag.test(language)) {
      throw new Problem(400, 'language-tag', `Not a language tag: "${excerpt(language)}"`, at(place))
    }
    return langLiteral(value, language)
  }
}

export function isLanguageTag(text: string): boolean {
  return languageTag.test(text)
}

function requireStorable(value: string, place: Place): void {
  if (!unstorable.test(value)) return
  const what = value.includes('\0') ? 'U+0000' : 'half a surrogate pair'
  throw new Problem(400, 'text-storable', `A literal cannot hold ${what}: "${excerpt(value)}"`, at(place))
}

function at(place: Place) {
  const members = place()
  return members === undefined ? {} : {members}
}
