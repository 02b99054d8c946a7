/** Readers return valid quads or a Problem for any bytes, within a short time. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {formats, serialise} from '../../../src/format/registry.ts'
import type {Format} from '../../../src/format/types.ts'
import {isAbsoluteIri} from '../../../src/rdf/iri.ts'
import type {Quad} from '../../../src/rdf/term.ts'

const base = 'http://h/doc/'
const timeLimitMs = 5_000 // for a body of a few hundred bytes, on a slow machine

const seeds: Readonly<Record<string, string>> = {
  turtle:
    '@prefix ex: <http://e/> . @base <b/> . <> a ex:T ; ex:p "x"@en, "1"^^ex:d, 1.5e3, true, ( 1 _:a ' +
    '[ ex:q <#f> ] ) . # c\n',
  trig:
    'PREFIX ex: <http://e/> GRAPH <g> { <> ex:p """l"o\nng""" } _:g { [] ex:q () . ex:\\,a%20 a ex:b ' +
    '} [ ex:x 1 ] .',
  'n-triples': '<a:a> <a:b> "x\\u00e9\\n"@en .\n_:a <a:b> _:b . # c\n',
  'n-quads': '<a:a> <a:b> "x"^^<t:t> <g:g> .\n_:a <a:b> _:b _:c .\n',
  'json-ld':
    '{"@context":[{"ex":{"@id":"http://e/#"},"m":{"@id":"ex:m","@container":"@language"},"i":{"@id":"' +
    'ex:i","@container":["@graph","@index"]},"s":{"@id":"ex:s","@context":{"@propagate":false,"z":"ex' +
    ':z"}},"r":{"@reverse":"ex:r"}}],"@id":"","@type":["ex:T"],"ex:p":[1,2.5,true,null,{"@value":"x",' +
    '"@language":"en"}],"m":{"en":["a"],"@none":"b"},"i":{"a":{"@id":"#a"}},"s":{"z":{"@list":["1",{"' +
    '@list":[]}]}},"r":{"@id":"#r","ex:q":"\\u00e9"},"@included":[{"@id":"#n","ex:o":{"@set":[]}}],"@' +
    'graph":[{"@id":"_:b","ex:p":{"@value":{"a":[1]},"@type":"@json"}}]}',
  'rdf-xml':
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "http://e/">]><rdf:RDF xmlns:rdf="http://www.w3.org' +
    '/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/" xml:base="http://b/"><e:T rdf:about="&e;x" e:a="' +
    '1"><e:p xml:lang="en">t</e:p><e:q rdf:parseType="Collection"><e:C rdf:nodeID="n"/></e:q><e:l rdf' +
    ':parseType="Literal"><b c="d">x<!--c--></b></e:l><e:r rdf:parseType="Resource"><rdf:li rdf:resou' +
    'rce="#y"/></e:r><e:i rdf:ID="i" rdf:datatype="&e;d">1</e:i></e:T></rdf:RDF>',
}

const alphabet = [
  ...'<>"\'@#:;.,()[]{}\\/%&!?-+_^~|= \n\t\r0aE\u00e9\u{1F600}\0',
  '<<',
  '"""',
  '@prefix ',
  '"@id"',
  '<!',
  ']]>',
  '&#0;',
  '_:',
  '^^',
]

/** A body with random cuts, insertions and repetitions. */
function mutated(seed: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(seed.length),
    cut: fc.nat(6),
    insert: fc.oneof(
      fc.constantFrom(...alphabet),
      fc.tuple(fc.nat(seed.length), fc.nat(40)).map(([from, size]) => seed.slice(from, from + size)),
    ),
  })
  return fc
    .array(edit, {minLength: 1, maxLength: 4})
    .map(edits => edits.reduce((text, {at, cut, insert}) => text.slice(0, at) + insert + text.slice(at + cut), seed))
}

async function check(format: Format, body: Uint8Array): Promise<void> {
  if (format.parse === undefined) return
  const start = performance.now()
  let quads: readonly Quad[] = []
  try {
    quads = await format.parse(body, {base})
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  for (const quad of quads) requireWritable(quad)
  for (const each of formats) if (each.id !== 'rdf-xml' && each.id !== 'trix') serialise(each, quads)
  if (performance.now() - start > timeLimitMs) throw new Error(`took ${performance.now() - start} ms`)
}

function requireWritable(quad: Quad): void {
  const iris = [quad.subject, quad.predicate, quad.object, quad.graph].flatMap(term => {
    if (term.termType === 'Literal') return [term.datatype.value]
    return term.termType === 'NamedNode' ? [term.value] : []
  })
  for (const iri of iris) if (!isAbsoluteIri(iri)) throw new Error(`not an absolute IRI: ${iri}`)
}

for (const format of formats.filter(each => each.parse !== undefined)) {
  const seed = seeds[format.id]

  test(`${format.id}: its seed is a body`, async t => {
    const quads = await format.parse?.(new TextEncoder().encode(seed), {base})

    t.true((quads?.length ?? 0) > 1)
  })

  test(`${format.id}: random bytes and mutated bodies give quads or a Problem`, async t => {
    await fc.assert(
      fc.asyncProperty(mutated(seed ?? ''), text => check(format, new TextEncoder().encode(text))),
      {numRuns: 1_000},
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({maxLength: 200}), body => check(format, body)),
      {numRuns: 300},
    )
    t.pass()
  })
}
