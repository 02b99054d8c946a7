/**
 * The operations of an update, as translate/update.ts returns them.
 *
 * Pure data, which structured clone can copy. Every graph has a name: translation resolves WITH and the default graph.
 * Sources: SPARQL 1.1 Update §3.1 (graph update), §3.2 (graph management).
 */
import type {Iri, NamedNode} from '../rdf/term.ts'
import type {Query, TemplateTriple, Variable} from './algebra.ts'

export type TemplateQuad = TemplateTriple & {readonly graph: NamedNode | Variable}

/** The graphs of CLEAR and DROP. `besides` is the default graph, which NAMED leaves out. */
export type GraphRange =
  | {readonly kind: 'one'; readonly graph: Iri; readonly isDefault: boolean}
  | {readonly kind: 'named' | 'all'; readonly besides: Iri | undefined}

/** A graph that an operation names, perhaps by DEFAULT. */
export type GraphPlace = {readonly graph: Iri; readonly isDefault: boolean}

/** DELETE and INSERT for the solutions of WHERE. */
export type ModifyOperation = {
  readonly type: 'modify'
  readonly deleted: readonly TemplateQuad[]
  readonly inserted: readonly TemplateQuad[]
  readonly where: Extract<Query, {form: 'select'}> // selects the variables of the templates
}

export type DataOperation = {
  readonly type: 'insertData' | 'deleteData'
  readonly quads: readonly TemplateQuad[] // without variables
}

export type UpdateOperation =
  | ModifyOperation
  | DataOperation
  | {readonly type: 'load'; readonly source: Iri; readonly into: Iri; readonly isSilent: boolean}
  | {readonly type: 'create'; readonly graph: Iri; readonly isSilent: boolean}
  | {readonly type: 'clear' | 'drop'; readonly range: GraphRange; readonly isSilent: boolean}
  | {
      readonly type: 'add' | 'move' | 'copy'
      readonly from: GraphPlace
      readonly to: GraphPlace
      readonly isSilent: boolean
    }
