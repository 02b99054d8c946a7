/**
 * Hostile bodies for every media type, and some harmless ones.
 *
 * Each function uses a Random, so that the same seed gives the same values.
 */
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import {edgeText} from './hostile-values.ts'
import type {Random} from './random.ts'

const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth)
const c = 'https://carbonldp.com/ns/v1/platform#'

/** A hostile body for a Content-Type. */
export function hostileBody(random: Random, type: string): Buffer {
  if (random.chance(0.1)) return random.bytes(random.below(400))
  if (random.chance(0.2)) return Buffer.from(harmless(random, type))
  const text = textFor(random, type)
  const bytes = Buffer.from(text)
  if (random.chance(0.15)) return bytes.subarray(0, random.below(bytes.length + 1))
  if (random.chance(0.1) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

/** A valid body: a link to a document of the playground, a list, a blank node, an unusual literal. */
function harmless(random: Random, type: string): string {
  const other = `/play/${random.below(20)}/`
  const literal = JSON.stringify(edgeText(random).replace(/[\0-\u001F\u007F-\u009F]/g, ' '))
  if (type.includes('json')) {
    return `{"@id":"","http://x/p":[{"@id":"${other}"},${literal}],"http://x/l":{"@list":[1,{"@id":"${other}"}]}}`
  }
  if (type.includes('xml')) {
    const ns = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/"'
    const node = `<x:T rdf:about=""><x:p rdf:resource="${other}"/><x:q rdf:parseType="Resource"/></x:T>`
    return `<rdf:RDF ${ns}>${node}</rdf:RDF>`
  }
  const triples = `<> <http://x/p> <${other}>, ${literal}, (1 <${other}> 2), [ <http://x/q> <${other}> ] .`
  return type.includes('ldpatch') ? `Add { ${triples} } .` : triples
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

/** The body with a content coding: a correct one, a wrong one, or a small bomb. */
export function encode(random: Random, coding: string, body: Buffer): Buffer {
  if (random.chance(0.2)) return body
  const plain = random.chance(0.2) ? Buffer.alloc(random.pick([200_000, 2_000_000]), ' ') : body
  if (coding.includes('gzip')) return gzipSync(plain)
  if (coding === 'br') return brotliCompressSync(plain)
  return coding === 'deflate' ? deflateSync(plain) : body
}
