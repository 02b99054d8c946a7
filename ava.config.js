/**
 * How AVA runs: a process a file, the longest files first, so that none is alone at the end.
 *
 * `npm test` compiles all files first; AVA by itself takes the sources, through tsx.
 */

import {availableParallelism} from 'node:os'

/** Files that take longest, in that order. */
const longest = [
  'faults/faults',
  'life/process',
  'life/import',
  'life/embedded',
  'life/replicas',
  'life/packed',
  'browser/query',
  'browser/pages',
  'browser/forms',
  'db/import',
  'db/store-scale',
  'http/many-members',
  'fuzz/bombs',
  'conformance/sparql',
  'soak/soak',
  'db/operations',
  'life/access',
  'oracle/compare',
  'oracle/grants',
  'model/model',
  'history/history',
  'http/large-container',
  'http/20-changes-listeners',
  'http/access',
  'fuzz/fuzz',
].map(name => `/test/${name}.test.`)

const placeOf = file => {
  const place = longest.findIndex(name => file.includes(name))
  return place === -1 ? longest.length : place
}

/** Proofs that take long and rarely fail. `npm test` leaves them out, `npm run test:all` does not. */
const longProofs = [
  ...['faults', 'fuzz', 'soak', 'http/slow-readers', 'http/20-changes-listeners', 'db/managed', 'oracle/long-lists'],
  'life/{deployment,embedded,failover,import,packed,replicas,slow-readers,workers}',
]

const compiled = {files: ['dist-test/test/**/*.test.js', ...without('dist-test')]}
const sources = {files: ['test/**/*.test.ts'], extensions: {ts: 'module'}, nodeArguments: ['--import=tsx']}

function without(folder) {
  return process.env.TEST_QUICK === undefined ? [] : longProofs.map(name => `!${folder}/test/${name}{/**,.test.js}`)
}

// biome-ignore lint/style/noDefaultExport: AVA reads it so
export default {
  ...(process.env.TEST_PROGRAM === 'compiled' ? compiled : sources),
  timeout: `${process.env.TEST_STANDSTILL_MS ?? 180_000}ms`, // without a result; AVA then names the tests that run
  ...(process.env.TEST_COSTS === undefined ? {} : {require: ['./dist-test/test/support/record-cost.js']}),
  workerThreads: false,
  concurrency: Math.ceil(availableParallelism() * 1.5), // a file waits for its servers a third of its time
  sortTestFiles: (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1),
}
