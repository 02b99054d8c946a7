/**
 * Writes property paths in SPARQL syntax.
 *
 * Pure. Source: SPARQL 1.1 §9.1 (syntax forms).
 */
import type {PropertyPath} from '../algebra.ts'

const signs = {zeroOrOne: '?', zeroOrMore: '*', oneOrMore: '+'} as const

export function writePath(path: PropertyPath): string {
  switch (path.type) {
    case 'link':
      return `<${path.iri}>`
    case 'inverse':
      return `^(${writePath(path.path)})`
    case 'sequence':
      return `(${writePath(path.left)}/${writePath(path.right)})`
    case 'alternative':
      return `(${path.paths.map(writePath).join('|')})`
    case 'negated': {
      const members = [...path.forward.map(iri => `<${iri}>`), ...path.backward.map(iri => `^<${iri}>`)]
      return `!(${members.join('|')})`
    }
    case 'zeroOrOne':
    case 'zeroOrMore':
    case 'oneOrMore':
      return `(${writePath(path.path)})${signs[path.type]}`
  }
}
