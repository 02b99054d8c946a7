/**
 * GROUP_CONCAT: texts that SQL's own aggregates put together, counted meanwhile.
 *
 * All that is made of a group grows member by member, so the size refuses what would be too long before it is
 * there; of different members each aggregate is made after the one before it, the size first.
 * Source: SPARQL 1.1 §18.5.1.7.
 */
import type {Aggregate} from '../../algebra.ts'
import {type Column, keyOf, lexOfId, type Planner} from '../block.ts'
import {call, operator, type Scalar, text} from '../relation.ts'

/** What is put together of an argument: its text; of DISTINCT its key, as different terms may have one text. */
export function textToGather(planner: Planner, {isDistinct}: Aggregate, argument: Column): Scalar {
  if (isDistinct) return keyOf(planner, argument)
  return argument.rep === 'id' ? lexOfId(planner, argument.scalar) : call('sparql_lex', argument.scalar)
}

/** @param gathered  a column of what textToGather made */
export function concatenation({isDistinct, separator}: Aggregate, gathered: Scalar): Scalar {
  const over = (name: string, ...args: readonly Scalar[]): Scalar => {
    return {kind: 'aggregate', name, isDistinct, arguments: args}
  }
  if (isDistinct) {
    const members = call('coalesce', over('array_agg', gathered), {kind: 'array', type: 'text', items: []})
    return call('sparql_joined', over('sparql_size', gathered), members, text(separator))
  }
  const bytes = operator('+', call('octet_length', gathered), call('octet_length', text(separator)))
  const joined = over('string_agg', gathered, text(separator))
  return call('sparql_concatenated', over('count'), over('count', gathered), over('sparql_size', bytes), joined)
}
