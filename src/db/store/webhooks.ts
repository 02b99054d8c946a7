/**
 * Webhooks: URLs to which changes are posted, and how far each has got.
 *
 * The SQL functions are in sql/functions/change/webhook.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import {ask} from './call.ts'
import type {ChangeAction} from './changes.ts'
import type {Session} from './session.ts'

export const webhookStates = ['active', 'dead', 'gone'] as const

export type WebhookState = (typeof webhookStates)[number]

/** Which changes a webhook is about. */
export type WebhookFilter = {
  readonly url: string
  readonly agent: string | null // as whom changes are read; null: as the operator, who may read all
  readonly groups: readonly string[] // of the agent
  readonly under: Iri | null
  readonly actions: readonly ChangeAction[] | null // null: all
}

export type NewWebhook = WebhookFilter & {readonly secret: Uint8Array; readonly after: string}

/** A webhook that this process holds. */
export type TakenWebhook = WebhookFilter & {
  readonly id: string
  readonly secret: Uint8Array
  readonly position: string
  readonly failures: number
}

export type ListedWebhook = WebhookFilter & {
  readonly id: string
  readonly created: Date
  readonly position: string
  readonly state: WebhookState
  readonly failures: number
  readonly next_attempt: Date
  readonly last_delivery: Date | null
  readonly last_failure: Date | null
  readonly last_reason: string | null
}

const webhookLimit = 1000

/** @returns its id @throws Problem 409 `webhooks-counted` */
export async function addWebhook(session: Session, hook: NewWebhook): Promise<string> {
  const {url, secret, agent, groups, under, actions, after} = hook
  const values = [url, secret, agent, groups, under, actions, after, webhookLimit]
  const text = `select w.id::text from ${session.inSchema}add_webhook($1, $2, $3, $4, $5, $6, $7, $8) as w (id)`
  const [row] = await ask<{readonly id: string}>(session, 'write', {name: 'add_webhook', text, values})
  return row?.id ?? ''
}

export function listWebhooks(session: Session): Promise<readonly ListedWebhook[]> {
  const text = `select w.* from ${session.inSchema}list_webhooks() as w`
  return ask<ListedWebhook>(session, 'read', {name: 'list_webhooks', text, values: []})
}

/** The number of webhooks in each state. */
export async function countWebhooks(session: Session): Promise<Readonly<Record<WebhookState, number>>> {
  const text = `select w.state, count(*)::int as count from ${session.inSchema}list_webhooks() as w group by w.state`
  const rows = await ask<WebhookCount>(session, 'read', {name: 'count_webhooks', text, values: []})
  return Object.assign({active: 0, dead: 0, gone: 0}, Object.fromEntries(rows.map(({state, count}) => [state, count])))
}

type WebhookCount = {readonly state: WebhookState; readonly count: number}

/** @throws  Problem 404 `webhook-exists` */
export async function removeWebhook(session: Session, id: string): Promise<void> {
  const text = `select from ${session.inSchema}remove_webhook($1)`
  await ask(session, 'write', {name: 'remove_webhook', text, values: [id]})
}

/** @param isSkipping  leaves out the change that failed @throws Problem 404 `webhook-exists` */
export async function retryWebhook(session: Session, id: string, isSkipping: boolean): Promise<void> {
  const text = `select from ${session.inSchema}retry_webhook($1, $2)`
  await ask(session, 'write', {name: 'retry_webhook', text, values: [id, isSkipping]})
}

export type WebhookTake = {
  readonly holder: string // UUID of the process
  readonly holdMs: number
  readonly most: number
}

/** Takes webhooks that have something to deliver and that no other process holds. */
export function takeWebhooks(session: Session, take: WebhookTake): Promise<readonly TakenWebhook[]> {
  const {holder, holdMs, most} = take
  const text = `select w.* from ${session.inSchema}take_webhooks($1, $2, $3) as w`
  return ask<TakenWebhook>(session, 'write', {name: 'take_webhooks', text, values: [holder, holdMs, most]})
}

export type WebhookWork = {
  readonly isAny: boolean // there are active webhooks
  readonly isDue: boolean // one of them has something to deliver now, and no process holds it
}

export async function readWebhookWork(database: Queryable, schema: string): Promise<WebhookWork> {
  const text = `select is_any as "isAny", is_due as "isDue" from ${quoteIdentifier(schema)}.webhook_work()`
  const [row] = await database.query<WebhookWork>(text)
  return row ?? {isAny: false, isDue: false}
}

export type WebhookAdvance = {
  readonly id: string
  readonly holder: string
  readonly position: string
  readonly isDelivered: boolean
  readonly holdMs: number // 0: ends the hold
}

/** @returns  whether the process still holds the webhook */
export async function advanceWebhook(session: Session, advance: WebhookAdvance): Promise<boolean> {
  const {id, holder, position, isDelivered, holdMs} = advance
  const text = `select ${session.inSchema}advance_webhook($1, $2, $3, $4, $5) as held`
  const values = [id, holder, position, isDelivered, holdMs]
  const [row] = await ask<{readonly held: boolean}>(session, 'write', {name: 'advance_webhook', text, values})
  return row?.held === true
}

export type WebhookFailure = {
  readonly id: string
  readonly holder: string
  readonly position: string | undefined // of the change; undefined: no change could be read
  readonly reason: string
  readonly waitMs: number
  readonly state: WebhookState
}

/** Records a failed attempt, and ends the hold. */
export async function failWebhook(session: Session, failure: WebhookFailure): Promise<void> {
  const {id, holder, position, reason, waitMs, state} = failure
  const text = `select from ${session.inSchema}fail_webhook($1, $2, $3, $4, $5, $6)`
  await ask(session, 'write', {
    name: 'fail_webhook',
    text,
    values: [id, holder, position ?? null, reason, waitMs, state],
  })
}
