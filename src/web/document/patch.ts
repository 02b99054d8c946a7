/**
 * PATCH of a document.
 *
 * Clients in use send neither a model nor If-Match with a PATCH (decision 0013), so neither is required.
 * Source: docs/interface.md, Patching.
 */
import {Problem} from '../../base/problem.ts'
import {checkPrecondition} from '../../db/store/document-reads.ts'
import type {Written} from '../../db/store/document-writes.ts'
import type {WriteConditions} from '../../db/store/session.ts'
import {decodeBody} from '../../format/registry.ts'
import {readMediaType} from '../../http/media-type.ts'
import {checkWritePreferences} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {patchGraph} from '../../ldp/patch.ts'
import {type Exchange, headerOf} from '../exchange.ts'
import {updateType} from '../query/parameters.ts'
import {runRequestedUpdate} from '../query/update.ts'
import {readBytes} from '../server/body.ts'
import {orMissing} from './get.ts'
import {acceptPatch, patchTypes} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {answerWritten, requireIfMatch} from './write.ts'

export async function answerPatch(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const conditions = writeConditions(preconditions)
  const {type, bytes} = await orMissing(exchange, async () => {
    const given = readPatchType(headerOf(context, 'content-type'))
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    if (context.req.headers.expect !== undefined) await checkPrecondition(site.dataset.session, iri, conditions)
    return {type: given, bytes: await readBytes(exchange)}
  })

  const isReturning = preferences.return === 'representation'
  const written =
    type === updateType
      ? await patchByUpdate(exchange, conditions, {text: decodeBody(bytes), isReturning})
      : await patchGraph(site.dataset, iri, conditions, {bytes, caller: site.callerKey(context), isReturning})

  await answerWritten(exchange, iri, written, 204)
}

/** Patches a document by an update that names no graph. */
async function patchByUpdate(
  {site, context, iri}: Exchange,
  conditions: WriteConditions,
  {text, isReturning}: {readonly text: string; readonly isReturning: boolean},
): Promise<Written> {
  const scope = {document: iri, isAlone: true}
  const {written} = await runRequestedUpdate(site, context, {text, base: iri, scope, conditions, patch: {isReturning}})
  if (written === undefined) throw new Error('a patch gave no state')
  return written
}

/** @throws Problem 400 `content-type-given` · 415 `media-type-known`, with Accept-Patch (RFC 5789 §2.2) */
function readPatchType(value: string | undefined): string {
  const headers = {'Accept-Patch': acceptPatch}
  if (value === undefined || value.trim() === '')
    throw new Problem(400, 'content-type-given', `A patch needs a Content-Type, one of ${acceptPatch}`, {headers})
  const {essence} = readMediaType(value)
  if (patchTypes.includes(essence)) return essence
  throw new Problem(415, 'media-type-known', `${essence} is no patch that is known here; send one of ${acceptPatch}`, {
    headers,
  })
}
