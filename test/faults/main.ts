/**
 * `npm run faults -- --rounds 20 --seed 7 --only killed`: a longer run of the fault tests, on both servers of `npm
 * test`.
 */
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    rounds: {type: 'string', default: '10'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    only: {type: 'string', default: ''},
    'one-server': {type: 'boolean', default: false},
  },
})

process.stdout.write(`rounds ${values.rounds}, seed ${values.seed}\n`)
process.env.FAULTS_ROUNDS = values.rounds
process.env.FAULTS_SEED = values.seed
process.env.FAULTS_ONLY = values.only
process.env.TEST_STANDSTILL_MS = String(3_600_000 * 4)
process.argv.splice(2, Number.POSITIVE_INFINITY, 'test/faults/faults.test.ts')
if (values['one-server']) process.argv.push('--one-server')
await import('../support/run.ts')
