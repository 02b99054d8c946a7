/**
 * Finds the constant terms of a query and resolves them to ids before planning.
 *
 * Pure. Inline literals need no look-up. A constant that is not stored gets an id for this query only, in a range for
 * such ids (rdf/id-layout.ts). The low bits of the id are the index in the list of these constants.
 */

import {firstOwnIri, firstOwnLiteral} from '../../rdf/id-layout.ts'
import {packLiteral} from '../../rdf/inline.ts'
import {type Literal, type NamedNode, namedNode, type Term} from '../../rdf/term.ts'
import {termKey} from '../../rdf/term-key.ts'
import type {Algebra, Expression, PropertyPath, Query, TemplateTerm} from '../algebra.ts'
import {children, expressionsOf} from '../algebra.ts'
import type {TemplateQuad} from '../operation.ts'

/** The constants of a query that need a look-up in the dictionary, by key. */
export function constantsOf(query: Query): ReadonlyMap<string, Term> {
  const found = new Map<string, Term>()
  visitConstants(query, term => {
    if (isInline(term)) return
    for (const variant of tagVariants(term)) found.set(termKey(variant), variant)
  })
  return found
}

/** The terms of templates that need a look-up in the dictionary, by key. */
export function constantsOfQuads(quads: readonly TemplateQuad[]): ReadonlyMap<string, Term> {
  const terms = quads.flatMap(({graph, subject, predicate, object}) => [graph, subject, predicate, object])
  return new Map(terms.flatMap(term => (isConstant(term) && !isInline(term) ? [[termKey(term), term]] : [])))
}

function isConstant(term: TemplateTerm): term is NamedNode | Literal {
  return term.termType === 'NamedNode' || term.termType === 'Literal'
}

function isInline(term: NamedNode | Literal): boolean {
  return term.termType === 'Literal' && packLiteral(term) !== undefined
}

/** The constants of a query that are inline literals, by id. */
export function inlineConstantsOf(query: Query): ReadonlyMap<string, Term> {
  const found = new Map<string, Term>()
  visitConstants(query, term => {
    const id = term.termType === 'Literal' ? packLiteral(term) : undefined
    if (id !== undefined) found.set(String(id), term)
  })
  return found
}

/**
 * Visits each occurrence of a constant that is evaluated.
 *
 * @param use  called with the constant, and whether it is the subject of a triple pattern or a described resource, or
 *             the object of a triple pattern with a constant predicate
 */
export function visitConstants(query: Query, use: (term: NamedNode | Literal, isEnd: boolean) => void): void {
  const add: Add = (term, isEnd = false) => {
    if (term?.termType === 'NamedNode' || term?.termType === 'Literal') use(term, isEnd)
  }
  visit(query.pattern, add)
  if (query.form === 'describe') for (const resource of query.resources) add(resource, true)
  if (query.form === 'construct') {
    for (const {subject, predicate, object} of query.template)
      for (const term of [subject, predicate, object]) add(term)
  }
  const {default: defaults = [], named = []} = query.dataset ?? {}
  for (const iri of [...defaults, ...(named === 'all' ? [] : named)]) add(namedNode(iri))
}

type Add = (term: Term | {readonly termType: 'Variable'} | undefined, isEnd?: boolean) => void

function visit(node: Algebra, add: Add): void {
  switch (node.type) {
    case 'bgp':
      for (const {subject, predicate, object} of node.patterns) {
        add(subject, true)
        add(predicate)
        add(object, predicate.termType === 'NamedNode')
      }
      break
    case 'path':
      add(node.subject)
      add(node.object)
      visitPath(node.path, add)
      break
    case 'graph':
    case 'service':
      add(node.name)
      break
    case 'values':
      for (const row of node.rows) for (const term of row) add(term)
      break
    default:
  }
  for (const expression of expressionsOf(node)) visitExpression(expression, add)
  for (const child of children(node)) visit(child, add)
}

function visitPath(path: PropertyPath, add: Add): void {
  switch (path.type) {
    case 'link':
      add(namedNode(path.iri))
      break
    case 'negated':
      for (const iri of [...path.forward, ...path.backward]) add(namedNode(iri))
      break
    case 'sequence':
      visitPath(path.left, add)
      visitPath(path.right, add)
      break
    case 'alternative':
      for (const one of path.paths) visitPath(one, add)
      break
    default:
      visitPath(path.path, add)
  }
}

function visitExpression(expression: Expression, add: Add): void {
  switch (expression.type) {
    case 'term':
      add(expression.term)
      break
    case 'exists':
      visit(expression.pattern, add)
      break
    case 'call':
    case 'function':
      for (const argument of expression.arguments) visitExpression(argument, add)
      break
    case 'variable':
  }
}

export type ResolvedConstants = {
  readonly idOf: (term: Term) => string
  /**
   * The ids that match a term of a pattern. Language tags are case-insensitive (RDF 1.1 Concepts §3.3), so these
   * include the stored forms of the term with the usual spellings of its tag.
   */
  readonly patternIdsOf: (term: Term) => readonly [string, ...string[]]
  readonly local: {readonly keys: readonly string[]; readonly ids: readonly string[]}
}

/** A term, and its forms with the language tag in lower case and in the case of BCP 47 (en-US, zh-Hant). */
function tagVariants(term: Term): readonly Term[] {
  if (term.termType !== 'Literal' || term.language === '') return [term]
  const lower = term.language.toLowerCase()
  const usual = lower
    .split('-')
    .map((part, index) => {
      if (index > 0 && part.length === 2) return part.toUpperCase()
      return index > 0 && part.length === 4 ? part.charAt(0).toUpperCase() + part.slice(1) : part
    })
    .join('-')
  return [...new Set([term.language, lower, usual])].map(language => ({...term, language}))
}

/**
 * Resolves constants to ids.
 *
 * @param stored  key → id of the constants that are in the dictionary
 */
export function resolveConstants(
  constants: ReadonlyMap<string, Term>,
  stored: ReadonlyMap<string, string>,
): ResolvedConstants {
  const local = new Map<string, string>()
  for (const [key, term] of constants) {
    if (stored.has(key)) continue
    const first = term.termType === 'Literal' ? firstOwnLiteral : firstOwnIri
    local.set(key, String(first + BigInt(local.size)))
  }
  const ids = new Map<Term, string>()
  const idOf = (term: Term): string => {
    const known = ids.get(term)
    if (known !== undefined) return known
    const found = findId(term)
    ids.set(term, found)
    return found
  }
  const findId = (term: Term): string => {
    const inline = term.termType === 'Literal' ? packLiteral(term) : undefined
    if (inline !== undefined) return String(inline)
    const key = termKey(term)
    const id = stored.get(key) ?? local.get(key)
    if (id === undefined) throw new Error(`a constant was not looked up: ${key}`)
    return id
  }
  return {
    local: {keys: [...local.keys()], ids: [...local.values()]},
    idOf,
    patternIdsOf(term) {
      if (term.termType !== 'Literal' || term.language === '') return [idOf(term)]
      const [first = idOf(term), ...others] = tagVariants(term).flatMap(one => stored.get(termKey(one)) ?? [])
      return [first, ...others]
    },
  }
}
