/**
 * Hostile paths, header fields and texts.
 *
 * Each function uses a Random, so that the same seed gives the same values.
 */
import type {Random} from './random.ts'

/** Texts at the limits of Unicode and of escapes. */
const edges = [
  '',
  '\0',
  '\u0001\u001F\u007F',
  '\uFEFF',
  '\uFFFE\uFFFF',
  '\u2028\u2029\u0085',
  'e\u0301\u202E\u200D',
  '𝒳👩‍👩‍👧',
  '"\'`\\',
  "'; drop table quad; --",
  '<script>&amp;',
  '%00%ff%2e%2e%2f',
  '{{x}}$(x)',
  '__proto__',
  'x'.repeat(5000),
]

export function edgeText(random: Random): string {
  return random.some(edges, 3).join(random.pick(['', ' ', ',']))
}

const paths = [
  '//',
  '/..',
  '/../../etc/passwd',
  '/play/../kept/',
  '/%2e%2e/',
  '/%',
  '/%zz/',
  '/%00/',
  '/%ff%fe/',
  '/play//',
  '/play/\\/',
  '/play/?after=%00',
  '/play/?after=9999999999999999999',
  '/play/?after=-1&after=x',
  '/play/?',
  '/play/#fragment',
  '/play;v=1/',
  '/play/{}/',
  '/errors',
  '/errors/',
  '/live/',
  '/.system/',
  '/.well-known/',
  '/sparql',
  '/sparql?query=ASK%7B%7D&default-graph-uri=x',
  '/sparql?query=SELECT*%7B?s?p?o%7D',
  '/sparql?update=x&query',
  '/rdf-graph-store',
  '/rdf-graph-store?default',
  '/rdf-graph-store?default&graph=urn:x',
  '/rdf-graph-store?graph=',
  '/rdf-graph-store?graph=%01',
  '/rdf-graph-store?graph=urn:x',
  '*',
  'http://[',
  'http://x/play/',
  'https://user:pass@x:99999/',
  'play/',
  '?x',
  '',
  '/@id/',
]

export function hostilePath(random: Random): string {
  if (random.chance(0.3)) return `/play/${encodeURIComponent(edgeText(random).slice(0, 300))}/`
  if (random.chance(0.1)) return `/${'a/'.repeat(random.below(5000))}`
  if (random.chance(0.1)) return `/${random.bytes(12).toString('latin1').replace(/[\s]/g, '_')}`
  return random.pick(paths)
}

const fields: Readonly<Record<string, readonly string[]>> = {
  Prefer: [
    'return=representation',
    'return=minimal',
    'return="representation"; foo',
    'handling=strict, =',
    'http://www.w3.org/ns/ldp#Container; rel=interaction-model',
    'http://www.w3.org/ns/ldp#RDFSource; rel=interaction-model',
    'http://x/Model; rel=interaction-model',
    'include="http://www.w3.org/ns/ldp#PreferContainment http://www.w3.org/ns/ldp#PreferMembership"',
    'include="https://carbonldp.com/ns/v1/platform#PreferContainmentResources"',
    'omit="https://carbonldp.com/ns/v1/platform#PreferContainer"',
    'include=a, omit=a',
    '"unclosed',
    ';;;,,,"\\"",=;=',
    `include="${'http://x/ '.repeat(500)}"`,
    'wait=-1, respond-async',
  ],
  Slug: ['a', 'a', '..', '.system', 'a/b', '%', '%ff', '\xE9', '\xC3\xA9', 'x'.repeat(300), ' ', ',', '?#', '\u00FF'],
  'If-Match': [
    '*',
    '"1"',
    'W/"1"',
    '"1", "2"',
    '',
    '"',
    'abc',
    `"${'x'.repeat(3000)}"`,
    '"a""b"',
    '"\xFF"',
    '"1\t"',
    '"*"',
  ],
  'If-None-Match': ['*', '"1"', 'W/"1"', '', '"', '"\xFF", *', ','.repeat(1000)],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday', 'Fri, 31 Feb 2200 99:99:99 GMT', '0'],
  'If-Unmodified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', '-1'],
  Accept: [
    '*/*',
    'application/ld+json',
    'application/rdf+xml',
    'application/x-binary-rdf',
    'application/trix',
    'application/rdf+json',
    'text/html',
    'image/png',
    '*/*;q=0',
    'text/turtle;q=2',
    '/',
    ';,;,"',
    'a/b;'.repeat(800),
    'application/ld+json;profile="x;y,z"',
    'application/vnd.quadstead.explain+json; measured=true',
    'text/vnd.quadstead.explain; measured="',
  ],
  Depth: ['0', 'infinity', '1', '-0', '0, infinity', ''],
  'Content-Type': [
    'text/turtle',
    'application/ld+json',
    'application/rdf+xml',
    'application/trig',
    'application/n-quads',
    'text/ldpatch',
    'application/sparql-query',
    'application/sparql-update',
    'application/x-www-form-urlencoded',
    'text/turtle; charset=utf-16',
    'image/png',
    'turtle',
    '/',
    'text/turtle;;;=',
    '',
  ],
  'Content-Encoding': ['gzip', 'br', 'deflate', 'identity', 'zstd', 'gzip, gzip', 'x-gzip', ''],
  Range: ['bytes=0-1', 'bytes=-', 'x'],
  Forwarded: ['host=evil.example;proto=gopher'],
}

/** Connection-related fields. They are rare, because most invalid values end a request before it is parsed. */
const wireFields: Readonly<Record<string, readonly string[]>> = {
  Expect: ['100-continue', '200-ok'],
  Host: ['', 'evil.example', '[', 'a b'],
  'Transfer-Encoding': ['chunked', 'gzip, chunked', 'identity', 'chunked, chunked', 'Chunked '],
  'Content-Length': ['0', '5', '-1', '99999999999999999999', '0x10', '1, 2', ''],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['close', 'upgrade', 'keep-alive', 'x'],
}

/** Some fields, each with valid or invalid values. */
export function hostileFields(random: Random): (readonly [string, string])[] {
  const drawn = [
    ...random.some(Object.entries(fields), 3),
    ...random.some(Object.entries(wireFields), random.chance(0.15) ? 2 : 0),
  ]
  return drawn.map(([name, values]) => {
    const value = random.chance(0.05) ? edgeText(random) : random.pick(values)
    return [name, value.replace(/[\r\n\0]/g, ' ')] as const
  })
}
