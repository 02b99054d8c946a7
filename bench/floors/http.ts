/** Serves a fixed text with node:http: the floor below the other floors. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {turtle} from '../support/documents.ts'

const text = turtle('fixed', 7)
const headers = {'Content-Type': 'text/turtle', 'Content-Length': Buffer.byteLength(text)}
const server = createServer((_, response) => response.writeHead(200, headers).end(text))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
})
process.on('SIGTERM', () => process.exit(0))
