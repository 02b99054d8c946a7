/**
 * One look at the dictionary for all that an expression needs of a term.
 *
 * Pure, and linear in the number of objects. An expression that needs a stored term twice, or gives a part of
 * it to a function of the service, becomes a sub-select over the term's row:
 *
 *   f(stored(x, text), stored(x, language))  =>  (select f(d0.lex, d0.lang) from … left join term as d0 on d0.id = x)
 *
 * There the parts are columns, so PostgreSQL merges functions of `language sql` into the query; it does not when an
 * argument is a sub-select that they use twice. A term without a row (inline, a blank node, unbound) has null parts, as
 * in `stored`. The sides of an operator stay apart where each needs another term, because an index or a hash join may
 * serve it; so do the parts of a conjunction, and the branches of a CASE, of which only one is computed.
 */
import {equal, type From, isSameScalar, type Scalar, type SelectQuery, type SqlQuery} from '../relation.ts'
import {mapScalars, scalarsIn} from './scalars.ts'

const mostTerms = 3 // that one sub-select looks up

/**
 * What was found and made of each object of one plan, where one object may stand in many places. A Map of its own for
 * each plan: with hundreds of thousands of entries a WeakMap takes seconds, as the collector looks through all of it.
 */
type Memo = {
  readonly queries: Map<SqlQuery, SqlQuery>
  readonly tables: Map<From, From>
  readonly scalars: Map<Scalar, Scalar>
  readonly needs: Map<Scalar, {readonly ids: Needed}>
}

/** The result for an object, made once. */
function once<Part extends object>(made: Map<Part, Part>, part: Part, make: () => Part): Part {
  const known = made.get(part)
  if (known !== undefined) return known
  const fresh = make()
  made.set(part, fresh)
  return fresh
}

/** The same query with shared looks at the dictionary. */
export function shareProbes(query: SqlQuery): SqlQuery {
  return shareQuery({queries: new Map(), tables: new Map(), scalars: new Map(), needs: new Map()}, query)
}

function shareQuery(memo: Memo, query: SqlQuery): SqlQuery {
  return once(memo.queries, query, () => shareInQuery(memo, query))
}

function shareFrom(memo: Memo, from: From): From {
  return once(memo.tables, from, () => shareInTable(memo, from))
}

/** Most conditions are comparisons of columns and ids: nothing to do, nothing to keep. */
function share(memo: Memo, scalar: Scalar): Scalar {
  if (isSimple(scalar)) return scalar
  return once(memo.scalars, scalar, () => (isWhole(memo, scalar) ? overRows(memo, scalar) : shareBelow(memo, scalar)))
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

function shareInQuery(memo: Memo, query: SqlQuery): SqlQuery {
  switch (query.kind) {
    case 'select':
      return shareInSelect(memo, query)
    case 'union':
    case 'unionAll':
      return {...query, queries: query.queries.map(one => shareQuery(memo, one))}
    case 'with':
      return {...query, query: shareQuery(memo, query.query), body: shareQuery(memo, query.body)}
    case 'recursive':
      return {...query, seed: shareQuery(memo, query.seed), step: shareQuery(memo, query.step)}
    case 'values':
      return query
  }
}

function shareInSelect(memo: Memo, query: SelectQuery): SelectQuery {
  const shared = (scalar: Scalar) => share(memo, scalar)
  const {from, groupBy, orderBy} = query
  return {
    ...query,
    columns: query.columns.map(column => ({...column, scalar: shared(column.scalar)})),
    from: from === undefined ? undefined : shareFrom(memo, from),
    where: query.where.map(shared),
    ...(groupBy === undefined ? {} : {groupBy: groupBy.map(shared)}),
    ...(orderBy === undefined ? {} : {orderBy: orderBy.map(key => ({...key, scalar: shared(key.scalar)}))}),
  }
}

function shareInTable(memo: Memo, from: From): From {
  switch (from.kind) {
    case 'query':
      return {...from, query: shareQuery(memo, from.query)}
    case 'join': {
      const on = from.on.map(scalar => share(memo, scalar))
      return {...from, left: shareFrom(memo, from.left), right: shareFrom(memo, from.right), on}
    }
    case 'table':
    case 'common':
    case 'arrays':
      return from
  }
}

function shareBelow(memo: Memo, scalar: Scalar): Scalar {
  switch (scalar.kind) {
    case 'exists':
    case 'subquery':
      return {...scalar, query: shareQuery(memo, scalar.query)}
    case 'isAmong':
      return {...scalar, of: share(memo, scalar.of), query: shareQuery(memo, scalar.query)}
    default:
      return mapScalars(scalar, operand => share(memo, operand))
  }
}

/** Ids of the stored terms that a scalar needs; undefined: too many, or it is no value of one row alone. */
type Needed = readonly Scalar[] | undefined

const none: readonly Scalar[] = []
function neededBy(memo: Memo, scalar: Scalar): Needed {
  if (isSimple(scalar)) return none
  const known = memo.needs.get(scalar)
  if (known !== undefined) return known.ids
  const ids = scalar.kind === 'stored' ? [scalar.id] : neededByAll(memo, scalar)
  memo.needs.set(scalar, {ids})
  return ids
}

function neededByAll(memo: Memo, scalar: Scalar): Needed {
  if (scalar.kind === 'aggregate' || scalar.kind === 'rowNumber') return undefined
  const ids: Scalar[] = []
  for (const operand of scalarsIn(scalar)) {
    const more = neededBy(memo, operand)
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
function isWhole(memo: Memo, scalar: Scalar): boolean {
  const ids = neededBy(memo, scalar)
  if (ids === undefined || ids.length === 0) return false
  switch (scalar.kind) {
    case 'call':
      return usesRow(scalar.name) || isShared(memo, scalarsIn(scalar))
    case 'all':
    case 'stored':
      return false
    case 'case': {
      const tests = [...(scalar.of === undefined ? [] : [scalar.of]), ...scalar.branches.map(([when]) => when)]
      return tests.some(test => (neededBy(memo, test) ?? []).length > 0) && isShared(memo, scalarsIn(scalar))
    }
    default:
      return isShared(memo, scalarsIn(scalar))
  }
}

/** Whether two of some scalars need one term. */
function isShared(memo: Memo, scalars: readonly Scalar[]): boolean {
  const seen: Scalar[] = []
  for (const scalar of new Set(scalars)) {
    const ids = neededBy(memo, scalar) ?? []
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

function overRows(memo: Memo, scalar: Scalar): Scalar {
  const ids = neededBy(memo, scalar) ?? []
  const nameOf = (id: Scalar) => `d${ids.findIndex(one => isSameScalar(one, id))}`
  const from = ids.reduce<From>((left, id) => {
    const right: From = {kind: 'table', name: 'term', alias: nameOf(id)}
    const on = [equal({kind: 'column', table: nameOf(id), name: 'id'}, id)]
    return {kind: 'join', type: 'left', left, right, on}
  }, oneRow)
  const made = new Map<Scalar, Scalar>()
  const withParts = (one: Scalar): Scalar => once(made, one, () => partsIn(one))
  const partsIn = (one: Scalar): Scalar => {
    if (one.kind === 'stored') return {kind: 'part', table: nameOf(one.id), part: one.part}
    return scalarsIn(one).length === 0 ? shareBelow(memo, one) : mapScalars(one, withParts)
  }
  const query: SqlQuery = {kind: 'select', columns: [{name: 'c0', scalar: withParts(scalar)}], from, where: []}
  return {kind: 'subquery', query}
}
