/**
 * Rewrite: a filter that says which of two keys of a group comes first is tested once for each group, and not for each
 * of its solutions. Such a filter leaves each pair once: it removes half of the pairs, and needs both texts for that.
 *
 *   group(?a ?b, …, filter(STR(?a) < STR(?b), P))  =>  filter(STR(?a) < STR(?b), group(?a ?b, …, P))
 *
 * Pure. P always binds the variables of the filter, so all solutions of a group have the same value for it. HAVING may
 * leave few groups, so its conditions come first. Aggregates that gather texts stay as they are.
 * Source: SPARQL 1.1 §18.5.1.
 */
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'
import {conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {certainVariables} from '../analyse/variables.ts'

type Group = Extract<Algebra, {type: 'group'}>

export function compareAfterGroup(tree: Algebra): Algebra {
  const node = mapChildren(tree, compareAfterGroup)
  if (node.type === 'filter') return withHavingFirst(node)
  if (node.type !== 'group' || node.input.type !== 'filter') return node
  if (node.aggregates.some(({aggregate}) => aggregate.name === 'group_concat')) return node
  const {condition, input} = node.input
  const conditions = conjuncts(condition)
  const late = conditions.filter(one => isOrderOfKeys(one, node, input))
  if (late.length === 0) return node
  const early = conditions.filter(one => !late.includes(one))
  return filterBy({...node, input: filterBy(input, early)}, late)
}

/** One filter of groups: HAVING compares numbers, and what it leaves needs texts. */
function withHavingFirst(node: Extract<Algebra, {type: 'filter'}>): Algebra {
  const {condition, input} = node
  if (input.type !== 'filter' || input.input.type !== 'group') return node
  return filterBy(input.input, [...conjuncts(condition), ...conjuncts(input.condition)])
}

function isOrderOfKeys(condition: Expression, {keys}: Group, input: Algebra): boolean {
  if (condition.type !== 'call' || !['<', '>', '<=', '>='].includes(condition.name)) return false
  const certain = certainVariables(input)
  const names = condition.arguments.map(nameInText)
  const areKeys = names.every(name =>
    keys.some(({variable, expression}) => {
      return expression.type === 'variable' && expression.name === name && variable === name && certain.has(name)
    }),
  )
  return areKeys && names[0] !== names[1]
}

/** The variable of STR(?variable). */
function nameInText(expression: Expression): string | undefined {
  if (expression.type !== 'call' || expression.name !== 'str') return undefined
  const [argument] = expression.arguments
  return argument?.type === 'variable' ? argument.name : undefined
}
