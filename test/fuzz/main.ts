/**
 * `npm run fuzz -- --requests 20000 --seed 1`: a long campaign with a PostgreSQL of its own.
 *
 * Uses loopback only, and ends after --minutes (10) at the latest. The exit code is 1 if a check failed.
 */
import {parseArgs} from 'node:util'
import {startTestServer} from '../support/servers.ts'
import {startService} from '../support/service.ts'
import {runCampaign} from './campaign.ts'

const {values} = parseArgs({
  options: {
    requests: {type: 'string', default: '20000'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    minutes: {type: 'string', default: '10'},
    postgres: {type: 'string'}, // folder of initdb and postgres, instead of the embedded ones
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const server = await startTestServer(values.postgres)
process.env.TEST_DATABASE_URL = server.url
try {
  const service = await startService({BODY_LIMIT_BYTES: '1000000', BODY_TIMEOUT_MS: '1000'})
  print(`${values.requests} requests with seed ${values.seed} on PostgreSQL ${server.version}`)
  const startMs = performance.now()
  const {sent, statuses, faults} = await runCampaign(service, {
    requests: Number(values.requests),
    seed: Number(values.seed),
    limitMs: Number(values.minutes) * 60_000,
  })
  for (const [status, count] of [...statuses].sort()) print(`${status}\t${count}`)
  for (const fault of faults) print(`\n${fault}`)
  print(`${sent} requests, ${faults.length} faults, ${Math.round((performance.now() - startMs) / 1000)} s`)
  process.exitCode = faults.length === 0 && sent > 0 ? 0 : 1
  await service.stop()
} finally {
  await server.stop()
}
