/**
 * Small requests that would need unlimited work or memory. Each gets a response, usually an error, and the service goes
 * on.
 */
import {brotliCompressSync, constants, deflateSync, gzipSync} from 'node:zlib'
import test from 'ava'
import type {Received, Sent} from '../support/client.ts'
import {startService, type TestService} from '../support/service.ts'

const limits = {BODY_LIMIT_BYTES: '1000000', STATEMENT_TIMEOUT_MS: '2000', LOG_LEVEL: 'silent'}
const mostMs = 20_000 // for one request, on a slow and busy machine
const mostMemory = 400e6 // bytes by which the process may grow

let service: TestService

test.before(async () => {
  service = await startService(limits)
  await service.send({
    method: 'POST',
    path: '/',
    headers: {'Content-Type': 'text/turtle', Slug: 'data'},
    body: `<> <http://e/p> ${Array.from({length: 300}, (_, n) => `"${'a'.repeat(40)}${n}"`).join(', ')} .`,
  })
})
test.after.always(() => service.stop())

type Bomb = readonly [title: string, request: () => Sent, expected: readonly number[]]

const put = (type: string, body: string | Uint8Array, headers: Sent['headers'] = {}): Sent => ({
  method: 'POST',
  path: '/',
  headers: {'Content-Type': type, ...headers},
  body,
})
const query = (body: string): Sent => put('application/sparql-query', body, {Accept: 'text/csv, text/turtle'})
const patch = (body: string): Sent => ({...put('text/ldpatch', body), method: 'PATCH', path: '/data/'})
const nested = (open: string, inside: string, close: string, depth: number) =>
  open.repeat(depth) + inside + close.repeat(depth)
const jsonLd = (value: unknown) => put('application/ld+json', typeof value === 'string' ? value : JSON.stringify(value))
const many = (count: number, text: (n: number) => string, separator = ' ') =>
  Array.from({length: count}, (_, n) => text(n)).join(separator)

const entities = many(20, n => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};">`)
const rdfXml = (prologue: string, inside: string) =>
  put(
    'application/rdf+xml',
    `<?xml version="1.0"?>${prologue}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">` +
      `${inside}</rdf:RDF>`,
  )
const zeros = Buffer.alloc(200_000_000)
const quickly = {level: 1}
const quicklyToo = {params: {[constants.BROTLI_PARAM_QUALITY]: 1}} // the best quality takes ten seconds
const regular = many(60, n => many(60, m => (n === m ? '' : `_:a${n} <http://e/q> _:a${m} .`)), '\n')

