/** Tells paths that need triples from those that can match in zero steps (SPARQL 1.1 §18.4). Pure. */
import type {PropertyPath} from '../algebra.ts'

/** Whether a path matches only by triples, never in zero steps. Then all terms that it reaches are nodes. */
export function isByTriples(path: PropertyPath): boolean {
  switch (path.type) {
    case 'link':
    case 'negated':
      return true
    case 'inverse':
    case 'oneOrMore':
      return isByTriples(path.path)
    case 'sequence':
      return isByTriples(path.left) && isByTriples(path.right)
    case 'alternative':
      return path.paths.every(isByTriples)
    case 'zeroOrOne':
    case 'zeroOrMore':
      return false
  }
}
