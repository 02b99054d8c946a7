/**
 * Serves one dataset: opens it in its schema, creates its application and starts its background work.
 */
import type {RequestListener} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {createKeyUses, type KeyUses} from './authentication/key-uses.ts'
import {granteesOf} from './base/principal.ts'
import {build} from './build.ts'
import {createFeed, type Feed} from './changes/feed.ts'
import {startKeeping} from './changes/keeping.ts'
import {answersOfCaller} from './db/connection/gate.ts'
import {quoteIdentifier} from './db/connection/identifier.ts'
import type {Caller} from './db/store/caller.ts'
import {createSession} from './db/store/create-session.ts'
import {openDataset, readVocabulary} from './db/store/dataset.ts'
import {noteKeyUses} from './db/store/keys.ts'
import type {Session} from './db/store/session.ts'
import type {WebhookFilter} from './db/store/webhooks.ts'
import {startFollowing} from './follow/following.ts'
import {startDeliveries} from './hooks/deliveries.ts'
import type {Resources} from './host.ts'
import type {Iri} from './rdf/term.ts'
import {startSearchIndex} from './search-index.ts'
import type {Config} from './settings/config.ts'
import type {Storage} from './storage.ts'
import {startTextIndex} from './text-index.ts'
import {createApp} from './web/app.ts'
import type {QuotaOf} from './web/server/request-quota.ts'
import {nameDataset} from './web/server/request-record.ts'
import type {TurnOptions} from './web/server/turns.ts'
import type {MetricsPage} from './web/service/metrics.ts'

const preparationMs = 1000 // at most, before the only dataset of a service answers; then it goes on beside requests

export type DatasetParts = {
  readonly name: string | undefined // in logs and metrics; undefined: the only dataset of the service
  readonly defaultBase: Iri // of a new dataset without BASE_URL
  readonly storage: Pick<Storage, 'database' | 'probe'> & {readonly replicated?: Storage['replicated'] | undefined}
  readonly resources: Resources
  readonly quotaOf: QuotaOf
  readonly isDraining: () => boolean
  readonly draining: AbortSignal // aborts when the server shuts down
  readonly metrics: MetricsPage | undefined // served by this dataset
  readonly hasWebhooks?: () => boolean // false: it is known that there are none
}

export type RunningDataset = {
  readonly base: Iri
  readonly answer: RequestListener
  /** Whether it works without a request: it delivers webhooks. */
  readonly isBusy: () => boolean
  /** Ends what would not end on its own: the connections of clients that listen. */
  readonly leave: () => void
  /** Ends the background work. Its requests must have ended before. */
  readonly stop: () => Promise<void>
}

/**
 * Starts to serve a dataset, and creates it if its schema has none.
 *
 * @param config  with the settings and the schema of this dataset
 * @throws        Refusal: it has another base or another platform namespace
 */
export async function startDataset(config: Config, parts: DatasetParts): Promise<RunningDataset> {
  const {database, replicated, probe} = parts.storage
  const {schema} = config.database
  const {base} = await openDataset(database, {...config, schema, defaultBase: parts.defaultBase})
  const vocabulary = await readVocabulary(database, schema)
  const session = createSession(database, schema, vocabulary)
  const {keyUses, feed, isBusy, stop} = await startBackground(config, session, parts)
  const leaving = new AbortController()
  const leave = () => {
    feed.close()
    leaving.abort()
  }
  parts.draining.addEventListener('abort', leave, {once: true, signal: leaving.signal})
  const {koa, prepareForFirst} = createApp({
    ...config,
    ...parts.resources,
    ...parts,
    base,
    vocabulary,
    build,
    database,
    replicated,
    schema,
    keyUses,
    feed,
    leaving: leaving.signal,
    hasPolling: config.workers === 1,
    queryTimeoutMs: config.database.statementTimeoutMs,
    limits: webLimits(config),
    turns: turnsOf(config),
    askDatabase: () => probe.query(`select from ${quoteIdentifier(schema)}.dataset`),
  })
  const answer = koa.callback()
  const {name} = parts
  if (name === undefined) {
    await Promise.race([prepareForFirst(), delay(preparationMs, undefined, {ref: false})])
    return {base, answer, isBusy, leave, stop}
  }
  return {
    base,
    isBusy,
    leave,
    answer(request, response) {
      nameDataset(request, name)
      answer(request, response)
    },
    stop,
  }
}

/** The work of a dataset that no request waits for. */
type Background = {
  readonly keyUses: KeyUses
  readonly feed: Feed
  readonly isBusy: RunningDataset['isBusy']
  readonly stop: () => Promise<void>
}

/** Starts everything that runs beside the requests of a dataset, for as long as the dataset is open. */
async function startBackground(
  config: Config,
  session: Session,
  {name, hasWebhooks = () => true}: Pick<DatasetParts, 'name' | 'hasWebhooks'>,
): Promise<Background> {
  const {database} = session
  const {schema} = config.database
  const keyUses = createKeyUses(uses => noteKeyUses(database, schema, uses))
  const endKeeping = await startKeeping(database, {schema, kept: config.changesKept})
  const endTextIndex = startTextIndex(config)
  const endSearchIndex = startSearchIndex(config, database)
  const feed = createFeed(session, {schema})
  const deliveries = startDeliveries({
    dataset: name,
    feed,
    session,
    isWanted: hasWebhooks,
    sessionAs: hook => ({...session, caller: callerOf(hook, config)}),
    backoff: config.webhooks.backoff,
    post: {allowed: config.webhooks.networks, limitMs: config.webhooks.timeoutMs},
  })
  const following = startFollowing(session)
  return {
    keyUses,
    feed,
    isBusy: deliveries.isBusy,
    async stop() {
      await Promise.all([deliveries.stop(), following.stop()])
      feed.close()
      await keyUses.flush()
      await endTextIndex()
      await endSearchIndex()
      await endKeeping()
    },
  }
}

/** As whom a webhook reads changes. Without access control, everybody may read everything. */
function callerOf({agent, groups}: WebhookFilter, {access: {isGuarded, isHidden}}: Config): Caller | undefined {
  if (agent === null || !isGuarded) return undefined
  return {grantees: granteesOf({agent, groups, means: 'none'}), isHidden, agent, isAudited: false}
}

function webLimits({limits, callers, database: {statementTimeoutMs}}: Config) {
  const {keyLastsMs, batchRequests, batchBytes, answerMs} = callers
  const streamMs = Math.min(600_000, 0.9 * answerMs)
  const slowReaderMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs
  return {...limits, slowReaderMs, writeTimeoutMs: statementTimeoutMs, keyLastsMs, batchRequests, batchBytes, streamMs}
}

/** The limit of concurrent long answers per caller. If there is one, it is below the number that the pool allows. */
function turnsOf({callers, database}: Config): TurnOptions {
  const {queriesAtOnce} = callers
  const isLimited = queriesAtOnce !== Number.POSITIVE_INFINITY
  const places = isLimited ? Math.min(queriesAtOnce, answersOfCaller(database.connectionMax)) : queriesAtOnce
  return {places, waitingMax: database.queueMax, waitMs: database.queueWaitMs}
}
