/**
 * Finds the dataset of a request by its host and path: the one with the longest base that the URL begins with.
 *
 * Pure. A request names the host that the client used, but a proxy may have changed the port. The dataset is therefore
 * looked for by host and port, then by host. `localhost` and the loopback addresses are one host. A request to one of
 * them or to another address is for nobody in particular: if that finds nothing, the path alone decides, unless two
 * datasets of different hosts have it.
 */
import {isAddress, isLoopbackHost, readHost} from '../http/host.ts'

type Based = {readonly base: string}

/** host: no dataset has this host, or several do. path: the host is known, but no dataset has the path. */
export type Selected<Dataset> = Dataset | 'host' | 'path'

export type Selection<Dataset> = {
  /**
   * @param authority  host and port that the request names, as in a Host header; undefined: it names none
   * @param path       in normal form
   */
  readonly find: (authority: string | undefined, path: string) => Selected<Dataset>
}

/** Datasets by the path of their base. A path of several datasets has null. */
type Paths<Dataset> = Map<string, Dataset | null>

export function createSelection<Dataset extends Based & object>(datasets: readonly Dataset[]): Selection<Dataset> {
  const byAuthority = new Map<string, Paths<Dataset>>()
  const byHost = new Map<string, Paths<Dataset>>()
  const all: Paths<Dataset> = new Map()
  for (const dataset of datasets) {
    const {host, hostname, pathname} = new URL(dataset.base)
    for (const paths of [pathsOf(byAuthority, host), pathsOf(byHost, placeOf(hostname)), all])
      paths.set(pathname, paths.has(pathname) ? null : dataset)
  }
  return {
    find(authority, path) {
      const host = authority === undefined ? undefined : readHost(authority)
      const isForAny = isForAnybody(authority === undefined ? '' : host)
      const own = authority === undefined ? undefined : byAuthority.get(authority.toLowerCase())
      const named = host === undefined ? undefined : byHost.get(placeOf(host))
      const candidates = [own, named, isForAny ? all : undefined].filter(paths => paths !== undefined)
      for (const paths of candidates) {
        const found = longest(paths, path)
        if (found !== undefined) return found ?? 'host'
      }
      return candidates.length === 0 ? 'host' : 'path'
    },
  }
}

/** The host, or `localhost` for all names and addresses of this machine. */
function placeOf(host: string): string {
  return isLoopbackHost(host) ? 'localhost' : host
}

/** Whether a request names no host in particular. */
function isForAnybody(host: string | undefined): boolean {
  return host !== undefined && (host === '' || isLoopbackHost(host) || isAddress(host))
}

function pathsOf<Dataset>(index: Map<string, Paths<Dataset>>, key: string): Paths<Dataset> {
  const paths: Paths<Dataset> = index.get(key) ?? new Map()
  index.set(key, paths)
  return paths
}

/** The dataset with the longest path of a base that contains this path, or is this path without the final slash. */
function longest<Dataset>(paths: Paths<Dataset>, path: string): Dataset | null | undefined {
  let rest = path.endsWith('/') ? path : `${path}/`
  while (rest !== '') {
    const found = paths.get(rest)
    if (found !== undefined) return found
    rest = rest.slice(0, rest.slice(0, -1).lastIndexOf('/') + 1)
  }
  return undefined
}
