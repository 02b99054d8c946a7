/**
 * A request's preconditions, those by checksum told by entity tag.
 */
import {type Preconditions, readPreconditions} from '../../http/conditional.ts'
import {withStateTags} from '../../ldp/checksum-conditions.ts'
import type {Exchange} from '../exchange.ts'

export function preconditionsOf({site, context, iri}: Exchange): Promise<Preconditions> {
  return withStateTags(site.dataset, iri, readPreconditions(context.req.headers, Date.now()))
}
