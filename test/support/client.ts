/**
 * A small HTTP client that sends any request: any path, repeated header fields, bodies with any method, chunked or not.
 */
import {type Agent, type IncomingHttpHeaders, request} from 'node:http'
import {connect} from 'node:net'

export type Sent = {
  readonly method?: string // GET
  readonly path?: string // sent as it is, neither resolved nor escaped
  /** A name with several values becomes one line for each. */
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>
  readonly body?: string | Uint8Array
  readonly isChunked?: boolean // Transfer-Encoding instead of Content-Length
  readonly agent?: Agent // keeps connections; without it each request has its own
  readonly signal?: AbortSignal
  readonly localAddress?: string // source address of the connection
}

export type Received = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
  readonly text: string
}

/**
 * Sends one request and reads the whole response.
 *
 * @param url  URL of the service; its path is used if the request has none
 */
export function send(
  url: string,
  {method = 'GET', path, headers = {}, body, isChunked = false, agent, signal, localAddress}: Sent = {},
): Promise<Received> {
  const {hostname, port, host, pathname, search} = new URL(url)
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).flatMap(value => [name, String(value)]),
  )
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  if (!names.has('host')) lines.push('Host', host)
  if (isChunked) lines.push('Transfer-Encoding', 'chunked')
  else if (body !== undefined && !names.has('content-length'))
    lines.push('Content-Length', String(Buffer.byteLength(body)))
  return new Promise((resolve, reject) => {
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: path ?? `${pathname}${search}`,
      headers: lines,
      ...(localAddress === undefined ? {} : {localAddress}),
    }
    const sent = request({...options, agent: agent ?? false, ...(signal === undefined ? {} : {signal})}, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(chunks)
        const {statusCode = 0, headers: received, rawHeaders} = response
        resolve({status: statusCode, headers: received, rawHeaders, bytes, text: bytes.toString('utf8')})
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends bytes unchanged and returns everything that the server sends until it closes the connection. */
export function sendBytes(
  url: string,
  bytes: string | Uint8Array,
  options: {readonly localAddress?: string} = {},
): Promise<string> {
  const {hostname, port} = new URL(url)
  return new Promise((resolve, reject) => {
    const place = {...options, port: Number(port), host: hostname.replace(/^\[|\]$/g, '')}
    const socket = connect(place, () => socket.write(bytes))
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      text += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
}
