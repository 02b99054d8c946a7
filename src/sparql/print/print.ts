/**
 * Prints SQL data (plan/relation.ts) as SQL text and parameters. Only this file writes the SQL of queries.
 *
 * Pure. The text contains names and ids that the planner chose. Everything else is a parameter.
 */
import {Problem} from '../../base/problem.ts'
import {ownBits} from '../../rdf/id-layout.ts'
import type {PastNames} from '../plan/block.ts'
import type {From, Probes, Scalar, SelectQuery, SortKey, SqlQuery} from '../plan/relation.ts'
import {type KnownColumns, knownIn, pastTable} from './past-table.ts'
import {storedPart} from './term.ts'

type TableName = Extract<From, {kind: 'table'}>['name']

export type SqlParameter = string | readonly (string | null)[]

/** An SQL text. Its only parameter, $1, is the array `parameters`. */
export type PrintedQuery = {
  readonly text: string
  readonly parameters: readonly string[]
  readonly isWalked: boolean // a part has the order of an index and must not be sorted
  readonly isSearched: boolean // uses the text index
  readonly isMemoized: boolean // probes may repeat their values, so that results are worth keeping
}

type Printer = {
  readonly schema: string
  readonly past: PastNames | undefined // the tables are those of a past state
  /** The expression for a parameter. Equal texts share one place; a list shares a place only with itself. */
  readonly place: (value: SqlParameter, type: string, write?: () => string) => string
  readonly seen: {isWalked: boolean; isSearched: boolean; saved: number}
  /** @throws  Problem 400 `query-size` if the statement has too many parts */
  readonly countPart: () => void
}

/** The greatest number of scalars and tables of a statement. Each is about 60 characters of text. */
export const statementLimit = 100_000

/**
 * Prints a statement.
 *
 * @param schema  the dataset's schema, quoted as an identifier
 * @param past    reads the tables of a past state. Their arrays are further parameters (past-table.ts)
 * @throws        Problem 400 `query-size`: the statement is too large, because parts of the query are repeated
 */
export function printQuery(query: SqlQuery, schema: string, past?: PastNames): PrintedQuery {
  let count = 0
  const countPart = () => {
    count += 1
    if (count > statementLimit) throw tooLarge()
  }
  const parameters: string[] = []
  const places = new Map<SqlParameter, number>() // lists are compared by identity
  const place = (value: SqlParameter, type: string, write = () => written(value)): string => {
    const known = places.get(value) ?? parameters.push(write())
    places.set(value, known)
    return type === 'text' ? `($1::text[])[${known}]` : `($1::text[])[${known}]::${type}`
  }
  const seen = {isWalked: false, isSearched: false, saved: 0}
  const text = showQuery({schema, past, place, countPart, seen}, query)
  const {saved, ...others} = seen
  return {text, parameters, ...others, isMemoized: saved >= 0}
}

const probeCost = 4 // of keeping its result in a Memoize node
const unknownRepeats = 0.3 // of probes

/**
 * What a Memoize node saves in a lateral query, in costs of keeping the result of a probe. PostgreSQL estimates
 * different values by all triples, and expects a probe to cost much more, so it keeps results that no probe asks for
 * again. It has one setting for a statement.
 */
function savedBy({runs, values = (1 - unknownRepeats) * runs}: Probes): number {
  return (runs - values) * probeCost - values
}

function tooLarge(): Problem {
  const message = `The query comes to more than ${statementLimit} parts in SQL; nest its expressions and paths less.`
  return new Problem(400, 'query-size', message, {members: {limit: statementLimit}})
}

function written(value: SqlParameter): string {
  return typeof value === 'string' ? value : arrayLiteral(value)
}

/** An array literal of PostgreSQL (manual §8.15.6). */
function arrayLiteral(items: readonly (string | null)[]): string {
  const quote = (item: string | null) => (item === null ? 'null' : `"${item.replace(/["\\]/g, '\\$&')}"`)
  return `{${items.map(quote).join(',')}}`
}

