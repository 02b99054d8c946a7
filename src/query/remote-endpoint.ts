/**
 * Sends a query to another SPARQL endpoint and reads its solutions.
 *
 * It uses POST with a form, which nearly every endpoint accepts. If the endpoint does not support that media type, it
 * sends application/sparql-query. It sends no credentials and no cookies. It follows a redirect, as the same POST, if
 * the list of allowed endpoints has the target. It reads the answer up to a limit of bytes and rows.
 * Sources: SPARQL 1.1 Protocol §2.1.2–3; SPARQL 1.1 Federated Query §2.4; RFC 9110 §15.4 (redirects).
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {readJsonResults} from '../format/results-read.ts'
import type {SolutionRow} from '../format/results-types.ts'
import {allowedEndpoint, type EndpointList} from '../http/endpoint-list.ts'
import {readMediaType} from '../http/media-type.ts'
import type {Iri} from '../rdf/term.ts'

export type Federation = {
  readonly endpoints: EndpointList
  readonly limitBytes: number // of all answers for one query
  readonly limitRows: number
}

/** What one query may still read from other endpoints. Its requests run in sequence and share this. */
export type RemoteAllowance = {
  bytes: number
  rows: number
  readonly limitMs: number // 0: no limit
  readonly timeout: AbortSignal | undefined
  readonly gone: AbortSignal | undefined // aborts when the client disconnects
}

export type Question = {
  readonly endpoint: Iri // as written in the query
  readonly text: string
  readonly variables: readonly string[]
}

const redirectMax = 5

/**
 * Sends the query of a question to its endpoint.
 *
 * @returns  values in the order of the question's variables
 * @throws   Problem 403 `service-allowed`, 502 `service-failed`, 504 `service-timeout`, 422 `service-limit`,
 *           499 `client-gone`
 */
export async function askEndpoint(
  federation: Federation,
  question: Question,
  allowance: RemoteAllowance,
): Promise<readonly SolutionRow[]> {
  const {endpoint, variables} = question
  const url = allowedEndpoint(federation.endpoints, endpoint)
  if (url === undefined) throw new Problem(403, 'service-allowed', `<${excerpt(endpoint)}> is not to be asked here.`)
  const refuse = failure(endpoint)
  try {
    const response = await post(federation, url, question, signalOf(allowance))
    const text = await readText(response, federation, endpoint, allowance)
    const rows = readJsonResults(text, variables, refuse)
    if (rows.length > allowance.rows) throw tooMuch(endpoint, `${federation.limitRows} solutions`)
    allowance.rows -= rows.length
    return rows
  } catch (error) {
    throw problemFor(error, endpoint, allowance)
  }
}

/** @returns  a signal that aborts at the time limit or when the client disconnects; null: never */
export function signalOf({timeout, gone}: Pick<RemoteAllowance, 'timeout' | 'gone'>): AbortSignal | null {
  const signals = [timeout, gone].filter(signal => signal !== undefined)
  return signals.length === 0 ? null : AbortSignal.any(signals)
}

/** Sends the POST. The response it returns is a SPARQL result in JSON. */
async function post(federation: Federation, url: string, question: Question, signal: AbortSignal | null) {
  const {endpoint, text} = question
  let body: Body = {type: 'application/x-www-form-urlencoded', text: new URLSearchParams({query: text}).toString()}
  let place = url
  for (let redirects = 0; redirects <= redirectMax; ) {
    const response = await fetch(place, {
      method: 'POST',
      headers: {'Content-Type': body.type, Accept: 'application/sparql-results+json', 'User-Agent': 'Quadstead'},
      body: body.text,
      redirect: 'manual',
      credentials: 'omit',
      signal,
    })
    if (response.ok) return checkedType(response, endpoint)
    await response.body?.cancel()
    if (response.status === 415 && body.text !== text) {
      body = {type: 'application/sparql-query', text}
      continue
    }
    if (![301, 302, 307, 308].includes(response.status)) return failure(endpoint)(`it answered ${response.status}`)
    const target = new URL(response.headers.get('location') ?? '', place).href
    place = allowedEndpoint(federation.endpoints, target) ?? failure(endpoint)(`it redirects to ${excerpt(target)}`)
    redirects += 1
  }
  return failure(endpoint)(`it redirects more than ${redirectMax} times`)
}

type Body = {readonly type: string; readonly text: string}

async function checkedType(response: Response, endpoint: Iri): Promise<Response> {
  const given = response.headers.get('content-type') ?? ''
  const essence = /^[^/;\s]+\/[^/;\s]+/.test(given) ? readMediaType(given).essence : ''
  if (essence === 'application/sparql-results+json' || essence === 'application/json') return response
  await response.body?.cancel()
  return failure(endpoint)(`it answered with the type "${excerpt(given)}"`)
}

async function readText(response: Response, {limitBytes}: Federation, endpoint: Iri, allowance: RemoteAllowance) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    allowance.bytes -= chunk.length
    if (allowance.bytes < 0) throw tooMuch(endpoint, `${limitBytes} bytes`) // ends the loop, which closes the stream
    text += decoder.decode(chunk, {stream: true})
  }
  return text + decoder.decode()
}

function failure(endpoint: Iri): (reason: string, cause?: unknown) => never {
  return (reason, cause) => {
    const message = `<${excerpt(endpoint)}> gave no solutions: ${reason}.`
    throw new Problem(502, 'service-failed', message, {members: {endpoint}, cause})
  }
}

function tooMuch(endpoint: Iri, limit: string): Problem {
  const message = `<${excerpt(endpoint)}> answered with more than the ${limit} that a query may take from others.`
  return new Problem(422, 'service-limit', message, {members: {endpoint}})
}

/** The Problem for an error of fetch. When a connection fails, Node gives the reason in the error's cause. */
function problemFor(error: unknown, endpoint: Iri, {gone, timeout, limitMs}: RemoteAllowance): unknown {
  if (gone?.aborted) return new Problem(499, 'client-gone', 'The client went away before its query ended.')
  if (timeout?.aborted) {
    const message = `<${excerpt(endpoint)}> did not answer before the query's limit of ${limitMs} ms.`
    return new Problem(504, 'service-timeout', message, {members: {endpoint, limitMs}, cause: error})
  }
  if (error instanceof Problem) return error
  const {cause = error} = error as {readonly cause?: unknown}
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause)
  const message = `<${excerpt(endpoint)}> gave no solutions: ${excerpt(code)}.`
  return new Problem(502, 'service-failed', message, {members: {endpoint}, cause: error})
}
