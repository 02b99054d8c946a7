/**
 * Reads what the forms of the service's pages send.
 *
 * A page of another site can send such a form too, without asking. A form therefore counts only if the browser says
 * that a page of the service sends it.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {decodeBody} from '../../format/registry.ts'
import {readMediaType} from '../../http/media-type.ts'
import type {Iri} from '../../rdf/term.ts'
import {headerOf, type Site} from '../exchange.ts'
import {readBytes} from '../server/body.ts'
import {isFromOwnPage, requireOwnPage} from '../server/own-page.ts'

const formType = 'application/x-www-form-urlencoded'
const limitBytes = 65_536

/** Whether the request is a form that a page of the service sends. */
export function isOwnForm(context: Context, base: Iri): boolean {
  return isForm(context) && isFromOwnPage(context, base)
}

function isForm(context: Context): boolean {
  const type = headerOf(context, 'content-type') ?? ''
  return type.trim() !== '' && readMediaType(type).essence === formType
}

/** @throws  Problem 403 `page-own` · 415 `media-type-known` · 413 */
export async function readForm(site: Site, context: Context): Promise<URLSearchParams> {
  requireOwnPage(context, site.dataset.base)
  if (!isForm(context))
    throw new Problem(415, 'media-type-known', `Forms are sent as ${formType}.`, {headers: {Accept: formType}})
  return new URLSearchParams(decodeBody(await readBytes({site, context}, limitBytes)))
}
