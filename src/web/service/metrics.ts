/**
 * Serves the page of metrics at a path of the service, or on a separate port.
 *
 * The content of the page comes from `MetricsPage.read`.
 */
import {createServer, type Server} from 'node:http'
import type {Context, Middleware} from 'koa'
import {nameRoute} from '../server/request-record.ts'
import {asksToRead} from './read-only.ts'

export type MetricsPage = {
  readonly path: string
  readonly read: () => Promise<string>
  readonly contentType: string
}

/**
 * @param page   undefined: metrics are not served here
 * @param admit  throws if the caller may not see the metrics
 */
export function answerMetrics(page: MetricsPage | undefined, admit: (context: Context) => Promise<void>): Middleware {
  if (page === undefined) return (_, next) => next()
  const answer = async (context: Context) => {
    nameRoute(context.req, 'metrics')
    context.set('Cache-Control', 'no-store')
    if (!asksToRead(context)) return
    await admit(context)
    context.set('Content-Type', page.contentType)
    context.body = await page.read()
  }
  return (context, next) => (context.path === page.path ? answer(context) : next())
}

/** Creates a server with this page only. */
export function createMetricsServer({path, read, contentType}: MetricsPage): Server {
  return createServer(async (request, response) => {
    const {method, url} = request
    if (url !== path) {
      response.writeHead(404).end()
    } else if (method === 'GET' || method === 'HEAD') {
      const text = await read()
      response.writeHead(200, {'Content-Type': contentType, 'Cache-Control': 'no-store'}).end(text)
    } else {
      response.writeHead(method === 'OPTIONS' ? 204 : 405, {Allow: 'GET, HEAD, OPTIONS'}).end()
    }
  })
}
