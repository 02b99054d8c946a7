/**
 * Links to Link header values.
 *
 * Pure. Knows no relation type by name.
 * Source: RFC 8288 §3.
 */
import {percentEncode, uriOfIri} from './percent.ts'

export type Link = {
  readonly target: string // an IRI
  readonly relation: string // a registered name, or an IRI for an extension relation (RFC 8288 §2.1.2)
}

/**
 * Writes one link: `<target>; rel="relation"`.
 *
 * Characters that a URI may not contain are percent-encoded. So are commas in the relation, because several clients
 * split a field at every comma. A comma in the target stays, because `,` and `%2C` are different URIs; no IRI that the
 * service mints contains one.
 */
export function formatLink({target, relation}: Link): string {
  const name = uriOfIri(relation)
  return `<${uriOfIri(target)}>; rel="${name.includes(',') ? percentEncode(name, /,+/gu) : name}"`
}
