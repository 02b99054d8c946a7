/**
 * Estimates joins with VALUES, from the statistics of the terms that it lists.
 *
 * Pure.
 */
import type {Algebra} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import {anyDomain, type Bound, type Domain} from './estimate-triple.ts'
import {shareOfObjects} from './object-frequencies.ts'

type Values = Extract<Algebra, {type: 'values'}>

const unknownShare = 0.5

/** Adds to `bound` what is known about the variables of VALUES after it is joined: each has one of the listed terms. */
export function bindListed(planner: Planner, node: Values, bound: Map<string, Domain>): void {
  for (const name of node.variables) {
    const constants = idsOf(planner, node, name)
    if (constants === undefined) continue
    const domain = bound.get(name) ?? anyDomain
    const {values} = domain
    const listed = new Set(constants).size
    bound.set(name, {...domain, values: values === 0 ? listed : Math.min(listed, values), constants})
  }
}

/** The rows of VALUES for each solution that binds `bound`. */
export function listedRows(planner: Planner, node: Values, bound: Bound): number {
  const shares = node.variables.flatMap(name => {
    const domain = bound.get(name)
    return domain === undefined ? [] : [shareOfListed(planner, idsOf(planner, node, name), domain)]
  })
  return shares.reduce((rows, share) => rows * share, node.rows.length)
}

/** The share of a variable's values that equal one row of VALUES, on average over its rows. */
function shareOfListed(planner: Planner, ids: readonly string[] | undefined, domain: Domain): number {
  if (ids === undefined) return 1
  const different = [...new Set(ids)]
  const share = domain.places.map(place => shareOfObjects(planner, place, different)).find(one => one !== undefined)
  const {values} = domain
  const uniform = values === 0 ? unknownShare : different.length / values
  return Math.min(1, share ?? uniform) / different.length
}

/** The ids of the terms that VALUES lists for a variable; undefined if it leaves the variable unbound somewhere. */
function idsOf({patternIdsOf}: Planner, {variables, rows}: Values, name: string): readonly string[] | undefined {
  const index = variables.indexOf(name)
  const ids = rows.flatMap(row => (row[index] === undefined ? [] : [patternIdsOf(row[index])[0]]))
  return ids.length === rows.length && rows.length > 0 ? ids : undefined
}
