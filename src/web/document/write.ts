/**
 * POST and PUT of documents.
 *
 * Checks follow decision 0010. Existence is checked only if another check fails, so that a request that succeeds needs
 * one round trip to the database.
 * Source: docs/interface.md, Creating; Replacing; Members.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {checkPrecondition, hasDocument, requireFreeIri} from '../../db/store/document-reads.ts'
import {addMembers, type MemberList, removeMembers, type Written} from '../../db/store/document-writes.ts'
import type {Session, WriteConditions} from '../../db/store/session.ts'
import type {Format} from '../../format/types.ts'
import type {Negotiated} from '../../http/accept.ts'
import {type Preconditions, strongTag} from '../../http/conditional.ts'
import {readLinks} from '../../http/link.ts'
import {formatPreferenceApplied} from '../../http/prefer.ts'
import {readSlug} from '../../http/slug.ts'
import {checkWritePreferences} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {type MemberAction, shape} from '../../ldp/member-action.ts'
import {requestedTypes} from '../../ldp/requested-types.ts'
import {metadataAtOnce, metadataInBatches, renamedLabels, responseMetadata} from '../../ldp/response-metadata.ts'
import {
  createChild,
  createHere,
  missingParent,
  readAfterPreconditions,
  replaceGraph,
  type WriteBody,
} from '../../ldp/write.ts'
import type {Iri, Quad} from '../../rdf/term.ts'
import {ldp} from '../../rdf/vocabulary.ts'
import {type Exchange, fieldsOf, headerOf} from '../exchange.ts'
import {readBytes} from '../server/body.ts'
import {orMissing} from './get.ts'
import {chooseFormatIfAny, chooseSyntax, contentType, writeLongBody} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {answerEmpty, describeDocument, quadsOf, resourceLink, streamQuads, varied} from './reply.ts'

export async function answerPost(exchange: Exchange): Promise<void> {
  const {site, context, iri: parent, preferences} = exchange
  const {session} = site.dataset
  checkWritePreferences(preferences)
  const conditions = await preconditionsOf(exchange)
  const slug = readSlug(fieldsOf(context, 'slug'))
  if (context.req.headers.expect !== undefined && !(await hasDocument(session, parent))) throw missingParent(parent)
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined)
    await checkPrecondition(session, parent, writeConditions(conditions))
  const body = await orMissing(exchange, () =>
    readGraphBody(exchange, chooseSyntax(headerOf(context, 'content-type'), 'Accept-Post')),
  )

  const created = await createChild(site.dataset, parent, slug, {types: typesOf(context), ...body})

  context.set('Location', created.iri)
  await answerWritten(exchange, created.iri, created, 201)
}

export async function answerPut(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  if (isCreate(exchange, preconditions)) return createByPut(exchange)
  const conditions = writeConditions(preconditions)
  const isReplacement = preferences.model === ldp.RDFSource
  const body = await orMissing(exchange, async () => {
    const mediaType = chooseSyntax(headerOf(context, 'content-type'), 'Accept')
    if (isReplacement || site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    if (context.req.headers.expect !== undefined) await checkPrecondition(site.dataset.session, iri, conditions)
    return readGraphBody(exchange, mediaType)
  })
  const {base, platform, bodies} = site.dataset
  const task = {context: {document: iri, base, platform}, ...body}

  const {isReturning} = body
  if (isReplacement) {
    const readGraph = () => bodies.readReplacement(task)
    const written = await replaceGraph(site.dataset, iri, conditions, {readGraph, isReturning})
    return answerWritten(exchange, iri, written, 204)
  }
  const isActionOnly = preferences.model === ldp.Container
  const isGraphWanted = !isActionOnly && preconditions.ifMatch !== undefined
  const {action, graph} = await readAfterPreconditions(site.dataset, iri, conditions, async () => {
    const put = await bodies.readPut({isGraphWanted, ...task})
    if (put.action === undefined && isActionOnly)
      throw shape('it has neither type c:AddMemberAction nor c:RemoveMemberAction')
    return put
  })
  if (action !== undefined) return actOnMembers(exchange, conditions, action)
  await orMissing(exchange, () => requireIfMatch(exchange, preconditions))
  const readGraph = async () => graph ?? []
  await answerWritten(exchange, iri, await replaceGraph(site.dataset, iri, conditions, {readGraph, isReturning}), 204)
}

function typesOf(context: Context): readonly Iri[] {
  return requestedTypes(readLinks(fieldsOf(context, 'link')))
}

/** Whether a PUT asks to create its document: `If-None-Match: *` holds only if there is none. */
function isCreate({preferences}: Exchange, {ifMatch, ifNoneMatch}: Preconditions): boolean {
  return ifNoneMatch === '*' && ifMatch === undefined && preferences.model !== ldp.Container
}

async function createByPut(exchange: Exchange): Promise<void> {
  const {site, context, iri} = exchange
  const session: Session = {...site.dataset.session, least: 'create'}
  const mediaType = await orNotFree(session, iri, () => chooseSyntax(headerOf(context, 'content-type'), 'Accept'))
  await requireFreeIri(session, iri)
  const body = await readGraphBody(exchange, mediaType)

  // The model of a PUT says that it writes a document. In a POST it makes an access point of some bodies.
  const created = await createHere({...site.dataset, session}, iri, {
    ...body,
    types: typesOf(context),
    model: undefined,
  })

  context.set('Location', iri)
  await answerWritten(exchange, iri, created, 201)
}

