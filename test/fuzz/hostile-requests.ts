/**
 * Whole hostile requests as bytes, and how they are sent.
 *
 * Writes that could succeed go to the root or below /play/. Documents below /kept/ are only read, or written with a
 * precondition that never holds.
 */
import {METHODS} from 'node:http'
import {encode, hostileBody} from './hostile-bodies.ts'
import {edgeText, hostileFields, hostilePath} from './hostile-values.ts'
import type {Random} from './random.ts'

export type HostileRequest = {
  readonly method: string
  readonly bytes: Buffer
  readonly cut: 'none' | 'end' | 'reset' | 'stay' // what the client does after its bytes
}

const usual = ['GET', 'HEAD', 'OPTIONS', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'DELETE', 'MOVE', 'COPY']
const types = ['text/turtle', 'application/ld+json', 'application/rdf+xml', 'application/trig', 'text/ldpatch']

/** @param base  of the documents that the graph store may be asked for */
export function drawRequest(random: Random, base: string): HostileRequest {
  if (random.chance(0.04)) return garbage(random)
  if (random.chance(0.06)) return drawBatch(random, base)
  const method = drawMethod(random)
  const fields = new Map<string, string[]>()
  for (const [name, value] of hostileFields(random)) fields.set(name, [...(fields.get(name) ?? []), value])
  const path = drawPath(random, method, base)
  if (path.startsWith('/kept/') && !['GET', 'HEAD', 'OPTIONS'].includes(method)) fields.set('If-Match', ['"never"'])
  if (method === 'MOVE' || method === 'COPY')
    fields.set('Destination', [random.chance(0.8) ? `/play/${random.below(20)}/` : hostilePath(random)])
  const body = drawBody(random, method, fields)
  if (!fields.has('Host')) fields.set('Host', ['localhost'])
  if (!fields.has('Connection')) fields.set('Connection', ['close'])
  const isChunked = !fields.has('Content-Length') && (fields.has('Transfer-Encoding') || random.chance(0.2))
  if (isChunked && !fields.has('Transfer-Encoding')) fields.set('Transfer-Encoding', ['chunked'])
  else if (!isChunked && body.length > 0 && !fields.has('Content-Length'))
    fields.set('Content-Length', [String(random.chance(0.03) ? body.length + 7 : body.length)])
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...[...fields].flatMap(([name, all]) => all.map(one => `${name}: ${one}`)),
  ]
  const bytes = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    isChunked ? chunked(random, body) : body,
  ])
  return cutShort(random, method, bytes)
}

/** A batch whose parts are hostile on their own, or whose JSON is. */
function drawBatch(random: Random, base: string): HostileRequest {
  const requests = Array.from({length: 1 + random.below(6)}, (_, at) => {
    const method = drawMethod(random)
    const path = drawPath(random, method, base)
    const isKept = path.startsWith('/kept/') && !['GET', 'HEAD', 'OPTIONS'].includes(method)
    const type = method === 'PATCH' ? 'text/ldpatch' : random.pick(types)
    const fields = [['Content-Type', type], ...(random.chance(0.3) ? hostileFields(random) : [])]
    return {
      id: random.chance(0.95) ? `r${at}` : edgeText(random),
      method,
      url: random.chance(0.2) ? `$r${random.below(6)}${random.pick(['', '/', '/x/', '?', '#'])}` : path,
      headers: {...Object.fromEntries(fields), ...(isKept ? {'If-Match': '"never"'} : {})},
      ...(random.chance(0.7) ? {body: hostileBody(random, type).toString(random.pick(['utf8', 'latin1']))} : {}),
      ...(random.chance(0.5) ? {atomicityGroup: 'g'} : {}),
      ...(random.chance(0.1) ? {dependsOn: [`r${random.below(6)}`]} : {}),
    }
  })
  const text = JSON.stringify({requests})
  const body = Buffer.from(random.chance(0.95) ? text : text.slice(0, random.below(text.length)))
  const key = random.chance(0.3) ? `Idempotency-Key: k${random.below(5)}\r\n` : ''
  const prefer = random.chance(0.5) ? 'Prefer: continue-on-error\r\n' : ''
  const head = `POST /batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${key}${prefer}`
  const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return cutShort(random, 'POST', Buffer.concat([Buffer.from(head + fields, 'latin1'), body]))
}

function drawMethod(random: Random): string {
  if (random.chance(0.9)) return random.pick(usual)
  return random.chance(0.5) ? random.pick(METHODS) : random.pick(['get', 'BREW', 'G(T', '', 'POST\t', 'X'.repeat(200)])
}

function drawPath(random: Random, method: string, base: string): string {
  if (random.chance(0.25)) return hostilePath(random)
  if (random.chance(0.08)) return graphPath(random, base)
  if (random.chance(0.03)) return '/'
  const number = random.below(20)
  if (random.chance(0.2)) return `/kept/${number}/`
  return method === 'POST' ? random.pick(['/play/', `/play/${number}/`, '/']) : `/play/${random.pick(['a', number])}/`
}

function graphPath(random: Random, base: string): string {
  const name = random.pick([
    String(random.below(20)),
    'a',
    'a/b',
    'a/../b',
    '.system',
    '%',
    edgeText(random).slice(0, 300),
  ])
  return `/rdf-graph-store?graph=${encodeURIComponent(`${base}play/${name}/`)}`
}

function drawBody(random: Random, method: string, fields: Map<string, string[]>): Buffer {
  if (method === 'GET' || method === 'HEAD' ? random.chance(0.95) : random.chance(0.1)) return Buffer.alloc(0)
  if (!fields.has('Content-Type') && random.chance(0.95)) {
    fields.set('Content-Type', [method === 'PATCH' && random.chance(0.8) ? 'text/ldpatch' : random.pick(types)])
  }
  const body = hostileBody(random, fields.get('Content-Type')?.[0] ?? '')
  const [coding] = fields.get('Content-Encoding') ?? []
  return coding === undefined ? body : encode(random, coding, body)
}

function chunked(random: Random, body: Buffer): Buffer {
  const size = random.chance(0.05) ? 'zz' : body.length.toString(16)
  const end = random.chance(0.05) ? '0\r\nTrailer: x\r\n\r\nGET / HTTP/1.1\r\n\r\n' : '0\r\n\r\n'
  return body.length === 0
    ? Buffer.from(end)
    : Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(`\r\n${end}`)])
}

function cutShort(random: Random, method: string, bytes: Buffer): HostileRequest {
  if (random.chance(0.92)) return {method, bytes, cut: 'none'}
  const cut = random.pick(['end', 'end', 'reset', 'reset', 'stay'] as const)
  return {method, bytes: bytes.subarray(0, random.below(bytes.length)), cut}
}

function garbage(random: Random): HostileRequest {
  const bytes = random.pick([
    random.bytes(1 + random.below(300)),
    Buffer.from(`GET / HTTP/${random.pick(['0.9', '1.1.1', '3', 'x'])}\r\n\r\n`),
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
    Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(3000)}\r\n`),
    Buffer.from('\r\n\r\n\r\n'),
    Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n\u0000\u0001nonsense\r\n\r\n'),
    Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03', 'latin1'),
  ])
  return {method: '', bytes, cut: 'end'}
}
