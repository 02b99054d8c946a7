/** `npm run soak -- --minutes 60 --clients 8`: a longer run of the soak test, with the embedded PostgreSQL. */
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {minutes: {type: 'string', default: '60'}, clients: {type: 'string', default: '8'}},
})

const seconds = Math.round(60 * Number(values.minutes))
process.env.SOAK_SECONDS = String(seconds)
process.env.SOAK_CLIENTS = values.clients
process.env.TEST_STANDSTILL_MS = String(1000 * seconds + 180_000)
process.argv.splice(2, Number.POSITIVE_INFINITY, 'test/soak/soak.test.ts', '--one-server')
await import('../support/run.ts')
