/** Records the cost of a test file when its process ends. `npm test -- --slowest` loads it into each process of AVA. */
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