/** @param known  the values that its columns must have, by position, if an outer query has such conditions */
function showQuery(printer: Printer, node: SqlQuery, known: readonly (Scalar | undefined)[] = []): string {
  switch (node.kind) {
    case 'select':
      return showSelect(printer, node, known)
    case 'union':
    case 'unionAll':
      return node.queries
        .map(part => `(${showQuery(printer, part, known)})`)
        .join(node.kind === 'union' ? ' union ' : ' union all ')
    case 'values': {
      const cell = (id: string | undefined) => (id === undefined ? 'null::int8' : showNumber(id))
      const rows = node.rows.map(row => `(${row.map(cell).join(', ')})`)
      return `select * from (values ${rows.join(', ')}) as v (${node.names.join(', ')})`
    }
    case 'with': {
      const tables: string[] = []
      let body: SqlQuery = node
      for (; body.kind === 'with'; body = body.body)
        tables.push(`${body.name} as materialized (${showQuery(printer, body.query)})`)
      return `with ${tables.join(', ')} ${showQuery(printer, body)}`
    }
    case 'recursive': {
      const columns = node.columns.join(', ')
      const parts = [node.seed, node.step].map(part => `(${showQuery(printer, part)})`)
      const table = `${node.name} (${columns}) as (${parts.join(' union ')})`
      return `with recursive ${table} select ${columns} from ${node.name}`
    }
  }
}

function showSelect(printer: Printer, node: SelectQuery, outer: readonly (Scalar | undefined)[]): string {
  const show = (scalar: Scalar) => showScalar(printer, scalar)
  const {groupBy = [], orderBy = [], limit, offset = 0} = node
  if (node.isWalked === true) printer.seen.isWalked = true
  const columns = node.columns.map(({name, scalar}) => `${show(scalar)} as ${name}`)
  const parts = [`select ${node.isDistinct ? 'distinct ' : ''}${columns.join(', ')}`]
  const known = printer.past === undefined ? undefined : knownIn(node, outer)
  if (node.from !== undefined) parts.push(`from ${showFrom(printer, node.from, known)}`)
  if (node.where.length > 0) parts.push(`where ${showAll(printer, node.where)}`)
  if (groupBy.length > 0) parts.push(`group by ${groupBy.map(show).join(', ')}`)
  if (orderBy.length > 0) parts.push(`order by ${orderBy.map(key => showSortKey(printer, key)).join(', ')}`)
  if (limit !== undefined) parts.push(node.hasTies ? `fetch first ${limit} rows with ties` : `limit ${limit}`)
  if (offset > 0) parts.push(`offset ${offset}`)
  else if (node.isFenced && limit === undefined) parts.push('offset 0')
  return parts.join(' ')
}

function showAll(printer: Printer, conditions: readonly Scalar[]): string {
  return conditions.map(condition => showOperand(printer, condition)).join(' and ')
}

function showFrom(printer: Printer, node: From, known: KnownColumns | undefined): string {
  printer.countPart()
  switch (node.kind) {
    case 'table':
      return `${showTable(printer, node.name, known?.get(node.alias))} as ${node.alias}`
    case 'common':
      return `${node.name} as ${node.alias}`
    case 'query': {
      const outer = namesOf(node.query).map(name => known?.get(node.alias)?.get(name))
      if (node.probes !== undefined) printer.seen.saved += savedBy(node.probes)
      return `${node.isLateral ? 'lateral ' : ''}(${showQuery(printer, node.query, outer)}) as ${node.alias}`
    }
    case 'arrays': {
      const arrays = node.columns.map(({values, type}) => printer.place(values, type))
      return `unnest(${arrays.join(', ')}) as ${node.alias} (${node.columns.map((_, index) => `c${index}`).join(', ')})`
    }
    case 'function': {
      const call = `${functionName(printer, node.name)}(${showList(printer, node.arguments)})`
      return `${call} as ${node.alias} (${node.columns.join(', ')})`
    }
    case 'join': {
      const left = showFrom(printer, node.left, known)
      const shown = showFrom(printer, node.right, known)
      const right = node.right.kind === 'join' ? `(${shown})` : shown
      const isCross = node.type === 'cross' || (node.type === 'inner' && node.on.length === 0)
      if (isCross) return `${left} cross join ${right}`
      return `${left} ${node.type} join ${right} on ${node.on.length === 0 ? 'true' : showAll(printer, node.on)}`
    }
  }
}

