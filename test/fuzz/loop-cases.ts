/**
 * Documents that may block a service's event loop: bodies and responses at the limits.
 *
 * `measureCase` returns the longest delay of the loop. `event-loop-documents.test.ts` tests these cases, and `npm run
 * fuzz:delays` prints them as a table.
 */
import {gzipSync} from 'node:zlib'
import type {Received, Sent} from '../support/client.ts'
import type {MeasuredService} from '../support/loop-delay.ts'
import {type Construct, constructs, grownTo} from './document-constructs.ts'

export type LoopCase = {
  readonly name: string
  readonly requests: () => readonly Sent[] // sent one after the other
}

export type Measured = {readonly delayMs: number; readonly answers: readonly Received[]}

const c = 'https://carbonldp.com/ns/v1/platform#'
const include = (name: string) => `include="${c}${name}"`
const query = (text: string, headers: Sent['headers'] = {}): Sent => ({
  method: 'POST',
  path: '/',
  headers: {'Content-Type': 'application/sparql-query', ...headers},
  body: text,
})

/** A body of about this many characters, as a new document or as a patch. */
export function bodyCase(construct: Construct, length: number): LoopCase {
  const {name, type} = construct
  const isPatch = type === 'text/ldpatch'
  return {
    name: `${type}: ${name}`,
    requests: () => [
      {
        method: isPatch ? 'PATCH' : 'POST',
        path: isPatch ? '/small/' : '/',
        headers: {'Content-Type': type},
        body: grownTo(construct, length).text,
      },
    ],
  }
}

export function bodyCases(length: number): readonly LoopCase[] {
  return constructs.map(construct => bodyCase(construct, length))
}

/** The documents of `answerCases` and `writeCases`, created once. */
export const large = 60_000 // triples
const statements = (n: number) =>
  Array.from({length: n}, (_, at) => `<#s${at % 9000}> <http://e/p${at % 7}> "value ${at}", ${at} .\n`)
const literals = (n: number, text: string) =>
  `<> <http://e/p> ${Array.from({length: n}, (_, at) => `"${at}${text}"`).join(', ')} .`
const quotes = '\\"\\\\\\n<&>'

const documents: Readonly<Record<string, () => string>> = {
  small: () => '<> <http://e/p> 1 .',
  large: () => statements(large / 2).join(''),
  'large-nodes': () =>
    Array.from({length: large / 2}, (_, at) => `<> <http://e/p> _:b${at} . _:b${at} <http://e/q> ${at} .\n`).join(''),
  'large-list': () => `<> <http://e/l> (${Array.from({length: large / 2}, (_, at) => at).join(' ')}) .`,
  medium: () => statements(2400).join(''),
  'one-literal': () => literals(1, 'a'.repeat(9_500_000)),
  'one-literal-of-quotes': () => literals(1, quotes.repeat(1_000_000)),
  'long-literals': () => literals(1000, 'a'.repeat(9_000)),
  'long-literals-of-quotes': () => literals(1000, quotes.repeat(900)),
}

export async function makeDocuments({send}: Pick<MeasuredService, 'send'>): Promise<void> {
  for (const [slug, body] of Object.entries(documents)) {
    const {status, text} = await send({
      method: 'POST',
      path: '/',
      headers: {'Content-Type': 'text/turtle', Slug: slug},
      body: body(),
    })
    if (status !== 201) throw new Error(`${slug}: ${status} ${text.slice(0, 300)}`)
  }
}

const documentTypes = [
  'text/turtle',
  'application/ld+json',
  'application/trig',
  'application/rdf+xml',
  'application/n-triples',
  'application/n-quads',
  'application/x-binary-rdf',
  'application/trix',
  'application/rdf+json',
  'text/n3',
  'text/html',
]

const resultTypes = [
  'application/sparql-results+json',
  'application/sparql-results+xml',
  'text/csv',
  'text/tab-separated-values',
]

/** Documents and results as responses. */
export function answerCases(): readonly LoopCase[] {
  const gets = Object.keys(documents).flatMap(slug =>
    documentTypes.map(type => ({
      name: `GET ${slug} as ${type}`,
      requests: (): readonly Sent[] => [{path: `/${slug}/`, headers: {Accept: type}}],
    })),
  )
  const codings = ['gzip', 'br'].map(coding => ({
    name: `GET long-literals in ${coding}`,
    requests: (): readonly Sent[] => [
      {path: '/long-literals/', headers: {Accept: 'text/turtle', 'Accept-Encoding': coding}},
    ],
  }))
  const select = 'SELECT * { ?s <http://e/p0> ?o }'
  const longest = 'SELECT ?o { <one-literal-of-quotes/> <http://e/p> ?o }'
  const results = resultTypes.flatMap(type => [
    {name: `SELECT of 9,000 rows as ${type}`, requests: () => [query(select, {Accept: type})]},
    {name: `SELECT of a literal of quotes as ${type}`, requests: () => [query(longest, {Accept: type})]},
  ])
  const graphs = documentTypes.slice(0, -1).map(type => ({
    name: `CONSTRUCT of 60,000 triples as ${type}`,
    requests: () => [query('CONSTRUCT { ?s ?p ?o } { GRAPH <large/> { ?s ?p ?o } }', {Accept: type})],
  }))
  const checksums = ['large', 'large-nodes', 'medium', 'one-literal', 'long-literals'].map(slug => ({
    name: `CONSTRUCT with the checksum of ${slug}`,
    requests: () => [
      query(`CONSTRUCT { ?s ?p ?o } { GRAPH <${slug}/> { ?s ?p ?o } } LIMIT 1`, {
        Accept: 'application/ld+json',
        Prefer: `${include('PreferResultsContexts')}, ${include('PreferDocumentChecksums')}`.split(', '),
      }),
    ],
  }))
  return [...gets, ...codings, ...results, ...graphs, ...checksums]
}

