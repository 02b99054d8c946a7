/**
 * A filter between the tokens and the grammar of n3: resolves IRIs, refuses extensions and keeps track of positions.
 *
 * n3 accepts more than RDF 1.1: triple terms, reifiers, base directions and versions; declarations and graphs inside
 * graphs; '^^<iri>' in place of a term; and N-Triples regardless of line ends. This filter refuses every token that the
 * requested syntax does not allow.
 * Sources: Turtle §6.5; TriG §4.5; N-Triples §7; N-Quads §5; RFC 3986 §5.2.
 */

import type {Position} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {resolveIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'

export type N3Token = {
  readonly type: string
  value: string
  readonly line: number // 1-based
  readonly start: number // 0-based column, in UTF-16 units
  readonly end: number // column, exclusive; on `endLine` if the token has one
  readonly endLine?: number
}

export type TokenRules = {
  readonly layout: 'free' | 'lines' // lines: one statement on each line
  readonly base: Iri | undefined // undefined: relative references are not resolved
  readonly depthLimit: number
  readonly refuse: (token: N3Token) => never
}

const beyondRdf11 = new Set(['<<', '<<(', '>>', ')>>', '~', '{|', '|}', 'dircode', 'VERSION', '@version'])
const outsideGraphs = new Set(['@prefix', 'PREFIX', '@base', 'BASE', 'GRAPH', '{'])
const datatypes = new Set(['type', 'typeIRI'])
const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** Checks the tokens of one body, each before n3's grammar reads it. */
export class TokenGate {
  readonly #rules: TokenRules
  readonly #references = new Map<string, Iri>() // as written → absolute, with the current base
  #base: Iri | undefined
  #current: N3Token | undefined
  #previous = '' // type of the previous token
  #depth = 0
  #isInGraph = false

  constructor(rules: TokenRules) {
    this.#rules = rules
    this.#base = rules.base
  }

  /** The position of the token that the grammar is reading. */
  readonly place = (): Position | undefined => {
    const token = this.#current
    return token === undefined ? undefined : {line: token.line, column: token.start + 1}
  }

  get current(): N3Token | undefined {
    return this.#current
  }

  /** Checks the next token and makes its IRI absolute. @throws Problem 400 `body-depth`, and what `refuse` throws */
  pass(token: N3Token): void {
    const isMisplaced = this.#isInGraph && outsideGraphs.has(token.type)
    const isTypeOfNothing = datatypes.has(token.type) && this.#previous !== 'literal'
    if (beyondRdf11.has(token.type) || isMisplaced || isTypeOfNothing) this.#rules.refuse(token)
    if (this.#rules.layout === 'lines') this.#requireLine(token)
    this.#current = token
    if (token.type === 'IRI' || token.type === 'typeIRI') this.#resolve(token)
    else this.#nest(token.type)
    this.#previous = token.type
  }

  #requireLine(token: N3Token): void {
    const before = this.#current
    const isNewStatement = before === undefined || before.type === '.'
    const isSameLine = before?.line === token.line
    if (token.type !== 'eof' && before !== undefined && isNewStatement === isSameLine) this.#rules.refuse(token)
  }

  #resolve(token: N3Token): void {
    if (this.#base === undefined) return
    const isBase = this.#previous === '@base' || this.#previous === 'BASE'
    token.value = hasScheme.test(token.value) ? token.value : this.#absolute(token.value, this.#base)
    if (!isBase) return
    this.#base = token.value
    this.#references.clear()
  }

  #absolute(reference: string, base: Iri): Iri {
    const known = this.#references.get(reference)
    if (known !== undefined) return known
    const iri = resolveIri(reference, base)
    this.#references.set(reference, iri)
    return iri
  }

  #nest(type: string): void {
    if (type === '[' || type === '(') {
      this.#depth++
      if (this.#depth <= this.#rules.depthLimit) return
      const members = this.place() ?? {}
      throw new Problem(400, 'body-depth', `The body nests deeper than ${this.#rules.depthLimit} levels.`, {members})
    }
    if (type === ']' || type === ')') this.#depth--
    else if (type === '{') this.#isInGraph = true
    else if (type === '}') this.#isInGraph = false
  }
}
