/**
 * Oxigraph behind a thin HTTP server: GET /sparql?query=…, the default graph being the union of all.
 *
 *   node oxigraph.mjs data.nq
 */
import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {Store} from 'oxigraph'

const store = new Store()
const text = readFileSync(process.argv[2] ?? '', 'utf8')
const portionLength = 16 * 2 ** 20 // characters that the engine takes at once
for (let from = 0; from < text.length; ) {
  const end = text.lastIndexOf('\n', from + portionLength) + 1 || text.length
  store.load(text.slice(from, end), {format: 'application/n-quads', unchecked: true})
  from = end
}

const server = createServer((request, response) => {
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
