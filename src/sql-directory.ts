/**
 * Where the migrations and functions of the store are.
 */
import {fileURLToPath} from 'node:url'

export const sqlDirectory = fileURLToPath(new URL('../sql', import.meta.url))
