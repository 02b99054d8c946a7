/**
 * The document `.system/platform/`, which describes the service to clients in use (decision 0013).
 *
 * It is not stored. It is a c:Platform with a volatile c:instance that has c:version and c:buildDate.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {evaluatePreconditions, formatTag, readPreconditions, strongTag} from '../../http/conditional.ts'
import {formatHttpDate} from '../../http/date.ts'
import {blankNode, type Iri, literal, namedNode, type Quad, quad} from '../../rdf/term.ts'
import {ldp, type PlatformVocabulary, rdf, xsd} from '../../rdf/vocabulary.ts'
import {chooseFormat, contentType, writeBody} from '../document/offers.ts'
import {resourceLink, sourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'

export type Build = {readonly version: string; readonly date: Date}

export const platformPath = '.system/platform/'

const allowed = 'GET, HEAD, OPTIONS'

/** @throws Problem 405 `method-allowed` · 406 `format-acceptable` · 412 `etag-mismatch` */
export function answerPlatform(site: Site, build: Build, context: Context): void {
  const {base, platform} = site.dataset
  const iri = base + platformPath
  const headers = {Allow: allowed, Link: [resourceLink, sourceLink].join(', ')}
  if (!allowed.split(', ').includes(context.method))
    throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${iri}>.`, {headers})
  context.set({...headers, Vary: varied, 'Cache-Control': 'no-cache'})
  if (context.method === 'OPTIONS') {
    context.status = 204
    return
  }
  const chosen = chooseFormat(headerOf(context, 'accept'))
  const modifiedMs = build.date.getTime()
  const tag = strongTag(`${build.version}-${modifiedMs.toString(36)}`)
  context.set({ETag: formatTag(tag), 'Last-Modified': formatHttpDate(modifiedMs)})
  const conditions = readPreconditions(context.req.headers, Date.now())
  const verdict = evaluatePreconditions(conditions, {tags: [tag], lastModifiedMs: modifiedMs}, context.method)
  if (verdict === 'precondition-failed')
    throw new Problem(412, 'etag-mismatch', `The document's entity tag is ${formatTag(tag)}.`, {
      members: {etag: tag.opaque},
    })
  context.status = verdict === 'proceed' ? 200 : 304
  if (verdict !== 'proceed') return
  context.set('Content-Type', contentType(chosen))
  if (context.method === 'GET') context.body = writeBody(chosen, description(iri, platform, build), site.prefixes)
}

function description(iri: Iri, platform: PlatformVocabulary, {version, date}: Build): Quad[] {
  const [self, instance] = [namedNode(iri), blankNode('instance')]
  const type = namedNode(rdf.type)
  return [
    quad(self, type, namedNode(platform.Platform), self),
    quad(self, type, namedNode(ldp.RDFSource), self),
    quad(self, namedNode(platform.instance), instance, self),
    quad(instance, type, namedNode(platform.PlatformInstance), self),
    quad(instance, type, namedNode(platform.VolatileResource), self),
    quad(instance, namedNode(platform.version), literal(version), self),
    quad(instance, namedNode(platform.buildDate), literal(date.toISOString(), xsd.dateTime), self),
  ]
}
