/**
 * Detects whether the driver has our patch.
 *
 * `npm ci` applies patches/ unless install scripts are switched off. Without the patch a lost connection can end the
 * process, and a query would be answered without the check of its plan (test/db/pool.test.ts). The program therefore
 * refuses to start.
 */
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'

const mark = 'function preamble(q, {' // only the driver with the newest patch has it

/**
 * Also true if the driver's files are not where its package has them, as in a bundle: the patch cannot be checked
 * there.
 */
export function isDriverPatched(): boolean {
  try {
    const entry = createRequire(import.meta.url).resolve('postgres') // …/postgres/cjs/src/index.js
    return readFileSync(join(entry, '../../../src/connection.js'), 'utf8').includes(mark)
  } catch {
    return true
  }
}
