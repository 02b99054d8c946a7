/**
 * Plans GROUP_CONCAT with aggregates of PostgreSQL and a limit on the size of the result.
 *
 * The aggregate sparql_size adds up the size member by member, so that a result that is too long fails before it is
 * complete. With DISTINCT, PostgreSQL computes one aggregate after the other, the size first.
 * Source: SPARQL 1.1 §18.5.1.7.
 */
import {toStoredText} from '../../../rdf/stored-text.ts'
import type {Aggregate} from '../../algebra.ts'
import {type Column, keyOf, type Planner} from '../block.ts'
import {lexOfId} from '../id-parts.ts'
import {call, operator, type Scalar, text} from '../relation.ts'

/** The value to concatenate: the text of the argument; with DISTINCT its key, as different terms may share a text. */
export function textToGather(planner: Planner, {isDistinct}: Aggregate, argument: Column): Scalar {
  if (isDistinct) return keyOf(planner, argument)
  return argument.rep === 'id'
    ? lexOfId(planner, argument.scalar, argument.extent)
    : call('sparql_lex', argument.scalar)
}

/** @param gathered  a column of the values of `textToGather` */
export function concatenation({isDistinct, separator}: Aggregate, gathered: Scalar): Scalar {
  const between = text(toStoredText(separator))
  const over = (name: string, ...args: readonly Scalar[]): Scalar => {
    return {kind: 'aggregate', name, isDistinct, arguments: args}
  }
  if (isDistinct) {
    const members = call('coalesce', over('array_agg', gathered), {kind: 'array', type: 'text', items: []})
    return call('sparql_joined', over('sparql_size', gathered), members, between)
  }
  const bytes = operator('+', call('octet_length', gathered), call('octet_length', between))
  const joined = over('string_agg', gathered, between)
  return call('sparql_concatenated', over('count'), over('count', gathered), over('sparql_size', bytes), joined)
}
