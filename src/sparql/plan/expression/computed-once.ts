/**
 * Finds what an expression has several times although it is computed once for each row (relation.ts), and makes the
 * row of a term that this may read.
 *
 * Pure.
 */
import {equal, type From, isSameScalar, number, type Once, operator, type Scalar, type SqlQuery} from '../relation.ts'
import {type KnownTraits, traitsOf} from './bind-arguments.ts'
import {scalarsIn} from './scalars.ts'

/** What is known of the scalars of one plan, in which one object may occur in many places. */
export type ComputedOnce = {
  readonly values: Map<Scalar, readonly Once[]>
  readonly traits: KnownTraits
}

const nothing: readonly Once[] = []

/** The different things in a scalar that are computed once for each row, and not in one another. */
function computedIn(memo: ComputedOnce, scalar: Scalar): readonly Once[] {
  if (scalar.kind === 'once') return [scalar]
  const operands = scalarsIn(scalar)
  if (operands.length === 0) return nothing
  const known = memo.values.get(scalar)
  if (known !== undefined) return known
  const found: Once[] = []
  for (const operand of operands)
    found.push(...computedIn(memo, operand).filter(one => !found.some(other => isSameScalar(one, other))))
  const values = found.length === 0 ? nothing : found
  memo.values.set(scalar, values)
  return values
}

/**
 * What a scalar has several times although it is computed once, each after those that it is computed from. None for
 * conditions, of which the later ones are often not tested, and for scalars of a group.
 */
export function repeatedIn(memo: ComputedOnce, scalar: Scalar): readonly Once[] {
  if (isLogical(scalar) || computedIn(memo, scalar).length === 0 || traitsOf(memo.traits, scalar).isOfGroup)
    return nothing
  const uses: {readonly once: Once; count: number}[] = []
  const useOf = (once: Once) => uses.find(use => isSameScalar(use.once, once))
  const seen = new Set<Scalar>()
  const visit = (one: Scalar): void => {
    const values = computedIn(memo, one)
    if (one.kind === 'once' || seen.has(one)) {
      for (const value of values) {
        const use = useOf(value)
        if (use !== undefined) use.count += 1
        else {
          visit(value.of)
          uses.push({once: value, count: 1})
        }
      }
    } else if (values.length > 0) {
      seen.add(one)
      scalarsIn(one).forEach(visit)
    }
  }
  visit(scalar)
  return uses.filter(({count}) => count > 1).map(({once}) => once)
}

/** The alias of a table with values that are computed once, as columns c0, c1, … */
export const valuesAlias = 'n0'

/** For each value, how many selects are between it and the row: 0 if it is computed from no other value. */
export function levelsOf(values: readonly Scalar[]): readonly number[] {
  const levels: number[] = []
  for (const value of values) levels.push(1 + Math.max(-1, ...valuesReadBy(value).map(index => levels[index] ?? 0)))
  return levels
}

/** The indexes of the values that a scalar reads as columns. */
function valuesReadBy(scalar: Scalar): readonly number[] {
  const [found, seen] = [new Set<number>(), new Set<Scalar>()]
  const visit = (one: Scalar): void => {
    if (seen.has(one)) return
    seen.add(one)
    if (one.kind === 'column' && one.table === valuesAlias) found.add(Number(one.name.slice(1)))
    scalarsIn(one).forEach(visit)
  }
  visit(scalar)
  return [...found]
}

/** Whether a scalar is made of conditions, of which the later ones are often not tested. */
function isLogical({kind}: Scalar): boolean {
  return kind === 'all' || kind === 'any' || kind === 'not'
}

/** The row of a term of the dictionary, as a lateral subquery. For the id of an inline literal nothing is searched. */
export function guardedTerm(id: Scalar): Extract<From, {kind: 'query'}> {
  const part = (name: string): Scalar => ({kind: 'column', table: 'd', name})
  const query: SqlQuery = {
    kind: 'select',
    columns: ['id', 'lex', 'datatype', 'lang'].map(name => ({name, scalar: part(name)})),
    from: {kind: 'table', name: 'term', alias: 'd'},
    where: [equal(part('id'), id), operator('>=', id, number(0))],
    isFenced: true,
  }
  return {kind: 'query', query, alias: '', isLateral: true}
}
