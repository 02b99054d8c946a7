/**
 * SQL as data: types and constructors. The planner builds this tree and print/print.ts writes it as text.
 *
 * Text from a client occurs only as the value of a parameter. Tables and functions are those of sql/.
 */
export type Scalar =
  | {readonly kind: 'column'; readonly table: string; readonly name: string}
  | {readonly kind: 'number'; readonly value: string} // int8, written into the text
  | {
      readonly kind: 'parameter'
      readonly value: string | readonly string[]
      readonly type: 'text' | 'text[]'
    }
  | {readonly kind: 'null'; readonly type: 'int8' | 'text' | 'boolean'}
  | {readonly kind: 'boolean'; readonly value: boolean}
  | {readonly kind: 'call'; readonly name: string; readonly arguments: readonly Scalar[]}
  | {readonly kind: 'operator'; readonly operator: Operator; readonly left: Scalar; readonly right: Scalar}
  | {readonly kind: 'all' | 'any'; readonly conditions: readonly Scalar[]} // and, or
  | {readonly kind: 'not'; readonly condition: Scalar}
  | {readonly kind: 'isNull' | 'isNotNull' | 'isTrue'; readonly of: Scalar}
  | {
      readonly kind: 'case'
      readonly of?: Scalar // compared with each `when`
      readonly branches: readonly (readonly [when: Scalar, then: Scalar])[]
      readonly otherwise?: Scalar
    }
  | {readonly kind: 'array'; readonly items: readonly Scalar[]; readonly type: 'text' | 'int8' | 'numeric'}
  | {readonly kind: 'row'; readonly items: readonly Scalar[]}
  | {readonly kind: 'exists'; readonly query: SqlQuery}
  | {readonly kind: 'subquery'; readonly query: SqlQuery} // one column, at most one row
  | {readonly kind: 'isOneOf' | 'isNoneOf'; readonly of: Scalar; readonly ids: readonly string[]}
  | {readonly kind: 'isAmong'; readonly of: Scalar; readonly query: SqlQuery} // one column; evaluated once
  | {
      readonly kind: 'aggregate'
      readonly name: string
      readonly isDistinct: boolean
      readonly arguments: readonly Scalar[]
      readonly filter?: Scalar // the members that are aggregated
      readonly isText?: boolean // compared by code points
    }
  | {readonly kind: 'stored'; readonly id: Scalar; readonly part: StoredPart} // of a term of the dictionary
  | {readonly kind: 'part'; readonly table: string; readonly part: StoredPart} // of a joined row of the dictionary
  | Once
  | {readonly kind: 'rowNumber'; readonly order: readonly SortKey[]}
  | {readonly kind: 'ownKey'; readonly own: OwnTerms; readonly id: Scalar} // text
  | {readonly kind: 'ownId'; readonly own: OwnTerms; readonly key: Scalar} // int8; null if no own term has the key

/**
 * What is computed once for each row, however often an expression has it (expression/probe.ts). Two are the same if
 * their names are, and their ids.
 */
export type Once = {readonly kind: 'once'; readonly name: string; readonly id?: Scalar; readonly of: Scalar}

/** Constants of a query that are not stored. The low bits of an id (analyse/constants.ts) are its index in `ids`. */
export type OwnTerms = {readonly keys: readonly string[]; readonly ids: readonly string[]}

/**
 * A part of a dictionary term; null for terms that do not have it:
 *   - `key` and `text`: of any term
 *   - `language` and `datatype` (as a key): of a literal
 *   - `string` (the text) and `kind` (what precedes the text in the key): of a string literal
 *   - `localName`: the local name of an XML Schema datatype
 *   - `simple`: the text of a simple literal
 *   - `tagged`: text and language of a string with a language, as an array in the order of ORDER BY
 *   - `typed`: text and datatype of a literal without a value in ORDER BY, likewise
 */
export type StoredPart =
  | 'key'
  | 'text'
  | 'language'
  | 'datatype'
  | 'string'
  | 'kind'
  | 'localName'
  | 'simple'
  | 'tagged'
  | 'typed'

export type Operator = '=' | '<>' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '/' | '>>' | '~' | '~~' | '||'

export type SortKey = {
  readonly scalar: Scalar
  readonly isDescending: boolean
  readonly isText: boolean
  readonly isBound?: boolean // never null, so an index can provide the order
}

