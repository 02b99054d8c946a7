/** Triple patterns that add a property to solutions. */
import type {TriplePattern} from '../algebra.ts'

/** The variables of a pattern such as `?s <p> ?o`; undefined for patterns of other kinds. */
export function propertyOf({
  subject,
  predicate,
  object,
}: TriplePattern): {readonly subject: string; readonly object: string} | undefined {
  if (subject.termType !== 'Variable' || predicate.termType === 'Variable' || object.termType !== 'Variable')
    return undefined
  return subject.value === object.value ? undefined : {subject: subject.value, object: object.value}
}
