/**
 * Pages of hostile data have only the elements and attributes of the templates, texts that a parser takes for texts,
 * and harmless links.
 */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../../src/base/problem.ts'
import type {StoreOverview} from '../../../../src/db/store/browse-reads.ts'
import type {ArrangedPage, BrowsedDocument} from '../../../../src/ldp/browse.ts'
import {langLiteral, literal, namedNode, type Quad} from '../../../../src/rdf/term.ts'
import {platformVocabulary} from '../../../../src/rdf/vocabulary.ts'
import {describePage} from '../../../../src/web/pages/describe-page.ts'
import {documentPage, valuesPage} from '../../../../src/web/pages/document-page.ts'
import {errorPage} from '../../../../src/web/pages/error-page.ts'
import {createPage, deletePage, editPage} from '../../../../src/web/pages/form-pages.ts'
import {createNames} from '../../../../src/web/pages/names.ts'
import {queryPage} from '../../../../src/web/pages/query-page.ts'
import {datasets} from '../../../support/arbitrary-rdf.ts'

const base = 'http://h/'
const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'
const platform = platformVocabulary(platformNamespace)
const names = createNames(base, {c: platformNamespace, ldp: 'http://www.w3.org/ns/ldp#'})
const site = {base, platform, names, assets: '/.system/assets/0/', hasHistory: true, hasSearch: true}
const iri = `${base}a/`

/** Texts that break badly written pages. */
const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</textarea><script>',
  '</title></style><svg onload=alert(1)>',
  '&lt;b&gt;&#60;script&#62;',
  '`+alert(1)+`',
  '--><!--',
  ']]>',
  '\u0000\r\n\u2028\uFEFF\u202E',
  '\n\n first line',
  '{{constructor.constructor("alert(1)")()}}',
]
const texts = fc.oneof(fc.constantFrom(...attacks), fc.string({unit: 'binary'}))
const schemes = ['javascript:alert(1)', 'JAVASCRIPT:x', 'data:text/html,<x>', 'vbscript:x', "http://h//e/?'onload='"]
const hostileIris = fc.oneof(
  fc.constantFrom(...schemes),
  texts.map(text => `http://e/${text}`),
)
const hostileLiterals = fc.oneof(
  texts.map(text => literal(text)),
  fc.tuple(texts, texts).map(([text, tag]) => langLiteral(text, tag)),
  fc.tuple(texts, hostileIris).map(([text, datatype]) => literal(text, datatype)),
)
const graphs = fc.array(
  fc.record({
    subject: fc
      .oneof(
        fc.constantFrom(iri, `${iri}#f`),
        hostileIris,
        texts.map(text => `${iri}#${text}`),
      )
      .map(namedNode),
    predicate: hostileIris.map(namedNode),
    object: fc.oneof(hostileLiterals, hostileIris.map(namedNode)),
  }),
  {maxLength: 8},
)

function browsed(triples: BrowsedDocument['triples'], name: string, text: string): BrowsedDocument {
  const members = {container: name, relation: name, members: [{id: '1', iri: name}]}
  const state = {id: '1', etag: '1', created: new Date(0), modified: new Date(0), isAccessPoint: true, triples, members}
  return {
    iri,
    state: {...state, children: [{id: '2', iri: name, isAccessPoint: true, memberBy: name}], allowed: undefined},
    triples,
    isPart: false,
    childCount: 1,
    isCounted: true,
    nextAfter: '2',
    previousAfter: undefined,
    accessPoints: [{iri: name, relation: name, inverse: name}],
    mentions: [{document: name, subject: name, predicate: name}],
    arranged: undefined,
    store: undefined,
    hasMoreMentions: true,
    labels: new Map([
      [iri, text],
      [name, text],
    ]),
  }
}

