/**
 * Reads the JSON request bodies of the service's own endpoints.
 *
 * The Content-Type must be application/json. A foreign page cannot send this type without a preflight request, unlike
 * the types of HTML forms.
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {decodeBody} from '../../format/registry.ts'
import {readMediaType} from '../../http/media-type.ts'
import {headerOf, type Site} from '../exchange.ts'
import {readBytes} from '../server/body.ts'

const headers = {Accept: 'application/json'}
const limitBytes = 2 ** 20 // enough for thousands of grants; JSON.parse blocks the event loop

/**
 * @param what  what the body contains, for error messages
 * @throws      Problem 400 `content-type-given`, `json-syntax` · 415 `media-type-known`
 */
export async function readJson(site: Site, context: Context, what: string): Promise<unknown> {
  const type = headerOf(context, 'content-type')
  if (type === undefined || type.trim() === '')
    throw new Problem(400, 'content-type-given', `${what} need the Content-Type application/json.`, {headers})
  if (readMediaType(type).essence !== 'application/json')
    throw new Problem(415, 'media-type-known', `${what} are written in application/json.`, {headers})
  try {
    return JSON.parse(decodeBody(await readBytes({site, context}, limitBytes)))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem(400, 'json-syntax', `The body is not JSON: ${excerpt(error.message)}.`, {cause: error})
  }
}
