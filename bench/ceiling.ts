/**
 * Measures the load generator itself, against a server of node:http that sends a fixed text.
 *
 *   npm run bench:ceiling
 *
 * Generator and server have one core each. If a number of another bench comes close to this one, that bench measures
 * the generator. The same requests by Node's own client show why the benches have a generator of their own.
 */
import {Agent} from 'node:http'
import {send} from '../test/support/client.ts'
import {requestText} from './support/client.ts'
import {closedLoop, repeat} from './support/load.ts'
import {startScript} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {medianSummary, type Summary} from './support/statistics.ts'

const durationMs = 1000
const rounds = 5
const server = await startScript('bench/floors/http.ts')
const rows = []
for (const connections of [1, 16, 64]) {
  const request = requestText('GET', '/', {Accept: 'text/turtle'})
  const ours: Summary[] = []
  const nodes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shooter = () => repeat(() => request, 200)
    ours.push(await closedLoop({port: server.port, connections, durationMs, shooter}))
    nodes.push(await nodeLoop(connections))
  }
  const {rate, p50, p99} = medianSummary(ours)
  rows.push({connections, rate, p50, p99, nodeHttp: [...nodes].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0})
}
await server.stop()
printTable(
  'The generator, against node:http with a fixed text',
  ['connections', 'a second', 'p50 ms', 'p99 ms', "by Node's own client"],
  rows.map(({connections, rate, p50, p99, nodeHttp}) => [String(connections), rate, p50, p99, nodeHttp]),
)
save('ceiling.json', {machine: machine(), rows})

/** The same closed loop with Node's own HTTP client. Returns requests a second. */
async function nodeLoop(connections: number): Promise<number> {
  const agent = new Agent({keepAlive: true, maxSockets: connections})
  const begin = performance.now()
  let count = 0
  const loop = async () => {
    for (; performance.now() - begin < durationMs; count += 1) await send(server.url, {agent})
  }
  await Promise.all(Array.from({length: connections}, loop))
  agent.destroy()
  return count / ((performance.now() - begin) / 1000)
}
