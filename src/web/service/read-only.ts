/** For places that have few methods, such as pages that can only be read. */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {answerEmpty} from '../document/reply.ts'

/**
 * Whether the request reads the page. Answers OPTIONS itself.
 *
 * @param links  a Link for the answers to OPTIONS and to methods that are not possible
 * @throws       Problem 405 `method-allowed`
 */
export function asksToRead(context: Context, links: {readonly Link?: string} = {}): boolean {
  return asksFor(context, ['GET', 'HEAD'], links)
}

/** Whether a request has one of the methods of a place. The rest is as for `asksToRead`. */
export function asksFor(
  context: Context,
  methods: readonly ('GET' | 'HEAD' | 'POST')[],
  links: {readonly Link?: string} = {},
): boolean {
  const {method, path} = context
  if (methods.some(known => known === method)) return true
  const headers = {Allow: [...methods, 'OPTIONS'].join(', '), ...links}
  if (method !== 'OPTIONS') throw new Problem(405, 'method-allowed', `${method} is not possible on ${path}.`, {headers})
  context.set(headers)
  answerEmpty(context, 204)
  return false
}
