/**
 * A list of endpoints that may be asked, and whether an IRI is on it.
 *
 * Floor 2. Pure. An entry that ends with '/' stands for everything below it; any other for itself alone. Both are
 * compared as URLs: no escape, dot segment, default port, or letter case of a host leads around the list.
 * Source: WHATWG URL (normalisation).
 */

export type EndpointList = {readonly exact: ReadonlySet<string>; readonly below: readonly string[]}

/** @returns  undefined: an entry is no absolute http or https URL without user and fragment */
export function readEndpointList(text: string): EndpointList | undefined {
  const entries = text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  const urls = entries.flatMap(entry => normalUrl(entry) ?? [])
  if (urls.length < entries.length || urls.some(url => url.endsWith('/') && url.includes('?'))) return undefined
  return {exact: new Set(urls), below: urls.filter(url => url.endsWith('/'))}
}

/** The URL to ask; undefined when the list does not have it. */
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
