/** Reads RDF/XML: cases that the W3C suite does not cover. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {documentIri, lines, readBody} from '../../support/read-body.ts'

const rdfXml = 'application/rdf+xml'
const inRdf = (content: string, doctype = '') =>
  `<?xml version="1.0"?>${doctype}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ` +
  `xmlns:e="http://e/">${content}</rdf:RDF>`

async function problemOf(body: string): Promise<Problem> {
  try {
    await readBody(rdfXml, body)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('accepted')
}

test('node IDs and language tags come back as written, relative IRIs against the document', async t => {
  const body =
    '<e:T rdf:about="" xml:lang="eN-GB"><e:p>x</e:p><e:q rdf:nodeID="n1"/><e:r rdf:resource="../y"/><e:s/></e:T>'

  t.deepEqual(lines(await readBody(rdfXml, inRdf(body))), [
    `${documentIri} http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://e/T`,
    `${documentIri} http://e/p "x"@eN-GB`,
    `${documentIri} http://e/q _:n1`,
    `${documentIri} http://e/r http://h/y`,
    `${documentIri} http://e/s ""@eN-GB`,
  ])
})

test('XML literals are canonical: namespaces where used, text and attributes escaped', async t => {
  const xml = '<e:b z="1" a="&lt;&quot;" xmlns:f="http://f/"><f:c/>&amp;&#13;<!-- c --><?p i?><![CDATA[<x>]]></e:b>'
  const [quad] = await readBody(
    rdfXml,
    inRdf(`<rdf:Description><e:p rdf:parseType="Literal">${xml}</e:p></rdf:Description>`),
  )

  t.is(
    quad?.object.value,
    '<e:b xmlns:e="http://e/" a="&lt;&quot;" z="1"><f:c xmlns:f="http://f/"></f:c>&amp;&#xD;<!-- c --' +
      '><?p i?>&lt;x&gt;</e:b>',
  )
})

test('plain internal entities are expanded', async t => {
  const doctype = '<!DOCTYPE rdf:RDF [ <!-- c --> <!ENTITY e "http://e/"> <!ENTITY f \'&e;f#\'> ]>'

  t.deepEqual(lines(await readBody(rdfXml, inRdf('<e:T rdf:about="&f;x"/>', doctype))), [
    'http://e/f#x http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://e/T',
  ])
})

test('anything else in a document type is refused', async t => {
  const bodies = [
    inRdf('<e:T/>', '<!DOCTYPE rdf:RDF SYSTEM "http://evil/x.dtd">'),
    inRdf('<e:T/>', '<!DOCTYPE rdf:RDF PUBLIC "-//x" "http://evil/x.dtd" [ ]>'),
    inRdf('<e:T>&x;</e:T>', '<!DOCTYPE r [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]>'),
    inRdf('<e:T/>', '<!DOCTYPE r [ <!ENTITY % x "y"> %x; ]>'),
    inRdf('<e:T/>', '<!DOCTYPE r [ <!ENTITY x "<e:T/>"> ]>'),
    inRdf('<e:T/>', '<!DOCTYPE r [ <!ATTLIST e:T a CDATA "b"> ]>'),
    inRdf('<e:T/>', '<!DOCTYPE r [ <!ENTITY x "&y;"> ]>'),
  ]
  for (const body of bodies) t.like(await problemOf(body), {status: 400, rule: 'xml-doctype-refused'}, body)
})

test('entities that grow without end are refused', async t => {
  const levels = Array.from({length: 9}, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  const laughs = inRdf('<e:T e:p="&l9;"/>', `<!DOCTYPE r [ <!ENTITY l0 "lol"> ${levels.join(' ')} ]>`)
  const wide = inRdf(`<e:T e:p="${'&x;'.repeat(20_000)}"/>`, `<!DOCTYPE r [ <!ENTITY x "${'x'.repeat(1_000)}"> ]>`)

  t.is((await problemOf(laughs)).rule, 'xml-doctype-refused')
  t.is((await problemOf(wide)).rule, 'xml-doctype-refused')
})

test('an error has its line and column', async t => {
  t.like(await problemOf(inRdf('<e:T>\n  <e:p>\n</e:T>')), {status: 400, rule: 'body-syntax', members: {line: 3}})
  t.like(await problemOf(inRdf('\n<e:T>&undefined;</e:T>')), {rule: 'body-syntax', members: {line: 2}})
  t.like(await problemOf(inRdf('\n\n<e:T><e:p rdf:about="x"/></e:T>')), {rule: 'body-syntax', members: {line: 3}})
  t.like(await problemOf(inRdf('<e:T rdf:about="http://[bad"/>')), {rule: 'iri-valid', members: {line: 1}})
  t.like(await problemOf('no xml'), {rule: 'body-syntax'})
  t.like(await problemOf(''), {rule: 'body-syntax'})
})

test('content that would be lost, or that cannot be stored, is refused', async t => {
  const bodies = [
    '<e:T bare="x"/>',
    'text',
    '<e:T>text</e:T>',
    '<e:T><e:p>text<e:U/></e:p></e:T>',
    '<e:T><e:p><e:U/><e:V/></e:p></e:T>',
    '<e:T><e:p rdf:resource="x">text</e:p></e:T>',
    '<e:T><e:p rdf:resource="x" rdf:nodeID="y"/></e:T>',
    '<e:T><e:p rdf:parseType="Triple"/></e:T>',
    '<e:T rdf:version="1.2"/>',
  ]
  for (const body of bodies) t.is((await problemOf(inRdf(body))).rule, 'body-syntax', body)
})

test('a body in another encoding, or nested without end, is refused', async t => {
  t.is((await problemOf('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')).rule, 'body-encoding')
  t.is((await problemOf(inRdf('<e:T><e:p>'.repeat(50_000)))).rule, 'body-depth')
  t.is((await problemOf(inRdf(`<e:T><e:p rdf:parseType="Literal">${'<a>'.repeat(50_000)}`))).rule, 'body-depth')
})
