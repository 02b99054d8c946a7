/**
 * What a hostile client may write: paths, header fields, and bodies of every media type.
 *
 * Each function draws from a Random, so that a seed gives the same values again.
 */
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import type {Random} from './random.ts'

/** Texts at the edges of Unicode and of what syntaxes escape. */
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

/** Fields of the connection: most bad values end a request before it is one, so they come seldom. */
const wireFields: Readonly<Record<string, readonly string[]>> = {
  Expect: ['100-continue', '200-ok'],
  Host: ['', 'evil.example', '[', 'a b'],
  'Transfer-Encoding': ['chunked', 'gzip, chunked', 'identity', 'chunked, chunked', 'Chunked '],
  'Content-Length': ['0', '5', '-1', '99999999999999999999', '0x10', '1, 2', ''],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['close', 'upgrade', 'keep-alive', 'x'],
}

/** Some fields, each well or badly filled. */
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

const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth)
const c = 'https://carbonldp.com/ns/v1/platform#'

/** A body as a Content-Type would have it, hostile in its own way. */
export function hostileBody(random: Random, type: string): Buffer {
  if (random.chance(0.1)) return random.bytes(random.below(400))
  const text = textFor(random, type)
  const bytes = Buffer.from(text)
  if (random.chance(0.15)) return bytes.subarray(0, random.below(bytes.length + 1))
  if (random.chance(0.1) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

function textFor(random: Random, type: string): string {
  const depth = random.pick([3, 99, 100, 101, 3000])
  if (type.includes('json')) return jsonLd(random, depth)
  if (type.includes('xml')) return rdfXml(random, depth)
  if (type.includes('ldpatch')) return patch(random)
  return turtle(random, depth)
}

function jsonLd(random: Random, depth: number): string {
  const edge = JSON.stringify(edgeText(random))
  return random.pick([
    nest('[', '1', ']', depth),
    nest('{"http://x/p":', '{}', '}', depth),
    nest('{"@graph":[', '', ']}', depth),
    nest('{"@context":', '{}', '}', depth),
    `{"@id":"","http://x/p":${edge}}`,
    `{"@id":${edge},"http://x/p":1}`,
    `{"@id":"","http://x/p":{"@value":${edge},"@language":${edge}}}`,
    `{"@id":"","http://x/p":{"@value":"x","@type":${edge}}}`,
    '{"@id":"","http://x/p":"\\ud800"}',
    '{"@id":"","http://x/p":"\\u0000"}',
    '{"@id":"","http://x/p":[1e400,-0,1e21,0.1e-400,12345678901234567890]}',
    '{"@id":"","http://x/p":{"@list":[{"@list":[]},null,{"@set":[1]}]}}',
    '{"@context":{"a":"b","b":"a"},"@id":"","a":1}',
    '{"@context":["http://x/remote",null]}',
    '{"@context":{"@vocab":"","@base":"//["},"@id":"\\\\","x":1}',
    '{"@context":{"@import":"x","@version":1.0}}',
    '{"@id":"","@reverse":{"http://x/p":[{}, 1]},"@index":1,"@included":{},"@nest":2}',
    '{"@id":"","@type":[1,null,{}],"@graph":"x"}',
    `{"@id":"","${c}created":"now","${c}checksum":[1],"http://www.w3.org/ns/ldp#contains":{"@id":"x/"}}`,
    `{"@id":"","@type":"${c}AccessPoint","http://www.w3.org/ns/ldp#hasMemberRelation":${edge}}`,
    `[{"@id":"_:a","@type":["${c}AddMemberAction"],"${c}targetMember":[{"@id":${edge}},1]}]`,
    `[{"@id":"_:a","@type":["${c}RemoveMemberAction"],"${c}targetMember":[{"@id":"/play/"}]}]`,
    '{"__proto__":{"x":1},"constructor":1,"@context":{"__proto__":"http://x/p"}}',
    `{"@id":"","http://x/p":"${'y'.repeat(random.below(300_000))}"}`,
    '{"a":1,"a":2',
    'null',
    '',
  ])
}

function turtle(random: Random, depth: number): string {
  const edge = edgeText(random)
  return random.pick([
    `<> <http://x/p> ${nest('[ <http://x/p> ', '1', ' ]', depth)} .`,
    `<> <http://x/p> ${nest('(', '', ')', depth)} .`,
    `<> <http://x/p> """${edge}""" .`,
    `<> <http://x/p> "x"@${edge} .`,
    `<> <http://x/p> "x"^^<${edge}> .`,
    `<${edge}> <http://x/p> 1 .`,
    '<> <http://x/p> "\\u0000", "\\uD800", "\\U00110000" .',
    '<> <http://x/p> "9999-12-31T24:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .',
    '<> <http://x/p> "999999999-01-01T00:00:00+99:99"^^<http://www.w3.org/2001/XMLSchema#dateTime>, 00012.500, -0 .',
    `@prefix : <${edge}> . : :a :b .`,
    '@base <//[> . <x> <y> <z> .',
    `<> a <${c}Document>, <${c}AccessPoint>, <http://www.w3.org/ns/ldp#DirectContainer> .`,
    `<> <http://www.w3.org/ns/ldp#hasMemberRelation> <http://x/r>, [] ; <${c}accessPoint> <x/> .`,
    '<> <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <> ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <> .',
    '_:qs1 <http://x/p> _:qs2, _:qs18446744073709551616, _:qs0 .',
    '<http://x/g> { <> a <> } <> { <> a <> }',
    `<> <http://x/p> "${'z'.repeat(random.below(300_000))}" .`,
    `<http://x/${'i'.repeat(random.below(20_000))}> <http://x/p> 1 .`,
    `${'<> <http://x/p> <http://x/o> .\n'.repeat(random.below(3000))}`,
    '<<<>>> [] .',
    '',
  ])
}

function rdfXml(random: Random, depth: number): string {
  const root = (inner: string) =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">${inner}</rdf:RDF>`
  const bomb = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY d "&b;&b;&b;&b;&b;&b;&b;&b;">'
  return random.pick([
    `<!DOCTYPE r [${bomb}]>${root('<rdf:Description rdf:about=""><x:p>&d;</x:p></rdf:Description>')}`,
    `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${root('<x:T><x:p>&e;</x:p></x:T>')}`,
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><r/>',
    root(nest('<x:T><x:p>', '', '</x:p></x:T>', depth)),
    root(`<x:T rdf:about=""><x:p rdf:parseType="Literal">${nest('<b>', '', '</b>', depth)}</x:p></x:T>`),
    root('<x:T rdf:ID="a" rdf:about="b" rdf:nodeID="1"/>'),
    root('<rdf:li/><x:T rdf:aboutEach="x" rdf:bagID="y"/>'),
    root('<x:T rdf:about=""><x:p rdf:parseType="Collection"><x:T/></x:p><x:q rdf:resource="//["/></x:T>'),
    root(`<x:T rdf:about="" x:p="&#0;&#xD800;&#xFFFE;">${edgeText(random)}</x:T>`),
    '<?xml version="1.1" encoding="utf-7"?><r/>',
    '<a:b/>',
    '',
  ])
}

function patch(random: Random): string {
  const edge = edgeText(random)
  return random.pick([
    'Add { <> <http://x/p> 1 } .',
    `Add { <> <http://x/p> """${edge}""" } .`,
    'Delete { <> a ?x } .',
    'Bind ?x <> /<http://x/p> . Cut ?x .',
    'UpdateList <> <http://x/p> 0..99999999999999999999 ( 1 ) .',
    'UpdateList <> <http://x/p> -1..0 ( ) .',
    `Add { <> ${nest('<http://x/p> [ ', '<http://x/p> 1', ' ]', 300)} } .`,
    `Delete { <> <${c}created> "x" } .`,
    'DeleteExisting { _:qs1 <http://x/p> 1 } .',
    `@prefix x: <${edge}> . A { x:a x:b x:c } .`,
    `Bind ?x <> ${'/<http://x/p>'.repeat(random.below(3000))} .`,
    `Bind ?x <> ${nest('[', '/<http://x/p>', ']', 2000)} .`,
    '',
  ])
}

/** The body with a content coding applied: rightly, wrongly, or as a small bomb. */
export function encode(random: Random, coding: string, body: Buffer): Buffer {
  if (random.chance(0.2)) return body
  const plain = random.chance(0.2) ? Buffer.alloc(random.pick([200_000, 2_000_000]), ' ') : body
  if (coding.includes('gzip')) return gzipSync(plain)
  if (coding === 'br') return brotliCompressSync(plain)
  return coding === 'deflate' ? deflateSync(plain) : body
}
