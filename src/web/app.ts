/**
 * The order in which a request meets what answers it, and nothing else.
 *
 * Floor 5.
 */
import Koa from 'koa'
import type {Database} from '../db/pool.ts'
import type {Iri} from '../rdf/term.ts'
import {answerHealth} from './health.ts'

export type AppOptions = {
  readonly database: Database
  readonly schema: string
  readonly base: Iri
  readonly platformNamespace: Iri
  readonly limits: {
    readonly bodyBytes: number
    readonly bodyTimeoutMs: number
    readonly uriBytes: number
    readonly pageSize: number
  }
  readonly requireIfMatch: 'put' | 'all'
  readonly isDraining: () => boolean
}

export function createApp({database, isDraining}: AppOptions): Koa {
  const app = new Koa()
  app.use(answerHealth({isDraining, askDatabase: () => database.query('select 1')}))
  return app
}
