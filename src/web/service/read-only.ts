/** For pages that can only be read. */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {answerEmpty} from '../document/reply.ts'

const readingHeaders = {Allow: 'GET, HEAD, OPTIONS'} as const

/**
 * Whether the request reads the page. Answers OPTIONS itself.
 *
 * @param links  a Link for the answers to OPTIONS and to methods that are not possible
 * @throws       Problem 405 `method-allowed`
 */
export function asksToRead(context: Context, links: {readonly Link?: string} = {}): boolean {
  const {method} = context
  if (method === 'GET' || method === 'HEAD') return true
  const headers = {...readingHeaders, ...links}
  if (method !== 'OPTIONS')
    throw new Problem(405, 'method-allowed', `${method} is not possible on ${context.path}.`, {headers})
  context.set(headers)
  answerEmpty(context, 204)
  return false
}
