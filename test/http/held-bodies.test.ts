/** The bodies that the service holds in memory for one caller, and for all callers, are limited in bytes. */
import {connect} from 'node:net'
import test, {type ExecutionContext} from 'ava'
import {turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {type Settings, useService} from '../support/service.ts'

const kib = 1024
const bodyBytes = 100 * kib
const freeBytes = 32 * kib // of each body are not counted
const fullBody = `<> <http://e/p> "${'x'.repeat(bodyBytes - 20)}" .`
const heldBytes = fullBody.length - freeBytes

async function serve(t: ExecutionContext, limitBytes: number, settings: Settings = {}) {
  const service = await useService(t, {
    TRUSTED_PROXIES: 'loopback',
    BODY_LIMIT_BYTES: String(bodyBytes),
    BODY_LIMIT_HELD_BYTES: String(limitBytes),
    ...settings,
  })
  const {port} = new URL(service.url)
  const head = (address: string) =>
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address}\r\nContent-Type: text/turtle\r\n`
  /** Sends a body without its last byte. Returns a function that closes the connection. */
  const stall = async (address: string) => {
    const socket = connect({port: Number(port), host: '127.0.0.1'})
    const sent = `${head(address)}Content-Length: ${fullBody.length}\r\n\r\n${fullBody.slice(0, -1)}`
    await new Promise(resolve => socket.write(sent, resolve))
    t.teardown(() => socket.destroy())
    return () => void socket.destroy()
  }
  const post = (address: string, body: string) =>
    service.send({method: 'POST', headers: {...turtle, 'X-Forwarded-For': address}, body})
  return {post, stall}
}

test("one caller's bodies may use half of the bytes; others' are accepted, and so are small ones", async t => {
  const {post, stall} = await serve(t, 2 * 2.5 * heldBytes)
  const [leave] = await Promise.all([stall('192.0.2.1'), stall('192.0.2.1')])
  await until(async () => (await post('192.0.2.1', fullBody)).status === 429)

  const refused = await post('192.0.2.1', fullBody)
  t.like(JSON.parse(refused.text), {status: 429, title: 'bodies-at-once'})
  t.is(refused.headers['retry-after'], '1')
  t.is((await post('192.0.2.1', '<> <http://e/p> 1 .')).status, 201)
  t.is((await post('192.0.2.2', fullBody)).status, 201)

  leave()
  await until(async () => (await post('192.0.2.1', fullBody)).status === 201)
  for (let n = 0; n < 10; n += 1) t.is((await post('192.0.2.1', fullBody)).status, 201, 'bytes are given back')
})

test('the bodies of all callers together have a limit; small ones are accepted', async t => {
  const {post, stall} = await serve(t, 2.5 * heldBytes)
  await Promise.all([stall('192.0.2.1'), stall('192.0.2.2')])
  await until(async () => (await post('192.0.2.3', fullBody)).status === 503)

  t.like(JSON.parse((await post('192.0.2.3', fullBody)).text), {status: 503, title: 'busy'})
  t.is((await post('192.0.2.3', '<> <http://e/p> 1 .')).status, 201)
})

test('a single body is accepted whatever the limit is', async t => {
  const {post} = await serve(t, 1)

  t.is((await post('192.0.2.1', fullBody)).status, 201)
})
