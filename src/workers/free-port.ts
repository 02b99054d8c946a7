/**
 * Finds a free port, on which the worker processes will listen together a moment later.
 *
 * The port is below the ephemeral ports (from 32768 on Linux, 49152 elsewhere), so that no outgoing connection takes it
 * in the meantime.
 */
import {once} from 'node:events'
import {createServer} from 'node:net'
import {Refusal} from '../base/refusal.ts'

const [lowest, count, tries] = [10_240, 22_528, 50]

/** @throws  Refusal: the service cannot listen on the address */
export async function findFreePort(host: string): Promise<number> {
  let reason = ''
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * count)
    const server = createServer()
    const closed = once(server, 'close')
    try {
      server.listen({port, host})
      await once(server, 'listening')
      server.close()
      await closed
      return port
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
  }
  throw new Refusal(`No port of ${host} can be opened: ${reason}.`)
}
