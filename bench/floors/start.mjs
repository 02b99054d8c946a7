/** Loads Koa and the driver, which every service of this kind needs, and listens. */
import {createServer} from 'node:http'
import Koa from 'koa'
import postgres from 'postgres'

const sql = postgres({max: 1}) // connects on the first query
const app = new Koa()
app.use(context => {
  context.body = typeof sql
})
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`))
process.on('SIGTERM', () => process.exit(0))
