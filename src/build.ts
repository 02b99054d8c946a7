/**
 * The version and the build date of the running program.
 *
 * `npm run build` writes the date to dist/built.json. When the program runs from its sources, the date is that of
 * package.json.
 */
import {existsSync, readFileSync, statSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {Build} from './web/service/platform.ts'

const packageFile = fileURLToPath(new URL('../package.json', import.meta.url))
const builtFile = fileURLToPath(new URL('built.json', import.meta.url))

export const {version} = JSON.parse(readFileSync(packageFile, 'utf8')) as {version: string}

export const build: Build = {version, date: builtDate()}

function builtDate(): Date {
  if (!existsSync(builtFile)) return statSync(packageFile).mtime
  const {date} = JSON.parse(readFileSync(builtFile, 'utf8')) as {date: string}
  return new Date(date)
}
