/**
 * One look at the dictionary for all that an expression needs of a term.
 *
 * Floor 2. Pure, and linear in the number of objects. An expression that needs a stored term twice, or gives a part of
 * it to a function of the service, becomes a sub-select over the term's row:
 *
 *   f(stored(x, text), stored(x, language))  =>  (select f(d0.lex, d0.lang) from … left join term as d0 on d0.id = x)
 *
 * There the parts are columns, so PostgreSQL merges functions of `language sql` into the query; it does not when an
 * argument is a sub-select that they use twice. A term without a row (inline, a blank node, unbound) has null parts, as
 * in `stored`. The sides of an operator stay apart where each needs another term, because an index or a hash join may
 * serve it; so do the parts of a conjunction, and the branches of a CASE, of which only one is computed.
 */
import {equal, type From, isSameScalar, type Scalar, type SelectQuery, type SqlQuery} from './relation.ts'
import {mapScalars, scalarsIn} from './scalars.ts'

const mostTerms = 3 // that one sub-select looks up

const sharedQueries = new WeakMap<SqlQuery, SqlQuery>()
const sharedTables = new WeakMap<From, From>()
const sharedScalars = new WeakMap<Scalar, Scalar>()

/** The result for an object, made once: what a plan holds twice is one object. */
function once<Part extends object>(made: WeakMap<Part, Part>, make: (part: Part) => Part): (part: Part) => Part {
  return part => {
    const known = made.get(part)
    if (known !== undefined) return known
    const fresh = make(part)
    made.set(part, fresh)
    return fresh
  }
}

/** The same query with shared looks at the dictionary. */
export const shareProbes = once(sharedQueries, shareInQuery)
const shareInFrom = once(sharedTables, shareInTable)
const shareCompound = once(sharedScalars, scalar => (isWhole(scalar) ? overRows(scalar) : shareBelow(scalar)))

/** Most conditions are comparisons of columns and ids: nothing to do, nothing to keep. */
function share(scalar: Scalar): Scalar {
  return isSimple(scalar) ? scalar : shareCompound(scalar)
}

function isSimple(scalar: Scalar): boolean {
  switch (scalar.kind) {
    case 'operator':
      return isLeaf(scalar.left) && isLeaf(scalar.right)
    case 'isNull':
    case 'isNotNull':
      return isLeaf(scalar.of)
    default:
      return isLeaf(scalar)
  }
}

function isLeaf({kind}: Scalar): boolean {
  return kind === 'column' || kind === 'number' || kind === 'parameter' || kind === 'null' || kind === 'boolean'
}

function shareInQuery(query: SqlQuery): SqlQuery {
  switch (query.kind) {
    case 'select':
      return shareInSelect(query)
    case 'union':
    case 'unionAll':
      return {...query, queries: query.queries.map(shareProbes)}
    case 'with':
      return {...query, query: shareProbes(query.query), body: shareProbes(query.body)}
    case 'recursive':
      return {...query, seed: shareProbes(query.seed), step: shareProbes(query.step)}
    case 'values':
      return query
  }
}

function shareInSelect(query: SelectQuery): SelectQuery {
  const {from, groupBy, orderBy} = query
  return {
    ...query,
    columns: query.columns.map(column => ({...column, scalar: share(column.scalar)})),
    from: from === undefined ? undefined : shareInFrom(from),
    where: query.where.map(share),
    ...(groupBy === undefined ? {} : {groupBy: groupBy.map(share)}),
    ...(orderBy === undefined ? {} : {orderBy: orderBy.map(key => ({...key, scalar: share(key.scalar)}))}),
  }
}

function shareInTable(from: From): From {
  switch (from.kind) {
    case 'query':
      return {...from, query: shareProbes(from.query)}
    case 'join':
      return {...from, left: shareInFrom(from.left), right: shareInFrom(from.right), on: from.on.map(share)}
    case 'table':
    case 'common':
    case 'arrays':
      return from
  }
}

