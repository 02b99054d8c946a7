/**
 * Path expressions: follows a path from a node to the nodes it leads to.
 *
 * Results are sets of nodes, in the order of their discovery.
 * Sources: LD Patch §3.2 (paths); LDP working group, ISSUE-104 (negative indexes).
 */
import type {NamedNode, Term} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import type {Evaluation} from './evaluation.ts'
import {readList} from './list.ts'
import {first, rest} from './nodes.ts'
import type {Path, PathElement} from './patch.ts'

/**
 * Follows a path.
 *
 * @returns  undefined if a '!' of the path (not of its filters) is reached with no node or with several
 */
export function follow(evaluation: Evaluation, start: Term, path: Path): readonly Term[] | undefined {
  let nodes: readonly Term[] = [start]
  for (const element of path) {
    if (element.type === 'unique') {
      if (nodes.length !== 1) return undefined
    } else nodes = step(evaluation, nodes, element)
  }
  return nodes
}

type Step = Exclude<PathElement, {type: 'unique'}>

function step(evaluation: Evaluation, nodes: readonly Term[], element: Step): readonly Term[] {
  switch (element.type) {
    case 'forward':
      return distinct(nodes.flatMap(node => objects(evaluation, node, element.predicate)))
    case 'backward':
      return distinct(
        nodes.flatMap(node => evaluation.match(undefined, element.predicate, node).map(({subject}) => subject)),
      )
    case 'item':
      return element.index < 0
        ? distinct(nodes.flatMap(node => readList(evaluation, node)?.at(element.index)?.item ?? []))
        : itemsAt(evaluation, nodes, element.index)
    case 'filter':
      return nodes.filter(node => satisfies(evaluation, node, element))
  }
}

/** The items at an index: follows rdf:rest `index` times and rdf:first once, over all triples with these predicates. */
function itemsAt(evaluation: Evaluation, nodes: readonly Term[], index: number): readonly Term[] {
  let cells = nodes
  for (let passed = 0; passed < index && cells.length > 0; passed++)
    cells = distinct(cells.flatMap(cell => objects(evaluation, cell, rest)))
  return distinct(cells.flatMap(cell => objects(evaluation, cell, first)))
}

/** Whether a node passes a filter. A '!' in the filter that fails excludes the node; it does not fail the patch. */
function satisfies(evaluation: Evaluation, node: Term, {path, value}: Extract<Step, {type: 'filter'}>): boolean {
  evaluation.spend(1)
  const reached = follow(evaluation, node, path)
  if (reached === undefined || reached.length === 0) return false
  if (value === undefined) return true
  const key = termKey(evaluation.resolveHeld(value))
  return reached.some(each => termKey(each) === key)
}

function objects(evaluation: Evaluation, node: Term, predicate: NamedNode): readonly Term[] {
  return node.termType === 'Literal' ? [] : evaluation.match(node, predicate).map(({object}) => object)
}

function distinct(nodes: readonly Term[]): readonly Term[] {
  return nodes.length < 2 ? nodes : [...new Map(nodes.map(node => [termKey(node), node])).values()]
}
