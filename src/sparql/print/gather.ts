/**
 * A printed query as one that answers with a single row.
 *
 * Pure. Of the query's own text and the names of its columns, so that print.ts stays the only file that writes
 * what a client asked for.
 */

/**
 * A statement that gathers the solutions of another: one row of how many there are (`solutions`, up to rowLimit + 1),
 * of those columns that are ids, one after the other (`ids`), and of the columns of keys, an array of arrays (`keys`).
 * A common table, so that it is planned for all of its rows, whatever the limit. The condition names $1 for statements
 * that have no use for their parameters.
 *
 * @param reps  of the columns c0, c1 …; without any there is one column, a key
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
