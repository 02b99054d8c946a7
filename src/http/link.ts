/**
 * Links to Link header values.
 *
 * Floor 2. Pure. Knows no relation by name.
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
 * What a URI may not hold is percent-encoded. A comma in the relation is too: several clients cut a field at each
 * comma. In the target it stays, because `,` and `%2C` are different URIs; no IRI that the service mints holds one.
 */
export function formatLink({target, relation}: Link): string {
  const name = uriOfIri(relation)
  return `<${uriOfIri(target)}>; rel="${name.includes(',') ? percentEncode(name, /,+/gu) : name}"`
}
