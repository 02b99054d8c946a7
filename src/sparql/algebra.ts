/**
 * The SPARQL algebra as a TypeScript union. translate/ creates it, rewrite/ rewrites it, plan/ turns it into SQL.
 *
 * Pure data. The operators are those of the Recommendation. A join has two operands; a union has any number of them.
 * A blank node of a pattern becomes a variable whose name begins with "_:". Translation also adds variables of its own
 * (for aggregates and path steps), whose names begin with ".". SELECT * shows neither.
 * Sources: SPARQL 1.1 §18.2 (translation), §18.5 (operators).
 */
import type {Iri, Literal, NamedNode, Term} from '../rdf/term.ts'

export type Variable = {readonly termType: 'Variable'; readonly value: string}
export type PatternTerm = NamedNode | Literal | Variable

export type TriplePattern = {
  readonly subject: PatternTerm
  readonly predicate: NamedNode | Variable
  readonly object: PatternTerm
}

/** Path expressions (§18.2.2.3). A sequence or an inverse at the top of a path becomes a join instead. */
export type PropertyPath =
  | {readonly type: 'link'; readonly iri: Iri}
  | {readonly type: 'inverse'; readonly path: PropertyPath}
  | {readonly type: 'sequence'; readonly left: PropertyPath; readonly right: PropertyPath}
  | {readonly type: 'alternative'; readonly paths: readonly PropertyPath[]}
  | {readonly type: 'zeroOrOne' | 'zeroOrMore' | 'oneOrMore'; readonly path: PropertyPath}
  | {
      readonly type: 'negated'
      readonly forward: readonly Iri[]
      readonly backward: readonly Iri[]
      readonly has: NegatedSides
    }

/** The directions of a negated property set. `!(^a)` matches backward only. */
export type NegatedSides = 'forward' | 'backward' | 'both'

export type Expression =
  | {readonly type: 'term'; readonly term: NamedNode | Literal}
  | {readonly type: 'variable'; readonly name: string}
  | {readonly type: 'call'; readonly name: FunctionName; readonly arguments: readonly Expression[]}
  | {readonly type: 'function'; readonly iri: Iri; readonly arguments: readonly Expression[]} // casts and extensions
  | {readonly type: 'exists'; readonly isNegated: boolean; readonly pattern: Algebra}

/** Operators and built-in functions of §17. The first argument of `in` is the tested operand, the rest is the list. */
export type FunctionName = (typeof functionNames)[number]

// biome-ignore format: a table in groups
export const functionNames = [
  '||', '&&', '!', '=', '!=', '<', '>', '<=', '>=', 'in', 'notIn', '+', '-', '*', '/', 'unaryPlus', 'unaryMinus',
  'bound', 'if', 'coalesce', 'sameTerm', 'isIri', 'isBlank', 'isLiteral', 'isNumeric', 'str', 'lang', 'datatype',
  'iri', 'bnode', 'strdt', 'strlang', 'uuid', 'struuid', 'strlen', 'substr', 'ucase', 'lcase', 'strstarts',
  'strends', 'contains', 'strbefore', 'strafter', 'encode_for_uri', 'concat', 'langmatches', 'regex', 'replace',
  'abs', 'round', 'ceil', 'floor', 'rand', 'now', 'year', 'month', 'day', 'hours', 'minutes', 'seconds', 'timezone',
  'tz', 'md5', 'sha1', 'sha256', 'sha384', 'sha512',
] as const

export type AggregateName = 'count' | 'sum' | 'min' | 'max' | 'avg' | 'sample' | 'group_concat'

export type Aggregate = {
  readonly name: AggregateName
  readonly isDistinct: boolean
  readonly argument: Expression | undefined // undefined: COUNT(*)
  readonly separator: string // of GROUP_CONCAT
  readonly isOfCounts?: boolean // SUM of numbers of solutions, which an inline integer can hold
}

export type Algebra =
  | {readonly type: 'bgp'; readonly patterns: readonly TriplePattern[]} // without patterns: one empty solution
  | {readonly type: 'path'; readonly subject: PatternTerm; readonly path: PropertyPath; readonly object: PatternTerm}
  | {readonly type: 'join'; readonly left: Algebra; readonly right: Algebra}
  | {
      readonly type: 'leftJoin'
      readonly left: Algebra
      readonly right: Algebra
      readonly condition: Expression | undefined // may use variables of both sides
    }
  | {readonly type: 'filter'; readonly condition: Expression; readonly input: Algebra}
  | {readonly type: 'union'; readonly inputs: readonly Algebra[]} // at least one
  | {readonly type: 'graph'; readonly name: NamedNode | Variable; readonly input: Algebra}
  | {readonly type: 'minus'; readonly left: Algebra; readonly right: Algebra}
  | {readonly type: 'extend'; readonly input: Algebra; readonly variable: string; readonly expression: Expression}
  | {
      readonly type: 'values'
      readonly variables: readonly string[]
      readonly rows: readonly (readonly (Term | undefined)[])[] // undefined: UNDEF
    }
  | {
      readonly type: 'group'
      readonly input: Algebra
      readonly keys: readonly {readonly variable: string; readonly expression: Expression}[]
      readonly aggregates: readonly {readonly variable: string; readonly aggregate: Aggregate}[]
    }
  | {readonly type: 'orderBy'; readonly input: Algebra; readonly keys: readonly OrderKey[]}
  | {readonly type: 'project'; readonly input: Algebra; readonly variables: readonly string[]}
  | {readonly type: 'distinct'; readonly input: Algebra}
  | {readonly type: 'reduced'; readonly input: Algebra}
  | {
      readonly type: 'slice'
      readonly input: Algebra
      readonly offset: number
      readonly limit: number | undefined
    }
  | {
      readonly type: 'service'
      readonly name: NamedNode | Variable
      readonly isSilent: boolean
      readonly input: Algebra
    }
  | {
      readonly type: 'search' // literals by their words (text:query)
      readonly literal: string // variable
      readonly score: string // variable
      readonly words: string // as written
      readonly range: string | undefined // only literals with this language or a narrower one
    }
  | {readonly type: 'table'; readonly columns: readonly TableColumn[]; readonly rowCount: number}

