/**
 * Connections of clients, counted in all and by address, within limits.
 */
export type ConnectionCountLimits = {
  readonly all: number
  readonly ofPlace: number // of one address; Infinity: no limit
}

/** The limit that a connection exceeds. */
export type ConnectionLimit = 'all' | 'address'

export type ConnectionCount = {
  /**
   * Counts a connection until the returned function is called.
   *
   * @param place   the address, or the network, that it counts for; undefined: only in all
   * @param refuse  is called if the connection is one too many: at once, or later when another process counts
   */
  readonly open: (place: string | undefined, refuse: (limit: ConnectionLimit) => void) => () => void
}

export function createConnectionCount({all, ofPlace}: ConnectionCountLimits): ConnectionCount {
  const places = new Map<string, number>()
  let total = 0
  return {
    open(place, refuse) {
      const before = place === undefined ? 0 : (places.get(place) ?? 0)
      const exceeded = total >= all ? 'all' : before >= ofPlace ? 'address' : undefined
      if (exceeded !== undefined) {
        refuse(exceeded)
        return () => undefined
      }
      total += 1
      if (place !== undefined) places.set(place, before + 1)
      return () => {
        total -= 1
        if (place === undefined) return
        const left = (places.get(place) ?? 1) - 1
        if (left === 0) places.delete(place)
        else places.set(place, left)
      }
    },
  }
}
