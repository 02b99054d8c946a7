/**
 * Reduces the dictionary lookups of an expression to one per term.
 *
 * Pure. The time is linear in the number of objects. An expression that uses a stored term twice, or passes a part of
 * it to one of the service's SQL functions, becomes a sub-select over the row of the term:
 *
 *   f(stored(x, text), stored(x, language))  =>  (select f(d0.lex, d0.lang) from … left join term as d0 on d0.id = x)
 *
 * What is computed once for each row becomes a column of such a sub-select, if an expression has it several times:
 *
 *   f(once(g(x)), once(g(x)))  =>  (select f(n0.c0, n0.c0) from (select g(x) as c0 offset 0) as n0)
 *
 * In the sub-select the parts are columns, so PostgreSQL can inline functions of `language sql`. It does not inline a
 * function that uses an argument twice if the argument is a sub-select. A term without a row (inline, blank node,
 * unbound) has null parts, as in `stored`. Three kinds of operands keep lookups of their own: the sides of an operator
 * that use different terms, because an index or a hash join may serve it; the parts of a conjunction, except those that
 * always look up the term of one column and read nothing else; and the branches of a CASE, of which only one is
 * computed.
 */
import {
  all,
  any,
  equal,
  type From,
  isSameScalar,
  type Once,
  type Scalar,
  type SelectQuery,
  type SqlQuery,
} from '../relation.ts'
import {withBoundArguments} from './bind-arguments.ts'
import {comparesIds, hasOnlyLeaves, withoutLookups} from './compares-ids.ts'
import {type ComputedOnce, guardedTerm, levelsOf, repeatedIn, valuesAlias} from './computed-once.ts'
import {looksUp, mapScalars, scalarsIn} from './scalars.ts'

const mostTerms = 3 // terms that one sub-select looks up

/**
 * Results for the objects of one plan, in which one object may occur in many places. These are Maps per plan and not
 * WeakMaps: with hundreds of thousands of entries, garbage collection of a WeakMap takes seconds.
 */
type Memo = {
  readonly queries: Map<SqlQuery, SqlQuery>
  readonly tables: Map<From, From>
  readonly scalars: Map<Scalar, Scalar>
  readonly needs: Map<Scalar, {readonly ids: Needed}>
  readonly computed: ComputedOnce
}

/** Returns the known result for an object, or makes it. */
function once<Part extends object>(made: Map<Part, Part>, part: Part, make: () => Part): Part {
  const known = made.get(part)
  if (known !== undefined) return known
  const fresh = make()
  made.set(part, fresh)
  return fresh
}

/** An equivalent query with shared dictionary lookups. */
export function shareProbes(query: SqlQuery): SqlQuery {
  const computed = {values: new Map(), traits: new Map()}
  return shareQuery({queries: new Map(), tables: new Map(), scalars: new Map(), needs: new Map(), computed}, query)
}

function shareQuery(memo: Memo, query: SqlQuery): SqlQuery {
  return once(memo.queries, query, () => shareInQuery(memo, query))
}

function shareFrom(memo: Memo, from: From): From {
  return once(memo.tables, from, () => shareInTable(memo, from))
}

/** Most conditions compare columns and ids. They stay as they are and need no entry in the memo. */
function share(memo: Memo, scalar: Scalar): Scalar {
  if (hasOnlyLeaves(scalar)) return scalar
  return once(memo.scalars, scalar, () => {
    if (scalar.kind === 'once') return share(memo, scalar.of)
    const repeated = repeatedIn(memo.computed, scalar)
    if (repeated.length > 0) return overValues(memo, scalar, repeated)
    if (!isWhole(memo, scalar)) return shareBelow(memo, scalar)
    return scalar.kind === 'any' ? overGuarded(memo, scalar.conditions) : overRows(memo, scalar)
  })
}

/**
 * A disjunction whose lookups are made only for rows that may need them. Conditions that compare ids come first: those
 * that decide alone, also within a conjunction, and those under which the others are true at all.
 */
