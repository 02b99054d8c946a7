/**
 * Cut: a blank node leaves the graph with all that hangs on it.
 *
 * Floor 2. Sources: LD Patch §3.6.
 */
import type {BlankNode} from '../rdf/term.ts'
import type {Evaluation} from './evaluation.ts'

/**
 * Removes what the node says, what the blank nodes it leads to say, and so on, and all arcs that lead to the node
 * itself.
 *
 * @returns number of triples removed
 */
export function cut(evaluation: Evaluation, node: BlankNode): number {
  let removed = 0
  const met = new Set([node.value])
  const waiting = [node]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    for (const triple of evaluation.match(each)) {
      evaluation.delete(triple)
      removed++
      if (triple.object.termType !== 'BlankNode' || met.has(triple.object.value)) continue
      met.add(triple.object.value)
      waiting.push(triple.object)
    }
  }
  for (const triple of evaluation.match(undefined, undefined, node)) {
    evaluation.delete(triple)
    removed++
  }
  return removed
}
