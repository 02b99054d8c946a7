/**
 * The syntax tree of an update, as parse-update.ts returns it: the structure of the grammar, absolute IRIs.
 *
 * Types only. translate/update.ts turns the tree into operations.
 * Source: SPARQL 1.1 §19.8, from [29] Update on.
 */
import type {Iri, NamedNode} from '../../rdf/term.ts'
import type {SyntaxPattern, SyntaxTriple, VariableTerm} from './syntax.ts'

/** Triples of a template, in the graph of a GRAPH or in none. */
export type SyntaxQuads =
  | {readonly type: 'bgp'; readonly triples: readonly SyntaxTriple[]}
  | {readonly type: 'graph'; readonly name: NamedNode | VariableTerm; readonly triples: readonly SyntaxTriple[]}

export type SyntaxGraphRef =
  | {readonly type: 'graph'; readonly default: true}
  | {readonly type: 'graph'; readonly name: NamedNode}

export type SyntaxGraphRefAll =
  | {readonly default: true}
  | {readonly named: true}
  | {readonly all: true}
  | {readonly type: 'graph'; readonly name: NamedNode}

export type OperationSyntax =
  | {readonly updateType: 'insert'; readonly insert: readonly SyntaxQuads[]}
  | {readonly updateType: 'delete'; readonly delete: readonly SyntaxQuads[]}
  | {readonly updateType: 'deletewhere'; readonly delete: readonly SyntaxQuads[]}
  | {
      readonly updateType: 'insertdelete'
      readonly graph?: NamedNode // of WITH
      readonly delete: readonly SyntaxQuads[]
      readonly insert: readonly SyntaxQuads[]
      readonly using?: {readonly default: readonly NamedNode[]; readonly named: readonly NamedNode[]}
      readonly where: readonly SyntaxPattern[]
    }
  | {readonly type: 'load'; readonly silent: boolean; readonly source: NamedNode; readonly destination?: NamedNode}
  | {readonly type: 'create'; readonly silent: boolean; readonly graph: {readonly name: NamedNode}}
  | {readonly type: 'clear' | 'drop'; readonly silent: boolean; readonly graph: SyntaxGraphRefAll}
  | {
      readonly type: 'add' | 'move' | 'copy'
      readonly silent: boolean
      readonly source: SyntaxGraphRef
      readonly destination: SyntaxGraphRef
    }

/** The operations of an update in their order, each with the base of its IRI(). */
export type ParsedUpdate = readonly {readonly operation: OperationSyntax; readonly base: Iri}[]
