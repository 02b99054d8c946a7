/**
 * The shared state of handlers that run within another request: in a batch, or in the transaction of a key.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {Session} from '../../db/store/session.ts'
import type {SharedSite} from '../exchange.ts'

/** Runs the handler of a document or of /sparql. */
export type InnerRoute = (shared: SharedSite, context: Context) => Promise<void>

/** Inner requests share the turn of the outer one, and read from the primary, so that they see each other's changes. */
export function innerSite(shared: SharedSite): SharedSite {
  return {...shared, turns: {enter: async () => () => undefined}, readerOf: () => undefined}
}

/** Lets the handlers work in a transaction. Queries are refused, because they run in snapshots of their own. */
export function siteWithin(shared: SharedSite, session: Session): SharedSite {
  const refuse = () => Promise.reject(queryInside())
  return {...shared, unguardedSession: session, queries: {...shared.queries, answer: refuse, explain: refuse}}
}

function queryInside(): Problem {
  return new Problem(422, 'query-alone', 'A query cannot be in a group or have an Idempotency-Key; send it on its own.')
}
