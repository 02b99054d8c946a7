/**
 * Whether the driver carries our repair.
 *
 * patches/ holds it; `npm ci` applies it unless install scripts are switched off. Without it a connection
 * that is lost at the wrong moment ends the process (test/db/pool.test.ts), so it is said at the start.
 */
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'

const mark = 'function closeOldest(' // a function that only the patched driver has

/** True also when the driver's files are not where its package has them, as in a bundle: then nothing can be said. */
export function isDriverPatched(): boolean {
  try {
    const entry = createRequire(import.meta.url).resolve('postgres') // …/postgres/cjs/src/index.js
    return readFileSync(join(entry, '../../../src/connection.js'), 'utf8').includes(mark)
  } catch {
    return true
  }
}
