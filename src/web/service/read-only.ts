/** For pages that can only be read. */
import type {Context} from 'koa'

/** Answers 405 to a method other than GET and HEAD, and returns whether it did. */
export function refuseWrites(context: Context): boolean {
  if (context.method === 'GET' || context.method === 'HEAD') return false
  context.set('Allow', 'GET, HEAD')
  context.status = 405
  return true
}
