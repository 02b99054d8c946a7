/**
 * The program that tests start as a process: compiled for them, apart from dist/, which other tests write anew.
 */
import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url))

const folder = join(projectDirectory, 'dist-test')
const compiled = join(folder, 'cli.js')

/** Compiles it; whoever runs AVA by hand gets the sources. */
export function buildProgram(): void {
  const compiler = join(projectDirectory, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: projectDirectory,
    stdio: 'inherit',
  })
  process.env.TEST_PROGRAM = 'compiled' // for the processes of tests
}

/** What Node is given to run the program. */
export function programParameters(): readonly string[] {
  if (process.env.TEST_PROGRAM === 'compiled' && existsSync(compiled)) return ['--enable-source-maps', compiled]
  const loader = join(projectDirectory, 'node_modules/tsx/dist/loader.mjs')
  return [`--import=${loader}`, join(projectDirectory, 'src/cli.ts')]
}
