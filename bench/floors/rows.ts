/**
 * Serves the floor of a query: Koa with one prepared SELECT of the quads, as an index gives them.
 *
 *   /rows/<number>   so many rows of three ids, as JSON
 *
 * The driver has its default settings.
 */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import Koa from 'koa'
import postgres from 'postgres'
import {runningEmbedded} from '../../src/db/embedded/embedded.ts'

const address = await runningEmbedded(process.env.DATA_DIR ?? '')
if (address === undefined) throw new Error('no service runs on DATA_DIR')
const {socketPath: path = '', database, user} = address
const sql = postgres({host: 'localhost', path, database, user, max: 10})
const text = 'select s, p, o from quadstead.quad where copy is null order by s, p, o limit $1'

const app = new Koa()
app.use(async context => {
  context.type = 'json'
  context.body = JSON.stringify(await sql.unsafe(text, [context.path.replace('/rows/', '')], {prepare: true}))
})

const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
})
process.on('SIGTERM', () => process.exit(0))
