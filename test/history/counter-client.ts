/**
 * A client that increments a counter of its own, and repeats a request without a certain result with the same
 * Idempotency-Key: every increment takes place once.
 */
import {randomUUID} from 'node:crypto'
import {type Act, type Asked, choose, e, isUncertain, ntriples, objectsIn, speakAs, type Wire} from './wire.ts'

const json = {'Content-Type': 'application/json'}
const sparqlUpdate = {'Content-Type': 'application/sparql-update'}
const increment = `DELETE { <> <${e}n> ?n } INSERT { <> <${e}n> ?m } WHERE { <> <${e}n> ?n BIND (?n + 1 AS ?m) }`

/** @param complain  receives every wrong count */
export function createCounterClient(wire: Wire, complain: (complaint: string) => void): Act {
  const {send} = speakAs('counter', wire)
  let path: string | undefined
  let count = 0

  /** Sends a request until its result is certain. */
  async function sendOnce(to: string, method: string, content: {readonly headers: object; readonly body: string}) {
    const headers = {...content.headers, 'Idempotency-Key': `"${randomUUID()}"`}
    for (;;) {
      const answer = await send(to, {method, headers, body: content.body})
      if (!isUncertain(answer) && answer.status !== 409) return answer
    }
  }

  async function create(): Promise<void> {
    const {status, headers, text} = await sendOnce('', 'POST', {
      headers: {'Content-Type': 'text/turtle'},
      body: `<> <${e}n> 0 .`,
    })
    if (status === 201) path = new URL(headers.location ?? '').pathname
    else complain(`a refused counter: ${text}`)
  }

  function counted({status, text}: Asked, expected: number): void {
    count += 1
    if (status !== expected) complain(`a refused increment: ${status} ${text}`)
  }

  async function read(of: string): Promise<void> {
    const answer = await send(of, {headers: ntriples})
    if (isUncertain(answer)) return
    const values = objectsIn(answer.text, new URL(of, wire.url).href, `${e}n`).map(value => value.replace(/".*/s, ''))
    if (values.join() !== String(count)) complain(`${of} counts ${values.join()} instead of ${count}`)
  }

  async function incrementTwice(of: string): Promise<void> {
    const one = {method: 'PATCH', url: of, headers: {'content-type': 'application/sparql-update'}, body: increment}
    const requests = ['a', 'b'].map(id => ({id, ...one}))
    const answer = await sendOnce('/batch', 'POST', {headers: json, body: JSON.stringify({requests})})
    count += 1
    counted(answer, 200)
    if (/"status":[45]/.test(answer.text)) complain(`a refused increment: ${answer.text}`)
  }

  return async () => {
    if (path === undefined) return create()
    const of = path
    const content = {headers: sparqlUpdate, body: increment}
    await choose([
      [0.3, async () => counted(await sendOnce(of, 'PATCH', content), 204)],
      [0.6, async () => counted(await sendOnce(of, 'POST', content), 200)],
      [1, () => incrementTwice(of)],
    ])
    await read(of)
  }
}
