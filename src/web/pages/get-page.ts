/**
 * GET and HEAD of a document by a browser: a page about it, a form to change it, or a data format that the URL names.
 *
 * The query of a document's URL has a meaning only here, in requests that prefer HTML. For other clients it has none.
 *   ?format=turtle   the document in a format, named by its id or media type
 *   ?after=…         further children or members
 *   ?sort=label&filter=…&page=2   children in another order, those that contain a text
 *   ?view=values     all values of a `property`
 *   ?view=edit       a form; of a large document for a `subject`, from a `property` on
 *   ?view=create | delete
 */
import {createHash} from 'node:crypto'
import {Problem} from '../../base/problem.ts'
import {childOrders} from '../../db/store/browse-reads.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'
import {formatOfMediaType, formats} from '../../format/registry.ts'
import {evaluatePreconditions, readPreconditions, weakTag} from '../../http/conditional.ts'
import {browseDocument, browseValues, type ChildChoice} from '../../ldp/browse.ts'
import {browseSubject, type SubjectPlace} from '../../ldp/browse-subject.ts'
import type {Dataset} from '../../ldp/context.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import {getDocument} from '../document/get.ts'
import {describeDocument, varied} from '../document/reply.ts'
import {datasetToRead, type Exchange, headerOf} from '../exchange.ts'
import {requireModes} from '../server/access.ts'
import {documentPage, valuesPage} from './document-page.ts'
import {createPage, deletePage, editPage} from './form-pages.ts'
import {readName} from './names.ts'
import {prefersHtml, readLanguages} from './preference.ts'
import {pageHeaders} from './security.ts'
import {lastSegment} from './view.ts'

/** A document as the client likes it best: a page for people, data for everybody else. */
export function answerGet(exchange: Exchange): Promise<void> {
  return prefersHtml(exchange.context.req.headers.accept) ? getPage(exchange) : getDocument(exchange)
}

async function getPage(exchange: Exchange): Promise<void> {
  const {context, target} = exchange
  context.state.isPage = true
  const query = new URLSearchParams(target.query)
  const format = query.get('format')
  if (format !== null) return getFormat(exchange, format)
  answerPage(exchange, await render(exchange, query))
}

type Rendered = {
  readonly text: string
  readonly etag: string
  readonly isAccessPoint?: boolean
  readonly allowed?: Allowed | undefined
}

async function render(exchange: Exchange, query: URLSearchParams): Promise<Rendered> {
  const {site, context, iri} = exchange
  const {pages} = site
  const dataset = datasetToRead(exchange)
  const after = query.get('after') ?? undefined
  const options = {after, languages: readLanguages(headerOf(context, 'accept-language'))}
  const property = query.get('property')
  if (query.get('view') === 'values' && property !== null && isAbsoluteIri(property)) {
    const values = await browseValues(dataset, iri, property, options)
    return {text: valuesPage(pages.site, values, after), etag: values.etag}
  }
  if (query.get('view') === 'edit') return renderEdit(exchange, dataset, query)
  const browsed = await browseDocument(dataset, iri, {...options, choice: readChoice(query)})
  const {etag, isAccessPoint, allowed} = browsed.state
  switch (query.get('view')) {
    case 'create':
      requireModes(context, iri, allowed, ['create'])
      return {text: createPage(pages.site, browsed), etag, isAccessPoint, allowed}
    case 'delete':
      requireModes(context, iri, allowed, ['delete'])
      return {text: deletePage(pages.site, browsed), etag, isAccessPoint, allowed}
    default:
      return {text: documentPage(pages.site, browsed, after), etag, isAccessPoint, allowed}
  }
}

const searchLength = 200 // characters

/** How the reader wants the children; undefined: as they were created. */
function readChoice(query: URLSearchParams): ChildChoice | undefined {
  const wanted = query.get('sort') ?? ''
  const search = (query.get('filter') ?? '').trim().slice(0, searchLength)
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  const order = childOrders.find(name => name === wanted.replace(/^-/, '')) ?? 'created'
  const isDown = wanted.startsWith('-')
  const isDefault = order === 'created' && !isDown && search === '' && page === 1
  return isDefault ? undefined : {order, isDown, search, page}
}

async function renderEdit(exchange: Exchange, dataset: Dataset, query: URLSearchParams): Promise<Rendered> {
  const {site, context, iri} = exchange
  const languages = readLanguages(headerOf(context, 'accept-language'))
  const browsed = await browseDocument(dataset, iri, {after: undefined, languages})
  requireModes(context, iri, browsed.state.allowed, ['edit'])
  const part = browsed.isPart ? await browseSubject(dataset, iri, placeIn(exchange, query)) : undefined
  const {etag, isAccessPoint, allowed} = browsed.state
  return {text: editPage(site.pages.site, browsed, part), etag: part?.etag ?? etag, isAccessPoint, allowed}
}

/** Which fields a form of a large document has: those of a subject, by default the document. Names may be short. */
function placeIn({site, iri}: Exchange, query: URLSearchParams): SubjectPlace {
  const nameIn = (parameter: string) => readName(query.get(parameter)?.trim() ?? '', site.pages.site.names, iri)
  return {subject: nameIn('subject') ?? iri, property: nameIn('property'), after: query.get('after') ?? undefined}
}

/** Sends a page. Its entity tag is of its text: it shows more than the document, and is no ground for a write. */
function answerPage({site, context, iri}: Exchange, {text, etag, isAccessPoint = false, allowed}: Rendered): void {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  const tag = weakTag(`${etag}-html-${hash}`)
  const {hasHistory, dataset} = site
  describeDocument(context, {iri, base: dataset.base, tag, isAccessPoint, allowed, hasHistory})
  context.set({...pageHeaders, Vary: `${varied}, Accept-Language`})
  const conditions = readPreconditions(context.req.headers, Date.now())
  if (evaluatePreconditions(conditions, {tags: [tag]}, context.method) === 'not-modified') {
    context.status = 304
    return
  }
  context.status = 200
  context.body = text
}

/** The document in a format that a link asks for. */
async function getFormat(exchange: Exchange, name: string): Promise<void> {
  const {context, iri} = exchange
  const format = formats.find(({id}) => id === name) ?? formatOfMediaType(name)
  if (format === undefined) {
    const available = formats.map(({id}) => id)
    throw new Problem(
      406,
      'format-acceptable',
      `There is no format "${name.slice(0, 40)}", but ${available.join(', ')}`,
      {
        members: {available},
      },
    )
  }
  const [mediaType] = format.mediaTypes
  context.req.headers.accept = mediaType // from here on, as if the client had asked so
  context.set('Content-Disposition', `inline; filename="${fileName(iri, format.extensions[0])}"`)
  await getDocument(exchange)
}

/** `emma.ttl` */
function fileName(iri: string, extension: string): string {
  const name =
    lastSegment(iri)
      .replace(/[^\w.-]+/g, '-')
      .slice(0, 80) || 'document'
  return `${name}.${extension}`
}
