/**
 * The floors: a file may import from its own folder and from lower floors only. Type imports count too.
 *
 * A new folder needs a floor in this file, a new package the files that may import it.
 */
import {posix} from 'node:path'
import test from 'ava'
import {readSources, withoutComments} from './sources.ts'

const floors: Readonly<Record<string, number>> = {
  base: 0,
  rdf: 1,
  http: 2,
  format: 2,
  ldpatch: 2,
  checksum: 2,
  sparql: 2,
  stomp: 2,
  db: 3,
  changes: 4,
  authentication: 4,
  ldp: 4,
  query: 4,
  transfer: 4,
  follow: 5,
  hooks: 5,
  web: 5,
  '': 6, // src/*.ts
}

/** Folders with another floor than the folder that contains them. */
const partOf: Readonly<Record<string, string>> = {
  command: '',
  datasets: '',
  settings: '',
  telemetry: '',
  workers: '',
}

/** The files that may import each package. */
const homes: Readonly<Record<string, RegExp>> = {
  '@koa/router': /^src\/web\/routes\.ts$/,
  '@opentelemetry/api': /^src\/telemetry\/traces\.ts$/,
  '@opentelemetry/core': /^src\/telemetry\/traces\.ts$/,
  '@opentelemetry/exporter-trace-otlp-proto': /^src\/telemetry\/traces\.ts$/,
  '@opentelemetry/resources': /^src\/telemetry\/traces\.ts$/,
  '@opentelemetry/sdk-trace-base': /^src\/telemetry\/traces\.ts$/,
  jose: /^src\/authentication\/(access-tokens|provider)\.ts$/,
  'openid-client': /^src\/authentication\/provider\.ts$/,
  jsonld: /^src\/format\//,
  koa: /^src\/web\//,
  esbuild: /^src\/web\/pages\/build-assets\.ts$/, // when the program is built
  marked: /^src\/web\/docs\/render\.ts$/, // when the program is built
  n3: /^src\/format\//,
  pino: /^src\/telemetry\/log\.ts$/,
  postgres: /^src\/db\/connection\/(?:pool|connect|statement)\.ts$/,
  'prom-client': /^src\/(?:telemetry|workers)\/(?:dataset-|change-|follow-|replica-|spool-|webhook-)?metrics\.ts$/,
  'rdf-canonize': /^src\/checksum\//,
  saxes: /^src\/format\//,
  sparqljs: /^src\/sparql\/parse\//,
  ws: /^src\/web\//,
}

type Import = {readonly from: string; readonly to: string} // to: a path under src/, or a package's name

const specifier = /(?<![.'\w])(?:from|import)\s*\(?\s*'([^'\s]+)'/g // neither Buffer.from(…) nor a word in a text

const files = readSources('src', '.ts')
const imports: readonly Import[] = files.flatMap(({path, text}) =>
  Array.from(withoutComments(text).matchAll(specifier), ([, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? posix.join(posix.dirname(path), name) : packageOf(name),
  })),
)
const inside = imports.filter(({to}) => to.startsWith('src/'))

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The first folder under src/; '' for src/*.ts and folders of the same floor. */
function folderOf(path: string): string {
  const folder = /^src\/([^/]+)\//.exec(path)?.[1] ?? ''
  return partOf[folder] ?? folder
}

function isAllowed({from, to}: Import): boolean {
  const [own, other] = [folderOf(from), folderOf(to)]
  return own === other || (floors[other] ?? Number.POSITIVE_INFINITY) < (floors[own] ?? Number.NEGATIVE_INFINITY)
}

function show({from, to}: Import): string {
  return `${from} imports ${to}`
}

test('imports are found', t => {
  t.true(inside.some(({from, to}) => from === 'src/rdf/iri.ts' && to === 'src/rdf/term.ts'))
})

test('every folder of src has a floor', t => {
  t.deepEqual(
    [...new Set(files.map(({path}) => folderOf(path)))].filter(folder => !(folder in floors)),
    [],
  )
})

test('no file imports from the same floor or from a higher one', t => {
  t.deepEqual(inside.filter(edge => !isAllowed(edge)).map(show), [])
})

test('every imported file exists', t => {
  const paths = new Set(files.map(({path}) => path))

  t.deepEqual(inside.filter(({to}) => !paths.has(to)).map(show), [])
})

test('only allowed files import packages', t => {
  const packages = imports.filter(({to}) => !to.startsWith('src/') && !to.startsWith('node:'))

  t.deepEqual(packages.filter(({from, to}) => !homes[to]?.test(from)).map(show), [])
})

test('there are no import cycles', t => {
  t.deepEqual(circles(inside), [])
})

test('an import cycle is found', t => {
  const edges = ['a b', 'b c', 'c b', 'd a', 'e e'].map(edge => ({from: edge[0] ?? '', to: edge[2] ?? ''}))

  t.deepEqual(circles(edges), ['b → c → b', 'e → e'])
})

/** One cycle for each file that closes one, as a path; depth first. */
function circles(edges: readonly Import[]): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const edge of edges) if (edge.from === file) visit(edge.to, [...path, file])
    done.add(file)
  }
  for (const {from} of edges) visit(from, [])
  return found
}
