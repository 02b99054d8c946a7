/**
 * One request on its way: what the handlers share about it, and nothing of Koa's that they do not need.
 *
 * Floor 5.
 */
import type {Context} from 'koa'
import type {Preferences} from '../http/prefer.ts'
import type {RequestTarget} from '../http/request-target.ts'
import type {Dataset} from '../ldp/dataset.ts'
import type {QueryService} from '../query/answer.ts'
import type {ReadStatistics} from '../query/statistics.ts'
import type {Iri} from '../rdf/term.ts'
import type {Pages} from './html/site.ts'

export type WebLimits = {
  readonly bodyBytes: number
  readonly bodyTimeoutMs: number // for a body to arrive, and for a client to take more of a large answer
  readonly uriBytes: number
  readonly pageSize: number // children a page
}

export type AccessControl = {
  readonly isGuarded: boolean // grants count
  readonly isHidden: boolean // what may not be read is told to be missing
  readonly isAudited: boolean
}

/** What stays the same from request to request. */
export type Site = {
  readonly dataset: Dataset
  readonly limits: WebLimits
  readonly queries: QueryService
  readonly hasExplanations: boolean // of queries, for clients
  readonly hasFederation: boolean // queries may ask other endpoints
  readonly requireIfMatch: 'put' | 'all'
  readonly statistics: ReadStatistics
  readonly prefixes: Readonly<Record<string, Iri>> // for formats that abbreviate
  readonly pages: Pages // for browsers
  readonly access: AccessControl
}

/** A request for a document: an existing one, or one that the request believes to exist. */
export type Exchange = {
  readonly site: Site
  readonly context: Context
  readonly iri: Iri
  readonly target: RequestTarget
  readonly preferences: Preferences
}

/** A header that Node joins when it comes twice. */
export function headerOf(context: Context, name: string): string | undefined {
  const value = context.req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