const turtle = {'Content-Type': 'text/turtle'}
const ldpatch = {'Content-Type': 'text/ldpatch'}
const checksum = `"${'a'.repeat(64)}"`
const labelled = (n: number) => Array.from({length: n}, (_, at) => `<> <http://e/p> _:b${at} .\n`).join('')

/** Requests that change large documents, or that ask for a large response to a write. */
export function writeCases(): readonly LoopCase[] {
  const path = '/large/'
  return [
    {
      name: 'PATCH of a large document: one triple',
      requests: () => [{method: 'PATCH', path, headers: ldpatch, body: 'AddNew { <> <http://e/x> 1 . } .'}],
    },
    {
      name: 'PATCH of a large document: a path',
      requests: () => [
        {
          method: 'PATCH',
          path: '/large-nodes/',
          headers: ldpatch,
          body: 'Bind ?x <> /<http://e/p>[/<http://e/q>=17] . Add { ?x <http://e/x> 1 . } .',
        },
      ],
    },
    {
      name: 'PATCH of a large list',
      requests: () => [
        {method: 'PATCH', path: '/large-list/', headers: ldpatch, body: 'UpdateList <> <http://e/l> 5..6 ( 1 2 3 ) .'},
      ],
    },
    {
      name: 'PATCH of a medium document: many list updates',
      requests: () => [
        {
          method: 'PATCH',
          path: '/medium/',
          headers: ldpatch,
          body: `Add { <> <http://e/l> (${'1 '.repeat(900)}) . } .\n${'UL <> <http://e/l> 0..1 ( 1 ) .\n'.repeat(900)}`,
        },
      ],
    },
    {
      name: 'If-Match by checksum of a large document',
      requests: () => [
        {method: 'PATCH', path, headers: {...ldpatch, 'If-Match': checksum}, body: 'Add { <> <http://e/x> 1 . } .'},
      ],
    },
    {
      name: 'If-Match by checksum of long literals',
      requests: () => [
        {
          method: 'PATCH',
          path: '/one-literal/',
          headers: {...ldpatch, 'If-Match': checksum},
          body: 'Add { <> <http://e/x> 1 . } .',
        },
      ],
    },
    {
      name: 'POST of 100,000 labels, return=minimal',
      requests: () => [
        {method: 'POST', path: '/', headers: {...turtle, Prefer: 'return=minimal'}, body: labelled(100_000)},
      ],
    },
    {
      name: 'POST of 4,000 labels, return=representation',
      requests: () => [
        {
          method: 'POST',
          path: '/',
          headers: {...turtle, Prefer: 'return=representation', Accept: 'application/ld+json'},
          body: labelled(4000),
        },
      ],
    },
    {
      name: 'POST of long literals, return=representation',
      requests: () => [
        {
          method: 'POST',
          path: '/',
          headers: {...turtle, Prefer: 'return=representation'},
          body: documents['long-literals-of-quotes']?.() ?? '',
        },
      ],
    },
    {
      name: 'POST in gzip',
      requests: () => [
        {
          method: 'POST',
          path: '/',
          headers: {...turtle, 'Content-Encoding': 'gzip'},
          body: gzipSync(documents.large?.() ?? ''),
        },
      ],
    },
    {
      name: 'PUT of a large document',
      requests: () => [
        {
          method: 'PUT',
          path,
          headers: {...turtle, 'If-Match': '*'},
          body: statements(large / 2)
            .reverse()
            .join(''),
        },
      ],
    },
    {
      name: 'a member action of 100,000 members',
      requests: () => [
        {
          method: 'PUT',
          path: '/small/',
          headers: {...turtle, 'If-Match': '*'},
          body: `_:a a <${c}AddMemberAction> ; <${c}targetMember> ${Array.from({length: 100_000}, (_, at) => `<m${at}/>`).join(', ')} .`,
        },
      ],
    },
    {
      name: 'long header fields',
      requests: () => [
        {path: '/small/', headers: {Accept: 'a/b;q=0.1,'.repeat(700), Prefer: 'a="b";c="d",'.repeat(350)}},
        {path: '/small/', headers: {'If-None-Match': '"a",'.repeat(3500)}},
        {path: '/small/', headers: {'If-None-Match': `"${'\\'.repeat(14_000)}`}},
        {path: '/small/', headers: {Accept: `a/b;${'\\" '.repeat(4500)}`}},
      ],
    },
  ]
}

export async function measureCase(service: MeasuredService, {requests}: LoopCase): Promise<Measured> {
  const sent = requests()
  const answers: Received[] = []
  const delayMs = await service.longestDelay(async () => {
    for (const each of sent) answers.push(await service.send(each))
  })
  return {delayMs, answers}
}
