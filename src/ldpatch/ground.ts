/**
 * The changes of a patch, if they do not depend on the graph. The server then need not read the graph first.
 *
 * Pure. Source: LD Patch §3.3–3.4 (Add and Delete never fail, so the last operation on a triple decides).
 */

import {type Term, type Triple, triple} from '../rdf/term.ts'
import {TripleSet} from '../rdf/triple-set.ts'
import type {Changes, Patch, PatchTerm, PatchTriple} from './patch.ts'

/**
 * The changes of a patch that has only Add, Delete, and Bind to a term without a path.
 *
 * Unlike in the result of `applyPatch`, `removed` may have triples that are not in the graph, and `added` triples that
 * are. The writer must skip these. Labels have the same meaning as in `applyPatch`. `removed` has no triples with
 * unlabelled nodes, because no stored node can be equal to one.
 *
 * @returns  undefined if the changes depend on the graph
 */
export function groundChanges({operations}: Patch): Changes | undefined {
  const terms = new Map<string, Term>() // values of the variables
  const removed = new TripleSet()
  const added = new TripleSet()
  for (const operation of operations) {
    if (operation.type === 'bind') {
      const term = resolve(operation.value, terms)
      if (operation.path.length > 0 || term === undefined || term.termType === 'BlankNode') return undefined
      terms.set(operation.variable, term)
      continue
    }
    if (operation.type !== 'add' && operation.type !== 'delete') return undefined
    const triples = operation.triples.map(each => groundTriple(each, terms))
    if (!triples.every(each => each !== undefined)) return undefined
    const [from, to] = operation.type === 'add' ? [removed, added] : [added, removed]
    for (const each of triples) {
      from.delete(each)
      to.add(each)
    }
  }
  return {
    removed: [...removed].filter(each => !isAnonymous(each.subject) && !isAnonymous(each.object)),
    added: [...added],
  }
}

/** Resolves a triple. Undefined if its subject is a literal, so that `applyPatch` refuses it. */
function groundTriple({subject, predicate, object}: PatchTriple, terms: ReadonlyMap<string, Term>): Triple | undefined {
  const [from, to] = [resolve(subject, terms), resolve(object, terms)]
  return from === undefined || to === undefined || from.termType === 'Literal' ? undefined : triple(from, predicate, to)
}

function resolve(term: PatchTerm, terms: ReadonlyMap<string, Term>): Term | undefined {
  return term.termType === 'Variable' ? terms.get(term.value) : term
}

function isAnonymous(term: Term): boolean {
  return term.termType === 'BlankNode' && term.value.startsWith('!')
}
