/**
 * Applies a patch to a graph: computes the triples to remove and to add.
 *
 * Pure. Operations run in order, each on the result of the previous one. If one fails, the whole patch fails.
 * Sources: LD Patch §3; docs/interface.md, Patching.
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Triple} from '../rdf/term.ts'
import {cut} from './cut.ts'
import {defaultStepLimit, Evaluation, show, showTriple} from './evaluation.ts'
import {updateList} from './list.ts'
import type {Applied, Bind, Cut, GraphOperation, Patch, PatchOperation} from './patch.ts'
import {follow} from './path.ts'

/**
 * Applies a patch. A blank node label that the graph has means that node. Any other label means a new node, the same
 * one throughout the patch.
 *
 * @param graph      without duplicates; it is not changed
 * @param stepLimit  number of triples that the patch may look at
 * @throws           Problem, with `line` and `column` of the operation: 422 `path-unique` | `add-new` |
 *                   `delete-existing` | `cut-possible` | `list-shape` | `list-slice` | `patch-subject` |
 *                   `patch-effort`; 400 `patch-label`
 */
export function applyPatch(graph: readonly Triple[], patch: Patch, stepLimit: number = defaultStepLimit): Applied {
  const evaluation = new Evaluation(graph, patch, stepLimit)
  for (const operation of patch.operations) {
    evaluation.begin(operation)
    apply(evaluation, operation)
  }
  return evaluation.changes
}

function apply(evaluation: Evaluation, operation: PatchOperation): void {
  switch (operation.type) {
    case 'bind':
      applyBind(evaluation, operation)
      break
    case 'cut':
      applyCut(evaluation, operation)
      break
    case 'updateList':
      updateList(evaluation, operation)
      break
    default:
      applyTriples(evaluation, operation)
  }
}

function applyBind(evaluation: Evaluation, {variable, value, path}: Bind): void {
  const nodes = follow(evaluation, evaluation.resolveHeld(value), path)
  const [node, ...others] = nodes ?? []
  if (node === undefined || others.length > 0) {
    const found = nodes === undefined ? 'meets "!" with no or several nodes' : `leads to ${nodes.length} nodes, not one`
    throw new Problem(422, 'path-unique', `The path of ?${excerpt(variable)} ${found}`, evaluation.place)
  }
  evaluation.bind(variable, node)
}

function applyCut(evaluation: Evaluation, operation: Cut): void {
  const node = evaluation.resolveHeld(operation.node)
  if (node.termType !== 'BlankNode')
    throw new Problem(422, 'cut-possible', `Only a blank node can be cut, not ${show(node)}`, evaluation.place)
  if (cut(evaluation, node) === 0)
    throw new Problem(422, 'cut-possible', `There is no triple of ${show(node)} to cut`, evaluation.place)
}

function applyTriples(evaluation: Evaluation, operation: GraphOperation): void {
  const triples = operation.triples.map(each => evaluation.resolveTriple(each))
  switch (operation.type) {
    case 'addNew':
      requireAbsent(evaluation, triples)
      for (const each of triples) evaluation.add(each)
      break
    case 'add':
      for (const each of triples) evaluation.add(each)
      break
    case 'deleteExisting':
      requirePresent(evaluation, triples)
      for (const each of triples) evaluation.delete(each)
      break
    case 'delete':
      for (const each of triples) evaluation.delete(each)
  }
}

function requireAbsent(evaluation: Evaluation, triples: readonly Triple[]): void {
  const present = triples.find(each => evaluation.has(each))
  if (present !== undefined)
    throw new Problem(422, 'add-new', `Already in the document: ${showTriple(present)}`, evaluation.place)
}

function requirePresent(evaluation: Evaluation, triples: readonly Triple[]): void {
  const absent = triples.find(each => !evaluation.has(each))
  if (absent !== undefined)
    throw new Problem(422, 'delete-existing', `Not in the document: ${showTriple(absent)}`, evaluation.place)
}
