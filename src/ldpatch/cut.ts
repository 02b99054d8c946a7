/**
 * The Cut operation: removes a blank node and the blank nodes that it leads to.
 *
 * Source: LD Patch §3.6.
 */
import type {BlankNode} from '../rdf/term.ts'
import type {Evaluation} from './evaluation.ts'

/**
 * Removes all triples of the node, then the triples of every blank node that they lead to, recursively, and all triples
 * with the node itself as object.
 *
 * @returns  number of triples removed
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
