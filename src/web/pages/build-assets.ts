/**
 * Builds the scripts of the pages: `node dist/web/pages/build-assets.js` after the compiler, as `npm run build` does.
 *
 * A page loads one minified file in place of up to twenty-five modules. Modules that are imported later stay files of
 * their own, with what they share. Without a build, the service sends the modules as they are.
 */
import {rmSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {build, type Plugin} from 'esbuild'
import {builtAssetsFolder, ownAssetsFolder, packagedAssets, pageScripts} from './assets.ts'

/** The files of packages keep their names: they are loaded as they are. */
const keepPackaged: Plugin = {
  name: 'packaged',
  setup({onResolve}) {
    onResolve({filter: /^\.\//}, ({path}) =>
      packagedAssets.some(({name}) => path === `./${name}`) ? {path, external: true} : undefined,
    )
  },
}

const outdir = fileURLToPath(builtAssetsFolder)
rmSync(outdir, {recursive: true, force: true})
for (const name of pageScripts) {
  await build({
    entryPoints: [fileURLToPath(new URL(name, ownAssetsFolder))],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    chunkNames: '[name]-[hash]',
    plugins: [keepPackaged],
    logLevel: 'warning',
  })
}
