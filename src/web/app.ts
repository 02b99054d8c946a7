/**
 * Assembles the application: the order of the middleware, and what all requests share.
 */
import {readFileSync} from 'node:fs'
import type {BlockList} from 'node:net'
import Koa, {type Context} from 'koa'
import {createTokenReader, type TokenOptions} from '../authentication/access-tokens.ts'
import {createAuthenticate} from '../authentication/authenticate.ts'
import type {KeyUses} from '../authentication/key-uses.ts'
import {createKeyReader} from '../authentication/keys.ts'
import {createProvider, type ProviderOptions} from '../authentication/provider.ts'
import {createSessions, type SessionTimes} from '../authentication/sessions.ts'
import type {Allowance} from '../base/allowance.ts'
import {observe} from '../base/observation.ts'
import type {SpoolSpace} from '../base/spool-space.ts'
import type {WorkerPool} from '../base/worker-pool.ts'
import type {Feed} from '../changes/feed.ts'
import type {ChecksumPool} from '../checksum/pool.ts'
import type {Database} from '../db/connection/pool.ts'
import type {ChangesKept} from '../db/store/changes.ts'
import {createSession} from '../db/store/create-session.ts'
import {findKey} from '../db/store/keys.ts'
import type {ForwardedHeader} from '../http/forwarded.ts'
import {type HostList, isLoopback} from '../http/host.ts'
import type {Bodies} from '../ldp/bodies.ts'
import {createQueryService} from '../query/answer.ts'
import type {HeldLimits} from '../query/held-limits.ts'
import type {Loading} from '../query/load.ts'
import type {Federation} from '../query/remote-endpoint.ts'
import {createStatistics} from '../query/statistics.ts'
import {createQueryThreads} from '../query/threads.ts'
import type {Iri} from '../rdf/term.ts'
import {platformVocabulary} from '../rdf/vocabulary.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import {brokerRoutes} from './broker/broker.ts'
import {prefixesFor} from './document/reply.ts'
import type {AccessControl, SharedSite, Site, WebLimits} from './exchange.ts'
import {createPages} from './pages/site.ts'
import {documentRoutes, keyedRoutes, readTarget, serviceRoutes} from './routes.ts'
import {requireReadRoot, siteFor} from './server/access.ts'
import {markPrivate, settleCaller} from './server/caller.ts'
import {createAddressKey, createCallerKey} from './server/caller-key.ts'
import {compressBodies} from './server/compression.ts'
import {createConsistency, type ReplicatedLog} from './server/consistency.ts'
import {answerCors, type CorsOptions} from './server/cors.ts'
import {answerFailures} from './server/failures.ts'
import {createListeners} from './server/listeners.ts'
import {checkHead, hostRule} from './server/request-head.ts'
import {
  limitCredentials,
  limitDataset,
  limitFailures,
  limitRequests,
  type QuotaOf,
  type RequestQuota,
} from './server/request-quota.ts'
import {createSignInDesk, type SignInDesk} from './server/sign-in-desk.ts'
import {spoolBodies} from './server/spooled.ts'
import {createTurns, type TurnOptions} from './server/turns.ts'
import {viewerOf} from './server/viewer.ts'
import {answerHealth} from './service/health.ts'
import {answerMetrics, type MetricsPage} from './service/metrics.ts'
import type {Build} from './service/platform.ts'

export type AppOptions = {
  readonly database: Database
  readonly replicated: ReplicatedLog | undefined // undefined: there are no replicas
  readonly schema: string
  readonly host: string // the address that the service listens on
  readonly base: Iri
  readonly platformNamespace: Iri
  readonly vocabulary: ReadonlyMap<string, Iri> // terms with fixed ids in this schema
  readonly limits: WebLimits
  readonly callers: RequestQuota & {
    readonly proxies: BlockList
    readonly forwardedHeader: ForwardedHeader
  }
  readonly quotaOf: QuotaOf
  readonly name: string | undefined // of one of several datasets; undefined: the only one
  readonly datasets: {readonly requests: number} // to one of several datasets in a window
  readonly turns: TurnOptions // for queries, and for documents that are read in batches
  readonly requireIfMatch: 'put' | 'all'
  readonly redirectSeconds: number
  readonly queryTimeoutMs: number
  readonly queryLimits: QueryLimits
  readonly heldLimits: HeldLimits
  readonly textIndex: 'auto' | 'on' | 'off'
  readonly hasSearch: boolean
  readonly federation: Federation | undefined // undefined: queries ask no other endpoint
  readonly loading: Loading | undefined // undefined: LOAD is off
  readonly hasExplanations: boolean
  readonly changesKept: ChangesKept
  readonly checksums: ChecksumPool
  readonly bodies: Bodies
  readonly threads: WorkerPool // for work that would block the event loop
  readonly build: Build
  readonly isDraining: () => boolean
  readonly leaving: AbortSignal // aborts when the dataset is closed, so that clients that listen are told to leave
  readonly hasPolling: boolean // one process serves all requests
  readonly askDatabase: () => Promise<unknown> // rejects if the database does not answer or does not hold the dataset
  readonly spools: SpoolSpace
  readonly feed: Feed
  readonly changeListeners: number // at a time
  readonly heldBodies: Allowance
  readonly metrics: MetricsPage | undefined
  readonly access: AccessControl & {
    readonly keptKeyMs: number
    readonly tokens: TokenOptions | undefined
    readonly allowed: HostList | undefined
    readonly provider: ProviderOptions | undefined // undefined: people sign in with API keys only
    readonly sessions: SessionTimes
  }
  readonly keyUses: KeyUses
  readonly operation: {readonly cors: CorsOptions; readonly compressFromBytes: number}
}