function overGuarded(memo: Memo, conditions: readonly Scalar[]): Scalar {
  const parts = conditions.flatMap(one => (comparesIds(one) ? [one] : withoutLookups(one)))
  const needy = parts.filter(one => !comparesIds(one))
  const guards = needy.map(one => (one.kind === 'all' ? one.conditions.filter(comparesIds) : []))
  const looked = overRows(memo, any(needy))
  const isGuarded = guards.every(guard => guard.length > 0)
  return any([...parts.filter(comparesIds), isGuarded ? all([any(guards.map(all)), looked]) : looked])
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
    where: withCommonTerms(memo, query.where).map(shared),
    ...(groupBy === undefined ? {} : {groupBy: groupBy.map(shared)}),
    ...(orderBy === undefined ? {} : {orderBy: orderBy.map(key => ({...key, scalar: shared(key.scalar)}))}),
  }
}

/** The conditions of a SELECT. Those that test the term of one column become one sub-select. */
function withCommonTerms(memo: Memo, conditions: readonly Scalar[]): readonly Scalar[] {
  const tests = conditions.flatMap(test => {
    const id = soleTerm(memo, test)
    return id === undefined ? [] : [{test, id}]
  })
  if (tests.length < 2) return conditions
  const withSame = (id: Scalar) => tests.filter(one => isSameScalar(one.id, id)).map(({test}) => test)
  return conditions.flatMap(condition => {
    const id = tests.find(({test}) => test === condition)?.id
    const same = id === undefined ? [] : withSame(id)
    if (same.length < 2) return [condition]
    return condition === same[0] ? [overRows(memo, all(same))] : []
  })
}

/** The id of the term that a condition always looks up, if it is the only column that the condition reads. */
function soleTerm(memo: Memo, condition: Scalar): Scalar | undefined {
  const [id, ...others] = neededBy(memo, condition) ?? []
  if (id?.kind !== 'column' || others.length > 0 || !looksUp(condition)) return undefined
  return readsOnly(condition, id) ? id : undefined
}

function readsOnly(scalar: Scalar, column: Scalar): boolean {
  switch (scalar.kind) {
    case 'column':
      return isSameScalar(scalar, column)
    case 'exists':
    case 'isAmong':
    case 'part':
      return false
    default:
      return scalarsIn(scalar).every(one => readsOnly(one, column))
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
    case 'function':
      return {...from, arguments: from.arguments.map(scalar => share(memo, scalar))}
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
      return withBoundArguments(
        mapScalars(scalar, operand => share(memo, operand)),
        memo.computed.traits,
      )
  }
}

/** Ids of the stored terms that a scalar needs; undefined if there are too many, or if it depends on several rows. */
type Needed = readonly Scalar[] | undefined

const none: readonly Scalar[] = []
function neededBy(memo: Memo, scalar: Scalar): Needed {
  if (hasOnlyLeaves(scalar)) return none
  const known = memo.needs.get(scalar)
  if (known !== undefined) return known.ids
  const ids = scalar.kind === 'stored' ? [scalar.id] : neededByAll(memo, scalar)
  memo.needs.set(scalar, {ids})
  return ids
}

function neededByAll(memo: Memo, scalar: Scalar): Needed {
  if (scalar.kind === 'aggregate' || scalar.kind === 'rowNumber') return undefined
  if (scalar.kind === 'once') return none // it looks up its own term
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

/** Functions that PostgreSQL always inlines, because they use their argument once. */
const usingOnce: ReadonlySet<string> = new Set([
  'sparql_string',
  'sparql_lower',
  'sparql_lower_ascii',
  'sparql_upper',
  'sparql_length',
  'sparql_single',
])

function usesRow(name: string): boolean {
  return /^(?:sparql|inline)_/.test(name) && !usingOnce.has(name)
}

/** Whether the whole scalar becomes one sub-select; otherwise its operands are handled one by one. */
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
      return tests.some(looksUp) && isShared(memo, scalarsIn(scalar))
    }
    default:
      return isShared(memo, scalarsIn(scalar))
  }
}

