/**
 * Style sheets, scripts and pictures of the pages, from the folder `assets` and from installed packages.
 *
 * They are read once, at start-up. Their URL path contains a hash of all of them, so that browsers may cache them for
 * ever and never mix two releases.
 */
import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
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

const ownFolder = fileURLToPath(new URL('../../../assets/', import.meta.url))

/** Of the query page: editor, charts, coastlines of maps, and the drawing of graphs. Each file is self-contained. */
const packaged = [
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
  const own = readdirSync(ownFolder)
    .filter(name => assetTypesByExtension[extname(name)] !== undefined)
    .map(name => ({name, path: join(ownFolder, name)}))
  const others = packaged.map(one => ({name: one.name, path: join(dirname(resolve(one.package)), one.file)}))
  const hash = createHash('sha256')
  const files = new Map<string, Asset>()
  for (const {name, path} of [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const bytes = withoutMap(readFileSync(path))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
    files.set(name, {type: assetTypesByExtension[extname(name)] ?? 'application/octet-stream', bytes})
  }
  return {hash: hash.digest('hex').slice(0, 16), files}
}

/** Removes the line that refers to a source map, which is not served. */
function withoutMap(bytes: Buffer): Buffer {
  const mark = bytes.lastIndexOf('\n//# sourceMappingURL=')
  return mark === -1 ? bytes : bytes.subarray(0, mark + 1)
}
