/**
 * Computes equal groups of a statement once, such as the totals beside a sub-select with the greatest total:
 *
 *   … (select t1.o, sum(t2.o) from A group by t1.o) … (select t3.o, sum(t4.o) from A group by t3.o) …
 *     =>  with same1 as materialized (select t1.o, sum(t2.o) from A group by t1.o) … same1 … same1 …
 *
 * Pure. Groups are equal if their SQL is, except for the names of tables. Those that use a row from outside stay, and
 * those with a random value, as each has its own.
 */
import type {From, SqlQuery} from './relation.ts'

type Derived = Extract<From, {kind: 'query'}>

const partsMax = 20_000 // of a statement that is looked through; a part that is shared counts each time

/** @returns  the same statement if no groups are equal */
export function shareGroups(statement: SqlQuery): SqlQuery {
  const parts = {left: partsMax}
  const groups = [...groupsIn(statement, parts)]
  if (groups.length < 2 || parts.left <= 0) return statement
  const signs = new Map(groups.map(({query}) => [query, signatureOf(query, parts)]))
  if (parts.left <= 0) return statement
  const signed = groups.flatMap(({query}) => signs.get(query) ?? [])
  const repeated = new Set(signed.filter((sign, index) => signed.indexOf(sign) !== index))
  // A group within one that is repeated is computed with it.
  const isRepeated = ({query}: Derived) => repeated.has(signs.get(query) ?? '')
  const found = repeated.size === 0 ? [] : [...groupsIn(statement, {left: partsMax}, isRepeated)].filter(isRepeated)
  const tables = [...repeated].flatMap((sign, index) => {
    const [first, ...others] = found.filter(({query}) => signs.get(query) === sign)
    return first === undefined || others.length === 0 ? [] : [{sign, name: `same${index + 1}`, query: first.query}]
  })
  if (tables.length === 0) return statement
  const nameOf = (query: SqlQuery) => tables.find(({sign}) => sign === signs.get(query))?.name
  return tables.reduceRight<SqlQuery>(
    (body, {name, query}) => ({kind: 'with', name, query, body}),
    withNames(statement, nameOf),
  )
}

/** The tables of a statement that are groups, also those within others unless `isClosed` of the outer one. */
function* groupsIn(
  part: unknown,
  parts: Parts,
  isClosed: (group: Derived) => boolean = () => false,
): Generator<Derived> {
  if (typeof part !== 'object' || part === null || parts.left-- <= 0) return
  const isGroup = isDerived(part) && !part.isLateral && part.query.kind === 'select' && part.query.groupBy !== undefined
  if (isGroup) yield part
  if (!(isGroup && isClosed(part))) for (const inner of Object.values(part)) yield* groupsIn(inner, parts, isClosed)
}

type Parts = {left: number}

function isDerived(part: object): part is Derived {
  return 'kind' in part && part.kind === 'query' && 'isLateral' in part
}

/** The same text for equal queries; undefined if a query depends on more than the store. */
function signatureOf(query: SqlQuery, parts: Parts): string | undefined {
  const numbers = new Map<string, number>() // of tables, in the order in which they occur
  const defined = new Set<string>()
  const texts: string[] = []
  let isAlone = true
  const nameOf = (table: string) => {
    const number = numbers.get(table) ?? numbers.size
    numbers.set(table, number)
    return `t${number}`
  }
  const write = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return void texts.push(JSON.stringify(part) ?? '')
    if (parts.left-- <= 0) return
    const kind = 'kind' in part ? part.kind : undefined
    if (kind === 'call' && 'name' in part && volatileFunctions.has(String(part.name))) isAlone = false
    for (const [key, value] of Object.entries(part)) {
      if (key === 'probes') continue // how often a query is expected to run
      const isName = key === 'name' && (kind === 'common' || kind === 'with' || kind === 'recursive')
      const isTable = key === 'alias' || key === 'table' || isName
      if (key === 'alias' || (isName && kind !== 'common')) defined.add(String(value))
      texts.push(key, ':')
      if (isTable) texts.push(nameOf(String(value)))
      else write(value)
      texts.push(';')
    }
    texts.push('.')
  }
  write(query)
  return isAlone && [...numbers.keys()].every(table => defined.has(table)) ? texts.join('') : undefined
}

const volatileFunctions: ReadonlySet<string> = new Set(['sparql_random', 'sparql_uuid'])

/** A copy in which tables have names instead of queries. */
function withNames<Part>(part: Part, nameOf: (query: SqlQuery) => string | undefined): Part {
  if (typeof part !== 'object' || part === null) return part
  if (isDerived(part)) {
    const name = nameOf(part.query)
    if (name !== undefined) return {kind: 'common', name, alias: part.alias} satisfies From as Part
  }
  if (Array.isArray(part)) return part.map(one => withNames(one, nameOf)) as Part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withNames(value, nameOf)])) as Part
}
