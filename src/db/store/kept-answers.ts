/**
 * Responses to requests with an Idempotency-Key, kept in the transaction of the request.
 *
 * The SQL functions are in sql/functions/access/kept_answer.sql.
 */
import {ask} from './call.ts'
import type {Session} from './session.ts'

/** A key of a caller, and the request that it stands for. */
export type KeyedRequest = {
  readonly agent: string // IRI; '' for anonymous callers
  readonly key: string
  readonly hash: Uint8Array // of method, URL and body
  readonly lastsMs: number // how long a response is kept
}

export type KeptAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Claims the key for the transaction of the session.
 *
 * @returns  the response to an earlier request; undefined if there is none
 * @throws   Problem 409 `idempotency-running` · 422 `idempotency-request`
 */
export async function recallAnswer(session: Session, request: KeyedRequest): Promise<KeptAnswer | undefined> {
  const text = `select * from ${session.inSchema}recall_answer($1, $2, $3, $4)`
  const [row] = await ask<KeptAnswer>(session, 'write', {name: 'recall_answer', text, values: valuesOf(request)})
  return row
}

/** Keeps the response in the transaction of the session, which has claimed the key. */
export async function keepAnswer(session: Session, request: KeyedRequest, answer: KeptAnswer): Promise<void> {
  const {status, headers, body} = answer
  const values = [...valuesOf(request), status, JSON.stringify(headers), body]
  const text = `select from ${session.inSchema}keep_answer($1, $2, $3, $4, $5, $6, $7)`
  await ask(session, 'write', {name: 'keep_answer', text, values})
}

function valuesOf({agent, key, hash, lastsMs}: KeyedRequest) {
  return [agent, key, hash, lastsMs]
}
