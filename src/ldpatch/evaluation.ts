/**
 * The state while a patch is applied: the current graph, the variables, and the changes so far.
 *
 * Pure: the given graph is not changed.
 * Sources: LD Patch §3 (operations in sequence, all or nothing); decision 0007 (labels of stored blank nodes).
 */
import {excerpt} from '../base/excerpt.ts'
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {type BlankNode, type NamedNode, type Resource, type Term, type Triple, triple} from '../rdf/term.ts'
import {TripleSet} from '../rdf/triple-set.ts'
import type {Applied, Patch, PatchOperation, PatchTerm, PatchTriple, PatchValue, PatchVariable} from './patch.ts'

/** Far more than real patches need. It stops paths and lists that visit the same nodes again and again. */
export const defaultStepLimit = 5_000_000 // triples looked at

export class Evaluation {
  readonly #graph: readonly Triple[]
  readonly #patch: Patch
  readonly #stepLimit: number
  readonly #present: TripleSet
  readonly #removed = new TripleSet()
  readonly #added = new TripleSet()
  readonly #missed = new TripleSet()
  readonly #variables = new Map<string, Term>()
  #heldLabels: ReadonlySet<string> | undefined
  #operation: PatchOperation | undefined
  #steps = 0

  constructor(graph: readonly Triple[], patch: Patch, stepLimit: number) {
    this.#graph = graph
    this.#patch = patch
    this.#stepLimit = stepLimit
    this.#present = new TripleSet(graph)
  }

  get changes(): Applied {
    return {removed: [...this.#removed], added: [...this.#added], missed: [...this.#missed]}
  }

  /** Sets the current operation, whose position errors report. */
  begin(operation: PatchOperation): void {
    this.#operation = operation
  }

  /** Line and column of the current operation, as options of a Problem. */
  get place() {
    return {members: positionAt(this.#patch.text, this.#operation?.offset ?? 0)}
  }

  has(triple: Triple): boolean {
    return this.#present.has(triple)
  }

  add(triple: Triple): void {
    this.#missed.delete(triple)
    if (this.#present.add(triple) && !this.#removed.delete(triple)) this.#added.add(triple)
  }

  delete(triple: Triple): void {
    if (!this.#present.delete(triple)) this.#missed.add(triple)
    else if (!this.#added.delete(triple)) this.#removed.add(triple)
  }

  /** Triples of the current graph that match a pattern; see `TripleSet.match`. @throws Problem 422 `patch-effort` */
  match(subject?: Resource, predicate?: NamedNode, object?: Term): readonly Triple[] {
    const found = this.#present.match(subject, predicate, object)
    this.spend(1 + found.length)
    return found
  }

  /** Counts the work of the patch: about one step for each triple it looks at. @throws Problem 422 `patch-effort` */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#stepLimit)
      throw new Problem(422, 'patch-effort', `The patch looks at more than ${this.#stepLimit} triples`, this.place)
  }

  /** Whether a triple has this node as its object. */
  isReferenced(node: Resource): boolean {
    return this.match(undefined, undefined, node).length > 0
  }

  /** Whether the text of the patch names this blank node by its label. */
  isNamed(node: BlankNode): boolean {
    return this.#patch.labels.has(node.value)
  }

  bind(variable: string, term: Term): void {
    this.#variables.set(variable, term)
  }

  /** The term itself, or the value of the variable. */
  resolve(term: PatchTerm): Term {
    if (term.termType !== 'Variable') return term
    const bound = this.#variables.get(term.value)
    if (bound === undefined) throw new Error(`the parser let the unbound variable ?${term.value} pass`)
    return bound
  }

  /** Resolves a subject. @throws Problem 422 `patch-subject`: it is a literal */
  resolveSubject(term: Resource | PatchVariable): Resource {
    const resolved = this.resolve(term)
    if (resolved.termType !== 'Literal') return resolved
    throw new Problem(422, 'patch-subject', `A literal cannot be a subject: "${excerpt(resolved.value)}"`, this.place)
  }

  resolveTriple({subject, predicate, object}: PatchTriple): Triple {
    return triple(this.resolveSubject(subject), predicate, this.resolve(object))
  }

  /**
   * Resolves a term that must not be a new blank node: a label must be in the graph as it was before the patch.
   *
   * @throws Problem 400 `patch-label`
   */
  resolveHeld(term: PatchValue): Term {
    if (term.termType === 'BlankNode' && !this.#labels().has(term.value)) {
      const message = `Only a variable or a blank node of the document is allowed here, not _:${excerpt(term.value)}`
      throw new Problem(400, 'patch-label', message, this.place)
    }
    return this.resolve(term)
  }

  #labels(): ReadonlySet<string> {
    this.#heldLabels ??= new Set(
      this.#graph
        .flatMap(({subject, object}) => [subject, object])
        .flatMap(term => (term.termType === 'BlankNode' ? [term.value] : [])),
    )
    return this.#heldLabels
  }
}

/** A term for error messages. */
export function show(term: Term): string {
  if (term.termType === 'NamedNode') return `<${excerpt(term.value)}>`
  return term.termType === 'BlankNode' ? `_:${excerpt(term.value)}` : `"${excerpt(term.value)}"`
}

export function showTriple({subject, predicate, object}: Triple): string {
  return `${show(subject)} ${show(predicate)} ${show(object)}`
}
