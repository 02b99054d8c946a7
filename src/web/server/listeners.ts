/** Limits the clients that listen to changes at a time. */
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'

export type Listeners = {
  /**
   * Counts a listener.
   *
   * @returns  to be called when it leaves
   * @throws   Problem 503 `listeners`
   */
  readonly enter: () => () => void
}

export function createListeners(limit: number): Listeners {
  let count = 0
  return {
    enter() {
      if (count >= limit) {
        const message = `There are ${limit} listeners already, as many as this service allows at a time.`
        throw new Problem(503, 'listeners', message, {headers: {'Retry-After': '30'}})
      }
      count += 1
      observe({kind: 'listener-joined'})
      return () => {
        count -= 1
        observe({kind: 'listener-left'})
      }
    },
  }
}
