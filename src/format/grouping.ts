/**
 * Orders quads as writers need them: grouped by graph, then by subject.
 *
 * For documents that are in memory. Streams come ordered from their source.
 */
import type {Graph, Quad} from '../rdf/term.ts'

/** Groups quads by graph and subject, in the order of their first quads; if graphs are merged, by subject only. */
export function groupQuads(quads: readonly Quad[], graphs: 'kept' | 'merged'): readonly Quad[] {
  return isGrouped(quads, graphs) ? quads : regroup(quads, graphs)
}

/** Whether the quads are grouped already. Quads from the store are. */
function isGrouped(quads: readonly Quad[], graphs: 'kept' | 'merged'): boolean {
  const subjects = new Set<string>()
  const left = new Set<string>()
  let last: Quad | undefined
  for (const quad of quads) {
    const isSameGraph = graphs === 'merged' || last === undefined || isSame(last.graph, quad.graph)
    if (last !== undefined && isSameGraph && isSame(last.subject, quad.subject)) continue
    if (!isSameGraph) {
      if (last !== undefined) left.add(keyOf(last.graph))
      if (left.has(keyOf(quad.graph))) return false
      subjects.clear()
    }
    const key = keyOf(quad.subject)
    if (subjects.has(key)) return false
    subjects.add(key)
    last = quad
  }
  return true
}

function isSame(left: Graph, right: Graph): boolean {
  return left === right || (left.value === right.value && left.termType === right.termType)
}

function regroup(quads: readonly Quad[], graphs: 'kept' | 'merged'): readonly Quad[] {
  const groups = new Map<string, Map<string, Quad[]>>()
  for (const quad of quads) {
    const graph = graphs === 'merged' ? '' : keyOf(quad.graph)
    const subjects = groups.get(graph) ?? new Map<string, Quad[]>()
    if (subjects.size === 0) groups.set(graph, subjects)
    const subject = keyOf(quad.subject)
    const group = subjects.get(subject)
    if (group === undefined) subjects.set(subject, [quad])
    else group.push(quad)
  }
  return [...groups.values()].flatMap(subjects => [...subjects.values()].flat())
}

/** Labels of blank nodes that occur in more than one graph, or name a graph. */
export function sharedLabelsOf(quads: Iterable<Quad>): ReadonlySet<string> {
  const shared = new Set<string>()
  const graphOf = new Map<string, string>()
  for (const {subject, object, graph} of quads) {
    if (graph.termType === 'BlankNode') shared.add(graph.value)
    const key = keyOf(graph)
    for (const term of [subject, object]) {
      if (term.termType !== 'BlankNode') continue
      const known = graphOf.get(term.value)
      if (known === undefined) graphOf.set(term.value, key)
      else if (known !== key) shared.add(term.value)
    }
  }
  return shared
}

/** A key of a node or graph. It is unique: no IRI begins with '_:', and the value of the default graph is empty. */
function keyOf(term: Graph): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value
}