/** One variable of solutions from outside (SERVICE): its ids, or its keys if one of the terms is not stored. */
export type TableColumn = {
  readonly variable: string
  readonly rep: 'id' | 'key'
  readonly values: readonly (string | null)[] // null: unbound
}

export type OrderKey = {readonly expression: Expression; readonly isDescending: boolean}

/** FROM and FROM NAMED, or the parameters of the protocol that replace them. WITH leaves all graphs named. */
export type DatasetClause = {readonly default: readonly Iri[]; readonly named: readonly Iri[] | 'all'}

export type Query = {
  readonly pattern: Algebra
  readonly dataset: DatasetClause | undefined // undefined: all stored graphs
  readonly base: Iri // of IRI()
} & (
  | {readonly form: 'select'; readonly variables: readonly string[]}
  | {readonly form: 'ask'}
  | {
      readonly form: 'construct'
      readonly template: readonly TemplateTriple[]
      readonly rows?: 'triples' // SQL returns the distinct triples instead of the solutions
    }
  | {readonly form: 'describe'; readonly resources: readonly (NamedNode | Variable)[]}
)

/** Blank nodes of a template stay blank nodes: each solution creates new ones. */
export type TemplateTerm = Term | Variable
export type TemplateTriple = {
  readonly subject: TemplateTerm
  readonly predicate: TemplateTerm
  readonly object: TemplateTerm
}

export const unit: Algebra = {type: 'bgp', patterns: []}

export function variable(value: string): Variable {
  return {termType: 'Variable', value}
}

/** Whether SELECT * shows a variable: it is neither a blank node nor added by translation. */
export function isNamed(name: string): boolean {
  return !name.startsWith('_:') && !name.startsWith('.')
}

export function isUnit(node: Algebra): boolean {
  return node.type === 'bgp' && node.patterns.length === 0
}

/** Joins two patterns. A join with the empty pattern is the other operand (§18.2.2.8). */
export function join(left: Algebra, right: Algebra): Algebra {
  if (isUnit(left)) return right
  if (isUnit(right)) return left
  return {type: 'join', left, right}
}

/** The operands of a node, without the EXISTS patterns of its expressions. */
export function children(node: Algebra): readonly Algebra[] {
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'values':
    case 'table':
    case 'search':
      return []
    case 'join':
    case 'leftJoin':
    case 'minus':
      return [node.left, node.right]
    case 'union':
      return node.inputs
    case 'filter':
    case 'graph':
    case 'extend':
    case 'group':
    case 'orderBy':
    case 'project':
    case 'distinct':
    case 'reduced':
    case 'slice':
    case 'service':
      return [node.input]
  }
}

/** Maps each operand of a node. Returns the same object if no operand changes. */
export function mapChildren(node: Algebra, map: (child: Algebra) => Algebra): Algebra {
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'values':
    case 'table':
    case 'search':
      return node
    case 'join':
    case 'leftJoin':
    case 'minus': {
      const [left, right] = [map(node.left), map(node.right)]
      return left === node.left && right === node.right ? node : {...node, left, right}
    }
    case 'union': {
      const inputs = node.inputs.map(map)
      return inputs.every((input, index) => input === node.inputs[index]) ? node : {...node, inputs}
    }
    case 'filter':
    case 'graph':
    case 'extend':
    case 'group':
    case 'orderBy':
    case 'project':
    case 'distinct':
    case 'reduced':
    case 'slice':
    case 'service': {
      const input = map(node.input)
      return input === node.input ? node : {...node, input}
    }
  }
}

/** The expressions of a node, without those of its operands. */
export function expressionsOf(node: Algebra): readonly Expression[] {
  switch (node.type) {
    case 'filter':
      return [node.condition]
    case 'leftJoin':
      return node.condition === undefined ? [] : [node.condition]
    case 'extend':
      return [node.expression]
    case 'orderBy':
      return node.keys.map(({expression}) => expression)
    case 'group':
      return [
        ...node.keys.map(({expression}) => expression),
        ...node.aggregates.flatMap(({aggregate: {argument}}) => (argument === undefined ? [] : [argument])),
      ]
    default:
      return []
  }
}

/** The EXISTS patterns in the expressions of a node, without those of its operands. */
export function innerPatterns(node: Algebra): readonly Algebra[] {
  return expressionsOf(node).flatMap(patternsIn)
}

/** The operands of a node and the EXISTS patterns of its expressions. */
export function insides(node: Algebra): readonly Algebra[] {
  return [...children(node), ...innerPatterns(node)]
}

/** The EXISTS patterns in an expression. */
export function patternsIn(expression: Expression): readonly Algebra[] {
  switch (expression.type) {
    case 'exists':
      return [expression.pattern]
    case 'call':
    case 'function':
      return expression.arguments.flatMap(patternsIn)
    default:
      return []
  }
}
