/** A client of server-sent events: reads what it is told to, and connects again as a browser does. */
import {type ClientRequest, get, type IncomingMessage} from 'node:http'

export type SentEvent = {readonly id: string; readonly type: string; readonly data: string}

export type EventClient = {
  readonly events: readonly SentEvent[]
  readonly lastId: () => string | undefined
  readonly connections: () => number
  readonly status: () => number | undefined
  readonly comments: () => number
  /** Stops to read; the connection stays open. */
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

export type EventClientOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly lastId?: string
  readonly isPatient?: boolean // connects again after the end of an answer
}

/** @param url  may be called again later, so that it can follow a service to another port */
export function openEvents(url: () => string, options: EventClientOptions = {}): EventClient {
  const {headers = {}, isPatient = true} = options
  const events: SentEvent[] = []
  let [lastId, connections, comments, retryMs] = [options.lastId, 0, 0, 50]
  let status: number | undefined
  let request: ClientRequest | undefined
  let response: IncomingMessage | undefined
  let isClosed = false

  function take(block: string): void {
    const fields = block.split('\n').map(line => /^([^:]*):? ?(.*)$/.exec(line) ?? [])
    const fieldOf = (name: string) => fields.findLast(([, found]) => found === name)?.[2]
    if (block.startsWith(':')) comments += 1
    const retry = fieldOf('retry')
    if (retry !== undefined) retryMs = Number(retry)
    lastId = fieldOf('id') ?? lastId
    const data = fieldOf('data')
    if (data !== undefined) events.push({id: lastId ?? '', type: fieldOf('event') ?? 'message', data})
  }

  function connect(): void {
    connections += 1
    let text = ''
    const last = lastId === undefined ? {} : {'Last-Event-ID': lastId}
    request = get(url(), {agent: false, headers: {Accept: 'text/event-stream', ...headers, ...last}}, answer => {
      status = answer.statusCode
      response = answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        const blocks = (text + chunk).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      })
      answer.on('error', () => undefined)
    })
    request.on('error', () => undefined)
    request.on('close', () => {
      if (!isClosed && isPatient) setTimeout(connect, retryMs).unref()
    })
  }

  connect()
  return {
    events,
    lastId: () => lastId,
    connections: () => connections,
    status: () => status,
    comments: () => comments,
    pause: () => response?.pause(),
    resume: () => response?.resume(),
    close() {
      isClosed = true
      request?.destroy()
    },
  }
}
