/**
 * Text that PostgreSQL, UTF-8 or URLs cannot represent, in every place where a caller can send text: never a 5xx.
 *
 * `ODD_TEXT_RUNS=5000` makes the test longer.
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {type GuardedService, startGuarded} from '../support/access.ts'
import type {Sent} from '../support/client.ts'
import {audience, startIssuer, type TestIssuer} from '../support/issuer.ts'

const numRuns = Number(process.env.ODD_TEXT_RUNS ?? 20)

let issuer: TestIssuer
let service: GuardedService

test.before(async () => {
  issuer = await startIssuer()
  service = await startGuarded({ACCESS: 'auto', JWT_ISSUER: issuer.url, JWT_AUDIENCE: audience})
  await service.grant('/', {public: ['write', 'control'], authenticated: ['write', 'control']})
})
test.after.always(async () => {
  await service.stop()
  await issuer.stop()
})

const oddUnits = [
  '\u0000',
  '\u0001',
  '\ud800',
  '\udfff',
  '\ud83d\ude00',
  '\ufffe',
  '\uffff',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\\',
  '"',
  "'",
  '%',
  '%00',
  '%ed%a0%80',
  '\\u0000',
  '\\uD800',
  '\n',
  '\r',
  '<',
  '>',
  '{',
  '}',
  '#',
  '/',
  ':',
  ' ',
  'a',
  '\u00e9',
  '{0}',
  '\\x00',
  '$1',
  'NaN',
]

/** Short texts with problematic characters. */
const oddText = fc
  .array(fc.oneof(fc.constantFrom(...oddUnits), fc.string({unit: 'binary', maxLength: 3})), {
    minLength: 1,
    maxLength: 4,
  })
  .map(parts => parts.join(''))

/** As a field value: bytes without line ends. */
const asField = (text: string) =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '') || 'x'

/** Escaped for a URL; lone surrogates as the three bytes that are not valid UTF-8. */
const escaped = (text: string) =>
  [...text].map(unit => (/^[\ud800-\udfff]$/.test(unit) ? '%ED%A0%80' : encodeURIComponent(unit))).join('')

async function holds(t: ExecutionContext, sent: (text: string) => Sent | Promise<Sent>): Promise<void> {
  const property = fc.asyncProperty(oddText, async text => {
    const request = await sent(text)
    const {status, text: said} = await service.send(request)
    if (status >= 500 && status !== 501) throw new Error(`${JSON.stringify(request)} is a ${status}: ${said}`)
  })
  await t.notThrowsAsync(fc.assert(property, {numRuns, includeErrorInReport: true}))
}

const json = (value: unknown) => JSON.stringify(value) // JSON.stringify escapes lone surrogates
const fields = [
  'Slug',
  'Prefer',
  'If-Match',
  'If-None-Match',
  'Accept',
  'Content-Type',
  'Depth',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'Origin',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Quadstead-Consistency',
  'Accept-Encoding',
  'Content-Encoding',
  'Authorization',
  'Range',
  'Forwarded',
  'X-Forwarded-For',
  'Link',
  'Cookie',
  'Access-Control-Request-Headers',
]

for (const field of fields)
  test.serial(`in ${field}`, t =>
    holds(t, text => ({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS'][text.length % 5] ?? 'GET',
      headers: {'Content-Type': 'text/turtle', [field]: asField(text)},
      body: '',
    })),
  )

test.serial('in a path', t => holds(t, text => ({path: `/${escaped(text)}/`})))
/** Node's client sends neither spaces nor tabs in a path. */
test.serial('in a path, unescaped', t => holds(t, text => ({path: `/${asField(text).replace(/[ \t]/g, '+')}/`})))
test.serial('in a path of a write', t =>
  holds(t, text => ({
    method: 'PUT',
    path: `/${escaped(text)}/`,
    headers: {'Content-Type': 'text/turtle', 'If-Match': '*'},
    body: '',
  })),
)
test.serial('in an escaped Slug', t =>
  holds(t, text => ({method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: escaped(text)}, body: ''})),
)

for (const name of [
  'query',
  'default-graph-uri',
  'named-graph-uri',
  'using-graph-uri',
  'explain',
  'after',
  'document',
  'prefix',
])
  for (const path of ['/sparql', '/', '/.system/names', '/.system/access'])
    test.serial(`in the parameter ${name} of ${path}`, t =>
      holds(t, text => ({path: `${path}?query=ASK%7B%7D&${name}=${escaped(text)}`})),
    )

for (const name of ['query', 'default-graph-uri', 'accept'])
  test.serial(`in the field ${name} of a form`, t =>
    holds(t, text => ({
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'application/x-www-form-urlencoded'},
      body: `query=ASK%7B%7D&${name}=${escaped(text)}`,
    })),
  )

