/**
 * What a patch does, where that can be said without its graph: the server then needs no look at it.
 *
 * Floor 2. Pure. Source: LD Patch §3.3–3.4 (Add and Delete never fail, so the last word on a triple counts).
 */
import {Dataset} from '../rdf/dataset.ts'
import {type Term, type Triple, triple} from '../rdf/term.ts'
import type {Changes, Patch, PatchTerm, PatchTriple} from './patch.ts'

/**
 * The changes of a patch of Add and Delete only (and Bind to a term, without a path).
 *
 * Other than `applyPatch` says, `removed` may not be in the graph and `added` may be: whoever writes them removes
 * what is there and adds what is not. Labels mean what they mean there: a node of the graph, or a new one. `removed`
 * holds no node without a label: nothing that is stored can be one.
 *
 * @returns  undefined when only the graph can tell
 */
export function groundChanges({operations}: Patch): Changes | undefined {
  const terms = new Map<string, Term>() // what variables stand for
  const removed = new Dataset()
  const added = new Dataset()
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

/** Undefined for a literal as subject, which `applyPatch` refuses. */
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
