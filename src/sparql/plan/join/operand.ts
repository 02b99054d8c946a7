/**
 * Flattens a conjunction into the operands that are joined one by one.
 */
import type {Algebra} from '../../algebra.ts'
import type {TextNeed} from '../../analyse/needle.ts'
import {certainVariables, mentionedVariables, possibleVariables} from '../../analyse/variables.ts'

/** One operand of a query's conjunction: a triple pattern, a path, or any other pattern. */
export type QueryOperand =
  | {readonly type: 'triple'; readonly pattern: Extract<Algebra, {type: 'bgp'}>['patterns'][number]}
  | {readonly type: 'path'; readonly node: Extract<Algebra, {type: 'path'}>}
  | {readonly type: 'other'; readonly node: Algebra}

/** One operand, of the query or added by the planner. */
export type Operand = QueryOperand | Texts

/** The literals with a certain text, found by the text index, as values of a variable (text-search.ts). */
export type Texts = {
  readonly type: 'texts'
  readonly variable: string
  readonly need: TextNeed
  readonly rows: number // estimate
}

const taken = new WeakMap<Algebra, readonly QueryOperand[]>()

/** The operands of a node: the same objects at each call, so that they can be keys of WeakMaps. */
export function operandsOf(node: Algebra): readonly QueryOperand[] {
  const known = taken.get(node)
  if (known !== undefined) return known
  const operands = takeApart(node)
  taken.set(node, operands)
  return operands
}

function takeApart(node: Algebra): readonly QueryOperand[] {
  switch (node.type) {
    case 'join':
      return [...operandsOf(node.left), ...operandsOf(node.right)]
    case 'bgp':
      return node.patterns.map(pattern => ({type: 'triple', pattern}))
    case 'path':
      return [{type: 'path', node}]
    default:
      return [{type: 'other', node}]
  }
}

/** The algebra of an operand. */
export function nodeOf(operand: QueryOperand): Algebra {
  return operand.type === 'triple' ? {type: 'bgp', patterns: [operand.pattern]} : operand.node
}

/** Whether a node is a conjunction with operands. The empty basic graph pattern has none. */
export function isConjunction(node: Algebra): node is Extract<Algebra, {type: 'bgp' | 'path' | 'join'}> {
  return (node.type === 'bgp' && node.patterns.length > 0) || node.type === 'path' || node.type === 'join'
}

/** Whether an operand reads no triples, like VALUES, so that its solutions are the same in every graph. */
export function isGraphless(operand: Operand): boolean {
  return operand.type === 'other' && readsNothing(operand.node)
}

function readsNothing(node: Algebra): boolean {
  switch (node.type) {
    case 'values':
    case 'table':
    case 'search':
      return true
    case 'bgp':
      return node.patterns.length === 0
    case 'union':
      return node.inputs.every(readsNothing)
    default:
      return false
  }
}

type Names = ReadonlySet<string>

const mentioned = new WeakMap<Operand, Names>()
const certain = new WeakMap<Operand, Names>()
const possible = new WeakMap<Operand, Names>()

/** Variables that an operand mentions. */
export function namesOf(operand: Operand): Names {
  return kept(mentioned, operand, () =>
    operand.type === 'other' ? mentionedVariables(operand.node) : certainOf(operand),
  )
}

/** Variables that every solution of an operand binds. */
export function certainOf(operand: Operand): Names {
  return kept(certain, operand, () => certainNames(operand))
}

/** Variables that the solutions of an operand may bind. */
export function possibleOf(operand: Operand): Names {
  if (operand.type !== 'other') return certainOf(operand)
  return kept(possible, operand, () => possibleVariables(operand.node))
}

function kept(facts: WeakMap<Operand, Names>, operand: Operand, find: () => Names): Names {
  const known = facts.get(operand)
  if (known !== undefined) return known
  const found = find()
  facts.set(operand, found)
  return found
}

function certainNames(operand: Operand): Names {
  return operand.type === 'texts' ? new Set([operand.variable]) : certainVariables(nodeOf(operand))
}
