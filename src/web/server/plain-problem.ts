/**
 * Answers a Problem outside of the application of a dataset, as problem details in JSON (RFC 9457).
 *
 * The type is `about:blank`, because no base is known at which the rule is explained.
 */
import type {IncomingMessage, ServerResponse} from 'node:http'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {problemText} from './broken-request.ts'
import {recordOf} from './request-record.ts'

/** @param error  anything but a Problem is a fault of the service, and a 500 */
export function answerPlainProblem(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const {id: requestId} = recordOf(request)
  const problem =
    error instanceof Problem ? error : new Problem(500, 'internal', `This is our fault. Tell us: ${requestId}.`)
  if (problem !== error) observe({kind: 'failure', error, requestId})
  if (response.headersSent || problem.status === 499) {
    response.destroy()
    return
  }
  const {status, rule, message: detail, headers} = problem
  const body = `${problemText({status, rule, detail, requestId})}\n`
  response.writeHead(status, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
