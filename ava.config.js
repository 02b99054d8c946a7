/**
 * How AVA runs: a process a file, two at once on two cores, the longest files first, so that none is alone at the end.
 *
 * `npm test` compiles all files first; AVA by itself takes the sources, through tsx.
 */

/** Files that take longest, in that order. */
const longest = [
  'db/import',
  'life/process',
  'conformance/sparql',
  'life/import',
  'browser/pages',
  'db/operations',
  'browser/query',
  'life/embedded',
  'fuzz/fuzz',
  'db/store-scale',
  'oracle/shape',
  'model/model',
  'http/large-container',
].map(name => `/test/${name}.test.`)

const placeOf = file => {
  const place = longest.findIndex(name => file.includes(name))
  return place === -1 ? longest.length : place
}

const compiled = {files: ['dist-test/test/**/*.test.js']}
const sources = {files: ['test/**/*.test.ts'], extensions: {ts: 'module'}, nodeArguments: ['--import=tsx']}

// biome-ignore lint/style/noDefaultExport: AVA reads it so
export default {
  ...(process.env.TEST_PROGRAM === 'compiled' ? compiled : sources),
  timeout: '30m',
  ...(process.env.TEST_COSTS === undefined ? {} : {require: ['./dist-test/test/support/record-cost.js']}),
  workerThreads: false,
  sortTestFiles: (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1),
}
