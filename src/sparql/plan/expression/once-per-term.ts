/**
 * Joins terms to rows, and computes what depends on one term in a subquery over the terms: once for each term, not for
 * each of its rows.
 *
 *   f(t.text, c), leftJoin(S, t)  =>  f(u.c0, c), leftJoin(S, u)
 *   with u = the terms t, each with c0 = g(t.text), for the parts g of f that read nothing else
 *
 * Only for columns whose terms are all in the dictionary: a row without a term would have null instead of g(null). A
 * condition that reads only t is then tested in the subquery, before g is computed, and the join is an inner join.
 *
 * Pure.
 */
import type {Planner} from '../block.ts'
import {column, equal, type From, isSameScalar, number, operator, type Scalar, type SelectQuery} from '../relation.ts'
import {alwaysEvaluated, mapScalars, scalarsIn} from './scalars.ts'

/** A column of ids, and the alias of the table of its terms. */
export type JoinedTerm = {
  readonly id: ColumnScalar
  readonly alias: string
  readonly isString?: boolean // all terms are strings
  readonly isStored?: boolean // each row has a term, which is in the dictionary
  readonly isMixed?: boolean // some rows have inline literals, which the dictionary does not have
}
export type ColumnScalar = Extract<Scalar, {kind: 'column'}>

/** The table of a WITH query. */
export type CommonTable = {readonly name: string; readonly alias: string}

/** What is computed of the joined terms of rows. */
type OfTerms = {
  readonly shown: readonly Scalar[]
  readonly tests: readonly Scalar[] // that all must be true
}

/** A joined term, what its subquery computes as columns c0, c1, …, and the tests of the subquery. */
type Computed = {
  readonly term: JoinedTerm
  readonly made: ReadonlyMap<number, Scalar>
  readonly tests: readonly Scalar[]
}

/**
 * The terms joined to the rows of a WITH query, and what is computed of them.
 *
 * @param rows   the table of a WITH query
 * @param terms  of which the scalars have parts
 */
export function joinComputed(
  planner: Planner,
  rows: CommonTable,
  terms: readonly JoinedTerm[],
  {shown, tests}: OfTerms,
): OfTerms & {readonly from: From} {
  const memo: Memo = {terms, reads: new Map(), signs: new Map(), known: new Map()}
  const computed = computedOnce(memo, {shown, tests})
  const from = terms.reduce<From>(
    (left, term) => {
      const found = computed.find(one => one.term === term)
      return found === undefined
        ? joinTerm(planner, left, term, rows.name)
        : joinSubquery(planner, left, found, rows.name)
    },
    {kind: 'common', ...rows},
  )
  const read = (scalar: Scalar): Scalar => readColumns(memo, scalar, computed)
  const inside = new Set(computed.flatMap(one => one.tests))
  return {from, shown: shown.map(read), tests: tests.filter(test => !inside.has(test)).map(read)}
}

/** The terms of which something is computed or tested once, so that no term is computed that a test removes. */
function computedOnce(memo: Memo, {shown, tests}: OfTerms): readonly Computed[] {
  const {terms} = memo
  const own = (term: JoinedTerm) => tests.filter(test => soleTerm(memo, test) === term)
  const mixed = tests.filter(test => !terms.some(term => own(term).includes(test)))
  const roots = mixed.length === 0 ? shown : mixed.slice(0, 1)
  return terms.flatMap(term => {
    const removes = terms.some(other => other !== term && own(other).length > 0)
    if (term.isStored !== true || removes) return []
    const made = new Map<number, Scalar>()
    const collect = (scalar: Scalar): void => {
      if (soleTerm(memo, scalar) === term && isComputed(scalar)) made.set(signOf(memo, scalar), scalar)
      else for (const operand of always(scalar)) collect(operand)
    }
    roots.forEach(collect)
    const ofTerm = own(term)
    return made.size === 0 && ofTerm.length === 0 ? [] : [{term, made, tests: ofTerm}]
  })
}

/** The operands that are computed for each row. */
function always(scalar: Scalar): readonly Scalar[] {
  return scalar.kind === 'call' && scalar.name === 'coalesce' ? scalar.arguments.slice(0, 1) : alwaysEvaluated(scalar)
}

/** Whether a scalar is more than a part of a term, or a cheap test of something that is. */
function isComputed({kind}: Scalar): boolean {
  return kind === 'call' || kind === 'operator' || kind === 'case' || kind === 'array'
}

/** What a scalar reads: one of the terms, nothing but constants, or something else. */
type Reads = JoinedTerm | 'constants' | 'more'

/** What is known of scalars. Equal ones have one sign. */
type Memo = {
  readonly terms: readonly JoinedTerm[]
  readonly reads: Map<Scalar, Reads>
  readonly signs: Map<Scalar, number>
  readonly known: Map<string, number>
}

