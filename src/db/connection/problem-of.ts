/**
 * Translates errors of PostgreSQL and of its driver to Problems that clients may see.
 *
 * Any other error is a bug of ours, which is answered with 500. SQL functions raise `errcode = 'QS' || status`,
 * `constraint` = the rule, `message` = the sentence and, if there are members, `detail` = a JSON object of them.
 * Source: PostgreSQL manual, appendix A (SQLSTATE).
 */
import {Problem} from '../../base/problem.ts'

/** The fields of a server error that are used here, with the driver's names. */
type ServerError = {
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly constraint_name?: string
}

/** Codes of the driver and of Node's sockets for "no connection", in addition to SQLSTATE classes 08 and 57P. */
const lostCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ANSWER_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT', // no socket file
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/**
 * The SQLSTATE or driver code of an error, or of the cause of a Problem.
 *
 * @returns  undefined if the error did not come from the database
 */
export function databaseCodeOf(error: unknown): string | undefined {
  if (error instanceof Problem) return databaseCodeOf(error.cause)
  return isServerError(error) ? error.code : undefined
}

/** Whether the connection failed. The server may or may not have done the work. */
export function isConnectionLost(code: string): boolean {
  return lostCodes.has(code) || /^(08|57P0)/.test(code)
}

/** Whether a connection or answer timed out. */
export function isSilence(code: string): boolean {
  return code === 'ANSWER_TIMEOUT' || code === 'CONNECT_TIMEOUT' || code === 'ETIMEDOUT'
}

/** Whether the server rolled the transaction back because of a concurrent one, so that a retry may succeed. */
export function isCollision(code: string): boolean {
  return code === '40001' || code === '40P01'
}

/**
 * Translates an error of the database.
 *
 * @param statementTimeoutMs  the limit in force, for the message
 * @returns  a Problem, or the error itself if clients should not see it
 */
export function problemOf(error: unknown, statementTimeoutMs?: number): unknown {
  if (error instanceof Problem || !isServerError(error)) return error
  const raised = /^QS([45]\d\d)$/.exec(error.code)
  if (raised !== null) return raisedProblem(Number(raised[1]), error)
  if (error.code === '23505' && constraintOf(error) === 'document-iri-free') {
    return new Problem(409, 'document-iri-free', error.detail ?? error.message, {cause: error})
  }
  if (error.code === '23503' && constraintOf(error) === 'parent-exists') {
    return new Problem(404, 'parent-exists', 'The document to create a child in was deleted meanwhile.', {cause: error})
  }
  if (error.code === '22021') {
    return new Problem(400, 'text-storable', `Text with a NUL character cannot be stored: ${error.message}.`, {
      cause: error,
    })
  }
  if (isCollision(error.code)) return busy(error)
  if (error.code === '57014') return timedOut(error, statementTimeoutMs)
  if (error.code.startsWith('54')) return tooComplex(error)
  if (error.code === 'ROWS_TOO_LONG') return tooLong(error)
  if (error.code === '53100') return storageFull(error)
  if (isUnavailable(error.code)) return unavailable(error)
  return error
}

/** The violated constraint. Citus appends the number of the shard to its name. */
function constraintOf({constraint_name: name = ''}: ServerError): string {
  return name.replace(/_\d+$/, '')
}

/** 503 `busy` after collisions: the client may retry at once. */
function busy(cause: unknown): Problem {
  return new Problem(503, 'busy', 'Too many requests wait for the same data; try again.', {
    headers: {'Retry-After': '0'},
    cause,
  })
}

/** 503 `busy` after another writer has changed what a transaction was reading. Like a collision, it may be retried. */
export function overtaken(): Problem {
  return busy(Object.assign(new Error('another writer has changed the document'), {code: '40001'}))
}

/** 503 `busy` because no connection is free. */
export function crowded(): Problem {
  return new Problem(503, 'busy', 'Too many requests wait for a connection to the database; try again in a moment.', {
    headers: {'Retry-After': '2'},
  })
}

/** 503 `database-available`. The reason is logged for the operator and not sent to clients. */
export function unavailable(cause: unknown): Problem {
  return new Problem(503, 'database-available', 'The database cannot be reached; try again in a few seconds.', {
    headers: {'Retry-After': '2'},
    cause,
  })
}

function storageFull(cause: ServerError): Problem {
  return new Problem(503, 'storage-full', 'The disk of the database is full: nothing more can be stored for now.', {
    headers: {'Retry-After': '30'},
    cause,
  })
}

function timedOut(error: ServerError, statementTimeoutMs: number | undefined): Problem {
  const limit = statementTimeoutMs === undefined ? 'the time limit' : `the limit of ${statementTimeoutMs} ms`
  return new Problem(503, 'query-timeout', `The statement was given up: it reached ${limit}.`, {
    ...(statementTimeoutMs === undefined ? {} : {members: {limitMs: statementTimeoutMs}}),
    headers: {'Retry-After': '2'}, // for document requests, which reach the limit only when something is wrong
    cause: error,
  })
}

/** Class 54: a limit of PostgreSQL on stack depth, columns, arguments or the length of a statement. */
function tooComplex(cause: ServerError): Problem {
  return new Problem(422, 'query-complex', 'This is too complex for the database: ask for less at a time.', {cause})
}

/** An error of our driver patch (patches/): the rows of one result exceed their limit in bytes. */
function tooLong(cause: ServerError & {readonly limit?: number}): Problem {
  const message = `The values of solutions that are read together are longer than ${cause.limit} bytes.`
  return new Problem(422, 'result-size', message, {members: {limitBytes: cause.limit}, cause})
}

function raisedProblem(status: number, error: ServerError): Problem {
  const headers = status === 503 ? {'Retry-After': '2'} : {}
  const members = membersOf(error.detail)
  return new Problem(status, error.constraint_name || 'unnamed', error.message, {members, headers, cause: error})
}

function membersOf(detail: string | undefined): Record<string, unknown> {
  if (detail === undefined || !detail.startsWith('{')) return {}
  try {
    return JSON.parse(detail)
  } catch {
    return {} // text that starts with a brace but is not JSON: no members
  }
}

/**
 * Whether the database cannot be used: no connection; one refused because of resources (53…), rights (28…) or a missing
 * database (3D000), which an operator must fix; a session ended after it was idle in a transaction (25P03) or because
 * of the transaction timeout (25P04); a read-only server, as after a failover (25006); a failing disk (58030).
 */
export function isUnavailable(code: string): boolean {
  return isConnectionLost(code) || /^(53|28|3D000|25P03|25P04|25006|58030)/.test(code)
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
