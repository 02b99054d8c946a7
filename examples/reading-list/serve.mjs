import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'

const files = {'/': ['index.html', 'text/html'], '/app.js': ['app.js', 'text/javascript']}

createServer(async (request, response) => {
  const [name, type] = files[request.url] ?? []
  response.writeHead(name ? 200 : 404, {'Content-Type': `${type ?? 'text/plain'}; charset=utf-8`})
  response.end(name ? await readFile(name) : 'There is no such file.')
}).listen(3000, 'localhost')