/** Runs a check of a create. If it fails, a reason why there can be no document takes precedence (decision 0010). */
async function orNotFree<Result>(session: Session, iri: Iri, check: () => Result): Promise<Result> {
  try {
    return check()
  } catch (error) {
    await requireFreeIri(session, iri).catch(reason => {
      if (!(reason instanceof Problem) || reason.rule !== 'etag-mismatch') throw reason
    })
    throw error
  }
}

/** Adds or removes members. A PUT can also remove members, because some proxies drop the body of a DELETE. */
async function actOnMembers(
  exchange: Exchange,
  conditions: WriteConditions,
  action: MemberAction<MemberList>,
): Promise<void> {
  const {site, context, iri} = exchange
  const {session} = site.dataset
  const {kind, members} = action
  const written = await (kind === 'add'
    ? addMembers(session, iri, conditions, members)
    : removeMembers(session, iri, conditions, members))
  if (written === undefined)
    context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'}) // reveals neither state nor kind
  else describeWritten(exchange, iri, written)
  context.status = 204
}

/** @throws Problem 428 `precondition-required` */
export function requireIfMatch({iri, context}: Exchange, {ifMatch}: Preconditions): void {
  if (ifMatch !== undefined) return
  throw new Problem(
    428,
    'precondition-required',
    `A ${context.method} of <${iri}> needs an If-Match header with its ETag.`,
  )
}

/** Reads the bytes of the body. They are parsed later, because relative IRIs need the document's IRI. */
export async function readGraphBody(exchange: Exchange, mediaType: string): Promise<WriteBody> {
  const {preferences} = exchange
  return {
    bytes: await readBytes(exchange),
    caller: exchange.site.callerKey(exchange.context),
    mediaType,
    isReturning: preferences.return === 'representation',
    model: preferences.model,
  }
}

function describeWritten({site, context}: Exchange, iri: Iri, {etag, modified, isAccessPoint}: Written): void {
  const {hasHistory, dataset} = site
  const tag = strongTag(etag)
  describeDocument(context, {iri, base: dataset.base, tag, modified, isAccessPoint, hasHistory})
}

/**
 * Answers a write.
 *
 * The answer is a 201 or 204 without a body. It has a body (201 or 200) if the client asks for the stored graph, or if
 * blank nodes got new labels and the client sent any `return` preference (docs/interface.md, Prefer).
 */
export async function answerWritten(
  exchange: Exchange,
  iri: Iri,
  written: Written,
  emptyStatus: 201 | 204,
): Promise<void> {
  const {site, context, preferences} = exchange
  const {dataset, prefixes} = site
  describeWritten(exchange, iri, written)
  const renamed = preferences.return === undefined ? new Map() : await renamedLabels(written)
  const chosen = chooseFormatIfAny(headerOf(context, 'accept'))
  if (chosen !== undefined && renamed.size > metadataAtOnce)
    return streamMetadata(exchange, {iri, chosen, renamed, status: emptyStatus})
  const metadata = responseMetadata(iri, renamed, dataset.platform)
  const graph = written.state?.triples === undefined ? [] : quadsOf(iri, written.state.triples)
  const body =
    metadata.length + graph.length === 0 ? undefined : await tryBody(chosen, [...metadata, ...graph], prefixes)

  answerEmpty(context, emptyStatus)
  if (chosen === undefined || body === undefined) {
    if (preferences.return === 'minimal')
      context.set('Preference-Applied', formatPreferenceApplied({return: 'minimal'}))
    return
  }
  context.status = emptyStatus === 204 ? 200 : emptyStatus
  if (preferences.return !== undefined && (graph.length > 0 || preferences.return === 'minimal'))
    context.set('Preference-Applied', formatPreferenceApplied({return: preferences.return}))
  context.set({'Content-Type': contentType(chosen), 'Content-Location': iri})
  context.body = body
}

type ManyLabels = {
  readonly iri: Iri
  readonly chosen: Negotiated<Format>
  readonly renamed: ReadonlyMap<string, string>
  readonly status: 201 | 204 // the status without a body
}

/** Streams the new labels only. A document with so many blank nodes is too large to return with them. */
function streamMetadata(exchange: Exchange, {iri, chosen, renamed, status}: ManyLabels): Promise<void> {
  const {site, context, preferences} = exchange
  if (preferences.return === 'minimal')
    context.set('Preference-Applied', formatPreferenceApplied({return: preferences.return}))
  context.set('Content-Location', iri)
  const quads = metadataInBatches(iri, renamed, site.dataset.platform)
  return streamQuads(site, context, chosen, quads, status === 204 ? 200 : status)
}

/** @returns  undefined if the format cannot express the quads: a 406 would suggest that the write has failed */
async function tryBody(
  chosen: Negotiated<Format> | undefined,
  quads: readonly Quad[],
  prefixes: Readonly<Record<string, Iri>>,
): Promise<string | Buffer | undefined> {
  try {
    return chosen === undefined ? undefined : await writeLongBody(chosen, quads, prefixes)
  } catch (error) {
    if (error instanceof Problem && error.status === 406) return undefined
    throw error
  }
}