const quoted = (text: string) =>
  text.replace(/["\\\n\r]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const asEscapes = (text: string) =>
  Array.from({length: text.length}, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
const bodies: Readonly<Record<string, readonly [type: string, body: (text: string) => string]>> = {
  'a literal of Turtle': ['text/turtle', text => `<> <http://e/p> "${quoted(text)}" .`],
  'a literal of Turtle, escaped': ['text/turtle', text => `<> <http://e/p> "${asEscapes(text)}" .`],
  'an IRI of Turtle': ['text/turtle', text => `<> <http://e/p> <http://e/${text}> .`],
  'an IRI of Turtle, escaped': ['text/turtle', text => `<> <http://e/p> <http://e/${asEscapes(text)}> .`],
  'a language of Turtle': ['text/turtle', text => `<> <http://e/p> "x"@a-${text} .`],
  'a datatype of Turtle': ['text/turtle', text => `<> <http://e/p> "x"^^<http://e/${asEscapes(text)}> .`],
  'a blank node of Turtle': ['text/turtle', text => `_:b${text} <http://e/p> <> .`],
  Turtle: ['text/turtle', text => text],
  'a literal of N-Triples': ['application/n-triples', text => `<http://e/s> <http://e/p> "${asEscapes(text)}" .`],
  'a graph of N-Quads': [
    'application/n-quads',
    text => `<http://e/s> <http://e/p> "x" <http://e/${asEscapes(text)}> .`,
  ],
  'a value of JSON-LD': ['application/ld+json', text => json({'@id': '', 'http://e/p': text})],
  'a language of JSON-LD': [
    'application/ld+json',
    text => json({'@id': '', 'http://e/p': {'@value': 'x', '@language': text}}),
  ],
  'a type of JSON-LD': [
    'application/ld+json',
    text => json({'@id': '', '@type': text, 'http://e/p': {'@value': 'x', '@type': text}}),
  ],
  'an @id of JSON-LD': ['application/ld+json', text => json({'@id': text, 'http://e/p': {'@id': `http://e/${text}`}})],
  'a property of JSON-LD': ['application/ld+json', text => json({'@id': '', [text]: 'x', [`http://e/${text}`]: 'y'})],
  'a context of JSON-LD': [
    'application/ld+json',
    text => json({'@context': {'@vocab': text, [text]: `http://e/${text}`}, [text]: 'x'}),
  ],
  'a JSON value of JSON-LD': [
    'application/ld+json',
    text => json({'@id': '', 'http://e/p': {'@value': {[text]: text}, '@type': '@json'}}),
  ],
  'a literal of RDF/XML': [
    'application/rdf+xml',
    text =>
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><r:Description r:about=""><e:p>${text}&#${text.charCodeAt(0)};</e:p></r:Description></r:RDF>`,
  ],
  'an IRI of RDF/XML': [
    'application/rdf+xml',
    text =>
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><r:Description r:about=""><e:p r:resource="http://e/&#${text.charCodeAt(0)};"/></r:Description></r:RDF>`,
  ],
}
for (const [place, [type, body]] of Object.entries(bodies))
  test.serial(`in ${place}`, t =>
    holds(t, text => ({method: 'POST', headers: {'Content-Type': type}, body: body(text)})),
  )

test.serial('in bytes that are not UTF-8', async t => {
  for (const type of [
    ...new Set(Object.values(bodies).map(([type]) => type)),
    'application/sparql-query',
    'application/json',
  ])
    await holds(t, text => ({
      method: 'POST',
      headers: {'Content-Type': type},
      body: Buffer.from(`"${text}"\u00ff`, 'latin1'),
    }))
})

const patches: Readonly<Record<string, (text: string) => string>> = {
  'a literal of LD Patch': text => `Add { <> <http://e/p> "${asEscapes(text)}" . } .`,
  'an IRI of LD Patch': text => `Add { <> <http://e/${text}> <http://e/${asEscapes(text)}> . } .`,
  'a path of LD Patch': text =>
    `Bind ?x <> / <http://e/${asEscapes(text)}> [ / <http://e/p> = "${asEscapes(text)}" ] .`,
}
for (const [place, body] of Object.entries(patches))
  test.serial(`in ${place}`, t =>
    holds(t, text => ({method: 'PATCH', headers: {'Content-Type': 'text/ldpatch'}, body: body(text)})),
  )

const queries: Readonly<Record<string, (text: string) => string>> = {
  'a query': text => text,
  'a comment of a query': text => `ASK {} # ${text}`,
  'a literal of a query': text => `SELECT * { ?s ?p "${asEscapes(text)}" }`,
  'a literal of a query, unescaped': text => `SELECT * { ?s ?p "${quoted(text)}" }`,
  'an IRI of a query': text =>
    `SELECT * { ?s <http://e/${asEscapes(text)}> ?o GRAPH <http://e/${asEscapes(text)}> { ?a ?b ?c } }`,
  'VALUES of a query': text => `SELECT * { VALUES ?o { "${asEscapes(text)}" "${asEscapes(text)}"@en } ?s ?p ?o }`,
  'functions of a query': text => {
    const x = `"${asEscapes(text)}"`
    return `SELECT (CONCAT(${x}, "b") AS ?a) (IRI(${x}) AS ?b) (BNODE(${x}) AS ?c) (STRLANG("x", ${x}) AS ?d) (STRDT(${x}, <http://e/${asEscapes(text)}>) AS ?e) (UCASE(${x}) AS ?f) (ENCODE_FOR_URI(${x}) AS ?g) (SHA256(${x}) AS ?h) (SUBSTR(${x}, 1, 1) AS ?i) (STRLEN(${x}) AS ?j) {}`
  },
  'comparisons of a query': text =>
    `SELECT * { ?s ?p ?o FILTER(CONTAINS(STR(?o), "${asEscapes(text)}") || STR(?o) > "${asEscapes(text)}" || STRSTARTS(STR(?o), "${asEscapes(text)}")) } ORDER BY CONCAT(STR(?o), "${asEscapes(text)}") LIMIT 20`, // whole answers: XML that cannot carry a text is then a 406
  'REGEX and REPLACE of a query': text =>
    `SELECT (REPLACE("a b", "${asEscapes(text)}", "${asEscapes(text)}", "${asEscapes(text)}") AS ?r) { ?s ?p ?o FILTER(REGEX(STR(?o), "${asEscapes(text)}", "i")) }`,
  'GROUP_CONCAT of a query': text =>
    `SELECT (GROUP_CONCAT(STR(?o); SEPARATOR="${asEscapes(text)}") AS ?g) { ?s ?p ?o }`,
  'a template of a query': text =>
    `CONSTRUCT { <http://e/s> <http://e/p> "${asEscapes(text)}", ?x } { BIND(CONCAT("${asEscapes(text)}", "") AS ?x) }`,
  DESCRIBE: text => `DESCRIBE <http://e/${asEscapes(text)}>`,
  SERVICE: text => `SELECT * { SERVICE SILENT <http://e/${asEscapes(text)}> { ?s ?p "${asEscapes(text)}" } }`,
}
for (const [place, body] of Object.entries(queries))
  for (const accept of [
    'application/sparql-results+json, text/turtle;q=0.5',
    'application/sparql-results+xml, application/ld+json',
    'application/vnd.quadstead.explain+json',
  ])
    test.serial(`in ${place}, for ${accept}`, t =>
      holds(t, text => ({
        method: 'POST',
        path: '/sparql',
        headers: {'Content-Type': 'application/sparql-query', Accept: accept},
        body: body(text),
      })),
    )

const grants = (grantee: string) => ({
  method: 'PUT',
  headers: {'Content-Type': 'application/json'},
  body: json({
    grants: [
      {grantee: 'public', modes: ['write', 'control']},
      {grantee, modes: ['read']},
    ],
  }),
})
for (const kind of ['', 'agent ', 'agent http://e/', 'group '])
  test.serial(`in a grantee "${kind}…"`, t => holds(t, text => ({path: '/.system/access', ...grants(kind + text)})))
test.serial('in a mode', t =>
  holds(t, text => ({
    path: '/.system/access',
    method: 'PUT',
    headers: {'Content-Type': 'application/json'},
    body: json({grants: [{grantee: 'public', modes: [text]}], [text]: 1}),
  })),
)
test.serial('in the document of grants', t =>
  holds(t, text => ({path: `/.system/access?document=${escaped(service.base + text)}`, ...grants('public')})),
)

for (const claim of ['sub', 'webid', 'groups', 'iss', 'aud', 'jti', 'nbf', 'exp', 'other'])
  test.serial(`in the claim ${claim} of a token`, t =>
    holds(t, async text => {
      const value = claim === 'groups' ? [text, 'x'] : claim === 'webid' ? `http://e/${text}` : text
      return {headers: {Authorization: `Bearer ${await issuer.signAs({sub: 's', [claim]: value})}`}}
    }),
  )
test.serial('in the header of a token', t =>
  holds(t, async text => ({
    headers: {Authorization: `Bearer ${await issuer.signAs({sub: 's'}, {kid: text, typ: text, cty: text})}`},
  })),
)
test.serial('in a key', t => holds(t, text => ({headers: {Authorization: `Bearer qsk_${asField(text)}`}})))
