/**
 * Serves the floors of a front end:
 *
 *   /bare/…         Koa with a fixed text
 *   /rows/<path>    Koa with one prepared SELECT of the document's rows, joined with the terms
 *   /read/<path>    Koa with one call of the read function, as the service calls it
 *
 * All three respond with the same text, as long as a document. The driver has its default settings.
 */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import Koa from 'koa'
import postgres from 'postgres'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {quadLimit} from '../../src/db/store/session.ts'
import {base, schema, turtle} from '../support/documents.ts'
import {selectRows} from '../support/statements.ts'

const {socketPath = '', database, user} = parseDatabaseUrl(process.env.DATABASE_URL ?? '')
const sql = postgres({host: 'localhost', path: socketPath, database, user, max: 10})
const text = turtle('fixed', 7) + turtle('fixed', 8).slice(0, 300)
const readText = `select * from ${schema}.read_documents($1, $2, $3)`

const app = new Koa()
app.use(async context => {
  const [, kind, path = ''] = /^\/(\w+)\/(.*)$/.exec(context.path) ?? []
  const iri = `${base}${path}`
  if (kind === 'rows') await sql.unsafe(selectRows, [iri], {prepare: true})
  if (kind === 'read') await sql.unsafe(readText, [[iri], null, [quadLimit]], {prepare: true})
  context.type = 'text/turtle'
  context.body = text
})

const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
})
process.on('SIGTERM', () => process.exit(0))
