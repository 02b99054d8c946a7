/**
 * Types that the handlers share: Site, for all requests, and Exchange, for one request to a document.
 */

import type {Context} from 'koa'
import type {Allowance} from '../base/allowance.ts'
import type {SpoolSpace} from '../base/spool-space.ts'
import type {WorkerPool} from '../base/worker-pool.ts'
import type {Feed} from '../changes/feed.ts'
import type {Reader} from '../db/replicas/reader.ts'
import type {ChangesKept} from '../db/store/changes.ts'
import type {Session} from '../db/store/session.ts'
import type {Preferences} from '../http/prefer.ts'
import type {RequestTarget} from '../http/request-target.ts'
import type {Dataset} from '../ldp/context.ts'
import type {QueryService} from '../query/answer.ts'
import type {ReadStatistics} from '../query/statistics.ts'
import type {Iri} from '../rdf/term.ts'
import type {Pages} from './pages/site.ts'
import type {CallerKey} from './server/caller-key.ts'
import type {CorsOptions} from './server/cors.ts'
import type {Listeners} from './server/listeners.ts'
import type {CheckCredentials} from './server/request-quota.ts'
import type {SignInDesk} from './server/sign-in-desk.ts'
import type {Turns} from './server/turns.ts'

export type WebLimits = {
  readonly bodyBytes: number
  readonly bodyTimeoutMs: number // for a body to arrive
  readonly slowReaderMs: number // total time that an answer may wait for its client when the spool is full
  readonly uriBytes: number
  readonly pageSize: number // children per page
  readonly writeTimeoutMs: number // for the statements of a transaction; 0: no limit
  readonly keyLastsMs: number // how long the response to a request with an Idempotency-Key is kept
  readonly batchRequests: number // in one batch
  readonly batchBytes: number // of a batch, and of the responses to it
  readonly streamMs: number // after which a listener to changes must connect again
}

export type AccessControl = {
  readonly isGuarded: boolean // access control is on
  readonly isHidden: boolean // documents that the caller may not read are reported as missing
  readonly isAudited: boolean
  readonly hasQueryGrants: boolean // queries need a grant of the mode `query`
}

/** What handlers know of the service. Its session acts on behalf of the request's caller. */
export type Site = {
  readonly callerKey: CallerKey
  readonly checkCredentials: CheckCredentials
  readonly desk: SignInDesk | undefined // signs people in; undefined without access control
  readonly turns: Turns // for queries, and for documents that are read in batches
  readonly spools: SpoolSpace // hold answers until clients have read them
  readonly heldBodies: Allowance // bytes of request bodies that are not answered yet
  readonly dataset: Dataset
  readonly limits: WebLimits
  readonly cors: CorsOptions // which pages may use the service
  readonly threads: WorkerPool // for work that would block the event loop
  readonly queries: QueryService
  readonly hasExplanations: boolean // clients may ask for explanations of queries
  readonly hasFederation: boolean // queries may ask other endpoints
  readonly hasSearch: boolean
  readonly hasHistory: boolean // changes are logged, so past states are kept
  readonly changesKept: ChangesKept // how long changes are logged
  readonly requireIfMatch: 'put' | 'all'
  readonly redirectSeconds: number // how long requests for old URLs of moved documents are redirected; 0: not at all
  readonly statistics: ReadStatistics
  readonly feed: Feed // of changes
  readonly listeners: Listeners // to changes
  readonly prefixes: Readonly<Record<string, Iri>> // for formats that abbreviate IRIs
  readonly pages: Pages // for browsers
  readonly readerOf: (context: Context) => Reader | undefined // undefined: there are no replicas
  readonly access: AccessControl & {readonly hasIssuer: boolean} // hasIssuer: tokens of an issuer are accepted
}

/** What all requests share. `siteFor` (server/access.ts) makes the Site of one request from it. */
export type SharedSite = Omit<Site, 'dataset'> & {
  readonly dataset: Omit<Dataset, 'session'>
  readonly unguardedSession: Session // may do everything, and is not audited
}

/** A request to a document, which may not exist. */
export type Exchange = {
  readonly site: Site
  readonly context: Context
  readonly iri: Iri
  readonly target: RequestTarget
  readonly preferences: Preferences
}

/** The value of a header. Several values are joined by commas. */
export function headerOf(context: Context, name: string): string | undefined {
  const value = context.req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const noFields: readonly string[] = []

/** The values of a header, one for each field. Node collects them in an object of its own, if it is asked for one. */
export function fieldsOf({req}: Context, name: string): readonly string[] {
  return req.headers[name] === undefined ? noFields : (req.headersDistinct[name] ?? noFields)
}

/** The dataset for a request that only reads. Replicas may answer it, but only one replica for each request. */
export function datasetToRead({site, context}: Pick<Exchange, 'site' | 'context'>): Dataset {
  const {dataset, readerOf} = site
  const reader = readerOf(context)
  return reader === undefined ? dataset : {...dataset, session: {...dataset.session, reader}}
}
