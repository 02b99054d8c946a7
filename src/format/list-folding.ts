/**
 * Finds the well-formed lists of a graph: which blank nodes are list cells, and the items of each list.
 *
 * Pure. A list is folded only if that loses nothing: every cell is a blank node with exactly one rdf:first and one
 * rdf:rest and is referred to exactly once, and the chain ends in rdf:nil.
 * Sources: RDF 1.1 Semantics, appendix on lists; JSON-LD 1.1 API, "RDF to Object Conversion" (usages of a list node).
 */
import type {Quad, Term} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'

/**
 * The folded lists of one graph. A writer prints `items` in place of a head and does not print the cells as nodes.
 */
export type Lists = {
  readonly items: ReadonlyMap<string, readonly Term[]> // label of the head → items
  readonly cells: ReadonlySet<string> // labels
}

export const noLists: Lists = {items: new Map(), cells: new Set()}

/** Lists nested deeper are written as explicit cells, to stay below the depth limit of every reader. */
const nestingLimit = 20

type Cell = {readonly first: Term; readonly rest: Term}

/**
 * Folds the lists of one graph.
 *
 * @param groups  quads of the graph, one array for each subject. Subjects that refer to no blank node and cannot be
 *                list cells may be left out.
 * @param shared  labels that other graphs use too
 */
export function foldLists(groups: readonly (readonly Quad[])[], shared: Pick<ReadonlySet<string>, 'has'>): Lists {
  const cells = wholeChains(cellsOf(groups, shared))
  if (cells.size === 0) return noLists
  const folded = {items: new Map<string, readonly Term[]>(), cells: new Set<string>()}
  for (const group of groups) {
    const subject = group[0]?.subject
    if (subject?.termType === 'BlankNode' && cells.has(subject.value)) continue
    for (const {object} of group) fold(object, cells, folded)
  }
  return folded
}

/** Whether the quads of one subject have the shape of a list cell. */
export function isCellShaped(group: readonly Quad[]): boolean {
  const [one, other] = group
  if (group.length !== 2 || one === undefined || other === undefined || one.subject.termType !== 'BlankNode')
    return false
  const [first, rest] = one.predicate.value === rdf.first ? [one, other] : [other, one]
  if (first.predicate.value !== rdf.first || rest.predicate.value !== rdf.rest) return false
  return rest.object.termType === 'BlankNode' || (rest.object.termType === 'NamedNode' && rest.object.value === rdf.nil)
}

function cellsOf(groups: readonly (readonly Quad[])[], shared: Pick<ReadonlySet<string>, 'has'>): Map<string, Cell> {
  const references = new Map<string, number>()
  for (const group of groups) {
    for (const {object} of group) {
      if (object.termType === 'BlankNode') references.set(object.value, (references.get(object.value) ?? 0) + 1)
    }
  }
  const cells = new Map<string, Cell>()
  for (const group of groups) {
    const [one, other] = group
    if (one === undefined || other === undefined || !isCellShaped(group)) continue
    const label = one.subject.value
    if (references.get(label) !== 1 || shared.has(label)) continue
    const [first, rest] = one.predicate.value === rdf.first ? [one, other] : [other, one]
    cells.set(label, {first: first.object, rest: rest.object})
  }
  return cells
}

/** The cells whose chain ends in rdf:nil, so it is neither broken nor a cycle. */
function wholeChains(cells: ReadonlyMap<string, Cell>): Map<string, Cell> {
  const settled = new Map<string, boolean>() // label → whether its chain is whole
  for (const head of cells.keys()) {
    const walked = new Set<string>()
    let at: Term | undefined = {termType: 'BlankNode', value: head}
    while (at?.termType === 'BlankNode' && !settled.has(at.value) && !walked.has(at.value)) {
      walked.add(at.value)
      at = cells.get(at.value)?.rest
    }
    const isWhole = at?.termType === 'NamedNode' || (at !== undefined && settled.get(at.value) === true)
    for (const label of walked) settled.set(label, isWhole)
  }
  return new Map([...cells].filter(([label]) => settled.get(label) === true))
}

/** Folds the list with this head, if it is one, and the lists nested in it, down to the nesting limit. */
function fold(
  object: Term,
  cells: ReadonlyMap<string, Cell>,
  folded: {readonly items: Map<string, readonly Term[]>; readonly cells: Set<string>},
): void {
  let level: readonly Term[] = [object]
  for (let depth = 0; depth < nestingLimit && level.length > 0; depth++) {
    const below: Term[] = []
    for (const node of level) {
      if (node.termType !== 'BlankNode' || !cells.has(node.value)) continue
      const items: Term[] = []
      for (let label = node.value, cell = cells.get(label); cell !== undefined; cell = cells.get(label)) {
        folded.cells.add(label)
        items.push(cell.first)
        label = cell.rest.value
      }
      folded.items.set(node.value, items)
      for (const item of items) if (item.termType === 'BlankNode') below.push(item)
    }
    level = below
  }
}
