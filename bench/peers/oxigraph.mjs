/**
 * Oxigraph behind a thin HTTP server: GET /sparql?query=…, the default graph being the union of all; POST of an update.
 *
 *   node oxigraph.mjs data.nq
 */
import {createReadStream} from 'node:fs'
import {createServer} from 'node:http'
import {Store} from 'oxigraph'

const store = new Store()
const load = lines => store.load(lines, {format: 'application/n-quads', unchecked: true})
const portionBytes = 16 * 2 ** 20 // that the engine takes at once
let rest = ''
for await (const piece of createReadStream(process.argv[2] ?? '', {encoding: 'utf8', highWaterMark: portionBytes})) {
  const end = piece.lastIndexOf('\n') + 1
  load(rest + piece.slice(0, end))
  rest = piece.slice(end)
}
load(rest)

async function update(request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    store.update(Buffer.concat(chunks).toString())
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(400).end(String(error))
  }
}

const server = createServer((request, response) => {
  if (request.method === 'POST') return update(request, response)
  const query = new URL(request.url ?? '', 'http://localhost').searchParams.get('query') ?? ''
  const type = request.headers.accept ?? 'application/sparql-results+json'
  try {
    const body = store.query(query, {results_format: type, use_default_graph_as_union: true})
    response.writeHead(200, {'Content-Type': type, 'Content-Length': Buffer.byteLength(body)}).end(body)
  } catch (error) {
    response.writeHead(400).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`))
process.on('SIGTERM', () => process.exit(0))