function showTable(printer: Printer, name: TableName, known?: ReadonlyMap<string, Scalar>): string {
  const {schema, past} = printer
  if (past === undefined) return `${schema}.${name}`
  const valueFor = (column: string) => {
    const value = known?.get(column)
    return value && showScalar(printer, value)
  }
  return pastTable({name, schema, names: past, known: valueFor})
}

/** The names of the columns of a query, if they are known. */
function namesOf(query: SqlQuery): readonly string[] {
  if (query.kind === 'select') return query.columns.map(({name}) => name)
  const [first] = query.kind === 'union' || query.kind === 'unionAll' ? query.queries : []
  return first === undefined ? [] : namesOf(first)
}

function showSortKey(printer: Printer, {scalar, isDescending, isText, isBound = false}: SortKey): string {
  const collation = isText ? ' collate "C"' : ''
  const direction = isDescending ? ' desc' : ' asc'
  const nulls = isBound ? '' : isDescending ? ' nulls last' : ' nulls first'
  const type = scalar.kind === 'boolean' ? '::boolean' : '' // PostgreSQL refuses a constant without a type here
  return `${showOperand(printer, scalar)}${type}${collation}${direction}${nulls}`
}

const selfContained = [
  'column',
  'number',
  'parameter',
  'call',
  'null',
  'boolean',
  'case',
  'array',
  'aggregate',
  'exists',
  'subquery',
  'stored',
  'part',
  'ownKey',
  'ownId',
]

function showOperand(printer: Printer, node: Scalar): string {
  const text = showScalar(printer, node)
  return selfContained.includes(node.kind) ? text : `(${text})`
}

function showList(printer: Printer, nodes: readonly Scalar[]): string {
  return nodes.map(node => showScalar(printer, node)).join(', ')
}

function showNumber(value: string): string {
  return value.startsWith('-') ? `'${value}'::int8` : `${value}::int8`
}

function functionName({schema}: Printer, name: string): string {
  return /^(?:sparql|inline|past)_/.test(name) ? `${schema}.${name}` : name
}

function showScalar(printer: Printer, node: Scalar): string {
  printer.countPart()
  const operand = (scalar: Scalar) => showOperand(printer, scalar)
  switch (node.kind) {
    case 'column':
      return `${node.table}.${node.name}`
    case 'number':
      return showNumber(node.value)
    case 'parameter':
      return printer.place(node.value, node.type)
    case 'null':
      return `null::${node.type}`
    case 'boolean':
      return String(node.value)
    case 'call':
      return `${functionName(printer, node.name)}(${showList(printer, node.arguments)})`
    case 'operator':
      if (node.operator === '~~') printer.seen.isSearched = true
      if (node.operator === '>>') return `${operand(node.left)} >> ${operand(node.right)}::int`
      // Letters and their case are those of Unicode, whatever the collations of the text and of the database are.
      if (node.operator === '~') return `${operand(node.left)} ~ ${operand(node.right)} collate "und-x-icu"`
      return `${operand(node.left)} ${node.operator} ${operand(node.right)}`
    case 'all':
    case 'any':
      if (node.conditions.length === 0) return node.kind === 'all' ? 'true' : 'false'
      return node.conditions.map(operand).join(node.kind === 'all' ? ' and ' : ' or ')
    case 'not':
      return `not ${operand(node.condition)}`
    case 'isNull':
      return `${operand(node.of)} is null`
    case 'isNotNull':
      return `${operand(node.of)} is not null`
    case 'isTrue':
      return `${operand(node.of)} is true`
    case 'once':
      return `(${showScalar(printer, node.of)})`
    default:
      return showCompound(printer, node)
  }
}

