/**
 * The syntax tree of a query or an update: the structure of the grammar, absolute IRIs, literals as written.
 *
 * Types only. Variables and blank nodes are terms. translate/ turns the tree into algebra.
 * Source: SPARQL 1.1 §19.8 (grammar).
 */
import type {Iri, Literal, NamedNode} from '../../rdf/term.ts'

export type VariableTerm = {readonly termType: 'Variable'; readonly value: string}
export type BlankTerm = {readonly termType: 'BlankNode'; readonly value: string}
export type SyntaxTerm = NamedNode | Literal | BlankTerm | VariableTerm
export type Wildcard = {readonly termType: 'Wildcard'}

export type SyntaxPath = {
  readonly type: 'path'
  readonly pathType: '|' | '/' | '^' | '+' | '*' | '?' | '!'
  readonly items: readonly (NamedNode | SyntaxPath)[]
}

export type SyntaxTriple = {
  readonly subject: SyntaxTerm
  readonly predicate: NamedNode | VariableTerm | SyntaxPath
  readonly object: SyntaxTerm
}

/** A triple of a template or of an update. */
export type SyntaxTemplate = SyntaxTriple & {readonly predicate: NamedNode | VariableTerm}

export type SyntaxExpression =
  | NamedNode
  | Literal
  | VariableTerm
  | {readonly type: 'operation'; readonly operator: string; readonly args: readonly SyntaxArgument[]}
  | {
      readonly type: 'functionCall'
      readonly function: NamedNode
      readonly args: readonly SyntaxExpression[]
      readonly distinct?: boolean
    }
  | SyntaxAggregate

export type SyntaxAggregate = {
  readonly type: 'aggregate'
  readonly aggregation: string // lower case
  readonly expression: SyntaxExpression | Wildcard
  readonly distinct: boolean
  readonly separator?: string
}

/** The right side of IN is a list, the operand of EXISTS a group. */
export type SyntaxArgument = SyntaxExpression | readonly SyntaxExpression[] | SyntaxGroup

export type SyntaxPattern =
  | {readonly type: 'bgp'; readonly triples: readonly SyntaxTriple[]}
  | SyntaxGroup
  | {readonly type: 'union'; readonly patterns: readonly SyntaxGroup[]}
  | {readonly type: 'optional' | 'minus'; readonly patterns: readonly SyntaxPattern[]}
  | {
      readonly type: 'graph'
      readonly name: NamedNode | VariableTerm
      readonly patterns: readonly SyntaxPattern[]
    }
  | {
      readonly type: 'service'
      readonly name: NamedNode | VariableTerm
      readonly silent: boolean
      readonly patterns: readonly SyntaxPattern[]
    }
  | {readonly type: 'filter'; readonly expression: SyntaxExpression}
  | {readonly type: 'bind'; readonly expression: SyntaxExpression; readonly variable: VariableTerm}
  | {readonly type: 'values'; readonly values: SyntaxValues}
  | SelectSyntax

export type SyntaxGroup = {readonly type: 'group'; readonly patterns: readonly SyntaxPattern[]}

/** Each row has a term for each variable; undefined is UNDEF. */
export type SyntaxValues = {
  readonly variables: readonly string[]
  readonly rows: readonly (readonly (NamedNode | Literal | undefined)[])[]
}

export type Projection = {readonly expression: SyntaxExpression; readonly variable: VariableTerm}

/** The parts that queries and sub-selects have in common. */
export type SolutionSyntax = {
  readonly where?: readonly SyntaxPattern[]
  readonly values?: SyntaxValues
  readonly group?: readonly {readonly expression: SyntaxExpression; readonly variable?: VariableTerm}[]
  readonly having?: readonly SyntaxExpression[]
  readonly order?: readonly {readonly expression: SyntaxExpression; readonly descending?: boolean}[]
  readonly limit?: number
  readonly offset?: number
}

export type SelectSyntax = SolutionSyntax & {
  readonly type: 'query'
  readonly queryType: 'SELECT'
  readonly variables: readonly (VariableTerm | Projection | Wildcard)[]
  readonly distinct?: boolean
  readonly reduced?: boolean
}

export type DatasetSyntax = {readonly default: readonly NamedNode[]; readonly named: readonly NamedNode[]}

export type QuerySyntax = {
  readonly from?: DatasetSyntax
} & (
  | SelectSyntax
  | (SolutionSyntax & {
      readonly type: 'query'
      readonly queryType: 'CONSTRUCT'
      readonly template?: readonly SyntaxTemplate[]
    })
  | (SolutionSyntax & {readonly type: 'query'; readonly queryType: 'ASK'})
  | (SolutionSyntax & {
      readonly type: 'query'
      readonly queryType: 'DESCRIBE'
      readonly variables: readonly (NamedNode | VariableTerm | Wildcard)[]
    })
)

/** Triples of an update, in the graph that GRAPH names; without one, in that of WITH or in the default graph. */
export type SyntaxQuads = {readonly graph?: NamedNode | VariableTerm; readonly triples: readonly SyntaxTemplate[]}

export type GraphRef = NamedNode | 'default'

/** An operation of an update (SPARQL 1.1 Update §3). */
export type UpdateSyntax =
  | {readonly type: 'load'; readonly silent: boolean; readonly source: NamedNode; readonly target: GraphRef}
  | {readonly type: 'clear' | 'drop'; readonly silent: boolean; readonly graph: GraphRef | 'named' | 'all'}
  | {readonly type: 'create'; readonly silent: boolean; readonly graph: NamedNode}
  | {
      readonly type: 'add' | 'move' | 'copy'
      readonly silent: boolean
      readonly source: GraphRef
      readonly target: GraphRef
    }
  | {readonly type: 'insertdata' | 'deletedata' | 'deletewhere'; readonly quads: readonly SyntaxQuads[]}
  | {
      readonly type: 'modify'
      readonly with?: NamedNode
      readonly delete: readonly SyntaxQuads[]
      readonly insert: readonly SyntaxQuads[]
      readonly using?: DatasetSyntax
      readonly where: readonly SyntaxPattern[]
      readonly base: Iri // of IRI(): a BASE may stand between two operations
    }

/** The result of parse.ts: the tree, and the base of IRI() (the last BASE, or the URL of the request). */
export type ParsedQuery = {readonly query: QuerySyntax; readonly base: Iri}
