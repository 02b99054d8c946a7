/**
 * How AVA runs: a process a file, two at once on two cores, the longest files first, so that none is alone at the end.
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
].map(name => `/test/${name}.test.ts`)

const placeOf = file => {
  const place = longest.findIndex(name => file.endsWith(name))
  return place === -1 ? longest.length : place
}

// biome-ignore lint/style/noDefaultExport: AVA reads it so
export default {
  files: ['test/**/*.test.ts'],
  timeout: '30m',
  extensions: {ts: 'module'},
  nodeArguments: ['--import=tsx'],
  workerThreads: false,
  sortTestFiles: (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1),
}
