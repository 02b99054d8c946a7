/**
 * Sends hostile requests to a running service, with valid traffic in between.
 *
 * Each response must be: no 5xx except 503 with Retry-After, 501 for an unknown method, and 502
 * for a destination on another server (RFC 4918 §9.9.4); without parts of the code
 * or of SQL in errors; and in time, unless the connection is closed. In addition, existing documents keep their exact
 * content, valid requests succeed meanwhile, no internal failure is hidden, and the store is sound.
 */
import {connect} from 'node:net'
import {subscribe} from '../../src/base/observation.ts'
import type {TestService} from '../support/service.ts'
import {drawRequest, type HostileRequest} from './hostile-requests.ts'
import {createRandom} from './random.ts'

export type CampaignOptions = {readonly requests: number; readonly seed: number; readonly limitMs: number}

export type CampaignReport = {
  readonly sent: number
  readonly statuses: ReadonlyMap<string, number> // 'closed' for a connection without a response
  readonly faults: readonly string[]
}

const clients = 8
const answerLimitMs = 15_000
const faultLimit = 20
/** Texts that reveal internals, except the service's own media types. */
const leaks = new RegExp(
  [
    String.raw`\bat \S+ \(|node_modules|node:internal|\.ts:\d|PostgresError|PL\/pgSQL|SQLSTATE|constraint "`,
    String.raw`(?<!vnd\.)\bquadstead\.\w`,
  ].join('|'),
)
const known = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'MOVE', 'COPY', 'TRACE'])
const turtle = {'Content-Type': 'text/turtle'}

export async function runCampaign(service: TestService, options: CampaignOptions): Promise<CampaignReport> {
  const {requests, seed, limitMs} = options
  const random = createRandom(seed)
  const statuses = new Map<string, number>()
  const faults: string[] = []
  const unsubscribe = subscribe(observation => {
    if (observation.kind !== 'failure') return
    const {error} = observation
    faults.push(`failure: ${error instanceof Error ? error.stack : String(error)}`)
  })
  const deadline = performance.now() + limitMs
  let sent = 0

  async function client(): Promise<void> {
    while (sent < requests && faults.length < faultLimit && performance.now() < deadline) {
      const number = sent++
      if (number % 25 === 0) faults.push(...(await visit(service, number)))
      if (number % 10 === 0) await replenish(service, number)
      const request = drawRequest(random, service.base)
      const answer = await exchange(service.url, request)
      const status = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)*HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 'closed'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const fault = judge(request, answer, status)
      if (fault !== undefined) faults.push(`request ${number}: ${fault}\n${show(request)}\n${answer.slice(0, 800)}`)
    }
  }

  const kept = await keep(service)
  await Promise.all(Array.from({length: clients}, client))
  if (sent < requests && faults.length === 0) faults.push(`only ${sent} requests in ${limitMs} ms`)
  faults.push(...(await compare(service, kept)))
  const broken = await service.database.database.query('select rule, detail from quadstead.check_store()')
  faults.push(...broken.map(row => `store: ${JSON.stringify(row)}`))
  unsubscribe()
  return {sent, statuses, faults}
}

function judge({method, cut}: HostileRequest, answer: string, status: string): string | undefined {
  if (answer === timedOut) return 'neither an answer nor an end of the connection'
  if (status === 'closed') return answer === '' || cut === 'reset' ? undefined : 'the answer is no HTTP'
  const isRefusedMethod = status === '501' && !known.has(method)
  const isRetry = status === '503' && /\r\nRetry-After: \d+\r\n/i.test(answer)
  const isElsewhere = status === '502' && answer.includes('#destination-here"')
  if (status.startsWith('5') && !isRefusedMethod && !isRetry && !isElsewhere) return `a ${status}`
  const [inBatch] = /"status":5(?!0[13])\d\d/.exec(answer) ?? []
  if (inBatch !== undefined && !answer.includes('#destination-here"')) return `a batch with ${inBatch}`
  if (Number(status) >= 400 && leaks.test(answer)) return 'an answer that tells of the inside'
  return undefined
}

