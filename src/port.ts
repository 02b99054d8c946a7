/**
 * Opens the port on which the service listens.
 */
import type {AddressInfo} from 'node:net'
import {Refusal} from './base/refusal.ts'
import type {Iri} from './rdf/term.ts'
import type {Config} from './settings/config.ts'
import type {WebServer} from './web/server/server.ts'

const lastDefaultPort = 8099

/**
 * Opens the port: the one that is set. If none is set, the port of the stored base, or 8080, or the next free one.
 *
 * @returns  the number of the port
 */
export async function listen(
  web: WebServer,
  {port, isPortGiven, host, base}: Config,
  stored: Iri | undefined,
): Promise<number> {
  if (isPortGiven) return tryListen(web, port, host).catch(error => refusePort(port, host, error))
  const preferred = base === undefined ? localPort(stored) : undefined
  const candidates = [...(preferred === undefined ? [] : [preferred]), ...range(port, lastDefaultPort)]
  for (const candidate of candidates) {
    try {
      return await tryListen(web, candidate, host)
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') refusePort(candidate, host, error)
    }
  }
  throw new Refusal(`The ports ${port} to ${lastDefaultPort} of ${host} are all taken. Set PORT to a free one.`)
}

function tryListen({server}: WebServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({port, host}, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function refusePort(port: number, host: string, error: unknown): never {
  const reason =
    codeOf(error) === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken by another program. Stop it, or set PORT to a free one (or to ` +
        'nothing, to have one chosen).'
      : `Port ${port} of ${host} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`
  throw new Refusal(reason, {cause: error})
}

/** The port of a base http://localhost:N/; undefined for any other base. */
function localPort(base: Iri | undefined): number | undefined {
  const [, port] = /^http:\/\/localhost:(\d+)\/$/.exec(base ?? '') ?? []
  return port === undefined ? undefined : Number(port)
}

function range(first: number, last: number): readonly number[] {
  return Array.from({length: last - first + 1}, (_, index) => first + index)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
