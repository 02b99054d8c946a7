/**
 * Computes an argument once that a function of `language sql` uses several times.
 *
 *   f(g(x))  =>  (select f(b.c0) from (select g(x) as c0 offset 0) as b)
 *
 * PostgreSQL inlines such a function only if its argument is cheap; otherwise each call takes 4 to 9 microseconds. With
 * a column as its argument the function is inlined, and the two sub-selects take less than one microsecond.
 *
 * Pure.
 */
import {isSameScalar, type Scalar} from '../relation.ts'
import {scalarsIn} from './scalars.ts'

/** Functions that use an argument several times, or pass it to one that does (test/unit/sparql/bind-arguments). */
export const usingSeveralTimes: ReadonlySet<string> = new Set([
  'inline_datatype',
  'inline_fine',
  'sparql_as_double',
  'sparql_average',
  'sparql_blank_node',
  'sparql_boolean',
  'sparql_canonical_double',
  'sparql_canonical_exact',
  'sparql_canonical_float',
  'sparql_canonical_inexact',
  'sparql_canonical_of',
  'sparql_case',
  'sparql_comparable',
  'sparql_concat',
  'sparql_contains',
  'sparql_datatype',
  'sparql_date_day',
  'sparql_date_of',
  'sparql_date_order',
  'sparql_day_start',
  'sparql_double_by_key',
  'sparql_double_of',
  'sparql_ends',
  'sparql_ends_with',
  'sparql_exact',
  'sparql_exact_of',
  'sparql_fine_decimal',
  'sparql_float_of',
  'sparql_has_moment',
  'sparql_id_rank',
  'sparql_inexact',
  'sparql_inline_key',
  'sparql_inline_lex',
  'sparql_inline_seconds',
  'sparql_inline_tz',
  'sparql_inline_value',
  'sparql_instant',
  'sparql_kind',
  'sparql_lang',
  'sparql_lang_matches',
  'sparql_lex',
  'sparql_local_micro_time',
  'sparql_local_time',
  'sparql_match_number',
  'sparql_member',
  'sparql_microseconds',
  'sparql_moderate',
  'sparql_moderate_double',
  'sparql_moderate_float',
  'sparql_moment',
  'sparql_number',
  'sparql_number_from',
  'sparql_number_of',
  'sparql_product',
  'sparql_replaced',
  'sparql_replacement',
  'sparql_scaled',
  'sparql_simple',
  'sparql_stored_seconds',
  'sparql_stored_tz',
  'sparql_strafter',
  'sparql_strbefore',
  'sparql_strdt',
  'sparql_strlang',
  'sparql_substr',
  'sparql_tagged',
  'sparql_text',
  'sparql_time_field',
  'sparql_time_order',
  'sparql_timezone',
  'sparql_total',
  'sparql_usual_number',
  'sparql_usual_span',
  'sparql_valueless',
])

const alias = 'b0'

/**
 * @param call   its arguments are complete
 * @param known  traits of the arguments
 */
export function withBoundArguments(call: Scalar, known: KnownTraits = new Map()): Scalar {
  if (call.kind !== 'call' || !usingSeveralTimes.has(call.name)) return call
  const bound: Scalar[] = []
  for (const argument of call.arguments) {
    const {isCostly, readsRow} = traitsOf(known, argument)
    if (isCostly && readsRow && !bound.some(one => isSameScalar(one, argument))) bound.push(argument)
  }
  if (bound.length === 0 || bound.some(one => traitsOf(known, one).isOfGroup)) return call
  const columns = bound.map((scalar, index) => ({name: `c${index}`, scalar}))
  const named = (argument: Scalar): Scalar => {
    const index = bound.findIndex(one => isSameScalar(one, argument))
    return index === -1 ? argument : {kind: 'column', table: alias, name: `c${index}`}
  }
  return {
    kind: 'subquery',
    query: {
      kind: 'select',
      columns: [{name: 'c0', scalar: {...call, arguments: call.arguments.map(named)}}],
      from: {
        kind: 'query',
        query: {kind: 'select', columns, from: undefined, where: [], isFenced: true},
        alias,
        isLateral: false,
      },
      where: [],
    },
  }
}

/** What a scalar of a plan does. */
type Traits = {
  readonly isCostly: boolean // PostgreSQL would not inline a function that uses it several times
  readonly readsRow: boolean // PostgreSQL computes a sub-select of constants once, also if it is volatile
  readonly isOfGroup: boolean // of a group or a window, which a sub-select cannot compute
}

/** The traits of the scalars of one plan, in which one object may occur in many places. */
export type KnownTraits = Map<Scalar, Traits>

/** @param known  what has been found, which it completes */
export function traitsOf(known: KnownTraits, scalar: Scalar): Traits {
  const {kind} = scalar
  const made = known.get(scalar)
  if (made !== undefined) return made
  const operands = scalarsIn(scalar).map(operand => traitsOf(known, operand))
  const isFunction = kind === 'call' && /^(?:sparql|inline)_/.test(scalar.name)
  const traits = {
    isCostly: kind === 'subquery' || kind === 'case' || isFunction || operands.some(one => one.isCostly),
    readsRow: ['column', 'part', 'subquery'].includes(kind) || operands.some(one => one.readsRow),
    isOfGroup: kind === 'aggregate' || kind === 'rowNumber' || operands.some(one => one.isOfGroup),
  }
  if (operands.length > 0) known.set(scalar, traits)
  return traits
}