const bombs: readonly Bomb[] = [
  ['gzip', () => put('text/turtle', gzipSync(zeros, quickly), {'Content-Encoding': 'gzip'}), [413]],
  ['deflate', () => put('text/turtle', deflateSync(zeros, quickly), {'Content-Encoding': 'deflate'}), [413]],
  ['brotli', () => put('text/turtle', brotliCompressSync(zeros, quicklyToo), {'Content-Encoding': 'br'}), [413]],
  [
    'gzip in gzip',
    () => put('text/turtle', gzipSync(gzipSync(zeros, quickly)), {'Content-Encoding': 'gzip, gzip'}),
    [413, 415],
  ],
  [
    'a gzip that breaks off',
    () => put('text/turtle', gzipSync('<> a <T> .').subarray(0, 15), {'Content-Encoding': 'gzip'}),
    [400],
  ],

  ['JSON: depth', () => jsonLd(nested('[', '1', ']', 100_000)), [400]],
  ['JSON-LD: nodes in nodes', () => jsonLd(nested('{"http://e/p":', '1', '}', 50_000)), [400, 422]],
  ['JSON-LD: graphs in graphs', () => jsonLd(nested('{"@graph":', '[]', '}', 50_000)), [400, 422]],
  [
    'JSON-LD: lists of lists',
    () => jsonLd(nested('{"@list":[', '1', ']}', 20_000).replace(/^/, '{"http://e/p":').concat('}')),
    [400, 422],
  ],
  ['JSON-LD: a context that asks for another', () => jsonLd({'@context': 'http://169.254.169.254/', '@id': ''}), [422]],
  [
    'JSON-LD: a context that imports',
    () => jsonLd({'@context': {'@version': 1.1, '@import': 'http://127.0.0.1:1/'}, '@id': ''}),
    [422],
  ],
  [
    'JSON-LD: terms in a circle',
    () => jsonLd({'@context': {a: 'b:x', b: 'c:x', c: 'a:x'}, '@id': '', a: 1}),
    [400, 422],
  ],
  [
    'JSON-LD: a term that has itself as context',
    () =>
      jsonLd(
        `{"@context":{"a":{"@id":"http://e/a","@context":${nested('{"a":{"@id":"http://e/a","@context":', '{}', '}}', 2000)}}},"a":${nested('{"a":', '1', '}', 2000)}}`,
      ),
    [201, 400, 422],
  ],
  [
    'JSON-LD: 20,000 terms',
    () =>
      jsonLd({
        '@context': Object.fromEntries(Array.from({length: 20_000}, (_, n) => [`t${n}`, `http://e/${n}`])),
        '@id': '',
        t1: 1,
      }),
    [201, 422],
  ],
  [
    'JSON-LD: 400 contexts of 100 terms',
    () =>
      jsonLd({
        '@context': Array.from({length: 400}, (_, n) =>
          Object.fromEntries(Array.from({length: 100}, (__, m) => [`t${m}`, `http://e/${n}`])),
        ),
        '@id': '',
        t1: 1,
      }),
    [201, 422],
  ],
  [
    'JSON-LD: a number as large as they come',
    () => jsonLd('{"@id":"","http://e/p":1e308,"http://e/q":-1e-320,"http://e/r":1e400}'),
    [201, 400],
  ],

  [
    'XML: a billion laughs',
    () => rdfXml(`<!DOCTYPE r [<!ENTITY e0 "ha">${entities}]>`, '<e:T><e:p>&e20;</e:p></e:T>'),
    [400, 413],
  ],
  [
    'XML: quadratic entities',
    () =>
      rdfXml(`<!DOCTYPE r [<!ENTITY e "${'a'.repeat(100_000)}">]>`, `<e:T><e:p>${'&e;'.repeat(20_000)}</e:p></e:T>`),
    [400, 413],
  ],
  [
    'XML: an entity that names itself',
    () => rdfXml('<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;">]>', '<e:T e:p="&a;"/>'),
    [400],
  ],
  [
    'XML: a file as entity',
    () => rdfXml('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>', '<e:T><e:p>&a;</e:p></e:T>'),
    [400],
  ],
  [
    'XML: a DTD from elsewhere',
    () => rdfXml('<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd">', '<e:T e:p="a"/>'),
    [201, 400],
  ],
  ['XML: depth', () => rdfXml('', nested('<e:T><e:p>', '', '</e:p></e:T>', 20_000)), [400, 422]],
  [
    'XML: depth of a literal',
    () => rdfXml('', `<e:T><e:p rdf:parseType="Literal">${nested('<a>', '', '</a>', 100_000)}</e:p></e:T>`),
    [201, 400],
  ],
  ['XML: attributes', () => rdfXml('', `<e:T ${many(50_000, n => `e:a${n}="1"`)}/>`), [201, 400, 422, 503]],
  ['XML: namespaces', () => rdfXml('', `<e:T ${many(20_000, n => `xmlns:n${n}="http://e/${n}"`)}/>`), [201, 400]],

  ['Turtle: brackets', () => put('text/turtle', `<> <p> ${nested('[<p> ', '1', ']', 50_000)} .`), [201, 400, 422]],
  ['Turtle: lists', () => put('text/turtle', `<> <p> ${nested('(', '1', ')', 100_000)} .`), [201, 400, 422]],
  [
    'Turtle: prefixes',
    () =>
      put(
        'text/turtle',
        many(20_000, n => `@prefix p${n}: <http://e/${n}> .`),
      ),
    [201],
  ],
  ['Turtle: an exponent', () => put('text/turtle', '<> <p> 1e999999999999 , 1.0e-999999999999 .'), [201, 400]],
  [
    'Turtle: a decimal of 500,000 digits',
    () => put('text/turtle', `<> <p> ${'9'.repeat(250_000)}.${'9'.repeat(250_000)} .`),
    [201, 422],
  ],
  [
    'N-Quads: a graph each',
    () =>
      put(
        'application/n-quads',
        many(10_000, n => `<a:a> <a:b> "x" <a:${n}> .`, '\n'),
      ),
    [422],
  ],

  [
    'LD Patch: brackets',
    () => patch(`Add { <> <http://e/p> ${nested('[ <http://e/p> ', '1', ']', 50_000)} . } .`),
    [204, 400],
  ],
  ['LD Patch: paths in paths', () => patch(`Bind ?x <> ${nested('[ /<http://e/p> ', '', ' ]', 20_000)} .`), [400]],
  [
    'LD Patch: a path that walks everything',
    () => patch(`Bind ?x <> ${'/<http://e/p>/^<http://e/p>'.repeat(2000)} .`),
    [204, 400, 422],
  ],
  [
    'LD Patch: lists',
    () =>
      patch(
        `Add { <> <http://e/l> ( 1 2 3 ) . } .\n${many(5000, () => 'UpdateList <> <http://e/l> 0.. ( 1 2 3 ) .', '\n')}`,
      ),
    [204, 400, 422],
  ],
  [
    'LD Patch: slices beyond',
    () => patch(`Add { <> <http://e/m> ( 1 ) . } . UpdateList <> <http://e/m> 0..999999999999999999999 ( 1 ) .`),
    [400, 422],
  ],
  ['LD Patch: cuts', () => patch(many(3000, n => `Bind ?x${n} <> /<http://e/p> .`)), [400, 422]],

  ['SPARQL: groups in groups', () => query(`SELECT * ${nested('{', '', '}', 100_000)}`), [400]],
  ['SPARQL: parentheses', () => query(`SELECT (${nested('(', '1', ')', 100_000)} AS ?x) {}`), [400]],
  ['SPARQL: negations', () => query(`SELECT * { FILTER(${'!'.repeat(100_000)}true) }`), [400]],
  ['SPARQL: sub-selects', () => query(nested('SELECT * {', '', '}', 5000)), [400]],
  [
    'SPARQL: EXISTS in EXISTS',
    () => query(`SELECT * { ${nested('FILTER EXISTS { ?s ?p ?o ', '', '}', 2000)} }`),
    [400],
  ],
  [
    'SPARQL: a path of paths',
    () => query(`SELECT * { ?s ${nested('(<http://e/p>|', '<http://e/p>', ')*', 900)} ?o }`),
    [200, 400, 422, 503],
  ],
  [
    'SPARQL: a path that goes everywhere',
    () =>
      query('SELECT (COUNT(*) AS ?n) { ?a (!<x:x>|!^<x:x>)* ?b . ?b (!<x:x>|!^<x:x>)* ?c . ?c (!<x:x>|!^<x:x>)* ?d }'),
    [200, 503],
  ],
  [
    'SPARQL: products',
    () => query(`SELECT (COUNT(*) AS ?n) { ${many(8, n => `?a${n} ?b${n} ?c${n} .`)} }`),
    [200, 503],
  ],
  [
    'SPARQL: 400 unions',
    () => query(`SELECT (COUNT(*) AS ?n) { ${many(400, () => '{ ?s ?p ?o }', ' UNION ')} }`),
    [200, 422, 503],
  ],
  [
    'SPARQL: 450 optionals',
    () => query(`SELECT * { ${many(450, n => `OPTIONAL { ?s <http://e/p> ?o${n} }`)} }`),
    [200, 400, 422, 503],
  ],
  [
    'SPARQL: REGEX that steps back',
    () => query('SELECT * { ?s <http://e/p> ?o FILTER REGEX(?o, "^(((a*)*)*)*(a|aa)+b\\\\1$") }'),
    [200, 503],
  ],
  [
    'SPARQL: REGEX of many states',
    () => query(`SELECT * { ?s <http://e/p> ?o FILTER REGEX(?o, "${'(a{0,200}){0,200}'.repeat(3)}$") }`),
    [200, 400, 422, 503],
  ],
  [
    'SPARQL: REPLACE that grows',
    () => query(`SELECT (${nested('REPLACE(', '"aaaaaaaaaa"', ', "a", "aaaaaaaaaa")', 40)} AS ?x) {}`),
    [200, 422, 503],
  ],
  [
    'SPARQL: CONCAT that doubles',
    () =>
      query(
        `SELECT (STRLEN(?x40) AS ?n) { BIND("aaaaaaaa" AS ?x0) ${many(40, n => `BIND(CONCAT(?x${n}, ?x${n}) AS ?x${n + 1})`)} }`,
      ),
    [200, 422, 503],
  ],
  [
    'SPARQL: numbers with huge exponents',
    () =>
      query(
        `SELECT (${nested('(', '1e300', ' * 1e300)', 50)} AS ?x) ("1e999999999"^^<http://www.w3.org/2001/XMLSchema#double> + 1 AS ?y) {}`,
      ),
    [200, 400],
  ],
  [
    'SPARQL: decimals that grow',
    () =>
      query(
        `SELECT (?x30 AS ?x) { BIND(${'9'.repeat(1000)}.5 AS ?x0) ${many(30, n => `BIND(?x${n} * ?x${n} AS ?x${n + 1})`)} }`,
      ),
    [200, 422, 503],
  ],
  [
    'SPARQL: GROUP_CONCAT of a product',
    () => query('SELECT (GROUP_CONCAT(?b) AS ?x) { ?a <http://e/p> ?b . ?c <http://e/p> ?d . ?e <http://e/p> ?f }'),
    [200, 422, 503],
  ],
  ['SPARQL: VALUES', () => query(`SELECT * { VALUES ?x { ${many(100_000, String)} } }`), [400, 422]],
  [
    'SPARQL: an OFFSET',
    () => query('SELECT * { ?s ?p ?o } OFFSET 99999999999999999999999999 LIMIT 99999999999999999999999999'),
    [200, 400],
  ],
  ['SPARQL: thousands of expressions', () => query(`SELECT ${many(7000, n => `(1 AS ?v${n})`)} {}`), [400, 422]],
  ['SPARQL: thousands of tables', () => query(`SELECT * { ${many(7000, () => 'VALUES ?x {}')} }`), [400, 422]],
  ['checksum: a graph that is hard to name', () => put('text/turtle', regular, {Slug: 'poison'}), [201]],
  [
    'checksum: and its query',
    () => ({
      ...query('CONSTRUCT { ?s ?p ?o } { GRAPH <poison/> { ?s ?p ?o } }'),
      headers: {
        'Content-Type': 'application/sparql-query',
        Prefer: ['PreferResultsContexts', 'PreferDocumentChecksums'].map(
          name => `include="https://carbonldp.com/ns/v1/platform#${name}"`,
        ),
      },
    }),
    [422, 503],
  ],
]

for (const [title, request, expected] of bombs) {
  test.serial(title, async t => {
    t.timeout(5 * mostMs)
    const sent = request()
    const before = process.memoryUsage().rss
    const begun = performance.now()

    const {status, text}: Received = await service.send(sent)

    const took = performance.now() - begun
    t.true(expected.includes(status), `${status}: ${text.slice(0, 300)}`)
    t.true(took < mostMs, `${took} ms`)
    t.true(process.memoryUsage().rss - before < mostMemory, `${process.memoryUsage().rss - before} bytes`)
    t.is((await service.send({path: '/'})).status, 200)
  })
}
