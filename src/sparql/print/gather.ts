/**
 * Wraps a printed query in a statement that returns all solutions as a single row.
 *
 * Pure. Adds nothing from a client: it uses only the printed text and the names of its columns.
 */

/**
 * Gathers the solutions of a statement in one row:
 *   - `is_right`: the value of `condition`
 *   - `solutions`: their number, at most rowLimit + 1; 0 if the condition is false, and then nothing else is executed
 *   - `ids`: the columns of ids, concatenated to one array
 *   - `keys`: the columns of keys, as an array of arrays
 *   - `terms`: the value of `termsOf` for the column `ids`
 *
 * The statement becomes a materialized common table, so that PostgreSQL plans it for all rows and not for the limit.
 * So does the condition, which is evaluated once, before the statement: PostgreSQL makes it a One-Time Filter. The
 * condition on $1 gives the parameter a use in statements without parameters.
 */
export function gatherText(text: string, {reps, rowLimit, condition, termsOf}: GatherOptions): string {
  const columns = reps.length === 0 ? ['key' as const] : reps
  const named = (wanted: 'id' | 'key') => columns.flatMap((rep, index) => (rep === wanted ? [`a.c${index}`] : []))
  const ids = named('id').map(name => `array_agg(${name})`)
  const keys = named('key').map(name => `json_agg(${name}::text)`)
  const isRight = '(select c.is_right from condition as c)'
  return `with condition as materialized (select ${condition} as is_right), answer as materialized (${text})
    select g.*, ${termsOf('g.ids')} as terms
      from (select ${isRight} as is_right, count(*)::int as solutions, ${ids.join(' || ') || 'null::int8[]'} as ids,
                   ${keys.length === 0 ? 'null::json' : `json_build_array(${keys.join(', ')})`} as keys
              from (select * from answer limit ${rowLimit + 1}) as a where ${isRight} and $1::text[] is not null) as g`
}

export type GatherOptions = {
  readonly reps: readonly ('id' | 'key')[] // of the columns c0, c1 …; an empty list means one column of keys
  readonly rowLimit: number
  readonly condition: string // SQL
  readonly termsOf: (ids: string) => string // SQL of the terms of an array of ids
}
