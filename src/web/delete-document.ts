/**
 * DELETE of a document or of all its children (interface, endpoints 5 and 6).
 *
 * Floor 5. Date gives the time of removal.
 */
import {Problem} from '../base/problem.ts'
import {readBody} from '../http/body.ts'
import {readPreconditions} from '../http/conditional.ts'
import {formatHttpDate} from '../http/date.ts'
import {checkWritePreferences, type DeleteAction, deleteAction, isDeep} from '../ldp/action.ts'
import {writeConditions} from '../ldp/conditions.ts'
import {type Exchange, headerOf} from './exchange.ts'
import {orMissing} from './get-document.ts'
import {acceptPost, rootMethods} from './offers.ts'
import {resourceLink} from './reply.ts'
import {requireIfMatch} from './write-document.ts'

export async function deleteDocument(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  const {store, base, platform} = site.dataset
  if (iri === base) {
    throw new Problem(405, 'root-stays', 'Neither the root document nor all it contains can be deleted at once.', {
      headers: {Allow: rootMethods, 'Accept-Post': acceptPost},
    })
  }
  checkWritePreferences(preferences)
  const preconditions = readPreconditions(context.req.headers, Date.now())
  const action = await orMissing(exchange, async () => {
    const asked = deleteAction(preferences, platform, await hasBody(exchange))
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions.ifMatch !== undefined)
    return asked
  })
  const deep = isDeep(headerOf(context, 'depth'))
  const conditions = writeConditions(preconditions)

  const removed = await remove(action, deep)

  context.set({Date: formatHttpDate(removed.getTime()), Link: resourceLink, 'Cache-Control': 'no-cache'})
  context.status = 204

  function remove(what: DeleteAction, isDeepDelete: boolean): Promise<Date> {
    switch (what) {
      case 'document':
        return store.deleteDocument(iri, conditions, {isDeep: isDeepDelete})
      case 'children':
        return store.deleteChildren(iri, conditions)
      case 'selected-members':
      case 'all-members':
        throw new Problem(422, 'feature-supported', 'Removal of members is not served yet.')
    }
  }
}

/** Whether there is a body. Clients send some without a length, so one that says nothing about itself is looked at. */
async function hasBody({site, context}: Exchange): Promise<boolean> {
  const {headers} = context.req
  if (headers['content-type'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  if (headers['transfer-encoding'] === undefined) return false
  const {bodyBytes: limitBytes, bodyTimeoutMs: timeoutMs} = site.limits
  return (await readBody(context.req, {limitBytes, timeoutMs})).length > 0
}
