/**
 * A port that nobody listens on, for processes that will listen on it together a moment later.
 *
 * It is below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere), so
 * that no connection takes it meanwhile.
 */
import {once} from 'node:events'
import {createServer} from 'node:net'
import {Refusal} from '../base/refusal.ts'

const [lowest, count, tries] = [10_240, 22_528, 50]

/** @throws  Refusal: the address cannot be listened on */
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
