/**
 * Connections of clients, counted in all and by address, within limits.
 */
import {createAllowance} from './allowance.ts'

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
  const allowance = createAllowance({callerMax: ofPlace, totalMax: all})
  return {
    open(place, refuse) {
      const isFull = allowance.held() >= all // reported before the limit of an address
      const exceeded = isFull ? 'total' : allowance.take(place, 1)
      if (exceeded === undefined) return () => allowance.give(place, 1)
      refuse(exceeded === 'total' ? 'all' : 'address')
      return () => undefined
    },
  }
}
