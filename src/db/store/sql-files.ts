/**
 * Reads the SQL folder: numbered migrations, and repeatable files that are applied again as a whole.
 *
 * Does not connect to a database.
 *   migrations/NNNNNN_name.sql   run once each, in order, never changed once released; `--! breaking` on a line of
 *                                its own means that older programs cannot use the schema after it
 *   functions/<folder>/*.sql     "create or replace", in the order of `functionFolders` and then by name: a function
 *                                whose body PostgreSQL parses when it is created needs those that it calls
 *   views/*.sql                  the same, after the functions. All of them run again whenever any of them changed
 */

import {createHash} from 'node:crypto'
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'

export type Migration = {
  readonly version: number
  readonly name: string // of the file: '000001_store.sql'
  readonly text: string
  readonly checksum: string // SHA-256, hex, of the text with line ends as \n
  readonly isBreaking: boolean
}

export type SqlFiles = {
  readonly migrations: readonly Migration[] // by version
  readonly repeatables: readonly {readonly name: string; readonly text: string}[] // functions, then views, by name
  readonly repeatableChecksum: string // one checksum for all of them
}

const functionFolders = ['registry', 'term', 'change', 'document', 'access', 'sparql', 'update', 'move', 'bulk']

/**
 * Reads the folder.
 *
 * @throws  Error: a migration without a number, or two with one number, or a function in no known folder
 */
export async function readSqlFiles(directory: string): Promise<SqlFiles> {
  const migrations = (await readFolder(directory, 'migrations')).map(toMigration)
  for (const [index, {version, name}] of migrations.entries()) {
    if (migrations[index - 1]?.version === version) throw new Error(`two migrations have the number of ${name}`)
  }
  const repeatables = [...(await readFunctions(directory)), ...(await readFolder(directory, 'views'))]
  const repeatableChecksum = checksum(repeatables.map(({name, text}) => `${name}\n${text}`).join('\n'))
  return {migrations, repeatables, repeatableChecksum}
}

/** A checksum of all files, which says whether a schema that took them is up to date. */
export function sqlVersionOf({migrations, repeatableChecksum}: SqlFiles): string {
  return checksum([...migrations.map(migration => migration.checksum), repeatableChecksum].join(' '))
}

async function readFunctions(directory: string): Promise<{name: string; text: string}[]> {
  const entries = await readdir(join(directory, 'functions')).catch(() => [])
  const stray = entries.find(name => !functionFolders.includes(name) && !name.startsWith('.'))
  if (stray !== undefined) throw new Error(`functions/${stray} is not one of ${functionFolders.join(', ')}`)
  return (await Promise.all(functionFolders.map(folder => readFolder(directory, `functions/${folder}`)))).flat()
}

async function readFolder(directory: string, folder: string): Promise<{name: string; text: string}[]> {
  const names = await readdir(join(directory, folder)).catch(() => [])
  const files = names.filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async file => {
      const text = await readFile(join(directory, folder, file), 'utf8')
      return {name: `${folder}/${file}`, text: text.replaceAll('\r\n', '\n')}
    }),
  )
}

function toMigration({name, text}: {name: string; text: string}): Migration {
  const [, file = '', number] = /^migrations\/((\d{6})_.+\.sql)$/.exec(name) ?? []
  if (number === undefined || Number(number) === 0) throw new Error(`${name} is not named NNNNNN_name.sql`)
  return {
    version: Number(number),
    name: file,
    text,
    checksum: checksum(text),
    isBreaking: /^--! breaking\s*$/m.test(text),
  }
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
