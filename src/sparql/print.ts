/**
 * SQL data to SQL text and parameters: the only file that writes SQL.
 *
 * Floor 2. Pure. Names are the planner's own words, ids are numbers that it made, all else is a parameter.
 */
import type {From, Scalar, SelectQuery, SortKey, SqlQuery} from './plan/relation.ts'

export type PrintedQuery = {readonly text: string; readonly parameters: readonly (string | readonly string[])[]}

/** @param schema  the dataset's schema, quoted as an identifier */
export function printQuery(query: SqlQuery, schema: string): PrintedQuery {
  const printer = createPrinter(schema)
  const text = printer.query(query)
  return {text, parameters: printer.parameters}
}

function createPrinter(schema: string) {
  const parameters: (string | readonly string[])[] = []
  const numbers = new Map<string, number>()

  function parameter(value: string | readonly string[], type: string): string {
    const key = JSON.stringify([type, value])
    const known = numbers.get(key) ?? parameters.push(value)
    numbers.set(key, known)
    return `$${known}::${type}`
  }

  function query(node: SqlQuery): string {
    switch (node.kind) {
      case 'select':
        return select(node)
      case 'union':
      case 'unionAll':
        return node.queries.map(part => `(${query(part)})`).join(node.kind === 'union' ? ' union ' : ' union all ')
      case 'values': {
        const rows = node.rows.map(
          row => `(${row.map(id => (id === undefined ? 'null::int8' : `${id}::int8`)).join(', ')})`,
        )
        return `select * from (values ${rows.join(', ')}) as v (${node.names.join(', ')})`
      }
      case 'recursive':
        return (
          `with recursive ${node.name} (${node.columns.join(', ')}) as ((${query(node.seed)}) union (${query(node.step)})) ` +
          `select ${node.columns.join(', ')} from ${node.name}`
        )
    }
  }

  function select(node: SelectQuery): string {
    const columns = node.columns.map(({name, scalar: value}) => `${scalar(value)} as ${name}`)
    const parts = [`select ${node.isDistinct ? 'distinct ' : ''}${columns.join(', ')}`]
    if (node.from !== undefined) parts.push(`from ${from(node.from)}`)
    if (node.where.length > 0) parts.push(`where ${node.where.map(operand).join(' and ')}`)
    if (node.groupBy !== undefined && node.groupBy.length > 0)
      parts.push(`group by ${node.groupBy.map(scalar).join(', ')}`)
    if (node.orderBy !== undefined && node.orderBy.length > 0)
      parts.push(`order by ${node.orderBy.map(sortKey).join(', ')}`)
    if (node.limit !== undefined) parts.push(`limit ${node.limit}`)
    if (node.offset !== undefined && node.offset > 0) parts.push(`offset ${node.offset}`)
    else if (node.isFenced && node.limit === undefined) parts.push('offset 0')
    return parts.join(' ')
  }

  function from(node: From): string {
    switch (node.kind) {
      case 'table':
        return `${schema}.${node.name} as ${node.alias}`
      case 'common':
        return `${node.name} as ${node.alias}`
      case 'query':
        return `${node.isLateral ? 'lateral ' : ''}(${query(node.query)}) as ${node.alias}`
      case 'join': {
        const right = node.right.kind === 'join' ? `(${from(node.right)})` : from(node.right)
        const left = from(node.left)
        if (node.type === 'cross' || (node.type === 'inner' && node.on.length === 0))
          return `${left} cross join ${right}`
        return `${left} ${node.type} join ${right} on ${node.on.length === 0 ? 'true' : node.on.map(operand).join(' and ')}`
      }
    }
  }

  function sortKey({scalar: value, isDescending, isText}: SortKey): string {
    return `${operand(value)}${isText ? ' collate "C"' : ''}${isDescending ? ' desc nulls last' : ' asc nulls first'}`
  }

  function operand(node: Scalar): string {
    const needsNone = [
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
    ]
    return needsNone.includes(node.kind) ? scalar(node) : `(${scalar(node)})`
  }

  function list(nodes: readonly Scalar[]): string {
    return nodes.map(scalar).join(', ')
  }

  function scalar(node: Scalar): string {
    switch (node.kind) {
      case 'column':
        return `${node.table}.${node.name}`
      case 'number':
        return node.value.startsWith('-') ? `'${node.value}'::int8` : `${node.value}::int8`
      case 'parameter':
        return parameter(node.value, node.type)
      case 'null':
        return `null::${node.type}`
      case 'boolean':
        return String(node.value)
      case 'call':
        return `${functionName(node.name)}(${list(node.arguments)})`
      case 'operator':
        return `${operand(node.left)} ${node.operator} ${operand(node.right)}`
      case 'all':
      case 'any': {
        if (node.conditions.length === 0) return node.kind === 'all' ? 'true' : 'false'
        return node.conditions.map(operand).join(node.kind === 'all' ? ' and ' : ' or ')
      }
      case 'not':
        return `not ${operand(node.condition)}`
      case 'isNull':
        return `${operand(node.of)} is null`
      case 'isNotNull':
        return `${operand(node.of)} is not null`
      case 'isTrue':
        return `${operand(node.of)} is true`
      case 'case': {
        const branches = node.branches.map(([when, then]) => `when ${scalar(when)} then ${scalar(then)}`)
        const otherwise = node.otherwise === undefined ? '' : ` else ${scalar(node.otherwise)}`
        return `case ${branches.join(' ')}${otherwise} end`
      }
      case 'array':
        return `array[${list(node.items)}]::${node.type}[]`
      case 'row':
        return `row(${list(node.items)})`
      case 'exists':
        return `exists (${query(node.query)})`
      case 'isOneOf':
        return `${operand(node.of)} = any ('{${node.ids.join(',')}}'::int8[])`
      case 'isNoneOf':
        return `${operand(node.of)} <> all ('{${node.ids.join(',')}}'::int8[])`
      case 'aggregate': {
        const inside = node.arguments.length === 0 ? '*' : list(node.arguments)
        return `${functionName(node.name)}(${node.isDistinct ? 'distinct ' : ''}${inside})`
      }
      case 'rowNumber':
        return `row_number() over (order by ${node.order.map(sortKey).join(', ')})`
    }
  }

  function functionName(name: string): string {
    return name.startsWith('sparql_') ? `${schema}.${name}` : name
  }

  return {query, parameters}
}
