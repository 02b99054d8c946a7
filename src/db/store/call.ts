/**
 * Calls one SQL function of the store on behalf of a request: one statement, labelled in PostgreSQL with the request's
 * id, and observed when it ends.
 *
 * The id is set as application_name for the transaction only, so that a pooler does not carry it to other clients. It
 * is a parameter, so that the statement text is constant and stays prepared. It is set within the statement, so that it
 * costs no round trip. It is a filter that names no column, so PostgreSQL evaluates it once, before the function runs
 * ("One-Time Filter" in the plan).
 */
import {observe} from '../../base/observation.ts'
import {type Stopwatch, startStopwatch} from '../../base/stopwatch.ts'
import type {WorkKind} from '../connection/transaction.ts'
import type {SqlValue} from '../connection/value.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {callerValue} from './caller.ts'
import type {Session} from './session.ts'

export type Call = {
  readonly name: string // of the function
  readonly text: string // the statement, which ends with its FROM clause
  readonly values: readonly SqlValue[]
  readonly after?: LogPosition | undefined // see QueryOptions
}

/**
 * A call of a function on behalf of the session's caller, who is the last argument.
 *
 * @returns  the call without its text, and `from`: the function with its parameters. It depends on the function alone
 */
export function callAsCaller({inSchema, caller, requestId}: Session, name: string, asked: readonly SqlValue[]) {
  const values = [...asked, callerValue(caller, requestId)]
  return {name, values, from: `${inSchema}${name}(${values.map((_, index) => `$${index + 1}`).join(', ')})`}
}

/** The requests that a statement answers: one, or several that share it. */
export type Askers = {
  readonly requestIds: readonly string[]
  readonly watch: Stopwatch // started when the first of them asked
}

/** One of several requests that share a statement, with a stopwatch of its wait. */
export type Sharer = {readonly requestId: string | undefined; readonly watch: Stopwatch}

/** Combines the requests. The stage `together` is how long the first of them waited for a running statement. */
export function sharersOf(sharers: readonly Sharer[]): Askers {
  const watch = sharers[0]?.watch ?? startStopwatch()
  watch.lap('together')
  return {requestIds: sharers.flatMap(({requestId}) => requestId ?? []), watch}
}

/**
 * Runs a call. If several requests share it, PostgreSQL shows the first id and the number of the others.
 *
 * @throws  the errors of the SQL function, after the retries of `session.retry`
 */
export async function ask<Row extends object>(
  session: Session,
  kind: WorkKind,
  {name, text, values, after}: Call,
  {requestIds, watch}: Askers = askersOf(session),
): Promise<readonly Row[]> {
  const {database, retry, turn} = session
  const [first] = requestIds
  const others = requestIds.length > 1 ? ` +${requestIds.length - 1}` : ''
  const all = first === undefined ? values : [...values, `${database.name} ${first}${others}`]
  const statement = first === undefined ? text : namedText(text, all.length)
  let isAnswered = false
  try {
    const rows = await retry(kind, () => database.query<Row>(statement, all, {watch, after, share: kind, turn}))
    isAnswered = true
    return rows
  } finally {
    observe({kind: 'statement', name, requestIds, ms: watch.ms(), stages: watch.stages, isAnswered})
  }
}

/**
 * Runs a call that only reads, on the primary or a replica as the session's reader allows.
 *
 * @param isEnough  whether a replica's answer is acceptable; see ReadChoice
 */
export function askReader<Row extends object>(
  session: Session,
  {name, text, values}: Call,
  isEnough: (row: Row | undefined) => boolean = () => true,
): Promise<Row | undefined> {
  return session.database.read<Row | undefined>(
    session.reader,
    async (database, after) => {
      const [row] = await ask<Row>({...session, database}, 'read', {name, text, values, after})
      return row
    },
    {isEnough},
  )
}

function askersOf({requestId}: Session): Askers {
  return {requestIds: requestId === undefined ? [] : [requestId], watch: startStopwatch()}
}

/** @param place  the number of the parameter that holds the application name */
function namedText(text: string, place: number): string {
  return `${text} where (select set_config('application_name', $${place}, true)) is not null`
}
