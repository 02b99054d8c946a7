/**
 * Wraps a printed query in a statement that returns all solutions as a single row.
 *
 * Pure. Adds nothing from a client: it uses only the printed text and the names of its columns.
 */

/**
 * Gathers the solutions of a statement in one row:
 *   - `solutions`: their number, at most rowLimit + 1
 *   - `ids`: the columns of ids, concatenated to one array
 *   - `keys`: the columns of keys, as an array of arrays
 *
 * The statement becomes a materialized common table, so that PostgreSQL plans it for all rows and not for the limit.
 * The condition on $1 gives the parameter a use in statements without parameters.
 *
 * @param reps  of the columns c0, c1 …; an empty list means one column of keys
 */
export function gatherText(text: string, reps: readonly ('id' | 'key')[], rowLimit: number): string {
  const columns = reps.length === 0 ? ['key' as const] : reps
  const named = (wanted: 'id' | 'key') => columns.flatMap((rep, index) => (rep === wanted ? [`a.c${index}`] : []))
  const ids = named('id').map(name => `array_agg(${name})`)
  const keys = named('key').map(name => `json_agg(${name}::text)`)
  return `with answer as materialized (${text})
    select count(*)::int as solutions, ${ids.join(' || ') || 'null::int8[]'} as ids,
           ${keys.length === 0 ? 'null::json' : `json_build_array(${keys.join(', ')})`} as keys
      from (select * from answer limit ${rowLimit + 1}) as a where $1::text[] is not null`
}