const tag = /<(?:!doctype html|\/?([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?)>/g
const attribute = /([a-zA-Z-]+)(?:="([^"]*)")?/g
const followedAddress = /^(?:\/(?!\/)|#|https?:\/\/|mailto:)/
const forbiddenElements = new Set(['iframe', 'object', 'embed', 'base', 'img', 'style', 'audio', 'video', 'frame'])

/** The faults of a page; empty if it is sound. */
function faults(page: string): readonly string[] {
  const found: string[] = []
  const rest = page.replace(tag, (_, name: string | undefined, attributes = '') => {
    if (name !== undefined && forbiddenElements.has(name)) found.push(`element ${name}`)
    for (const [, key = '', value = ''] of attributes.matchAll(attribute)) {
      if (/^on|^style$|^srcdoc$/i.test(key)) found.push(`attribute ${key}`)
      if (/^(?:href|src|action|formaction)$/.test(key) && !followedAddress.test(value)) found.push(`${key} ${value}`)
      if (name === 'script' && key === 'src' && !value.startsWith(site.assets)) found.push(`script ${value}`)
      if (/&(?!(?:amp|lt|gt|quot|#39|#13);)/.test(value)) found.push(`entity in ${value}`)
    }
    return ''
  })
  if (/[<>"\0\r]|&(?!(?:amp|lt|gt|quot|#39|#13);)/.test(rest.replaceAll('"1"', ''))) found.push(`text ${rest}`)
  return found
}

function arranged(name: string, text: string): ArrangedPage {
  const children = [{iri: name, isAccessPoint: true, memberBy: name}]
  return {order: 'label', isDown: true, search: text, page: 2, total: 101, pages: 3, children}
}

function store(name: string): StoreOverview {
  const names = [[name, 1000]] as const
  return {numbers: {documents: 1, triples: 2, isExact: false}, classes: names, properties: names, newest: [name]}
}

test('pages of hostile terms have only the elements of the templates', t => {
  fc.assert(
    fc.property(graphs, hostileIris, texts, (triples, name, text) => {
      const document = browsed(triples, name, text)
      const {labels} = document
      const values = triples.map(({object}) => object)
      const pages = [
        documentPage(site, document, undefined),
        documentPage(site, {...document, isPart: true}, '1'),
        documentPage(site, {...document, arranged: arranged(name, text), store: store(name)}, undefined),
        describePage(site, {
          iri: name,
          said: triples,
          mentions: document.mentions,
          isPart: true,
          hasMoreMentions: true,
          labels,
        }),
        valuesPage(
          site,
          {iri, etag: '1', property: name, values, nextAfter: '1', previousAfter: undefined, labels},
          '1',
        ),
        editPage(site, document),
        editPage(site, document, {
          subject: name,
          etag: '1',
          triples,
          isFirst: false,
          previousAfter: '1',
          nextAfter: '1',
        }),
        createPage(site, document),
        deletePage(site, document),
        errorPage(site, new Problem(400, 'uri-valid', text, {members: {line: 1, column: 2}}), text),
      ]
      t.deepEqual(pages.flatMap(faults), [])
    }),
    {numRuns: 150},
  )
})

test('pages of random graphs, lists and cycles are sound', t => {
  fc.assert(
    fc.property(datasets({graphs: 'one'}), (quads: readonly Quad[]) => {
      t.deepEqual(faults(documentPage(site, browsed(quads, 'http://e/x', 'x'), undefined)), [])
    }),
    {numRuns: 100},
  )
})

test('the query page is sound', t => {
  t.deepEqual(faults(queryPage(site, new URLSearchParams())), [])
  const fields = new URLSearchParams({query: '</textarea><script>x</script>', contexts: '1', checksums: '"'})
  t.deepEqual(faults(queryPage(site, fields)), [])
})

test('faults of a page are found', t => {
  t.deepEqual(faults('<p>a < b</p>'), ['text a < b'])
  t.deepEqual(faults('<a href="javascript:x">x</a>'), ['href javascript:x'])
  t.deepEqual(faults('<p onclick="x" style="y">x</p>'), ['attribute onclick', 'attribute style'])
  t.deepEqual(faults('<iframe></iframe>'), ['element iframe', 'element iframe'])
})
