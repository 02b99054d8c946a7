/**
 * Writes the tuned settings to a file that postgresql.conf includes first, so that the operator's settings in
 * postgresql.conf or from ALTER SYSTEM override them.
 *
 * Source: PostgreSQL manual, §20.1 (include_if_exists; of several values the last counts).
 */
import {chmod, chown, readFile, rename, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

const fileName = 'quadstead.conf'
const includeLine = `include_if_exists = '${fileName}'`

/** Settings that initdb writes by default. They are not choices of the operator. */
const initialLine = /^(?=(?:shared_buffers = 128MB|max_wal_size = 1GB|min_wal_size = 80MB)(?:\s|$))/gm

/**
 * Writes the file, and includes it in postgresql.conf.
 *
 * @param directory  the cluster's; PostgreSQL must not be running
 */
export async function writeSettings(directory: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  const head = [
    '# Chosen from the machine by Quadstead, which writes this file anew at each start.',
    '# Your own settings go into postgresql.conf, or use ALTER SYSTEM: they win.',
  ]
  const path = join(directory, 'postgresql.conf')
  await replaceFile(join(directory, fileName), `${[...head, ...lines].join('\n')}\n`, path)
  const text = await readFile(path, 'utf8')
  if (text.includes(includeLine)) return
  await replaceFile(path, `${includeLine}\n\n${text.replace(initialLine, '#')}`, path)
}

/** Removes the file, so that PostgreSQL starts with its own defaults. */
export function removeSettings(directory: string): Promise<void> {
  return rm(join(directory, fileName), {force: true})
}

/** Replaces a file atomically, with the owner and mode of another one. */
async function replaceFile(path: string, text: string, like: string): Promise<void> {
  const {uid, gid, mode} = await stat(like)
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, text)
  await chmod(unfinished, mode & 0o777)
  if (process.getuid?.() === 0) await chown(unfinished, uid, gid)
  await rename(unfinished, path)
}
