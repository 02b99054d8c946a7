/**
 * Who may do what in the model: the owner everything, Ada what grants say, who may read all of it.
 *
 * Sources: docs/security.md; decisions, row "DELETE where grants count".
 */
import type {Mode} from '../../src/db/access.ts'
import {agentOf} from '../support/access.ts'
import type {Model, ModelDocument} from './model.ts'
import type {StepOf} from './steps.ts'
import {choose, faultOfStatus, type Prepared, type Real} from './world.ts'

export type Caller = 'owner' | 'ada'

/** What a request needs, in the order in which it is asked for; first on the document that it addresses. */
export type Need = {readonly iri: string; readonly mode: Mode}

const grantable: readonly (readonly Mode[])[] = [[], ['append'], ['write'], ['write'], ['write']]

/** Grants hold for a document and all below it, whether that is there or not. */
export function may({grants}: Model, caller: Caller, {iri, mode}: Need): boolean {
  if (caller === 'owner') return true
  return [...grants].some(([at, modes]) => iri.startsWith(at) && (modes.includes(mode) || modes.includes('write')))
}

/** Documents to choose from: of Ada's requests most are to be allowed. */
export function likely(model: Model, caller: Caller): readonly ModelDocument[] {
  const all = [...model.documents.values()]
  const writable = all.filter(({iri}) => caller !== 'owner' && may(model, caller, {iri, mode: 'write'}))
  return [...all, ...writable, ...writable, ...writable]
}

/** Whether a document may be changed that the request does not address. */
export function mayChange(model: Model, caller: Caller): (iri: string) => boolean {
  const writable = caller === 'owner' ? undefined : new Set([...model.documents.keys()].filter(isWritable))
  function isWritable(iri: string): boolean {
    return may(model, caller, {iri, mode: 'write'})
  }
  return iri => writable === undefined || writable.has(iri)
}

/** A mode on a document and, if it is an access point, on the document whose list it keeps. */
export function withContainer(document: Pick<ModelDocument, 'iri'>, mode: Mode) {
  return ({documents}: Model): readonly Need[] => {
    const known = documents.get(document.iri)
    const container = known?.isAccessPoint ? [{iri: known.parent, mode}] : []
    return [{iri: document.iri, mode}, ...container]
  }
}

/**
 * The same request, refused where the caller lacks what it needs.
 *
 * Of a document that is not there a grant may have gone with it while the request waited: 403 and 404 are both right.
 */
export function guarded(prepared: Prepared, caller: Caller): Prepared {
  const {send, settle, needs} = prepared
  if (caller === 'owner' || needs === undefined) return prepared
  return {
    send,
    settle(now, answer) {
      const all = needs(now)
      const isThere = all.slice(0, 1).every(({iri}) => now.documents.has(iri))
      if (!isThere && [403, 404].includes(answer.status)) return undefined
      const isRefused = all.some(need => !may(now, caller, need))
      return isRefused ? faultOfStatus(answer, 403) : settle(now, answer)
    },
  }
}

/** The owner gives Ada other grants on a document; nothing where grants do not count. */
export function grant({at, modes}: StepOf<'grant'>, model: Model, real: Real): Prepared | undefined {
  if (!real.isGuarded) return undefined
  const {iri} = choose([...model.documents.values()], at)
  const given: readonly Mode[] = iri === real.root ? ['read'] : choose(grantable, modes)
  const grants = given.length === 0 ? [] : [{grantee: `agent ${agentOf('ada')}`, modes: given}]
  return {
    send: () =>
      real.service.send({
        method: 'PUT',
        path: `/.system/access?document=${encodeURIComponent(iri)}`,
        body: JSON.stringify({grants}),
      }),
    settle(now, answer) {
      if (!now.documents.has(iri)) return faultOfStatus(answer, 404)
      now.grants.set(iri, given)
      return faultOfStatus(answer, 204)
    },
  }
}
