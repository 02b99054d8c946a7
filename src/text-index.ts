/**
 * Creates the text index for TEXT_INDEX=on while the service already answers requests.
 */
import {observe} from './base/observation.ts'
import {createTextIndex} from './db/store/text-index.ts'
import type {Config} from './settings/config.ts'
import {openForLongWork, type Storage} from './storage.ts'

/**
 * Starts to create the index if the setting asks for it and it does not exist. The service runs without it too, so a
 * failure is only reported.
 *
 * @returns  a function that cancels the work
 */
export function startTextIndex(config: Config): () => Promise<void> {
  if (config.textIndex !== 'on') return async () => undefined
  let storage: Storage | undefined
  let isStopped = false
  const {schema} = config.database
  async function make(): Promise<void> {
    storage = await openForLongWork(config)
    try {
      if (!isStopped && (await createTextIndex(storage.database, schema)) === 'made') {
        observe({kind: 'migrated', schema, applied: ['the text index']})
      }
    } finally {
      await storage.close()
    }
  }
  const made = make().catch((error: unknown) => {
    if (isStopped) return
    const message = `there is no text index: ${error instanceof Error ? error.message : String(error)}`
    observe({kind: 'database-notice', severity: 'WARNING', message})
  })
  return async () => {
    isStopped = true
    await storage?.close()
    await made
  }
}
