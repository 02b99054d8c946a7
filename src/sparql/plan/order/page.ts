/**
 * ORDER BY … LIMIT of few rows (a page), as the plans take it apart that look at its first solutions only.
 *
 * Pure.
 */
import type {Algebra, OrderKey} from '../../algebra.ts'
import {possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'

type Slice = Extract<Algebra, {type: 'slice'}>

export type Page = {
  readonly shown: readonly string[]
  readonly keys: readonly OrderKey[]
  readonly input: Algebra // the solutions that are ordered
  readonly count: number // rows up to the end of the page
}

const mostRows = 1000 // beyond, one sort of all solutions is as good

/** @returns  undefined if the slice is no page, or if its keys have other values when they are computed again */
export function toPage({input: project, offset, limit}: Slice): Page | undefined {
  if (project.type !== 'project' || project.input.type !== 'orderBy' || limit === undefined) return undefined
  const {keys, input} = project.input
  const count = offset + limit
  if (count > mostRows || keys.some(({expression}) => isVolatile(expression))) return undefined
  return {shown: project.variables, keys, input, count}
}

/** The solutions of some algebra in an order, with all of their variables unless others are given. */
export function inOrderOf(
  keys: readonly OrderKey[],
  input: Algebra,
  {limit, shown}: {readonly limit?: number; readonly shown?: readonly string[]} = {},
): Slice {
  const variables = shown ?? [...possibleVariables(input)]
  const ordered: Algebra = {type: 'orderBy', keys, input}
  return {type: 'slice', offset: 0, limit, input: {type: 'project', variables, input: ordered}}
}

/** The keys before the first one that needs a variable which is bound late. */
export function keysBefore(keys: readonly OrderKey[], isLate: (variable: string) => boolean): readonly OrderKey[] {
  const end = keys.findIndex(({expression}) => variablesIn(expression).some(isLate))
  return end < 0 ? keys : keys.slice(0, end)
}
