/** Sends requests that were made for HTTP as one batch. */
import type {Received, Sent} from '../support/client.ts'
import type {TestService} from '../support/service.ts'

type Told = {readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown}
type Waiting = {readonly sent: Sent; readonly resolve: (answer: Received) => void}

export type Batcher = {
  readonly service: TestService
  /** Runs work that sends all of its requests at once. They become one batch, perhaps one group of it. */
  readonly send: <Result>(isGroup: boolean, work: () => Promise<Result>) => Promise<Result>
}

export function createBatcher(service: TestService): Batcher {
  let waiting: Waiting[] | undefined
  const collect = (sent: Sent = {}): Promise<Received> => {
    const all = waiting
    return all === undefined ? service.send(sent) : new Promise(resolve => all.push({sent, resolve}))
  }
  return {
    service: {...service, send: collect},
    async send(isGroup, work) {
      const all: Waiting[] = []
      waiting = all
      const result = work()
      waiting = undefined
      const requests = all.map(({sent}, at) => ({
        ...requestOf(sent),
        id: `r${at}`,
        ...(isGroup && {atomicityGroup: 'g'}),
      }))
      const headers = {'Content-Type': 'application/json', Prefer: 'continue-on-error'}
      const answer = await service.send({method: 'POST', path: '/batch', headers, body: JSON.stringify({requests})})
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      const told: readonly Told[] = JSON.parse(answer.text).responses
      for (const [at, {resolve}] of all.entries()) resolve(receivedOf(told[at]))
      return result
    },
  }
}

function requestOf({method = 'GET', path = '/', headers = {}, body}: Sent) {
  const fields = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return {method, url: path, headers: Object.fromEntries(fields), ...(body === undefined ? {} : {body: String(body)})}
}

function receivedOf(told: Told | undefined): Received {
  if (told === undefined) throw new Error('a request of a batch got no response')
  const {status, headers, body} = told
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {status, headers, rawHeaders: [], bytes: Buffer.from(text), text}
}
