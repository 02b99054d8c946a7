/**
 * The program and the tests as JavaScript: compiled once, into dist-test/, which looks like the project from inside.
 *
 * A process loads compiled code in a third of the processor time that it needs for the sources. What is no TypeScript
 * stands in dist-test/ as links, so whatever a file finds beside itself it finds there too.
 */
import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'

const folderName = 'dist-test'
const own = fileURLToPath(new URL('../..', import.meta.url))

/** The project's folder, for compiled tests too; ends with '/'. */
export const projectDirectory = own.endsWith(`/${folderName}/`) ? join(own, '../') : own

const compiledDirectory = join(projectDirectory, folderName)
const sources = ['src', 'test']

/** Compiles; whoever runs AVA by hand gets the sources. Types are not checked: `npm run check` does that. */
export function compile(): void {
  const compiler = join(projectDirectory, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.test.json'], {cwd: projectDirectory, stdio: 'inherit'})
  for (const name of readdirSync(projectDirectory)) if (!/^(\.|dist)/.test(name) && !sources.includes(name)) link(name)
  for (const path of filesBelow(projectDirectory)) if (!path.endsWith('.ts')) link(path)
  removeOrphans()
  process.env.TEST_PROGRAM = 'compiled' // for AVA's configuration and the processes of tests
}

/** Where the compiled form of a source stands: path or pattern, relative to the project. */
export function compiledPath(source: string): string {
  return join(folderName, source.replace(/\.ts$/, '.js'))
}

/** What Node is given to run the program, or another file of the sources. */
export function programParameters(source = 'src/cli.ts'): readonly string[] {
  if (process.env.TEST_PROGRAM === 'compiled')
    return ['--enable-source-maps', join(projectDirectory, compiledPath(source))]
  const loader = join(projectDirectory, 'node_modules/tsx/dist/loader.mjs')
  return [`--import=${loader}`, join(projectDirectory, source)]
}

function link(path: string): void {
  const place = join(compiledDirectory, path)
  if (existsSync(place)) return
  rmSync(place, {force: true}) // a link to what is no more
  mkdirSync(dirname(place), {recursive: true})
  symlinkSync(relative(dirname(place), join(projectDirectory, path)), place)
}

/** Removes what has no source any more: a test would run on. */
function removeOrphans(): void {
  for (const path of filesBelow(compiledDirectory))
    if (![path, path.replace(/\.js$/, '.ts')].some(source => existsSync(join(projectDirectory, source))))
      rmSync(join(compiledDirectory, path))
}

/** The files of the folders of sources, relative to where these stand. */
function filesBelow(directory: string): readonly string[] {
  return sources.flatMap(folder =>
    readdirSync(join(directory, folder), {recursive: true, withFileTypes: true})
      .filter(entry => !entry.isDirectory())
      .map(entry => relative(directory, join(entry.parentPath, entry.name))),
  )
}
