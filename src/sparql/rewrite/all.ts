/**
 * Applies the rewrites of the algebra in their order.
 *
 * Pure. Each rewrite accepts every algebra tree and keeps the multiset of solutions.
 */
import type {Algebra} from '../algebra.ts'
import {compareAfterGroup} from './compare-after-group.ts'
import {constantForVariable} from './constant-for-variable.ts'
import {countDifferent} from './count-different.ts'
import {distributeUnions} from './distribute-unions.ts'
import {dropDistinct} from './drop-distinct.ts'
import {dropOptional} from './drop-optional.ts'
import {joinExists} from './join-exists.ts'
import {minusAsExists} from './minus-as-exists.ts'
import {moveFilters} from './move-filters.ts'
import {unboundAsExists} from './unbound-as-exists.ts'
import {variableForVariable} from './variable-for-variable.ts'

export type Pass = {readonly name: string; readonly rewrite: (tree: Algebra) => Algebra}

export const passes: readonly Pass[] = [
  {name: 'minus-as-exists', rewrite: minusAsExists},
  {name: 'unbound-as-exists', rewrite: unboundAsExists},
  {name: 'move-filters', rewrite: moveFilters},
  {name: 'compare-after-group', rewrite: compareAfterGroup},
  {name: 'join-exists', rewrite: joinExists},
  {name: 'distribute-unions', rewrite: distributeUnions},
  {name: 'drop-optional', rewrite: dropOptional},
  {name: 'count-different', rewrite: countDifferent},
  {name: 'drop-distinct', rewrite: dropDistinct},
  {name: 'constant-for-variable', rewrite: constantForVariable},
  {name: 'variable-for-variable', rewrite: variableForVariable},
]

/** @param observe  called with the tree after each pass */
export function rewriteAlgebra(tree: Algebra, observe: (pass: Pass, tree: Algebra) => void): Algebra {
  observe({name: 'translate', rewrite: same => same}, tree)
  return passes.reduce((current, pass) => {
    const next = pass.rewrite(current)
    observe(pass, next)
    return next
  }, tree)
}
