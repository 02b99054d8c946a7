/**
 * What is known of the keys of groups of which a sub-select takes the largest, as the forums with the most members:
 * their values are those that most triples have, so joins with them find more than for an average value.
 *
 * Pure.
 */
import type {Algebra} from '../../algebra.ts'
import {groupedBy} from '../../analyse/variables.ts'
import type {Planner} from '../block.ts'
import {type Bound, bindPattern, type Domain} from './estimate-triple.ts'
import {only} from './lateral.ts'
import {isConjunction, operandsOf} from './operand.ts'

type Of<Type extends Algebra['type']> = Extract<Algebra, {type: Type}>

/** @returns  undefined unless the groups are ordered by their number of solutions, the largest first */
export function keysOfLargest(planner: Planner, {input, limit}: Of<'slice'>): Bound | undefined {
  const order = input.type === 'project' ? input.input : input
  const [first] = order.type === 'orderBy' ? order.keys : []
  const counted = first?.isDescending === true && first.expression.type === 'variable' ? first.expression.name : ''
  const group = order.type === 'orderBy' ? groupCounted(order.input, counted) : undefined
  if (group === undefined || limit === undefined || !isConjunction(group.input)) return undefined
  const bound = new Map<string, Domain>()
  for (const operand of operandsOf(group.input))
    if (operand.type === 'triple') bindPattern(planner, operand.pattern, bound)
  const keys = only(bound, groupedBy(group))
  return new Map(Array.from(keys, ([name, {places}]) => [name, {values: limit, places}]))
}

/** The group of which a variable is the number of solutions, below BIND and HAVING. */
function groupCounted(node: Algebra, name: string): Of<'group'> | undefined {
  switch (node.type) {
    case 'extend': {
      const {variable, expression, input} = node
      return groupCounted(input, variable === name && expression.type === 'variable' ? expression.name : name)
    }
    case 'filter':
      return groupCounted(node.input, name)
    case 'group':
      return node.aggregates.some(({variable, aggregate}) => variable === name && aggregate.name === 'count')
        ? node
        : undefined
    default:
      return undefined
  }
}
