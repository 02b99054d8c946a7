/**
 * Duplicates that a query removes: finds the conjunctions of which only the different values of some variables count,
 * and the steps that then need not multiply solutions.
 *
 *   distinct(project(?x, {:a :p ?y . ?y :q ?z . ?x :r ?z . ?x :s ?w}))
 *     =>  of ?y and ?z only the different ?z are joined with ?x, and one ?w is enough for each ?x
 *
 * The same holds in groups whose aggregates are the same with and without duplicates.
 *
 * Pure. Source: SPARQL 1.1 §18.5 (Distinct).
 */
import {type Algebra, expressionsOf} from '../../algebra.ts'
import {decidingExpressions} from '../../analyse/deciding.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {mentionedVariables, possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Needed} from '../block.ts'
import type {JoinContext, Step} from './estimate.ts'
import {expensiveIn} from './estimate-test.ts'
import {certainOf, isConjunction, namesOf, operandsOf, possibleOf} from './operand.ts'
import {type PlacedTest, placeTests} from './place-tests.ts'

type Names = ReadonlySet<string>

const nothing: Needed = new Map()

/** @param names  the variables of `node` whose different values count */
export function neededFrom(node: Algebra, names: Names = possibleVariables(node)): Needed {
  const also = (more: Iterable<string>): Names => new Set([...names, ...more])
  if (isConjunction(node)) return neededByJoin(node, names)
  switch (node.type) {
    case 'project':
      return neededFrom(node.input, new Set(node.variables.filter(name => names.has(name))))
    case 'filter':
      if (isVolatile(node.condition)) return nothing
      if (isConjunction(node.input)) return neededByJoin(node.input, names, variablesIn(node.condition))
      return neededFrom(node.input, also(variablesIn(node.condition)))
    case 'extend':
    case 'orderBy': {
      const expressions = expressionsOf(node)
      return expressions.some(isVolatile) ? nothing : neededFrom(node.input, also(expressions.flatMap(variablesIn)))
    }
    case 'graph':
      return neededFrom(node.input, node.name.termType === 'Variable' ? also([node.name.value]) : names)
    case 'union':
      return new Map(node.inputs.flatMap(input => [...neededFrom(input, names)]))
    case 'leftJoin': {
      const {condition} = node
      if (condition !== undefined && isVolatile(condition)) return nothing
      const tested = condition === undefined ? [] : variablesIn(condition)
      return neededFrom(node.left, also([...mentionedVariables(node.right), ...tested]))
    }
    case 'minus':
      return neededFrom(node.left, also(mentionedVariables(node.right)))
    default:
      return nothing
  }
}

/** Of an operand of a conjunction, the variables that other operands and tests use count, too. */
function neededByJoin(node: Algebra, names: Names, tested: readonly string[] = []): Needed {
  const operands = operandsOf(node)
  const inside = operands.flatMap(operand => {
    if (operand.type !== 'other') return []
    const used = new Set([...names, ...tested, ...operands.flatMap(one => (one === operand ? [] : [...namesOf(one)]))])
    return [...neededFrom(operand.node, new Set([...possibleOf(operand)].filter(name => used.has(name))))]
  })
  return new Map([[node, names], ...inside])
}

/** The variables whose different values decide the groups of a pattern; nothing if duplicates count. */
export function neededByGroups(group: Extract<Algebra, {type: 'group'}>): Needed {
  const expressions = decidingExpressions(group)
  return expressions === undefined ? nothing : neededFrom(group.input, new Set(expressions.flatMap(variablesIn)))
}

/**
 * The steps of an order, without the reductions that would lose a value of use later. The estimate does not know after
 * which step each test is placed.
 */
export function safeSteps(
  steps: readonly Step[],
  {planner, needed, tests}: Pick<JoinContext, 'planner' | 'needed' | 'tests'>,
): readonly Step[] {
  if (needed === undefined) return steps
  const placed = placeTests(tests, steps, expensiveIn(planner, steps))
  const used = new Set(needed) // after the step
  const safe: Step[] = []
  for (const [place, step] of [...steps.entries()].reverse()) {
    const names = namesOf(step.operand)
    const earlier = steps.slice(0, place).map(({operand}) => operand)
    const before = new Set(earlier.flatMap(operand => [...namesOf(operand)]))
    const known = new Set(earlier.flatMap(operand => [...certainOf(operand)])) // the others may be unbound
    const here = placed.get(place) ?? []
    const own = here.map(({test}) => test)
    const isLate = ({test, isApart}: PlacedTest) => isApart || !isPlainTest(test) // tested after the join
    const late = new Set(here.filter(isLate).flatMap(({test}) => variablesIn(test)))
    const isLost = (name: string) => !known.has(name) && (used.has(name) || late.has(name))
    const isDropped = (name: string) => used.has(name) && !step.different?.includes(name)
    safe.unshift({
      ...step,
      isOnce: step.isOnce === true && ![...names].some(isLost),
      different: [...names, ...before].some(isDropped) ? undefined : step.different,
    })
    for (const name of [...names, ...own.flatMap(variablesIn)]) used.add(name)
  }
  return safe
}

/** Steps without the reduction after the last one, for a query that removes these duplicates itself. */
export function withoutLast(steps: readonly Step[]): readonly Step[] {
  return steps.map((step, place) => (place === steps.length - 1 ? {...step, different: undefined} : step))
}
