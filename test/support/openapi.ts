/** Reads the OpenAPI document of a service, and checks responses against it. */
import type {Received} from './client.ts'

type Reference = {readonly $ref: string}
type Answer = {
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, object>>
}
export type Operation = {readonly responses: Readonly<Record<string, Answer | Reference>>}
export type Description = {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly headers: Readonly<Record<string, {readonly required: boolean}>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export const descriptionPath = '/.well-known/openapi.json'

/** Header fields of HTTP itself, caching, content coding, browsers and CORS, which no operation describes. */
const ofHttp = /^(connection|keep-alive|date|content-.*|transfer-encoding|vary|cache-control)$/
const ofBrowsers = /^(access-control-.*|cross-origin-.*|referrer-policy|x-content-type-options|x-frame-options)$/

/**
 * The differences between a response and its description: undescribed and missing parts. Errors may use the general
 * description.
 */
export function faultsOf(description: Description, operation: Operation, received: Received): readonly string[] {
  const {status, headers, bytes} = received
  const {responses, headers: all} = description.components
  const found = operation.responses[status] ?? (status < 400 ? undefined : operation.responses.default)
  if (found === undefined) return [`status ${status}`]
  const answer = '$ref' in found ? responses[nameIn(found)] : found
  const described = Object.entries(answer?.headers ?? {})
  const missing = described.filter(([name, reference]) => {
    const isNeeded = all[nameIn(reference)]?.required === true
    return isNeeded && headers[name.toLowerCase()] === undefined
  })
  const names = new Set(described.map(([name]) => name.toLowerCase()))
  const untold = Object.keys(headers).filter(name => !ofHttp.test(name) && !ofBrowsers.test(name) && !names.has(name))
  const type = headers['content-type']?.replace(/; ?charset=utf-8.*$|; version=0.0.4.*$/i, '') ?? ''
  const isUnknown = bytes.length > 0 && answer?.content?.[type] === undefined
  return [
    ...missing.map(([name]) => `no ${name}`),
    ...untold.map(name => `undescribed ${name}`),
    ...(isUnknown ? [`type ${type}`] : []),
  ]
}

/** The media types of an operation's successful response. */
export function contentsOf(operation: Operation | undefined): readonly string[] {
  const answer = operation?.responses['200']
  return answer === undefined || '$ref' in answer ? [] : Object.keys(answer.content ?? {})
}

function nameIn({$ref}: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}
