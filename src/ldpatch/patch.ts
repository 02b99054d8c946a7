/**
 * A parsed patch: operations over terms and variables, with their positions in the text.
 *
 * Types only. Sources: LD Patch §3, §5 (abstract syntax).
 */
import type {BlankNode, Iri, Literal, NamedNode, Resource, Term, Triple} from '../rdf/term.ts'

/** Options of the parser. */
export type PatchOptions = {
  readonly base: Iri // the absolute IRI of the patched document
  readonly tripleLimit?: number | undefined // of the patch; default: none
}

export type PatchVariable = {readonly termType: 'Variable'; readonly value: string} // without "?"

/** A term or a variable. The parser ensures that an earlier operation binds the variable. */
export type PatchTerm = Term | PatchVariable
export type PatchTriple = {
  readonly subject: Resource | PatchVariable
  readonly predicate: NamedNode
  readonly object: PatchTerm
}

/** The start of a path, or the value in a filter. A blank node here must be in the graph. */
export type PatchValue = NamedNode | Literal | PatchVariable | BlankNode

export type PathElement =
  | {readonly type: 'forward'; readonly predicate: NamedNode}
  | {readonly type: 'backward'; readonly predicate: NamedNode}
  | {readonly type: 'item'; readonly index: number} // from 0; a negative index counts from the end, -1 is the last
  | {readonly type: 'filter'; readonly path: Path; readonly value: PatchValue | undefined}
  | {readonly type: 'unique'}
export type Path = readonly PathElement[]

/** Items from `from` up to, not including, `to`. Negative indexes count from the end; `end` is after the last item. */
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
export type Cut = Placed & {readonly type: 'cut'; readonly node: PatchVariable | BlankNode}
export type UpdateList = Placed & {
  readonly type: 'updateList'
  readonly subject: NamedNode | BlankNode | PatchVariable
  readonly predicate: NamedNode
  readonly slice: Slice
  readonly items: readonly NewItem[]
  readonly triples: readonly PatchTriple[] // of the nodes and lists nested in the items
}
export type PatchOperation = Bind | GraphOperation | Cut | UpdateList

/**
 * A patch. Blank node labels are as written. Nodes without a label ('[]', list cells) have labels that start with '!',
 * which the syntax does not allow.
 */
export type Patch = {
  readonly text: string
  readonly operations: readonly PatchOperation[]
  readonly labels: ReadonlySet<string> // those in the text
}

/** The effect of a patch on a graph. `removed` were in the graph, `added` were not, and no triple is in both. */
export type Changes = {readonly removed: readonly Triple[]; readonly added: readonly Triple[]}

/**
 * The effect, with `missed`: triples that the patch deletes but the graph does not have. The store may still have to
 * act on them, because it has triples that the graph does not show.
 */
export type Applied = Changes & {readonly missed: readonly Triple[]}
