/**
 * SQL as data: what the planner makes and print.ts writes. No text of a client is in it but as the value of a
 * parameter.
 *
 * Types and the constructors that shorten the planner. Tables and functions are those of sql/.
 */
export type Scalar =
  | {readonly kind: 'column'; readonly table: string; readonly name: string}
  | {readonly kind: 'number'; readonly value: string} // int8, written by us
  | {
      readonly kind: 'parameter'
      readonly value: string | readonly string[]
      readonly type: 'text' | 'text[]'
    }
  | {readonly kind: 'null'; readonly type: 'int8' | 'text'}
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
  | {readonly kind: 'array'; readonly items: readonly Scalar[]; readonly type: 'text' | 'int8'}
  | {readonly kind: 'row'; readonly items: readonly Scalar[]}
  | {readonly kind: 'exists'; readonly query: SqlQuery}
  | {readonly kind: 'subquery'; readonly query: SqlQuery} // of one column and at most one row
  | {readonly kind: 'isOneOf' | 'isNoneOf'; readonly of: Scalar; readonly ids: readonly string[]}
  | {readonly kind: 'isAmong'; readonly of: Scalar; readonly query: SqlQuery} // of one column, asked once
  | {
      readonly kind: 'aggregate'
      readonly name: string
      readonly isDistinct: boolean
      readonly arguments: readonly Scalar[]
      readonly filter?: Scalar // members that count
    }
  | {readonly kind: 'stored'; readonly id: Scalar; readonly part: StoredPart} // of a term of the dictionary
  | {readonly kind: 'part'; readonly table: string; readonly part: StoredPart} // of a row of the dictionary (probe.ts)
  | {readonly kind: 'rowNumber'; readonly order: readonly SortKey[]}
  | {readonly kind: 'ownKey'; readonly own: OwnTerms; readonly id: Scalar} // text
  | {readonly kind: 'ownId'; readonly own: OwnTerms; readonly key: Scalar} // int8; null for a key of none

/** Terms that only the query names. The low bits of an id (analyse/constants.ts) are its place. */
export type OwnTerms = {readonly keys: readonly string[]; readonly ids: readonly string[]}

/**
 * Of a dictionary term: its key, its text; of a literal its language, its datatype's key; of a string literal its text,
 * and what stands before the text in its key (kind); of a literal of XML Schema the local name of its datatype; of a
 * simple literal its text.
 */
export type StoredPart = 'key' | 'text' | 'language' | 'datatype' | 'string' | 'kind' | 'localName' | 'simple'

export type Operator = '=' | '<>' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '>>' | '~' | '~~' | '||'

export type SortKey = {
  readonly scalar: Scalar
  readonly isDescending: boolean
  readonly isText: boolean
  readonly isBound?: boolean // never null, so that an index has the order
}

export type From =
  | {readonly kind: 'table'; readonly name: 'quad' | 'document' | 'raw_graph' | 'term'; readonly alias: string}
  | {readonly kind: 'common'; readonly name: string; readonly alias: string} // a table of a recursive query
  | {readonly kind: 'query'; readonly query: SqlQuery; readonly alias: string; readonly isLateral: boolean}
  | {
      readonly kind: 'arrays' // parallel ones as columns c0, c1, …
      readonly alias: string
      readonly columns: readonly {readonly values: readonly (string | null)[]; readonly type: 'text[]' | 'int8[]'}[]
    }
  | {
      readonly kind: 'join'
      readonly type: 'inner' | 'left' | 'cross'
      readonly left: From
      readonly right: From
      readonly on: readonly Scalar[]
    }

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
  readonly isFenced?: boolean // not merged into the query around it
  readonly isWalked?: boolean // in the order of an index, never to be sorted
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

export function isSameScalar(left: Scalar, right: Scalar): boolean {
  if (left === right) return true
  return left.kind === 'column' && right.kind === 'column' && left.table === right.table && left.name === right.name
}

export const never: Scalar = {kind: 'boolean', value: false}