/** Queries that one of several datasets keeps plans for: a tenth of the usual number, because many may be open. */
const keptQueriesOfOne = 50

const errorsMarkdown = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

export type App = {
  readonly koa: Koa
  /** Does what the first query would wait for: see query/answer.ts. */
  readonly prepareForFirst: () => Promise<void>
}

export function createApp(options: AppOptions): App {
  const {base, limits, isDraining, askDatabase, spools, operation, callers, quotaOf} = options
  const addressKey = createAddressKey({proxies: callers.proxies, header: callers.forwardedHeader})
  const callerKey = createCallerKey(addressKey)
  const {answerConsistency, readerOf} = createConsistency(options.replicated)
  const checkCredentials = limitCredentials(callers, quotaOf, addressKey)
  const desk = createDesk(options)
  const shared = createSite(options, {callerKey, readerOf, checkCredentials, desk})
  const {platform} = shared.dataset

  const app = new Koa().on('error', observeFailure)
  if (options.access.isGuarded) app.use(markPrivate())
  app.use(spoolBodies(spools, callerKey))
  app.use(compressBodies(operation.compressFromBytes))
  app.use(answerConsistency)
  const {prefixes, pages} = shared
  app.use(answerFailures({base, platform, prefixes, pages: pages.site, viewerOf: context => viewerOf(shared, context)}))
  app.use(checkHead(hostRule({base, ...options.access, isLocal: isLoopback(options.host)})))
  app.use(answerCors(operation.cors))
  app.use(readTarget(limits.uriBytes))
  app.use(answerHealth({isDraining, askDatabase}))
  if (options.name !== undefined) app.use(limitDataset({...callers, ...options.datasets}, quotaOf))
  const settle = limitFailures(checkCredentials, settleCaller(authenticateFor(options), desk))
  app.use(settle)
  app.use(answerMetrics(options.metrics, context => requireReadRoot(siteFor(shared, context), context, 'Metrics are')))
  const count = limitRequests(callers, quotaOf, callerKey)
  app.use(count)
  const {cors} = operation
  const {version} = options.build
  app.use(brokerRoutes(shared, {...options, settle, count, cors, version}))
  app.use(keyedRoutes(shared, count))
  app.use(serviceRoutes(shared, {errorsMarkdown, build: options.build, metricsPath: options.metrics?.path, count}))
  app.use(documentRoutes(shared))
  return {koa: app, prepareForFirst: () => shared.queries.prepareForFirst(base)}
}

type SiteParts = Pick<Site, 'callerKey' | 'readerOf' | 'checkCredentials' | 'desk'>

/** Creates the state that all handlers share. */
function createSite(options: AppOptions, parts: SiteParts): SharedSite {
  const {database, schema, base, platformNamespace, vocabulary, checksums, federation, loading} = options
  const platform = platformVocabulary(platformNamespace)
  const queries = createQueryService({
    database,
    schema,
    vocabulary,
    timeoutMs: options.queryTimeoutMs,
    limits: options.queryLimits,
    heldLimits: options.heldLimits,
    avoidsTextIndex: options.textIndex === 'off',
    hasSearch: options.hasSearch,
    threads: createQueryThreads(options.threads),
    checksums,
    platform,
    name: options.name,
    ...(options.name === undefined ? {} : {keptQueries: keptQueriesOfOne}),
    federation,
    loading,
  })
  const prefixes = prefixesFor(platformNamespace)
  return {
    ...parts,
    turns: createTurns(options.turns),
    spools: options.spools,
    feed: options.feed,
    listeners: createListeners(options.changeListeners),
    heldBodies: options.heldBodies,
    statistics: createStatistics(database, schema),
    unguardedSession: createSession(database, schema, vocabulary),
    dataset: {base, platform, checksum: checksums.checksum, bodies: options.bodies},
    threads: options.threads,
    queries,
    hasExplanations: options.hasExplanations,
    hasFederation: federation !== undefined,
    hasSearch: options.hasSearch,
    hasHistory: options.changesKept !== 'off',
    changesKept: options.changesKept,
    limits: options.limits,
    cors: options.operation.cors,
    requireIfMatch: options.requireIfMatch,
    redirectSeconds: options.redirectSeconds,
    prefixes,
    pages: createPages({
      base,
      platform,
      prefixes,
      hasHistory: options.changesKept !== 'off',
      hasSearch: options.hasSearch,
    }),
    access: {...options.access, hasIssuer: options.access.tokens !== undefined},
  }
}

/** Reports a failure, except for a reset connection: the record of that request already shows it. */
function observeFailure(error: unknown, {req}: Context): void {
  if (req.socket.errored !== error) observe({kind: 'failure', error})
}

/** Creates the check of credentials; undefined if the service has neither access control nor a token issuer. */
function authenticateFor({access, database, schema, keyUses}: AppOptions) {
  const {isGuarded, tokens, keptKeyMs: keptMs} = access
  if (!isGuarded && tokens === undefined) return undefined
  const find = (hash: Uint8Array) => findKey(database, schema, hash)
  const readKey = createKeyReader({find, keptMs, noteUse: keyUses.note})
  return createAuthenticate({readKey, readToken: tokens && createTokenReader(tokens)})
}

/** Creates what signs people in; undefined without access control, because everybody may do everything then. */
function createDesk({access, database, schema, vocabulary, base}: AppOptions): SignInDesk | undefined {
  const {isGuarded, tokens, provider} = access
  if (!isGuarded) return undefined
  return createSignInDesk(base, {
    sessions: createSessions(createSession(database, schema, vocabulary), access.sessions),
    provider: tokens && provider && createProvider(tokens, provider),
    findKey: hash => findKey(database, schema, hash),
  })
}
