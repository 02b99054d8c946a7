/**
 * Many clients listen to changes at different speeds: all get every change once, memory stays bounded, and slow ones
 * delay nobody.
 */
import {connect, type Socket} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import test from 'ava'
import {turtle} from '../support/documents.ts'
import {type EventClient, openEvents} from '../support/event-client.ts'
import {useService} from '../support/service.ts'

const count = Number(process.env.LISTENERS ?? 1000)

test('a thousand listeners of different speeds, some of which never read', async t => {
  t.timeout(300_000)
  const service = await useService(t, {CONNECTION_LIMIT: '3000', BODY_TIMEOUT_MS: '3000', CHANGES_LISTENERS: '3000'})
  const create = async (body: string) => {
    const {status, text} = await service.send({method: 'POST', path: '/', headers: turtle, body})
    t.is(status, 201, text)
  }
  const clients = Array.from({length: count}, () => openEvents(() => `${service.url}changes?action=created`))
  t.teardown(() => {
    for (const {close} of clients) close()
  })
  await until(() => clients.every(({status}) => status() === 200), 60_000)

  const stuck = Array.from({length: 5}, () => neverRead(service.url, '/changes?triples=patch&after=first&limit=1000'))
  t.teardown(() => {
    for (const socket of stuck) socket.destroy()
  })
  const slow = clients.filter((_, index) => index % 10 === 0)
  const stops = slow.map((client, index) => stutter(client, 20 + (index % 50) * 5))
  const bulky = Array.from({length: 3000}, (_, n) => `<#n${n}> <http://e/p> "${'x'.repeat(400)}${n}" .`).join('\n')
  global.gc?.()
  const memory = process.memoryUsage().rss

  const begun = performance.now()
  for (let n = 0; n < 40; n += 1) await create(n % 2 === 0 ? bulky : `<> <http://e/n> ${n} .`)
  const written = performance.now() - begun
  await until(() => clients.every(({events}) => events.length >= 40), 120_000)
  for (const stop of stops) stop()

  const positions = clients.map(({events}) => events.map(({id}) => id).join(' '))
  t.deepEqual([...new Set(positions)], [positions[0]], 'all got the same, in one order')
  t.is(clients[0]?.events.length, 40)
  t.deepEqual([...new Set(clients.map(({connections}) => connections()))], [1], 'no connection was lost')
  const listening = async () => {
    const {text} = await service.send({path: '/metrics'})
    return /^quadstead_change_listeners (\d+)/m.exec(text)?.[1]
  }
  await until(async () => (await listening()) === String(count), 30_000)
  t.is(await listening(), String(count), 'those who do not read are disconnected')
  const grown = (process.memoryUsage().rss - memory) / 2 ** 20
  t.log(`${count} listeners; 40 changes written in ${Math.round(written)} ms; ${Math.round(grown)} MiB more`)
  t.true(grown < 600, `${grown} MiB`) // of clients and service in one process
})

/** Pauses and goes on, again and again. @returns a function that ends this */
function stutter(client: EventClient, ms: number): () => void {
  let isPaused = false
  const timer = setInterval(() => {
    if (isPaused) client.resume()
    else client.pause()
    isPaused = !isPaused
  }, ms)
  return () => {
    clearInterval(timer)
    client.resume()
  }
}

/** Sends a request and reads nothing of the answer. */
function neverRead(url: string, path: string): Socket {
  const {hostname, port} = new URL(url)
  const socket = connect({host: hostname, port: Number(port)}).pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`)
  return socket.on('error', () => undefined)
}

async function until(isDone: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  for (const end = Date.now() + limitMs; !(await isDone()) && Date.now() < end; ) await delay(50)
}
