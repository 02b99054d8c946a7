/**
 * Loaded into each process of AVA by `npm test -- --slowest`: at its end it writes down what its file cost.
 */
import {appendFileSync} from 'node:fs'
import test from 'ava'
import {type Cost, processorSeconds} from './costs.ts'

process.on('exit', () => {
  const cost: Cost = {
    file: test.meta.file.slice(test.meta.file.lastIndexOf('/test/') + 1),
    processorSeconds: processorSeconds('self'),
    clockSeconds: process.uptime(),
  }
  appendFileSync(process.env.TEST_COSTS ?? '', `${JSON.stringify(cost)}\n`)
})
