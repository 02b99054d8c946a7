/**
 * What a patch is once it is read: operations over terms and variables, with their places in the text.
 *
 * Floor 2. Types only. Sources: LD Patch §3, §5 (abstract syntax).
 */
import type {BlankNode, Iri, Literal, NamedNode, Resource, Term, Triple} from '../rdf/term.ts'

/** How a patch is read. */
export type PatchOptions = {
  readonly base: Iri // absolute: the patched document
  readonly tripleLimit?: number | undefined // of the patch; default none
}

export type Variable = {readonly termType: 'Variable'; readonly value: string} // without "?"

/** A term, or the variable that stands for one. Variables are bound by an earlier operation: the parser sees to it. */
export type PatchTerm = Term | Variable
export type PatchTriple = {
  readonly subject: Resource | Variable
  readonly predicate: NamedNode
  readonly object: PatchTerm
}

/** Where a path starts, or what a filter asks for. A blank node here must be one that the graph holds. */
export type PatchValue = NamedNode | Literal | Variable | BlankNode

export type PathElement =
  | {readonly type: 'forward'; readonly predicate: NamedNode}
  | {readonly type: 'backward'; readonly predicate: NamedNode}
  | {readonly type: 'item'; readonly index: number} // from 0; a negative index counts from the end, -1 is the last
  | {readonly type: 'filter'; readonly path: Path; readonly value: PatchValue | undefined}
  | {readonly type: 'unique'}
export type Path = readonly PathElement[]

/** Items from … to, half open; negative indexes count from the end. `end` is one after the last item. */
export type Slice = {readonly from: number | 'end'; readonly to: number | 'end'}

/** An item to insert, with the list cell that will hold it. */
export type NewItem = {readonly cell: BlankNode; readonly value: PatchTerm}

type Placed = {readonly offset: number} // of the operation in the patch's text

export type Bind = Placed & {
  readonly type: 'bind'
  readonly variable: string
  readonly value: PatchValue
  readonly path: Path
}
export type GraphOperation = Placed & {
  readonly type: 'add' | 'addNew' | 'delete' | 'deleteExisting'
  readonly triples: readonly PatchTriple[]
}
export type Cut = Placed & {readonly type: 'cut'; readonly node: Variable | BlankNode}
export type UpdateList = Placed & {
  readonly type: 'updateList'
  readonly subject: NamedNode | BlankNode | Variable
  readonly predicate: NamedNode
  readonly slice: Slice
  readonly items: readonly NewItem[]
  readonly triples: readonly PatchTriple[] // of the nodes and lists nested in the items
}
export type Operation = Bind | GraphOperation | Cut | UpdateList

/**
 * A patch. Blank node labels are as written; nodes without one ('[]', list cells) have labels that start with '!',
 * which no client can write.
 */
export type Patch = {
  readonly text: string
  readonly operations: readonly Operation[]
  readonly labels: ReadonlySet<string> // written ones
}

/** What a patch does to a graph: `removed` were in it, `added` were not, and no triple is in both. */
export type Changes = {readonly removed: readonly Triple[]; readonly added: readonly Triple[]}

/** The same, with what was to be deleted and was not in the graph: a store may know more than the graph shows. */
export type Applied = Changes & {readonly missed: readonly Triple[]}
