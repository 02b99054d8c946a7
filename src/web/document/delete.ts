/**
 * DELETE of a document, of its children, or of members of an access point.
 *
 * The header Date of the answer is the time of removal.
 * Source: docs/interface.md, Deleting; Members.
 */
import {Problem} from '../../base/problem.ts'
import {
  deleteChildren,
  type MemberList,
  deleteDocument as removeDocument,
  removeMembers,
} from '../../db/store/document-writes.ts'
import type {WriteConditions} from '../../db/store/session.ts'
import {formatHttpDate} from '../../http/date.ts'
import {checkWritePreferences, type DeleteAction, deleteAction, isDeep} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {readAfterPreconditions} from '../../ldp/write.ts'
import {type Exchange, headerOf} from '../exchange.ts'
import {hasBody} from '../server/body.ts'
import {orMissing} from './get.ts'
import {abilities, chooseSyntax} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {resourceLink} from './reply.ts'
import {readGraphBody, requireIfMatch} from './write.ts'

/** @param depth  of the deletion of a document, if the request has no Depth header */
export async function answerDelete(exchange: Exchange, {depth = 'infinity'} = {}): Promise<void> {
  const {site, context, iri, preferences} = exchange
  const {base, platform} = site.dataset
  if (iri === base) {
    throw new Problem(405, 'root-stays', 'Neither the root document nor all it contains can be deleted at once.', {
      headers: abilities(true),
    })
  }
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const action = await orMissing(exchange, async () => {
    const asked = deleteAction(preferences, platform, await hasBody(exchange))
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    return asked
  })

  const removed = await remove(exchange, action, {conditions: writeConditions(preconditions), depth})

  context.set({Date: formatHttpDate(removed.getTime()), Link: resourceLink, 'Cache-Control': 'no-cache'})
  context.status = 204
}

type RemoveOptions = {readonly conditions: WriteConditions; readonly depth: string}

/** @returns time of removal */
async function remove(exchange: Exchange, action: DeleteAction, {conditions, depth}: RemoveOptions): Promise<Date> {
  const {site, context, iri} = exchange
  const {session} = site.dataset
  switch (action) {
    case 'document':
      return removeDocument(session, iri, conditions, {isDeep: isDeep(headerOf(context, 'depth') ?? depth)})
    case 'children':
      return deleteChildren(session, iri, conditions)
    case 'all-members':
      await removeMembers(session, iri, conditions, undefined)
      return new Date()
    case 'selected-members':
      await removeMembers(session, iri, conditions, await readSelected(exchange, conditions))
      return new Date()
  }
}

/** Reads the members to remove from the body. */
async function readSelected(exchange: Exchange, conditions: WriteConditions): Promise<MemberList> {
  const {site, context, iri} = exchange
  const {dataset} = site
  const {base, platform, bodies} = dataset
  const body = await orMissing(exchange, () =>
    readGraphBody(exchange, chooseSyntax(headerOf(context, 'content-type'), 'Accept')),
  )
  const task = {context: {document: iri, base, platform}, ...body}
  return readAfterPreconditions(dataset, iri, conditions, () => bodies.readRemoval(task))
}
