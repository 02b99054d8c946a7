/**
 * Triples as lines of N-Triples without the final dot, and the comparison of two sets of lines.
 *
 * Blank nodes with a label of the service (`_:qs…`) are equal only to themselves. Other labels match any node.
 */
import {blankNode, defaultGraph, literal, namedNode, type Quad, quad} from '../../src/rdf/term.ts'
import {isIsomorphic} from '../support/isomorphism.ts'

/** IRIs without brackets, literals with quotes, blank nodes with `_:`. */
export type Line = readonly [subject: string, predicate: string, object: string]

export const isBlank = (term: string) => term.startsWith('_:')
export const isIri = (term: string) => !term.startsWith('"') && !isBlank(term)
const isStored = (term: string) => term.startsWith('_:qs')

export const show = (term: string) => (isIri(term) ? `<${term}>` : term)
export const write = ([s, p, o]: Line) => `${show(s)} ${show(p)} ${show(o)}`

/** The inverse of `write`. */
export function read(line: string): Line {
  const [, s = '', p = '', o = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? []
  const bare = (term: string) => term.replace(/^<(.*)>$/, '$1')
  return [bare(s), bare(p), o.startsWith('"') ? o : bare(o)]
}

export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/ \.$/, ''))
}

export function labelsOf(lines: Iterable<string>): ReadonlySet<string> {
  return new Set([...lines].flatMap(line => [read(line)[0], read(line)[2]].filter(isBlank)))
}

/** The lines with replaced labels. */
export function relabel(lines: Iterable<string>, rename: (label: string) => string): readonly string[] {
  const other = (term: string) => (isBlank(term) ? rename(term) : term)
  return [...lines].map(read).map(([s, p, o]) => write([other(s), p, other(o)]))
}

/** Whether the lines are as expected. Labels of the service must be equal; those of the model match any label. */
export function isSame(actual: readonly string[], expected: readonly string[]): boolean {
  const [left, right] = [[...actual].sort(), [...expected].sort()]
  if (left.length !== right.length) return false
  const known = labelsOf(expected)
  if (![...known].some(label => !isStored(label))) return left.every((line, index) => line === right[index])
  const quadsOf = (lines: readonly string[]) => lines.map(line => quadOf(read(line), known))
  return isIsomorphic(quadsOf(left), quadsOf(right))
}

function quadOf([s, p, o]: Line, known: ReadonlySet<string>): Quad {
  const node = (term: string) =>
    isBlank(term) && !(isStored(term) && known.has(term)) ? blankNode(term) : namedNode(term)
  return quad(node(s), namedNode(p), o.startsWith('"') ? literal(o) : node(o), defaultGraph)
}
