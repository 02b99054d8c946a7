/** `npm run history -- --seconds 60 --clients 16`: a longer run of the history test, on the servers of `npm test`. */
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    seconds: {type: 'string', default: '60'},
    clients: {type: 'string', default: '16'},
    'one-server': {type: 'boolean', default: false},
  },
})

process.env.HISTORY_SECONDS = values.seconds
process.env.HISTORY_CLIENTS = values.clients
process.env.TEST_STANDSTILL_MS = String(180_000 + 3000 * Number(values.seconds)) // checking the history takes time too
process.argv.splice(2, Number.POSITIVE_INFINITY, 'test/history/*.test.ts')
if (values['one-server']) process.argv.push('--one-server')
await import('../support/run.ts')
