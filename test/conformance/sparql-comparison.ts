/**
 * Decides whether an answer is the expected one: solutions as bags (as sequences if the test numbers them), with one
 * bijection of blank nodes over the whole result, graphs by isomorphism, language tags ignoring case.
 *
 * Computed numbers have no prescribed lexical form and are compared by datatype and value.
 * Source: SPARQL 1.1 §18.1.8–10; RDF 1.1 Concepts §3.3, §3.6.
 */
import {blankNode, langLiteral, literal, namedNode, type Quad, quad, type Term} from '../../src/rdf/term.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import type {Result, Row} from './sparql-results.ts'

export type ComparisonOptions = {
  readonly query: string
  readonly isByValue: boolean // of all numbers
  readonly isReduced: boolean
}

/** @returns  undefined if there is no difference */
export function resultDifference(actual: Result, expected: Result, options: ComparisonOptions): string | undefined {
  if (actual.kind === 'boolean' && expected.kind === 'boolean')
    return actual.value === expected.value ? undefined : `${actual.value} instead of ${expected.value}`
  if (actual.kind === 'graph' && expected.kind === 'graph')
    return isIsomorphic(actual.quads.map(lowered), expected.quads.map(lowered)) ? undefined : 'another graph'
  if (actual.kind !== 'bindings' || expected.kind !== 'bindings') return `${actual.kind} instead of ${expected.kind}`
  const names = (vars: readonly string[]) => [...vars].sort().join(' ')
  if (names(actual.vars) !== names(expected.vars)) return `variables ${actual.vars} instead of ${expected.vars}`
  const isOrdered = expected.isOrdered === true
  const asGraph = (rows: readonly Row[]) => rowQuads(rows, {...options, isOrdered})
  if (isIsomorphic(asGraph(actual.rows), asGraph(expected.rows))) return undefined
  return `other solutions: ${JSON.stringify(actual.rows)} instead of ${JSON.stringify(expected.rows)}`.slice(0, 1000)
}

const urn = (name: string | number) => namedNode(`urn:x:${name}`)

/** Solutions as a graph: a blank node for each (one for equal ones of REDUCED), and a triple for each binding. */
function rowQuads(rows: readonly Row[], how: ComparisonOptions & {readonly isOrdered: boolean}): readonly Quad[] {
  const computed = new Set([...how.query.matchAll(/\bAS\s+[?$](\w+)/gi)].map(([, name]) => name))
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const bound = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
    const key = JSON.stringify(bound)
    if (how.isReduced && seen.has(key)) return []
    seen.add(key)
    const node = blankNode(`row ${index}`)
    const position = how.isOrdered ? [quad(node, urn('position'), literal(String(index)))] : []
    return [
      quad(node, urn('is'), urn('row')),
      ...position,
      ...bound.map(([name, term]) =>
        quad(node, urn(`of:${name}`), how.isByValue || computed.has(name) ? canonical(term) : lower(term)),
      ),
    ]
  })
}

function lowered({subject, predicate, object}: Quad): Quad {
  return quad(subject, predicate, lower(object))
}

function lower(term: Term): Term {
  return term.termType === 'Literal' && term.language !== ''
    ? langLiteral(term.value, term.language.toLowerCase())
    : term
}

const numeric =
  /#(?:integer|decimal|float|double|(?:unsigned)?(?:Long|Int|Short|Byte)|(?:non)?(?:Posi|Nega)tiveInteger)$/i

function canonical(term: Term): Term {
  if (term.termType !== 'Literal' || !numeric.test(term.datatype.value)) return lower(term)
  const value = term.datatype.value.endsWith('#float') ? Math.fround(Number(term.value)) : Number(term.value)
  return Number.isNaN(value) ? term : literal(String(value), term.datatype.value)
}
