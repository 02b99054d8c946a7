/**
 * Links to Link header values, and back.
 *
 * Pure. Knows no relation type by name.
 * Sources: RFC 8288 §3; RFC 6690 §2 (link format).
 */
import {readParameter, splitList, splitOutsideQuotes} from './field.ts'
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

export type LinkAttributes = {readonly [name in 'datetime' | 'from' | 'until' | 'type']?: string | undefined}

/**
 * Writes a link with several registered relations and with attributes, for a Link header or the format
 * application/link-format. Values of attributes may contain commas, but neither quotes nor backslashes.
 */
export function formatTypedLink(target: string, relations: readonly string[], attributes: LinkAttributes): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : `; ${name}="${value}"`,
  )
  return `<${uriOfIri(target)}>; rel="${relations.join(' ')}"${written.join('')}`
}

/**
 * Reads the links of a request about its target.
 *
 * Leaves out what is malformed, links without a relation, and links with another context (`anchor`).
 *
 * @param values  field values as received; one value may hold several links, comma-separated
 * @returns       one link for each relation; targets as written
 */
export function readLinks(values: readonly string[]): readonly Link[] {
  return values.flatMap(splitList).flatMap(text => {
    const [head = '', ...rest] = splitOutsideQuotes(text, ';')
    const parameters = rest.map(readParameter).filter(parameter => parameter !== undefined)
    const isAnchored = parameters.some(({name}) => name === 'anchor')
    const relations = parameters.find(({name}) => name === 'rel')?.value.split(/[ \t]+/) ?? []
    if (!head.startsWith('<') || !head.endsWith('>') || isAnchored) return []
    return relations.filter(relation => relation !== '').map(relation => ({target: head.slice(1, -1), relation}))
  })
}
