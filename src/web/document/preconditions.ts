/**
 * Reads a request's preconditions, and replaces a checksum in them by the entity tag of the same state.
 */
import {type Preconditions, readPreconditions} from '../../http/conditional.ts'
import {withStateTags} from '../../ldp/checksum-conditions.ts'
import type {Exchange} from '../exchange.ts'

export function preconditionsOf({site, context, iri}: Exchange): Promise<Preconditions> {
  return withStateTags(site.dataset, iri, readPreconditions(context.req.headers, Date.now()))
}
