/**
 * Makes recorded histories wrong. The checker must reject each; otherwise its acceptance of correct ones proves
 * nothing.
 */
import type {MembershipOperation} from './membership.ts'
import type {RegisterOperation} from './register.ts'

type Histories<Operation> = readonly (readonly Operation[])[]

/**
 * Adds a stale read: it returns an earlier version after a newer one was read. Undefined if the history has no such
 * pair.
 */
export function withStaleRead<Operation extends RegisterOperation | MembershipOperation>(
  histories: Histories<Operation>,
): readonly Operation[] | undefined {
  for (const history of histories) {
    const reads = history.filter(each => each.kind === 'read').sort((a, b) => a.end - b.end)
    for (const late of reads.toReversed()) {
      const newer = reads.findLast(each => each.end < late.start)
      const old = reads.find(each => newer !== undefined && each.end < newer.start && tagOf(each) !== tagOf(newer))
      if (old === undefined) continue
      const {start, end} = late
      return history.map(each => (each === late ? {...old, start, end} : each))
    }
  }
  return undefined
}

/** Removes an acknowledged write that was read later. */
export function withoutWrite(histories: Histories<RegisterOperation>): readonly RegisterOperation[] | undefined {
  for (const history of histories) {
    const read = new Set(history.flatMap(each => (each.kind === 'read' ? [each.tag] : [])))
    const lost = history.find(each => each.kind === 'replaced' && each.tag !== undefined && read.has(each.tag))
    if (lost !== undefined) return history.filter(each => each !== lost)
  }
  return undefined
}

function tagOf(operation: RegisterOperation | MembershipOperation): string | undefined {
  return 'tag' in operation ? operation.tag : undefined
}
