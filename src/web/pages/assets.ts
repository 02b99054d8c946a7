/**
 * Style sheets, scripts and pictures of the pages, from the folder `assets`, its build, and installed packages.
 *
 * They are read once, at start-up. Their URL path contains a hash of all of them, so that browsers may cache them for
 * ever and never mix two releases.
 */
import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, extname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

export type Asset = {readonly type: string; readonly bytes: Buffer}

export type Assets = {
  readonly hash: string
  readonly files: ReadonlyMap<string, Asset> // by name
}

/** Media types of the files that are served. */
export const assetTypesByExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** The scripts that pages name. The build makes one file of each and the modules that it imports. */
export const pageScripts = ['docs.js', 'document.js', 'forms.js', 'history.js', 'query.js', 'search.js'] as const

export type PageScript = (typeof pageScripts)[number]

export const ownAssetsFolder = new URL('../../../assets/', import.meta.url)
export const builtAssetsFolder = new URL('../../assets/', import.meta.url) // dist/assets/

/** Of the query page: editor, charts, coastlines of maps, and the drawing of graphs. Each file is self-contained. */
export const packagedAssets = [
  {name: 'yasqe.js', package: '@zazuko/yasqe', file: 'yasqe.min.js'},
  {name: 'yasqe.css', package: '@zazuko/yasqe', file: 'yasqe.min.css'},
  {name: 'chart.umd.js', package: 'chart.js', file: 'chart.umd.min.js'},
  {name: 'land.json', package: 'world-atlas/land-110m.json', file: 'land-110m.json'},
  {name: 'cytoscape.js', package: 'cytoscape', file: 'cytoscape.esm.min.mjs'},
] as const

let known: Assets | undefined

/** The files, which are read once: all datasets of the process have the same. */
export function readAssets(): Assets {
  known ??= readAll()
  return known
}

function readAll(): Assets {
  const {resolve} = createRequire(import.meta.url)
  const isBuilt = existsSync(builtAssetsFolder)
  const own = [
    ...filesIn(ownAssetsFolder).filter(({name}) => !isBuilt || extname(name) !== '.js'),
    ...(isBuilt ? filesIn(builtAssetsFolder) : []),
  ]
  const others = packagedAssets.map(one => ({name: one.name, path: join(dirname(resolve(one.package)), one.file)}))
  const hash = createHash('sha256')
  const files = new Map<string, Asset>()
  for (const {name, path} of [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const bytes = withoutMap(readFileSync(path))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
    files.set(name, {type: assetTypesByExtension[extname(name)] ?? 'application/octet-stream', bytes})
  }
  return {hash: hash.digest('hex').slice(0, 16), files}
}

function filesIn(folder: URL): readonly {readonly name: string; readonly path: string}[] {
  return readdirSync(folder)
    .filter(name => assetTypesByExtension[extname(name)] !== undefined)
    .map(name => ({name, path: fileURLToPath(new URL(name, folder))}))
}

/** Removes the line that refers to a source map, which is not served. */
function withoutMap(bytes: Buffer): Buffer {
  const mark = bytes.lastIndexOf('\n//# sourceMappingURL=')
  return mark === -1 ? bytes : bytes.subarray(0, mark + 1)
}
