/**
 * The responses under way.
 *
 * They are in an array and not in a Map. A Map whose entries come and go moves to a new table again and again. A table
 * in the old generation of V8 keeps what was in it until the next major collection, and a response refers to everything
 * about its request: with a Map, 10 KB of each request outlived it.
 */
import type {ServerResponse} from 'node:http'

export type RunningResponse = {
  readonly response: ServerResponse
  readonly begun: number // in ms, as performance.now()
}

export type RunningResponses = {
  /** Adds a response that begins now. Returns a function that removes it; a second call has no effect. */
  readonly add: (response: ServerResponse) => () => void
  readonly all: () => readonly RunningResponse[] // in no order
  /** The response that began last on a socket. Several are under way if the client does not wait for answers. */
  readonly lastOn: (socket: unknown) => ServerResponse | undefined
}

type Entry = RunningResponse & {readonly number: number; place: number} // place: in the array; -1: removed

export function createRunningResponses(): RunningResponses {
  const entries: Entry[] = []
  let begunBefore = 0
  function remove(entry: Entry): void {
    if (entry.place < 0) return
    const last = entries.pop()
    if (last !== undefined && last !== entry) {
      entries[entry.place] = last
      last.place = entry.place
    }
    entry.place = -1
  }
  return {
    add(response) {
      begunBefore += 1
      const entry: Entry = {response, begun: performance.now(), number: begunBefore, place: entries.length}
      entries.push(entry)
      return () => remove(entry)
    },
    all: () => entries,
    lastOn(socket) {
      let found: Entry | undefined
      for (const entry of entries)
        if (entry.response.req.socket === socket && entry.number > (found?.number ?? 0)) found = entry
      return found?.response
    },
  }
}
