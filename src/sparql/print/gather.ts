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
 *   - `terms`: the value of `termsOf` for the column `ids`
 *   - `constants`: the values of `constants`, as an array
 *   - `state`: the value of `state`
 *
 * The statement becomes a materialized common table, so that PostgreSQL plans it for all rows and not for the limit. If
 * it cannot have more rows than the limit, it needs neither: PostgreSQL plans the query of an aggregate for all rows.
 */
export function gatherText(
  text: string,
  {reps, rowLimit, isBounded, termsOf, constants = [], state}: GatherOptions,
): string {
  const columns = reps.length === 0 ? ['key' as const] : reps
  const named = (wanted: 'id' | 'key') => columns.flatMap((rep, index) => (rep === wanted ? [`a.c${index}`] : []))
  const ids = named('id').map(name => `array_agg(${name})`)
  const keys = named('key').map(name => `json_agg(${name}::text)`)
  const [beginning, rows] = isBounded
    ? ['', text]
    : [`with answer as materialized (${text}) `, `select * from answer limit ${rowLimit + 1}`]
  const ofConstants = constants.length === 0 ? '' : `, array[${constants.join(', ')}] as constants`
  const others = state === undefined ? ofConstants : `${ofConstants}, ${state} as state`
  return `${beginning}select g.*, ${termsOf('g.ids')} as terms${others}
      from (select count(*)::int as solutions, ${ids.join(' || ') || 'null::int8[]'} as ids,
                   ${keys.length === 0 ? 'null::json' : `json_build_array(${keys.join(', ')})`} as keys
              from (${rows}) as a) as g`
}

export type GatherOptions = {
  readonly reps: readonly ('id' | 'key')[] // of the columns c0, c1 …; an empty list means one column of keys
  readonly rowLimit: number
  readonly isBounded: boolean // the statement has at most rowLimit rows
  readonly termsOf: (ids: string) => string // SQL of the terms of an array of ids
  readonly constants?: readonly string[] // SQL of further ids
  readonly state?: string | undefined // SQL of the state that the statement sees
}
