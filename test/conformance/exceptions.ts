/**
 * The tests of the suites that the project does not pass, with reasons.
 *
 * A suite fails if a listed test passes, or if a test fails that is not listed.
 */
const generalized = 'asks for generalized RDF: a blank node as property is no RDF 1.1'
const version10 = 'asks for the rules of JSON-LD 1.0'
const direction = 'asks for an encoding of base directions; we refuse directions (jsonld-lossless)'
const unfetched = 'asks for a context that does not exist: refused before it is fetched (remote-context-refused)'

const jsonLd = {
  t0118: generalized,
  tc029: version10,
  tdi09: direction,
  tdi10: direction,
  tdi11: direction,
  tdi12: direction,
  te026: version10,
  te071: version10,
  te075: generalized,
  te077: 'asks for a context outside of the body (expandContext)',
  te111: "expects an IRI with two '#' to be dropped; we keep it, every syntax can write it",
  te112: "expects an IRI with two '#' to be dropped; we keep it, every syntax can write it",
  te115: version10,
  te116: version10,
  tep02: version10,
  ter02: version10,
  ter03: version10,
  ter04: unfetched,
  ter21: version10,
  ter24: version10,
  ter32: version10,
  ter42: version10,
  ter56: 'its input is not in the suite',
  tpi01: version10,
  ttn01: version10,
}

export const exceptions: {readonly [suite: string]: {readonly [test: string]: string}} = {
  'json-ld': jsonLd,
  'rdf-turtle': {},
  'rdf-trig': {},
  'rdf-n-triples': {},
  'rdf-n-quads': {},
  sparql: {},
}

/** LD Patch tests that cannot pass over HTTP, with reasons. */
export const ldPatchOverHttp: ReadonlyMap<string, string> = new Map([
  [
    'turtle-subm-01',
    'its patch says "@prefix : <#>" without @base, so :x is <#x> of the document; its expected graph has <#x> of the ' +
      'file http://www.w3.org/2013/TurtleTests/turtle-subm-01.ttl, an IRI that no document here can have (no "/" at its end)',
  ],
])
