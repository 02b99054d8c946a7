/**
 * The application of a service with several datasets for everything that belongs to no dataset: probes, metrics and the
 * management of datasets.
 *
 * Their paths do not end with '/', so no document can have them. Every host name answers them.
 */
import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import type {BlockList} from 'node:net'
import Koa, {type Context} from 'koa'
import {Problem} from '../base/problem.ts'
import type {ForwardedHeader} from '../http/forwarded.ts'
import {createAddressKey} from './server/caller-key.ts'
import {answerPlainProblem} from './server/plain-problem.ts'
import {checkHead} from './server/request-head.ts'
import {limitCredentials, limitFailures, type QuotaOf, type RequestQuota} from './server/request-quota.ts'
import {nameRoute} from './server/request-record.ts'
import {answerDatasets, type DatasetOffice, isOfDatasets, requireOperator} from './service/datasets.ts'
import {answerHealth, type Health} from './service/health.ts'
import {answerMetrics, type MetricsPage} from './service/metrics.ts'
import {openApiType} from './service/openapi.ts'
import {datasetsDescriptionPath, describeDatasets} from './service/openapi-datasets.ts'
import {asksToRead} from './service/read-only.ts'

export type HostAppOptions = Health & {
  readonly office: DatasetOffice
  readonly version: string // of the program
  readonly metrics: MetricsPage | undefined
  readonly isGuarded: boolean // metrics are for operators only
  readonly callers: RequestQuota & {readonly proxies: BlockList; readonly forwardedHeader: ForwardedHeader}
  readonly quotaOf: QuotaOf
}

export type HostApp = {
  /** Whether a path belongs to the service and not to a dataset. */
  readonly isOwn: (path: string) => boolean
  readonly answer: RequestListener
}

export function createHostApp(options: HostAppOptions): HostApp {
  const {office, version, metrics, isGuarded, callers, quotaOf, ...health} = options
  const app = new Koa()
  app.use(async (context, next) => {
    try {
      await next()
    } catch (error) {
      context.respond = false
      answerPlainProblem(context.req, context.res, error)
    }
  })
  app.use(checkHead(undefined))
  app.use(answerHealth(health))
  const isForOperators = (path: string) => isOfDatasets(path) || (isGuarded && path === metrics?.path)
  const addressKey = createAddressKey({proxies: callers.proxies, header: callers.forwardedHeader})
  app.use(
    limitFailures(limitCredentials(callers, quotaOf, addressKey), async (context, next) => {
      if (isForOperators(context.path)) await requireOperator(office, context)
      return next()
    }),
  )
  app.use(answerMetrics(metrics, () => Promise.resolve()))
  app.use(context => {
    if (context.path === datasetsDescriptionPath) return answerDescription(version, context)
    return answerDatasets(office, context)
  })
  const own = new Set(['/live', '/ready', datasetsDescriptionPath, ...(metrics === undefined ? [] : [metrics.path])])
  return {isOwn: path => own.has(path) || isOfDatasets(path), answer: app.callback()}
}

function answerDescription(version: string, context: Context): void {
  nameRoute(context.req, 'openapi')
  if (!asksToRead(context)) return
  context.set({'Content-Type': openApiType, 'Cache-Control': 'max-age=3600'})
  context.body = JSON.stringify(describeDatasets(version))
}

/** Answers a request for which there is no dataset. */
export function answerNoDataset(request: IncomingMessage, response: ServerResponse, reason: 'host' | 'path'): void {
  const problem =
    reason === 'host'
      ? new Problem(421, 'host-known', 'No dataset of this service has this host, or several have this path.')
      : new Problem(404, 'dataset-known', 'No dataset of this service is at this path.')
  answerPlainProblem(request, response, problem)
}
