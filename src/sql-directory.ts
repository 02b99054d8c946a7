/**
 * The directories of migrations and SQL functions: of the store, and of the registry of datasets.
 */
import {fileURLToPath} from 'node:url'

export const sqlDirectory = fileURLToPath(new URL('../sql', import.meta.url))

export const registryDirectory = fileURLToPath(new URL('../sql/registry', import.meta.url))
