/** Traces of a running service, as an OpenTelemetry collector receives them. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'

/** A collector that stores received bytes; a protocol buffer contains names and texts as they are. */
async function collect(t: ExecutionContext): Promise<{url: string; received: () => string}> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    t.is(`${request.method} ${request.url}`, 'POST /v1/traces')
    t.is(request.headers['content-type'], 'application/x-protobuf')
    request.on('data', (chunk: Buffer) => bodies.push(chunk))
    request.on('end', () => response.writeHead(200, {'Content-Type': 'application/x-protobuf'}).end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const {port} = server.address() as AddressInfo
  return {url: `http://127.0.0.1:${port}`, received: () => Buffer.concat(bodies).toString('latin1')}
}

test('a request is a span in the client trace, and its stages are child spans', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const collector = await collect(t)
  const program = runProgram(t, {
    PORT: '0',
    DATABASE_URL: database.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=testing',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  const {url} = await program.ready()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    'X-Request-Id': 'traced-1',
    'Content-Type': 'text/turtle',
    Slug: 'traced',
  }

  await send(url, {method: 'POST', headers, body: '<> <http://example.org/ns#p> "a secret" .'})
  await send(`${url}traced/`)
  await send(`${url}sparql?query=${encodeURIComponent('select * { ?s ?p "a secret" }')}`)
  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
  await until(() => collector.received().includes('GET query'))

  const text = collector.received()
  const expected = ['POST document', 'GET document', 'parse', 'sql', 'plan', 'serialise', 'stream', 'traced-1']
  const resource = ['service.name', 'quadstead', 'deployment.environment.name', 'testing']
  t.deepEqual(
    [...expected, ...resource, 'read_document', 'http.route'].filter(part => !text.includes(part)),
    [],
  )
  t.true(text.includes(Buffer.from(traceId, 'hex').toString('latin1')))
  t.false(text.includes('a secret'))
})

test('nothing is sent without the variables or with OTEL_SDK_DISABLED', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const collector = await collect(t)
  const off = {OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true', OTEL_BSP_SCHEDULE_DELAY: '100'}
  const program = runProgram(t, {PORT: '0', DATABASE_URL: database.url, ...off})

  await send((await program.ready()).url)
  program.child.kill('SIGTERM')

  t.is(await program.exit, 0)
  t.is(collector.received(), '')
})
