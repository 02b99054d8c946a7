/**
 * RDF lists: reads a list, and replaces a slice of one (UpdateList).
 *
 * Sources: LD Patch §3.7 (UpdateList); RDF Schema §5.2.
 */
import {Problem} from '../base/problem.ts'
import {type Resource, sameTerm, type Term, type Triple, triple} from '../rdf/term.ts'
import {cut} from './cut.ts'
import {type Evaluation, show} from './evaluation.ts'
import {first, nil, rest} from './nodes.ts'
import type {Slice, UpdateList} from './patch.ts'

type Cell = {readonly node: Resource; readonly item: Term}

/**
 * The cells of a well-formed list.
 *
 * @returns  undefined if a cell does not have exactly one rdf:first and one rdf:rest, or the list is a cycle
 */
export function readList(evaluation: Evaluation, head: Term): readonly Cell[] | undefined {
  const cells: Cell[] = []
  const met = new Set<string>()
  for (let node = head; !sameTerm(node, nil); ) {
    if (node.termType === 'Literal' || met.has(node.value)) return undefined
    met.add(node.value)
    const [item, otherItem] = evaluation.match(node, first)
    const [next, otherNext] = evaluation.match(node, rest)
    if (item === undefined || next === undefined || otherItem !== undefined || otherNext !== undefined) return undefined
    cells.push({node, item: item.object})
    node = next.object
  }
  return cells
}

/**
 * Replaces a slice of a list. The list must be the only object of the subject and predicate.
 *
 * @throws  Problem 422 `list-shape`: there is no object or more than one, or it is not a well-formed list;
 *          422 `list-slice`: the slice is out of range; 422 `patch-subject`; 400 `patch-label`
 */
export function updateList(evaluation: Evaluation, operation: UpdateList): void {
  const {predicate, items, triples} = operation
  const subject = subjectOf(evaluation, operation)
  const link = onlyLink(evaluation, subject, operation)
  const cells = readList(evaluation, link.object)
  if (cells === undefined) throw shapeProblem(evaluation, `${show(link.object)} is not a well-formed list`)
  const [from, to] = bounds(evaluation, operation.slice, cells.length)

  const before: Pick<Triple, 'subject' | 'predicate'> =
    from === 0 ? {subject, predicate} : {subject: cells[from - 1]?.node ?? subject, predicate: rest}
  const after = cells[to]?.node ?? nil
  evaluation.delete(triple(before.subject, before.predicate, cells[from]?.node ?? nil))
  for (const nested of triples) evaluation.add(evaluation.resolveTriple(nested))
  evaluation.add(triple(before.subject, before.predicate, items[0]?.cell ?? after))
  for (const [index, {cell, value}] of items.entries()) {
    evaluation.add(triple(cell, first, evaluation.resolve(value)))
    evaluation.add(triple(cell, rest, items[index + 1]?.cell ?? after))
  }
  for (const cell of cells.slice(from, to)) drop(evaluation, cell)
}

function subjectOf(evaluation: Evaluation, {subject}: UpdateList): Resource {
  if (subject.termType === 'BlankNode') evaluation.resolveHeld(subject)
  return evaluation.resolveSubject(subject)
}

function onlyLink(evaluation: Evaluation, subject: Resource, {predicate}: UpdateList): Triple {
  const [link, another] = evaluation.match(subject, predicate)
  const place = `${show(subject)} ${show(predicate)}`
  if (link === undefined) throw shapeProblem(evaluation, `There is no list at ${place}`)
  if (another !== undefined) throw shapeProblem(evaluation, `There is more than one object at ${place}`)
  return link
}

function shapeProblem(evaluation: Evaluation, message: string): Problem {
  return new Problem(422, 'list-shape', message, evaluation.place)
}

/** The bounds of a slice as counts of items: 0 ≤ from ≤ to ≤ length. @throws Problem 422 `list-slice` */
function bounds(evaluation: Evaluation, {from, to}: Slice, length: number): readonly [number, number] {
  const count = (index: number | 'end') => (index === 'end' ? length : index < 0 ? length + index : index)
  const [first, last] = [count(from), count(to)]
  if (first >= 0 && first <= last && last <= length) return [first, last]
  const slice = `${from === 'end' ? '' : from}..${to === 'end' ? '' : to}`
  throw new Problem(422, 'list-slice', `A list of ${length} items has no slice ${slice}`, evaluation.place)
}

/**
 * Removes a cell that is no longer in the list, and cuts its item if that is a blank node.
 *
 * A cell or item that other triples still refer to stays, because it belongs to another list or node as well. So does
 * an item that the patch names by its label: clients move items by removing and inserting them.
 */
function drop(evaluation: Evaluation, {node, item}: Cell): void {
  if (evaluation.isReferenced(node)) return
  const own =
    node.termType === 'BlankNode' ? evaluation.match(node) : [first, rest].flatMap(p => evaluation.match(node, p))
  for (const each of own) evaluation.delete(each)
  if (item.termType !== 'BlankNode' || evaluation.isNamed(item) || evaluation.isReferenced(item)) return
  cut(evaluation, item)
}
