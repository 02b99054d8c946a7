/** The published clients of the broker, in a real browser: a page hears of changes over WebSocket and SockJS. */
import {createRequire} from 'node:module'
import test from 'ava'
import type {Browser} from 'playwright-core'
import {openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {create} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService
let browser: Browser | undefined

test.before(async () => {
  service = await startService()
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
})

const {resolve} = createRequire(import.meta.url)
const scripts = [resolve('sockjs-client/dist/sockjs.min.js'), resolve('@stomp/stompjs')]

/** A client that notes the destinations of its messages in `heard`. Resolves when the subscription counts. */
const listen = (socket: string, destination: string) => `new Promise((resolve, reject) => {
  globalThis.heard = []
  const client = new StompJs.Client({webSocketFactory: () => ${socket}, reconnectDelay: 0})
  client.onStompError = frame => reject(new Error(frame.headers.message))
  client.onWebSocketClose = ({code, reason}) => reject(new Error(code + ' ' + reason))
  client.onConnect = () => {
    client.watchForReceipt('subscribed', () => resolve())
    client.subscribe('${destination}', ({headers}) => heard.push(headers.destination), {receipt: 'subscribed'})
  }
  client.activate()
})`

const sockets = {
  WebSocket: `new WebSocket(location.origin.replace('http', 'ws') + '/broker/websocket', ['v12.stomp'])`,
  SockJS: `new SockJS(location.origin + '/broker')`,
  'SockJS without WebSocket': `new SockJS(location.origin + '/broker', undefined, {transports: ['xhr-streaming']})`,
  'SockJS with polling': `new SockJS(location.origin + '/broker', undefined, {transports: ['xhr-polling']})`,
}

for (const [name, socket] of Object.entries(sockets))
  testInBrowser(`a page hears of changes: ${name}`, async t => {
    const slug = name.toLowerCase().replaceAll(' ', '-')
    const {path} = await create(t, service, {slug, body: ''})
    const {page, complaints} = await openPage(t, browser, new URL('/', service.base).href, {bypassCSP: true})
    for (const file of scripts) await page.addScriptTag({path: file})
    await page.evaluate(listen(socket, `/topic/*.*.${slug}.**`))
    await create(t, service, {parent: path, slug: 'child', body: ''})
    await page.waitForFunction('heard.length >= 2')

    t.deepEqual(await page.evaluate('heard'), [`/topic/child.created.${slug}`, `/topic/document.created.${slug}.child`])
    t.deepEqual(complaints, [])
  })