function shareBelow(scalar: Scalar): Scalar {
  switch (scalar.kind) {
    case 'exists':
    case 'subquery':
      return {...scalar, query: shareProbes(scalar.query)}
    case 'isAmong':
      return {...scalar, of: share(scalar.of), query: shareProbes(scalar.query)}
    default:
      return mapScalars(scalar, share)
  }
}

/** Ids of the stored terms that a scalar needs; undefined: too many, or it is no value of one row alone. */
type Needed = readonly Scalar[] | undefined

const none: readonly Scalar[] = []
const needs = new WeakMap<Scalar, {readonly ids: Needed}>()

function neededBy(scalar: Scalar): Needed {
  if (isSimple(scalar)) return none
  const known = needs.get(scalar)
  if (known !== undefined) return known.ids
  const ids = scalar.kind === 'stored' ? [scalar.id] : neededByAll(scalar)
  needs.set(scalar, {ids})
  return ids
}

function neededByAll(scalar: Scalar): Needed {
  if (scalar.kind === 'aggregate' || scalar.kind === 'rowNumber') return undefined
  const ids: Scalar[] = []
  for (const operand of scalarsIn(scalar)) {
    const more = neededBy(operand)
    if (more === undefined) return undefined
    ids.push(...more.filter(id => !isHeld(ids, id)))
    if (ids.length > mostTerms) return undefined
  }
  return ids
}

function isHeld(ids: readonly Scalar[], id: Scalar): boolean {
  return ids.some(one => isSameScalar(one, id))
}

/** Functions that PostgreSQL merges into the query whatever their argument is, as they use it once. */
const usingOnce: ReadonlySet<string> = new Set(['sparql_string', 'sparql_lower', 'sparql_upper'])

function usesRow(name: string): boolean {
  return /^(?:sparql|inline)_/.test(name) && !usingOnce.has(name)
}

/** Whether a scalar becomes one sub-select, not each of its operands on its own. */
function isWhole(scalar: Scalar): boolean {
  const ids = neededBy(scalar)
  if (ids === undefined || ids.length === 0) return false
  switch (scalar.kind) {
    case 'call':
      return usesRow(scalar.name) || isShared(scalarsIn(scalar))
    case 'all':
    case 'stored':
      return false
    case 'case': {
      const tests = [...(scalar.of === undefined ? [] : [scalar.of]), ...scalar.branches.map(([when]) => when)]
      return tests.some(test => (neededBy(test) ?? []).length > 0) && isShared(scalarsIn(scalar))
    }
    default:
      return isShared(scalarsIn(scalar))
  }
}

/** Whether two of some scalars need one term. */
function isShared(scalars: readonly Scalar[]): boolean {
  const seen: Scalar[] = []
  for (const scalar of new Set(scalars)) {
    const ids = neededBy(scalar) ?? []
    if (ids.some(id => isHeld(seen, id))) return true
    seen.push(...ids)
  }
  return false
}

const oneRow: From = {
  kind: 'query',
  query: {kind: 'select', columns: [], from: undefined, where: []},
  alias: 'one',
  isLateral: false,
}

function overRows(scalar: Scalar): Scalar {
  const ids = neededBy(scalar) ?? []
  const nameOf = (id: Scalar) => `d${ids.findIndex(one => isSameScalar(one, id))}`
  const from = ids.reduce<From>((left, id) => {
    const right: From = {kind: 'table', name: 'term', alias: nameOf(id)}
    const on = [equal({kind: 'column', table: nameOf(id), name: 'id'}, id)]
    return {kind: 'join', type: 'left', left, right, on}
  }, oneRow)
  const withParts = once(new WeakMap(), (one: Scalar): Scalar => {
    if (one.kind === 'stored') return {kind: 'part', table: nameOf(one.id), part: one.part}
    return scalarsIn(one).length === 0 ? shareBelow(one) : mapScalars(one, withParts)
  })
  const query: SqlQuery = {kind: 'select', columns: [{name: 'c0', scalar: withParts(scalar)}], from, where: []}
  return {kind: 'subquery', query}
}
