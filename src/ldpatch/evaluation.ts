/**
 * The state in which the operations of a patch meet a graph: the graph as it is by now, the variables, what has
 * changed.
 *
 * Floor 2. Pure: the graph that is given stays as it is.
 * Sources: LD Patch §3 (operations in sequence, all or nothing); decisions, 9 (labels of stored blank nodes).
 */
import {excerpt} from '../base/excerpt.ts'
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {Dataset} from '../rdf/dataset.ts'
import {type BlankNode, type NamedNode, type Resource, type Term, type Triple, triple} from '../rdf/term.ts'
import type {Applied, Operation, Patch, PatchTerm, PatchTriple, PatchValue, Variable} from './patch.ts'

/** Far beyond any patch of a person or a program; what it stops is paths and lists that walk in circles on purpose. */
export const defaultStepLimit = 5_000_000 // triples looked at

export class Evaluation {
  readonly #graph: readonly Triple[]
  readonly #patch: Patch
  readonly #stepLimit: number
  readonly #present: Dataset
  readonly #removed = new Dataset()
  readonly #added = new Dataset()
  readonly #missed = new Dataset()
  readonly #variables = new Map<string, Term>()
  #heldLabels: ReadonlySet<string> | undefined
  #operation: Operation | undefined
  #steps = 0

  constructor(graph: readonly Triple[], patch: Patch, stepLimit: number) {
    this.#graph = graph
    this.#patch = patch
    this.#stepLimit = stepLimit
    this.#present = new Dataset(graph)
  }

  get changes(): Applied {
    return {removed: [...this.#removed], added: [...this.#added], missed: [...this.#missed]}
  }

  /** Says which operation is at work, for what is wrong with it. */
  begin(operation: Operation): void {
    this.#operation = operation
  }

  /** Line and column of the operation at work, as members of a Problem. */
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

  /** Triples of the graph as it is by now. @throws Problem 422 `patch-effort` */
  match(subject?: Resource, predicate?: NamedNode, object?: Term): readonly Triple[] {
    const found = this.#present.match(subject, predicate, object)
    this.spend(1 + found.length)
    return found
  }

  /** Counts the work of a patch, about one step a triple. @throws Problem 422 `patch-effort` */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#stepLimit)
      throw new Problem(422, 'patch-effort', `The patch looks at more than ${this.#stepLimit} triples`, this.place)
  }

  /** Whether any triple has this node as its object. */
  isReferenced(node: Resource): boolean {
    return this.match(undefined, undefined, node).length > 0
  }

  /** Whether the patch itself names this blank node, by its label. */
  isNamed(node: BlankNode): boolean {
    return this.#patch.labels.has(node.value)
  }

  bind(variable: string, term: Term): void {
    this.#variables.set(variable, term)
  }

  /** The term, or what the variable stands for. */
  resolve(term: PatchTerm): Term {
    if (term.termType !== 'Variable') return term
    const bound = this.#variables.get(term.value)
    if (bound === undefined) throw new Error(`the parser let the unbound variable ?${term.value} pass`)
    return bound
  }

  /** @throws Problem 422 `patch-subject` */
  resolveSubject(term: Resource | Variable): Resource {
    const resolved = this.resolve(term)
    if (resolved.termType !== 'Literal') return resolved
    throw new Problem(422, 'patch-subject', `A literal cannot be a subject: "${excerpt(resolved.value)}"`, this.place)
  }

  resolveTriple({subject, predicate, object}: PatchTriple): Triple {
    return triple(this.resolveSubject(subject), predicate, this.resolve(object))
  }

  /**
   * What is not new: a label here must name a node that the graph held before the patch.
   *
   * @throws Problem 400 `patch-label`
   */
  resolveHeld(term: PatchValue): Term {
    if (term.termType === 'BlankNode' && !this.#labels().has(term.value)) {
      const message = `Only a variable or a blank node of the document can stand here: _:${excerpt(term.value)} is none`
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

/** A term as a message shows it. */
export function show(term: Term): string {
  if (term.termType === 'NamedNode') return `<${excerpt(term.value)}>`
  return term.termType === 'BlankNode' ? `_:${excerpt(term.value)}` : `"${excerpt(term.value)}"`
}

export function showTriple({subject, predicate, object}: Triple): string {
  return `${show(subject)} ${show(predicate)} ${show(object)}`
}
