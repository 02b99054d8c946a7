/**
 * Requests of commands to a running service, and its answers on stdout.
 *
 * An answer is written as it arrives. On a terminal it is text without control characters, with colours. Elsewhere its
 * bytes are written unchanged.
 */
import {readFile} from 'node:fs/promises'
import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {pipeline} from 'node:stream/promises'
import {Refusal} from '../base/refusal.ts'
import {formatFacts, optionName} from '../format/formats.ts'
import type {Config} from '../settings/config.ts'
import {type Arguments, type CommandOptions, textOption} from './command.ts'
import {paintFor, paintTurtle, withoutControls} from './terminal.ts'

export type ServiceClient = {
  readonly base: string // ends with a slash
  readonly key: string | undefined
}

type ServiceRequest = {
  readonly accept: string // media types of the answer
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly advice?: Readonly<Record<string, string>> // a sentence for the errors of a rule
}

const problemType = 'application/problem+json'
const keyVariable = 'QUADSTEAD_KEY'

/** The options of commands that talk to a service. */
export const clientOptions = {url: {type: 'string'}, 'key-file': {type: 'string'}} as const satisfies CommandOptions
export const clientUsage = '[--url URL] [--key-file FILE]'
export const clientHelp = `  --url URL        root of the service; by default BASE_URL, otherwise http://localhost:PORT/
  --key-file FILE  an API key or a token; by default the variable ${keyVariable}`

/** The RDF formats by the values of --format. */
export const graphFormats: ReadonlyMap<string, string> = new Map(
  formatFacts.map(facts => [optionName(facts), facts.mediaTypes[0]]),
)

/** @throws  Refusal: the URL or the file is not usable */
export async function readClient(config: Config, parameters: Arguments): Promise<ServiceClient> {
  const url = textOption(parameters, 'url') ?? config.base ?? `http://localhost:${config.port}/`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Refusal(`--url must be an http or https URL, got "${url}".`, {exitCode: 2})
  const {href} = new URL(url)
  return {base: href.endsWith('/') ? href : `${href}/`, key: await readKeyOf(textOption(parameters, 'key-file'))}
}

async function readKeyOf(file: string | undefined): Promise<string | undefined> {
  const key = file === undefined ? process.env[keyVariable] : String(await readFileFor(file))
  const text = (key ?? '').trim()
  if (/[^\u0021-\u007e]/.test(text)) throw new Refusal(`${file ?? keyVariable} does not contain a key.`)
  return text === '' ? undefined : text
}

/** The content of a file; - is the standard input. */
export async function readFileFor(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(`${file} cannot be read: ${reason}`, {cause: error})
  }
}

/**
 * The URL of a document that an operand names: a URL, or a path below the root of the service.
 *
 * @throws  Refusal: the URL belongs to another service, which must not get the key
 */
export function documentUrl({base}: ServiceClient, operand: string): string {
  const url = new URL(operand.startsWith('/') ? operand.slice(1) : operand, base).href
  if (url.startsWith(base)) return url
  throw new Refusal(`${url} is not a document of ${base}. Name its service with --url.`, {exitCode: 2})
}

/** The media type for a value of --format: a name of the map, or a media type. */
export function mediaTypeFor(format: string, names: ReadonlyMap<string, string>): string {
  const type = names.get(format.toLowerCase().replaceAll('-', '')) ?? (format.includes('/') ? format : undefined)
  if (type !== undefined) return type
  throw new Refusal(`--format must be one of ${[...names.keys()].join(', ')}, or a media type, got "${format}".`, {
    exitCode: 2,
  })
}

/**
 * Sends a request.
 *
 * @returns  a successful response
 * @throws   Refusal with the sentence of the service, or the reason why it did not answer
 */
export async function requestService(
  {base, key}: ServiceClient,
  url: string,
  request: ServiceRequest,
): Promise<Response> {
  const headers = {
    ...request.headers,
    Accept: `${problemType}, ${request.accept}`, // errors are problem documents, whatever the answer would be
    ...(key === undefined ? {} : {Authorization: `Bearer ${key}`}),
  }
  const {method = 'GET', body = null} = request
  const response = await fetch(url, {method, body, headers}).catch(error => {
    throw new Refusal(
      `No answer from ${base}: ${reasonOf(error)}. Is the service running? Otherwise say where with --url.`,
      {cause: error},
    )
  })
  if (response.ok) return response
  throw new Refusal(sentenceOfProblem(response.status, await response.text().catch(() => ''), request.advice))
}

/** `The document has changed … (etag-mismatch, 412)`; the beginning of the body if another program answered. */
function sentenceOfProblem(status: number, body: string, advice: ServiceRequest['advice'] = {}): string {
  const {detail, title, line, column} = parseObject(body)
  if (typeof detail !== 'string') return `It is not a Quadstead that answered, with ${status}: ${body.slice(0, 200)}`
  const place = typeof line === 'number' && !/line \d/i.test(detail) ? `Line ${line}, column ${column}: ` : ''
  const next = typeof title === 'string' && advice[title] !== undefined ? ` ${advice[title]}` : ''
  return withoutControls(`${place}${detail} (${title}, ${status})${next}`)
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? {...value} : {}
  } catch {
    return {}
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** Writes a body to stdout. Ends quietly if the reader closes the pipe. */
export async function writeAnswer(response: Response): Promise<void> {
  const out = process.stdout
  if (out.isTTY) {
    const paint = paintFor(out, process.env)
    const isTurtle = /turtle|trig|n-triples|n-quads|n3/.test(response.headers.get('content-type') ?? '')
    await writeLines(
      mapLines(linesOfAnswer(response), line => {
        const text = withoutControls(line.replace(/\r$/, ''))
        return isTurtle ? paintTurtle(text, paint) : text
      }),
    )
  } else await writeChunks(bodyOf(response))
}

export async function writeLines(lines: AsyncIterable<string>): Promise<void> {
  await writeChunks(mapLines(lines, line => `${line}\n`))
}

async function writeChunks(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, {end: false})
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return
    throw new Refusal(`The answer broke off: ${reasonOf(error)}`, {cause: error})
  }
}

/** The lines of a body in UTF-8. Only a line feed ends a line. */
export async function* linesOfAnswer(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bodyOf(response)) {
    const lines = (rest + decoder.decode(chunk, {stream: true})).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function bodyOf({body}: Response): AsyncIterable<Uint8Array> {
  return body === null ? Readable.from([]) : Readable.fromWeb(body)
}

async function* mapLines(lines: AsyncIterable<string>, change: (line: string) => string): AsyncGenerator<string> {
  for await (const line of lines) yield change(line)
}
