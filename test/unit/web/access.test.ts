/** The site of one request: all that requests share, and the request's own session. */
import test from 'ava'
import type {Context} from 'koa'
import type {SharedSite} from '../../../src/web/exchange.ts'
import {siteFor} from '../../../src/web/server/access.ts'

test('a site has all that requests share, but not the unguarded session', t => {
  const unguardedSession = {inSchema: 's.', reader: undefined, least: 'delete', another: 1}
  const dataset = {base: 'http://localhost/', platform: {}, checksum: {}, bodies: {}}
  const common = {access: {isGuarded: false}, pages: {site: {}}, callerKey: () => 'me', another: 3}
  const shared = {...common, unguardedSession, dataset} as unknown as SharedSite
  const context = (method: string) =>
    ({method, req: {}, state: {caller: {agent: 'http://localhost/me'}}}) as unknown as Context

  for (const [method, least, caller] of [
    ['GET', 'read', undefined],
    ['GET', 'read', undefined], // again: what a site shares is kept
    ['PATCH', 'edit', {grantees: undefined, isHidden: undefined, agent: 'http://localhost/me', isAudited: undefined}],
  ] as const) {
    const {dataset: own, ...others} = siteFor(shared, context(method))
    const {session, ...facts} = own
    t.deepEqual<object, object>(others, common)
    t.deepEqual<object, object>(facts, dataset)
    t.deepEqual<object, object>(
      {...session, requestId: typeof session.requestId},
      {...unguardedSession, least, caller, requestId: 'string', turn: 'me'},
    )
  }
})
