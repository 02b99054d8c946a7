/**
 * The directory of the store's migrations and SQL functions.
 */
import {fileURLToPath} from 'node:url'

export const sqlDirectory = fileURLToPath(new URL('../sql', import.meta.url))
