/**
 * A write's preconditions as the store takes them.
 *
 * Floor 4. Pure. Sources: RFC 9110 §13.1; decisions, rows "If-Match list; weak tag" and "If-Unmodified-Since".
 */
import type {WriteConditions} from '../db/session.ts'
import type {Preconditions, TagCondition} from '../http/conditional.ts'

/** Weak tags never match in If-Match, so they are left out there; in If-None-Match they count like strong ones. */
export function writeConditions({ifMatch, ifNoneMatch, ifUnmodifiedSinceMs}: Preconditions): WriteConditions {
  return {
    ifMatch: tagsOf(ifMatch, 'strong'),
    ifNoneMatch: tagsOf(ifNoneMatch, 'all'),
    ifUnmodifiedSince: ifUnmodifiedSinceMs === undefined ? undefined : new Date(ifUnmodifiedSinceMs),
  }
}

/** `*` travels as a tag of its own: a state tag is a number and never reads so. */
function tagsOf(condition: TagCondition | undefined, which: 'strong' | 'all'): readonly string[] | undefined {
  if (condition === undefined) return undefined
  if (condition === '*') return ['*']
  return condition.filter(({isWeak}) => which === 'all' || !isWeak).map(({opaque}) => (opaque === '*' ? '' : opaque))
}
