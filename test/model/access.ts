/**
 * Access control in the model. The owner may do everything. Ada may read everything and do what grants allow.
 *
 * Sources: docs/security.md; decision 0011.
 */
import type {Mode} from '../../src/db/store/caller.ts'
import {agentOf} from '../support/access.ts'
import {childrenOf, type Model, type ModelDocument} from './model.ts'
import type {StepOf} from './steps.ts'
import {choose, faultOfStatus, type Prepared, type Real} from './world.ts'

export type Caller = 'owner' | 'ada'

/** A mode that a request needs. They are checked in this order, beginning with the addressed document. */
export type Need = {readonly iri: string; readonly mode: Mode}

const grantable: readonly (readonly Mode[])[] = [
  [],
  ['append'],
  ['members'],
  ['edit'],
  ['create', 'delete'],
  ['write'],
  ['write'],
  ['write'],
]

/** The modes that each mode includes. */
const included: Partial<Readonly<Record<Mode, readonly Mode[]>>> = {
  append: ['create', 'members'],
  edit: ['read', 'members'],
  delete: ['read'],
  write: ['read', 'create', 'members', 'edit', 'delete'],
}

/** Grants apply to a document and everything below it, whether it exists or not. */
export function may({grants}: Model, caller: Caller, {iri, mode}: Need): boolean {
  if (caller === 'owner') return true
  return [...grants].some(([at, modes]) => iri.startsWith(at) && modes.some(includes))
  function includes(given: Mode): boolean {
    return given === mode || included[given]?.includes(mode) === true
  }
}

/** Documents to choose from, such that most of Ada's requests are allowed. */
export function likely(model: Model, caller: Caller): readonly ModelDocument[] {
  const all = [...model.documents.values()]
  const writable = all.filter(({iri}) => caller !== 'owner' && may(model, caller, {iri, mode: 'edit'}))
  return [...all, ...writable, ...writable, ...writable]
}

/** Whether a document other than the addressed one may be changed. */
export function mayChange(model: Model, caller: Caller): (iri: string) => boolean {
  const writable = caller === 'owner' ? undefined : new Set([...model.documents.keys()].filter(isWritable))
  function isWritable(iri: string): boolean {
    return may(model, caller, {iri, mode: 'edit'})
  }
  return iri => writable === undefined || writable.has(iri)
}

/** A mode on a document, and if it is an access point, one on its container document. */
export function withContainer(document: Pick<ModelDocument, 'iri'>, mode: Mode, modeThere: Mode) {
  return ({documents}: Model): readonly Need[] => {
    const known = documents.get(document.iri)
    const container = known?.isAccessPoint ? [{iri: known.parent, mode: modeThere}] : []
    return [{iri: document.iri, mode}, ...container]
  }
}

type Removal = 'removeAll' | 'delete' | 'deleteChildren' | 'lostHeader'

/** A lost header is detected after the check of `read`, which Ada has. */
export const removalNeeds: Readonly<Record<Removal, (iri: string) => (model: Model) => readonly Need[]>> = {
  removeAll: iri => withContainer({iri}, 'edit', 'edit'),
  delete: iri => withContainer({iri}, 'delete', 'edit'),
  deleteChildren: iri => model => {
    const hasPoints = childrenOf(model, iri).some(({isAccessPoint}) => isAccessPoint)
    return [{iri, mode: 'delete'}, ...(hasPoints ? [{iri, mode: 'edit'} as const] : [])]
  },
  lostHeader: () => () => [],
}

/**
 * The same request, refused if the caller lacks a mode.
 *
 * If the document does not exist any more, its grants may have been deleted while the request waited. Then 403 and 404
 * are both correct.
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

/** The owner replaces Ada's grants on a document. Does nothing without access control. */
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
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({grants}),
      }),
    settle(now, answer) {
      if (!now.documents.has(iri)) return faultOfStatus(answer, 404)
      now.grants.set(iri, given)
      return faultOfStatus(answer, 204)
    },
  }
}