export type From =
  | {readonly kind: 'table'; readonly name: 'quad' | 'document' | 'raw_graph' | 'term'; readonly alias: string}
  | {readonly kind: 'common'; readonly name: string; readonly alias: string} // the table of a WITH query
  | {
      readonly kind: 'query'
      readonly query: SqlQuery
      readonly alias: string
      readonly isLateral: boolean
      readonly probes?: Probes | undefined // of a lateral query
    }
  | {
      readonly kind: 'arrays' // parallel arrays as columns c0, c1, …
      readonly alias: string
      readonly columns: readonly {readonly values: readonly (string | null)[]; readonly type: 'text[]' | 'int8[]'}[]
    }
  | {
      readonly kind: 'function' // the rows of a function of the store
      readonly name: 'sparql_search'
      readonly arguments: readonly Scalar[]
      readonly alias: string
      readonly columns: readonly string[]
    }
  | {
      readonly kind: 'join'
      readonly type: 'inner' | 'left' | 'cross'
      readonly left: From
      readonly right: From
      readonly on: readonly Scalar[]
    }

/** How often a lateral query is expected to run, and for how many different values; undefined: unknown. */
export type Probes = {readonly runs: number; readonly values: number | undefined}

export type SelectQuery = {
  readonly kind: 'select'
  readonly columns: readonly {readonly name: string; readonly scalar: Scalar}[]
  readonly from: From | undefined
  readonly where: readonly Scalar[]
  readonly isDistinct?: boolean
  readonly groupBy?: readonly Scalar[]
  readonly orderBy?: readonly SortKey[]
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly hasTies?: boolean // all rows that equal the last of the limit in the order are taken too
  readonly isFenced?: boolean // PostgreSQL must not merge it into the outer query
  readonly isWalked?: boolean // has the order of an index and must not be sorted
}

export type SqlQuery =
  | SelectQuery
  | {readonly kind: 'unionAll' | 'union'; readonly queries: readonly SqlQuery[]}
  | {
      readonly kind: 'values'
      readonly names: readonly string[]
      readonly rows: readonly (readonly (string | undefined)[])[] // ids; undefined: null
    }
  | {readonly kind: 'with'; readonly name: string; readonly query: SqlQuery; readonly body: SqlQuery} // computed once
  | {
      readonly kind: 'recursive'
      readonly name: string
      readonly columns: readonly string[]
      readonly seed: SqlQuery
      readonly step: SqlQuery
    }

export function column(table: string, name: string): Scalar {
  return {kind: 'column', table, name}
}

export function number(value: string | number | bigint): Scalar {
  return {kind: 'number', value: String(value)}
}

export function text(value: string): Scalar {
  return {kind: 'parameter', value, type: 'text'}
}

export function call(name: string, ...args: readonly Scalar[]): Scalar {
  return {kind: 'call', name, arguments: args}
}

/** What a function computes of a scalar, once for each row. */
export function callOnce(name: string, of: Scalar): Once {
  return {kind: 'once', name, id: of, of: call(name, of)}
}

export function operator(operator: Operator, left: Scalar, right: Scalar): Scalar {
  return {kind: 'operator', operator, left, right}
}

export function equal(left: Scalar, right: Scalar): Scalar {
  return operator('=', left, right)
}

export function not(condition: Scalar): Scalar {
  return {kind: 'not', condition}
}

export function all(conditions: readonly Scalar[]): Scalar {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : {kind: 'all', conditions}
}

export function any(conditions: readonly Scalar[]): Scalar {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : {kind: 'any', conditions}
}

export function isNull(of: Scalar): Scalar {
  return {kind: 'isNull', of}
}

export function isNotNull(of: Scalar): Scalar {
  return {kind: 'isNotNull', of}
}

/** The parts of conditions of a kind, tests of the same value once. */
export function differentTests(kind: 'all' | 'any', conditions: readonly Scalar[]): readonly Scalar[] {
  const found: Scalar[] = []
  const isKnown = (test: Scalar) =>
    found.some(
      one => one === test || (one.kind === 'isNotNull' && test.kind === 'isNotNull' && isSameScalar(one.of, test.of)),
    )
  for (const condition of conditions) {
    const parts = condition.kind === kind ? condition.conditions : [condition]
    for (const part of parts) if (!isKnown(part)) found.push(part)
  }
  return found
}

/** Whether scalars are the same column, or computed once as the same. */
export function isSameScalar(left: Scalar, right: Scalar): boolean {
  if (left === right) return true
  if (left.kind === 'once' && right.kind === 'once')
    return left.name === right.name && (left.id && right.id ? isSameScalar(left.id, right.id) : left.id === right.id)
  return left.kind === 'column' && right.kind === 'column' && left.table === right.table && left.name === right.name
}

export const never: Scalar = {kind: 'boolean', value: false}
