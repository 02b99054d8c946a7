/**
 * Opens closed datasets whose webhooks are due, so that these need not wait for a request.
 *
 * The registry says which datasets have webhooks, so the others cost nothing. "quadstead hooks add" records it, and so
 * does a process that opens a dataset and finds some.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observeLasting} from '../base/observation.ts'
import type {Database} from '../db/connection/pool.ts'
import type {DatasetEntry, Registry} from '../db/registry/registry.ts'
import {readWebhookWork} from '../db/store/webhooks.ts'
import type {Migrations} from './migrations.ts'
import type {Servers} from './servers.ts'

export type WebhookRoundsOptions = {
  readonly entries: () => readonly DatasetEntry[]
  readonly registry: Pick<Registry, 'noteWebhooks'>
  readonly servers: Servers
  readonly migrations: Pick<Migrations, 'isDone'>
  readonly wake: (entry: DatasetEntry) => void // opens a dataset that is closed
}

const everyMs = 5000

/** Begins to look for webhooks that are due. Returns a function that ends it. */
export function startWebhookRounds(options: WebhookRoundsOptions): () => Promise<void> {
  const stopping = new AbortController()
  const {signal} = stopping
  async function work(): Promise<void> {
    while (!signal.aborted) {
      await delay(everyMs, undefined, {signal, ref: false}).catch(() => undefined) // it rejects when the signal aborts
      for (const entry of options.entries())
        if (!signal.aborted && isAsked(entry, options)) await visit(entry, options).catch(observeLasting)
    }
  }
  const worked = work()
  return async () => {
    stopping.abort()
    await worked
  }
}

function isAsked(entry: DatasetEntry, {migrations}: WebhookRoundsOptions): boolean {
  return entry.hasWebhooks && entry.state === 'served' && migrations.isDone(entry)
}

async function visit(entry: DatasetEntry, {registry, servers, wake}: WebhookRoundsOptions): Promise<void> {
  const lease = await servers.serverOf(entry)
  try {
    const {isAny, isDue} = await readWebhookWork(lease.storage.database.forDataset(entry.name), entry.schema)
    if (!isAny) await registry.noteWebhooks(entry.id, false, entry.revision)
    if (isDue) wake(entry)
  } finally {
    await lease.release()
  }
}

/** Records that a dataset which has just been opened has webhooks, if nobody has recorded it. */
export async function noticeWebhooks(
  registry: Pick<Registry, 'noteWebhooks'>,
  {id, schema, revision, hasWebhooks}: DatasetEntry,
  database: Database,
): Promise<void> {
  if (hasWebhooks) return
  const {isAny} = await readWebhookWork(database, schema)
  if (isAny) await registry.noteWebhooks(id, true, revision)
}