type Compound = Extract<
  Scalar,
  {
    kind:
      | 'case'
      | 'array'
      | 'row'
      | 'exists'
      | 'subquery'
      | 'isOneOf'
      | 'isNoneOf'
      | 'isAmong'
      | 'aggregate'
      | 'rowNumber'
      | 'stored'
      | 'part'
      | 'ownKey'
      | 'ownId'
  }
>

/**
 * Mask for the bits of an id that are the index of a constant that is not stored (rdf/id-layout.ts). The list of
 * these constants is in an uncorrelated subquery, which PostgreSQL evaluates once per query.
 */
const ownPlaces = `${2n ** ownBits - 1n}::int8`

function showCompound(printer: Printer, node: Compound): string {
  const show = (scalar: Scalar) => showScalar(printer, scalar)
  switch (node.kind) {
    case 'case': {
      const branches = node.branches.map(([when, then]) => `when ${show(when)} then ${show(then)}`)
      const otherwise = node.otherwise === undefined ? '' : ` else ${show(node.otherwise)}`
      const of = node.of === undefined ? '' : `${showOperand(printer, node.of)} `
      return `case ${of}${branches.join(' ')}${otherwise} end`
    }
    case 'array':
      return `array[${showList(printer, node.items)}]::${node.type}[]`
    case 'row':
      return `row(${showList(printer, node.items)})`
    case 'subquery':
      return `(${showQuery(printer, node.query)})`
    case 'exists':
      return `exists (${showQuery(printer, node.query)})`
    case 'isOneOf':
      return `${showOperand(printer, node.of)} = any ('{${node.ids.join(',')}}'::int8[])`
    case 'isAmong':
      return `${showOperand(printer, node.of)} = any (array(${showQuery(printer, node.query)}))`
    case 'isNoneOf':
      return `${showOperand(printer, node.of)} <> all ('{${node.ids.join(',')}}'::int8[])`
    case 'aggregate': {
      const collation = node.isText === true ? ' collate "C"' : ''
      const inside = node.arguments.length === 0 ? '*' : `${showList(printer, node.arguments)}${collation}`
      const filter = node.filter === undefined ? '' : ` filter (where ${show(node.filter)})`
      return `${functionName(printer, node.name)}(${node.isDistinct ? 'distinct ' : ''}${inside})${filter}`
    }
    case 'stored': {
      const {shown, range} = storedPart(node.part, 'd')
      const condition = range === undefined ? '' : ` and ${range}`
      const id = showOperand(printer, node.id)
      return `(select ${shown} from ${showTable(printer, 'term')} as d where d.id = ${id}${condition})`
    }
    case 'part': {
      const {shown, range} = storedPart(node.part, node.table)
      return range === undefined ? shown : `case when ${range} then ${shown} end`
    }
    case 'ownKey': {
      const {keys} = node.own
      const list = printer.place(keys, 'jsonb', () => JSON.stringify(keys))
      return `jsonb_array_element_text((select ${list}), int4(${showOperand(printer, node.id)} & ${ownPlaces}))`
    }
    case 'ownId': {
      const {keys, ids} = node.own
      const pairs = () => JSON.stringify(Object.fromEntries(keys.map((key, index) => [key, ids[index]])))
      return `jsonb_object_field_text((select ${printer.place(ids, 'jsonb', pairs)}), ${show(node.key)})::int8`
    }
    case 'rowNumber':
      return `row_number() over (order by ${node.order.map(key => showSortKey(printer, key)).join(', ')})`
  }
}
