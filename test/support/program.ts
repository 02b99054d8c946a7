/**
 * Compiles the program and the tests to JavaScript once, into dist-test/, which has the structure of the project.
 *
 * A process loads compiled code in a third of the processor time that the sources need. dist-test/ has links to all
 * files that are not TypeScript, so that relative paths work.
 */
import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'

const folderName = 'dist-test'
const own = fileURLToPath(new URL('../..', import.meta.url))

/** The project's folder, for compiled tests too. Ends with '/'. */
export const projectDirectory = own.endsWith(`/${folderName}/`) ? join(own, '../') : own

const compiledDirectory = join(projectDirectory, folderName)
const sources = ['src', 'test']

/** Compiles. If AVA is run directly, it uses the sources. Does not check types; `npm run check` does. */
export function compile(): void {
  const compiler = join(projectDirectory, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.test.json'], {cwd: projectDirectory, stdio: 'inherit'})
  for (const name of readdirSync(projectDirectory)) if (!/^(\.|dist)/.test(name) && !sources.includes(name)) link(name)
  for (const path of filesBelow(projectDirectory)) if (!path.endsWith('.ts')) link(path)
  removeOrphans()
  const options = {cwd: projectDirectory, stdio: 'inherit'} as const
  for (const build of ['src/web/docs/build.ts', 'src/web/pages/build-assets.ts'])
    execFileSync(process.execPath, [join(projectDirectory, compiledPath(build))], options)
  process.env.TEST_PROGRAM = 'compiled' // for AVA's configuration and the processes of tests
}

/** The compiled path of a source: a path or pattern, relative to the project. */
export function compiledPath(source: string): string {
  return join(folderName, source.replace(/\.ts$/, '.js'))
}

/** The arguments with which Node runs the program, or another source file. */
export function programParameters(source = 'src/cli.ts'): readonly string[] {
  if (process.env.TEST_PROGRAM === 'compiled')
    return ['--enable-source-maps', join(projectDirectory, compiledPath(source))]
  const loader = join(projectDirectory, 'node_modules/tsx/dist/loader.mjs')
  return [`--import=${loader}`, join(projectDirectory, source)]
}

function link(path: string): void {
  const place = join(compiledDirectory, path)
  if (existsSync(place)) return
  rmSync(place, {force: true}) // a link whose target is gone
  mkdirSync(dirname(place), {recursive: true})
  symlinkSync(relative(dirname(place), join(projectDirectory, path)), place)
}

/** Removes compiled files whose source is gone; a deleted test would still run. */
function removeOrphans(): void {
  for (const path of filesBelow(compiledDirectory))
    if (![path, path.replace(/\.js$/, '.ts')].some(source => existsSync(join(projectDirectory, source))))
      rmSync(join(compiledDirectory, path))
}

/** The files of the source folders, relative to their parent. */
function filesBelow(directory: string): readonly string[] {
  return sources.flatMap(folder =>
    readdirSync(join(directory, folder), {recursive: true, withFileTypes: true})
      .filter(entry => !entry.isDirectory())
      .map(entry => relative(directory, join(entry.parentPath, entry.name))),
  )
}
