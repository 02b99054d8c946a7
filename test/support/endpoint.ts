/** A SPARQL endpoint for a test. A handler gets each query and may answer it in any way, correctly or not. */
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {ExecutionContext} from 'ava'

export type FakeEndpoint = {readonly url: string; readonly asked: readonly string[]; readonly left: Promise<void>}
export type Respond = (response: ServerResponse, query: string, request: IncomingMessage) => void

/** `left` resolves when a client closes its connection before it has an answer. */
export async function fakeEndpoint(t: ExecutionContext, respond: Respond): Promise<FakeEndpoint> {
  const asked: string[] = []
  let leave: () => void
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const server = createServer(async (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) leave()
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const query = isForm ? (new URLSearchParams(body).get('query') ?? '') : body
    asked.push(query)
    respond(response, query, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sparql`, asked, left}
}

export const resultsJson = {'Content-Type': 'application/sparql-results+json'}

/** Answers with solutions: each maps variables to terms in SPARQL JSON. */
export function respondRows(response: ServerResponse, rows: readonly object[]): void {
  response.writeHead(200, resultsJson).end(JSON.stringify({head: {vars: []}, results: {bindings: rows}}))
}