function signOf(memo: Memo, scalar: Scalar): number {
  const {signs, known} = memo
  const made = signs.get(scalar)
  if (made !== undefined) return made
  const shape = JSON.stringify(mapScalars(scalar, operand => number(signOf(memo, operand))))
  const sign = known.get(shape) ?? known.size
  known.set(shape, sign)
  signs.set(scalar, sign)
  return sign
}

/** The term whose parts, or whose id besides, are all that a scalar reads. */
function soleTerm(memo: Memo, scalar: Scalar): JoinedTerm | undefined {
  const reads = readsOf(memo, scalar)
  return typeof reads === 'string' || !hasPart(scalar) ? undefined : reads
}

function readsOf(memo: Memo, scalar: Scalar): Reads {
  const known = memo.reads.get(scalar)
  if (known !== undefined) return known
  const reads = findReads(memo, scalar)
  memo.reads.set(scalar, reads)
  return reads
}

/** Functions that have another value at each call. */
export const volatileFunctions: ReadonlySet<string> = new Set(['sparql_uuid', 'sparql_random'])

function findReads(memo: Memo, scalar: Scalar): Reads {
  const {terms} = memo
  switch (scalar.kind) {
    case 'part':
      return terms.find(({alias}) => alias === scalar.table) ?? 'more'
    case 'column':
      return terms.find(({id}) => isSameScalar(id, scalar)) ?? 'more'
    case 'subquery':
      return scalar.query.kind === 'select' && scalar.query.from === undefined ? 'constants' : 'more'
    case 'stored':
    case 'ownKey':
    case 'ownId':
    case 'exists':
    case 'isAmong':
    case 'aggregate':
    case 'rowNumber':
    case 'row':
      return 'more'
    default: {
      if (scalar.kind === 'call' && volatileFunctions.has(scalar.name)) return 'more'
      const read = scalarsIn(scalar).map(operand => readsOf(memo, operand))
      const [first, ...others] = new Set(read.filter(one => one !== 'constants'))
      return others.length > 0 ? 'more' : (first ?? 'constants')
    }
  }
}

function hasPart(scalar: Scalar): boolean {
  return scalar.kind === 'part' || scalarsIn(scalar).some(hasPart)
}

/** Joins the terms of one column of a WITH query. A value that is not in the dictionary gets a row of nulls. */
function joinTerm(planner: Planner, left: From, joined: JoinedTerm, name: string): From {
  const {id, alias} = joined
  const term = column(alias, 'id')
  const right: From = {kind: 'table', name: 'term', alias}
  return {kind: 'join', type: 'left', left, right, on: [equal(term, id), isAsked(planner, term, joined, name)]}
}

/** The condition that an id is one of the values of a column of a WITH query. */
export function isAsked(planner: Planner, of: Scalar, {id, isMixed}: JoinedTerm, name: string): Scalar {
  const alias = planner.fresh()
  const asked = column(alias, id.name)
  const ids: SelectQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: asked}],
    from: {kind: 'common', name, alias},
    where: isMixed ? [operator('>=', asked, number(0))] : [],
  }
  return {kind: 'isAmong', of, query: ids}
}

/** Joins the terms of one column with what is computed of each. */
function joinSubquery(planner: Planner, left: From, {term, made, tests}: Computed, name: string): From {
  const row = planner.fresh()
  const inside = (scalar: Scalar): Scalar => {
    if (scalar.kind === 'part') return {...scalar, table: row}
    return scalar.kind === 'column' ? column(row, 'id') : mapScalars(scalar, inside)
  }
  const query: SelectQuery = {
    kind: 'select',
    columns: [
      ...['id', 'lex', 'datatype', 'lang'].map(part => ({name: part, scalar: column(row, part)})),
      ...[...made].map(([sign, scalar]) => ({name: nameOf(sign), scalar: inside(scalar)})),
    ],
    from: {kind: 'table', name: 'term', alias: row},
    where: [isAsked(planner, column(row, 'id'), term, name), ...tests.map(inside)],
    isFenced: true,
  }
  const right: From = {kind: 'query', query, alias: term.alias, isLateral: false}
  const type = tests.length > 0 ? 'inner' : 'left'
  return {kind: 'join', type, left, right, on: [equal(column(term.alias, 'id'), term.id)]}
}

function nameOf(sign: number): string {
  return `c${sign}`
}

/** The scalar with columns of subqueries instead of what these compute. */
function readColumns(memo: Memo, scalar: Scalar, computed: readonly Computed[]): Scalar {
  const term = computed.length > 0 && isComputed(scalar) ? soleTerm(memo, scalar) : undefined
  const made = computed.find(one => one.term === term)?.made
  if (term !== undefined && made?.has(signOf(memo, scalar))) return column(term.alias, nameOf(signOf(memo, scalar)))
  return mapScalars(scalar, operand => readColumns(memo, operand, computed))
}
