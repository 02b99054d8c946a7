/**
 * PATCH of a document.
 *
 * Clients in use send neither a model nor If-Match with a PATCH (decision 0013), so neither is required.
 * Source: docs/interface.md, Patching.
 */
import {Problem} from '../../base/problem.ts'
import {checkPrecondition} from '../../db/store/document-reads.ts'
import {readMediaType} from '../../http/media-type.ts'
import {checkWritePreferences} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {patchGraph} from '../../ldp/patch.ts'
import {type Exchange, headerOf} from '../exchange.ts'
import {readBytes} from '../server/body.ts'
import {orMissing} from './get.ts'
import {acceptPatch} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {answerWritten, requireIfMatch} from './write.ts'

export async function patchDocument(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const conditions = writeConditions(preconditions)
  const bytes = await orMissing(exchange, async () => {
    checkPatchType(headerOf(context, 'content-type'))
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    if (context.req.headers.expect !== undefined) await checkPrecondition(site.dataset.session, iri, conditions)
    return readBytes(exchange)
  })

  const isReturning = preferences.return === 'representation'
  const written = await patchGraph(site.dataset, iri, conditions, {
    bytes,
    caller: site.callerKey(context),
    isReturning,
  })

  await answerWritten(exchange, iri, written, 204)
}

/** @throws Problem 400 `content-type-given` · 415 `media-type-known`, with Accept-Patch (RFC 5789 §2.2) */
function checkPatchType(value: string | undefined): void {
  const headers = {'Accept-Patch': acceptPatch}
  if (value === undefined || value.trim() === '')
    throw new Problem(400, 'content-type-given', `A patch needs the Content-Type ${acceptPatch}`, {headers})
  const {essence} = readMediaType(value)
  if (essence === acceptPatch) return
  throw new Problem(415, 'media-type-known', `${essence} is no patch that is known here; send ${acceptPatch}`, {
    headers,
  })
}
