/**
 * Converts a write's preconditions to the parameters of the store's functions.
 *
 * Pure. Sources: RFC 9110 §13.1; docs/interface.md, Entity tags and conditions.
 */
import type {WriteConditions} from '../db/store/session.ts'
import type {Preconditions, TagCondition} from '../http/conditional.ts'

/** Drops weak tags from If-Match, where they never match (RFC 9110 §13.1.1). Keeps them in If-None-Match (§13.1.2). */
export function writeConditions({ifMatch, ifNoneMatch, ifUnmodifiedSinceMs}: Preconditions): WriteConditions {
  return {
    ifMatch: tagsOf(ifMatch, 'strong'),
    ifNoneMatch: tagsOf(ifNoneMatch, 'all'),
    ifUnmodifiedSince: ifUnmodifiedSinceMs === undefined ? undefined : new Date(ifUnmodifiedSinceMs),
  }
}

/** The condition `*` becomes the tag `*`. A client's own tag `"*"` becomes '', which matches no document. */
function tagsOf(condition: TagCondition | undefined, which: 'strong' | 'all'): readonly string[] | undefined {
  if (condition === undefined) return undefined
  if (condition === '*') return ['*']
  return condition.filter(({isWeak}) => which === 'all' || !isWeak).map(({opaque}) => (opaque === '*' ? '' : opaque))
}