const timedOut = 'timed out'

/** Sends bytes and collects the response until the connection ends. */
function exchange(url: string, {method, bytes, cut}: HostileRequest): Promise<string> {
  const {hostname, port} = new URL(url)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    const settle = (text: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => settle(answer === '' ? timedOut : answer), answerLimitMs)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (isWhole(answer, method)) settle(answer)
    })
    socket.on('error', () => settle(answer))
    socket.on('close', () => settle(answer))
    if (cut === 'reset') socket.write(bytes, () => socket.destroy())
    else if (cut === 'end') socket.end(bytes)
    else socket.write(bytes)
  })
}

/** Whether a response on a connection that stays open is complete. */
function isWhole(answer: string, method: string): boolean {
  const text = answer.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '')
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = text.slice(0, end)
  if (method === 'HEAD' || /^HTTP\/1\.1 (204|304) /.test(head)) return true
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) return text.endsWith('0\r\n\r\n')
  return text.length - end - 4 >= Number(length)
}

function show({bytes, cut}: HostileRequest): string {
  return `${bytes.length} bytes, ${cut}: ${JSON.stringify(bytes.toString('latin1', 0, 1500))}`
}

/** Creates documents that must not change during the campaign. Returns their paths and bytes. */
async function keep(service: TestService): Promise<ReadonlyMap<string, Buffer>> {
  const make = async (path: string, slug: string, body: string) => {
    const {status, text} = await service.send({method: 'POST', path, headers: {...turtle, Slug: slug}, body})
    if (status !== 201) throw new Error(`${path}${slug}/: ${status} ${text}`)
  }
  for (const slug of ['kept', 'play', 'calm']) await make('/', slug, '')
  for (let n = 0; n < 20; n += 1) {
    await make('/kept/', String(n), `<> <http://x/p> "v${n}"@en, ${n}, (1 <#f> [ <http://x/q> "01" ]) .`)
    await make('/play/', String(n), `<> <http://x/p> ${n} .`)
  }
  const paths = Array.from({length: 20}, (_, n) => `/kept/${n}/`)
  const bodies = await Promise.all(paths.map(async path => (await service.send({path})).bytes))
  return new Map(paths.map((path, n) => [path, bodies[n] ?? Buffer.alloc(0)]))
}

/** Creates, reads, changes and deletes one document elsewhere. Valid requests must not be affected. */
async function visit(service: TestService, number: number): Promise<string[]> {
  const path = `/calm/${number}/`
  const created = await service.send({
    method: 'POST',
    path: '/calm/',
    headers: {...turtle, Slug: String(number)},
    body: '<> <http://x/p> [ <http://x/q> "v" ] .',
  })
  const {headers, text, status} = await service.send({path})
  const replaced = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, 'If-Match': String(headers.etag)},
    body: `${text}<> a <http://x/T> .`,
  })
  const removed = await service.send({method: 'DELETE', path})
  const found = [created.status, status, replaced.status, removed.status].join(' ')
  return found === '201 200 204 204' ? [] : [`valid traffic on ${path}: ${found} ${replaced.text}`]
}

/** Creates a document in the playground again if it was deleted, and a child of it. */
async function replenish(service: TestService, number: number): Promise<void> {
  const slug = String((number / 10) % 20)
  const create = (path: string, name: string) =>
    service.send({method: 'POST', path, headers: {...turtle, Slug: name}, body: `<> <http://x/p> ${number} .`})
  await create('/', 'play')
  await create('/play/', slug)
  await create(`/play/${slug}/`, 'a')
}

async function compare(service: TestService, kept: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const faults: string[] = []
  for (const [path, before] of kept) {
    const {status, bytes} = await service.send({path})
    if (status !== 200 || !bytes.equals(before))
      faults.push(`${path} is not what it was: ${status} ${bytes.toString()}`)
  }
  return faults
}
