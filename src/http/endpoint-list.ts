/**
 * A list of SPARQL endpoints that queries may use, and a test whether an IRI is on it.
 *
 * Pure. An entry that ends with '/' allows everything below it; any other entry allows only itself. Entries and IRIs
 * are compared as normalised URLs, so escapes, dot segments, default ports or the case of a host cannot evade the
 * list.
 * Source: WHATWG URL (normalisation).
 */

export type EndpointList = {readonly exact: ReadonlySet<string>; readonly below: readonly string[]}

/**
 * Reads a list of URLs, separated by commas.
 *
 * @returns  undefined if an entry is not an absolute http or https URL, or has a user, a password or a fragment
 */
export function readEndpointList(text: string): EndpointList | undefined {
  const entries = text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  const urls = entries.flatMap(entry => normalUrl(entry) ?? [])
  if (urls.length < entries.length || urls.some(url => url.endsWith('/') && url.includes('?'))) return undefined
  return {exact: new Set(urls), below: urls.filter(url => url.endsWith('/'))}
}

/** The normalised URL of an endpoint; undefined if the list does not allow it. */
export function allowedEndpoint({exact, below}: EndpointList, iri: string): string | undefined {
  const url = normalUrl(iri)
  if (url === undefined) return undefined
  return exact.has(url) || below.some(prefix => url.startsWith(prefix)) ? url : undefined
}

function normalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const {protocol, username, password, href} = new URL(text)
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '' && !href.includes('#')
  return isPlain ? href : undefined
}