/** Whether two of the scalars need the same term. */
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

/**
 * A sub-select over a row with the values that are computed once. Values that are computed from others are columns of
 * the next select around them.
 */
function overValues(memo: Memo, scalar: Scalar, values: readonly Once[]): Scalar {
  const known = new Map<Scalar, Scalar>()
  const named = (one: Scalar): Scalar =>
    once(known, one, () => {
      const index = one.kind === 'once' ? values.findIndex(value => isSameScalar(value, one)) : -1
      return index === -1 ? mapScalars(one, named) : {kind: 'column', table: valuesAlias, name: `c${index}`}
    })
  const made = values.map(({of}) => named(of))
  const levels = levelsOf(made)
  const ids: Scalar[] = []
  for (const value of made.filter((_, index) => levels[index] === 0))
    ids.push(...(neededBy(memo, value) ?? []).filter(id => !isHeld(ids, id)))
  const terms = overTerms(memo, ids, {isGuarded: true})
  let from = ids.length === 0 ? undefined : terms.from
  for (let level = 0; level <= Math.max(...levels); level += 1) {
    const columns = made.flatMap((of, index) => {
      const [ofValue = 0, name] = [levels[index], `c${index}`]
      if (ofValue > level) return []
      if (ofValue < level) return [{name, scalar: {kind: 'column', table: valuesAlias, name} as const}]
      return [{name, scalar: level === 0 ? terms.withParts(of) : share(memo, of)}]
    })
    const query: SqlQuery = {kind: 'select', columns, from, where: [], isFenced: true}
    from = {kind: 'query', query, alias: valuesAlias, isLateral: false}
  }
  const columns = [{name: 'c0', scalar: share(memo, named(scalar))}]
  return {kind: 'subquery', query: {kind: 'select', columns, from, where: []}}
}

function overRows(memo: Memo, scalar: Scalar): Scalar {
  const {from, withParts} = overTerms(memo, neededBy(memo, scalar) ?? [], {isGuarded: false})
  const query: SqlQuery = {kind: 'select', columns: [{name: 'c0', scalar: withParts(scalar)}], from, where: []}
  return {kind: 'subquery', query}
}

/**
 * One row with the terms that have these ids, and how a scalar reads their parts.
 *
 * @param isGuarded  the id of an inline literal costs no search
 */
function overTerms(
  memo: Memo,
  ids: readonly Scalar[],
  {isGuarded}: {readonly isGuarded: boolean},
): {readonly from: From; readonly withParts: (scalar: Scalar) => Scalar} {
  const nameOf = (id: Scalar) => `d${ids.findIndex(one => isSameScalar(one, id))}`
  const from = ids.reduce<From>((left, id) => {
    const alias = nameOf(id)
    const isOf = equal({kind: 'column', table: alias, name: 'id'}, id)
    if (!isGuarded) return {kind: 'join', type: 'left', left, right: {kind: 'table', name: 'term', alias}, on: [isOf]}
    return {kind: 'join', type: 'left', left, right: {...guardedTerm(id), alias}, on: []}
  }, oneRow)
  const made = new Map<Scalar, Scalar>()
  const withParts = (one: Scalar): Scalar => once(made, one, () => partsIn(one))
  const partsIn = (one: Scalar): Scalar => {
    if (one.kind === 'stored') return {kind: 'part', table: nameOf(one.id), part: one.part}
    if (one.kind === 'once') return share(memo, one)
    const repeated = repeatedIn(memo.computed, one)
    if (repeated.length > 0) return overValues(memo, one, repeated)
    return scalarsIn(one).length === 0
      ? shareBelow(memo, one)
      : withBoundArguments(mapScalars(one, withParts), memo.computed.traits)
  }
  return {from, withParts}
}
