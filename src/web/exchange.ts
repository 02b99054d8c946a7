/**
 * One request on its way: what the handlers share about it, and nothing of Koa's that they do not need.
 */

import type {Context} from 'koa'
import type {Allowance} from '../base/allowance.ts'
import type {SpoolSpace} from '../base/spool-space.ts'
import type {WorkerPool} from '../base/worker-pool.ts'
import type {Reader} from '../db/replicas/reader.ts'
import type {Preferences} from '../http/prefer.ts'
import type {RequestTarget} from '../http/request-target.ts'
import type {Dataset} from '../ldp/context.ts'
import type {QueryService} from '../query/answer.ts'
import type {ReadStatistics} from '../query/statistics.ts'
import type {Iri} from '../rdf/term.ts'
import type {Pages} from './pages/site.ts'
import type {CallerKey} from './server/caller-key.ts'
import {recordOf} from './server/request-record.ts'
import type {Turns} from './server/turns.ts'

export type WebLimits = {
  readonly bodyBytes: number
  readonly bodyTimeoutMs: number // for a body to arrive
  readonly slowReaderMs: number // for which an answer waits for its client, in all, where the spool has no room
  readonly uriBytes: number
  readonly pageSize: number // children a page
}

export type AccessControl = {
  readonly isGuarded: boolean // grants count
  readonly isHidden: boolean // what may not be read is told to be missing
  readonly isAudited: boolean
  readonly hasQueryGrants: boolean // queries need the mode query
}

/** What stays the same from request to request. */
export type Site = {
  readonly callerKey: CallerKey
  readonly turns: Turns // of queries, and of documents that are read in batches
  readonly spools: SpoolSpace // where answers wait for their clients
  readonly heldBodies: Allowance // bytes of bodies that are not answered yet
  readonly dataset: Dataset
  readonly limits: WebLimits
  readonly threads: WorkerPool // for what would block the event loop
  readonly queries: QueryService
  readonly hasExplanations: boolean // of queries, for clients
  readonly hasFederation: boolean // queries may ask other endpoints
  readonly requireIfMatch: 'put' | 'all'
  readonly statistics: ReadStatistics
  readonly prefixes: Readonly<Record<string, Iri>> // for formats that abbreviate
  readonly pages: Pages // for browsers
  readonly readerOf: (context: Context) => Reader | undefined // who reads from replicas; undefined: there are none
  readonly access: AccessControl & {readonly hasIssuer: boolean} // whose tokens are taken
}

/** A request for a document: an existing one, or one that the request believes to exist. */
export type Exchange = {
  readonly site: Site
  readonly context: Context
  readonly iri: Iri
  readonly target: RequestTarget
  readonly preferences: Preferences
}

/** The site with what it asks of the store asked under a request's id, in its caller's turn. */
export function recordedSite(site: Site, context: Context): Site {
  const {dataset, callerKey} = site
  const store = dataset.store.forRequest(recordOf(context.req).id, callerKey(context))
  return {...site, dataset: {...dataset, store}}
}

/** A header that Node joins when it comes twice. */
export function headerOf(context: Context, name: string): string | undefined {
  const value = context.req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The dataset for a request that only reads: replicas may answer, and no two for one request. */
export function datasetToRead({site, context}: Pick<Exchange, 'site' | 'context'>): Dataset {
  const {dataset, readerOf} = site
  return {...dataset, store: dataset.store.forReader(readerOf(context))}
}
