/**
 * A call of one of the store's functions on behalf of a request: one statement, which PostgreSQL shows under the
 * request's id, and which is told when it is over.
 *
 * The id goes into application_name, for the transaction only, so that no pooler carries it on; as a
 * parameter, so that the statement stays the same and prepared; in the statement itself, so it takes no round trip.
 * As a filter that names no column it is evaluated once, before the function runs ("One-Time Filter" of the plan).
 */
import {observe} from '../../base/observation.ts'
import {type Stopwatch, startStopwatch} from '../../base/stopwatch.ts'
import type {WorkKind} from '../connection/transaction.ts'
import type {Value} from '../connection/value.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {changed, type Session} from './session.ts'

export type Call = {
  readonly name: string // of the function
  readonly text: string // of the statement, which ends with its FROM clause
  readonly values: readonly Value[]
  readonly after?: LogPosition | undefined // see QueryOptions
}

/** Who asks; more than one request when one statement answers several. */
export type Askers = {
  readonly requestIds: readonly string[]
  readonly watch: Stopwatch // running since the first of them asked
}

/** One of several requests that share a call, and since when it waits for that. */
export type Sharer = {readonly requestId: string | undefined; readonly watch: Stopwatch}

/** The stage `together` is how long the first of them waited for a statement under way. */
export function sharersOf(sharers: readonly Sharer[]): Askers {
  const watch = sharers[0]?.watch ?? startStopwatch()
  watch.lap('together')
  return {requestIds: sharers.flatMap(({requestId}) => requestId ?? []), watch}
}

/**
 * Makes a call; of several requests PostgreSQL shows the first, and how many more there are.
 *
 * @throws  what the call raises, as `retry` leaves it
 */
export async function ask<Row extends object>(
  session: Session,
  kind: WorkKind,
  {name, text, values, after}: Call,
  {requestIds, watch}: Askers = askersOf(session),
): Promise<readonly Row[]> {
  const {database, retry, caller} = session
  const [first] = requestIds
  const others = requestIds.length > 1 ? ` +${requestIds.length - 1}` : ''
  const all = first === undefined ? values : [...values, `${database.name} ${first}${others}`]
  const statement = first === undefined ? text : namedText(text, all.length)
  let isAnswered = false
  try {
    const rows = await retry(kind, () => database.query<Row>(statement, all, {watch, after, share: kind, caller}))
    isAnswered = true
    return rows
  } finally {
    observe({kind: 'statement', name, requestIds, ms: watch.ms(), stages: watch.stages, isAnswered})
  }
}

/**
 * Makes a call that reads, of a server that may answer the session's reader.
 *
 * @param isEnough  whether a replica's answer will do; see ReadChoice
 */
export function askReader<Row extends object>(
  session: Session,
  call: Call,
  isEnough: (row: Row | undefined) => boolean = () => true,
): Promise<Row | undefined> {
  return session.database.read<Row | undefined>(
    session.reader,
    async (database, after) => {
      const [row] = await ask<Row>(changed(session, {database}), 'read', {...call, after})
      return row
    },
    {isEnough},
  )
}

function askersOf({requestId}: Session): Askers {
  return {requestIds: requestId === undefined ? [] : [requestId], watch: startStopwatch()}
}

/** @param place  of the parameter that holds the name */
function namedText(text: string, place: number): string {
  return `${text} where (select set_config('application_name', $${place}, true)) is not null`
}
