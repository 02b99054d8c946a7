/**
 * Reads the files of the project for the house tests.
 *
 * They search text. The code is formatted, so the same construct always has the same form.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join, relative, sep} from 'node:path'
import {projectDirectory as root} from '../support/program.ts'

export type Source = {readonly path: string; readonly text: string; readonly lines: readonly string[]}

/** All files in a folder of the project with an ending, sorted by their paths, which are relative and use '/'. */
export function readSources(folder: string, ending: string): readonly Source[] {
  const top = join(root, folder)
  if (!existsSync(top)) return []
  return readdirSync(top, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !path.includes('/node_modules/')) // of the peers of the benches
    .sort()
    .map(readSource)
}

export function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  return {path, text, lines: text.split('\n')}
}

/** TypeScript without its comments. A `//` in a string counts as a comment only after a blank. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/[^\n]*/g, '$1')
}
