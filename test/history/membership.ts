/**
 * The model of a container document with three lists of members, and of the documents that can be members: the effect
 * of each request.
 *
 * Two access points, `a` and `b`, have different relations and the same inverse. The document itself has the list
 * `own`. The entity tags are those of the document. Some responses have one; it is new exactly if a list has changed.
 */
import type {Interval, Model} from './linearize.ts'
import {isLater} from './register.ts'

export const lists = ['a', 'b', 'own'] as const
export type List = (typeof lists)[number]
export type Lists = Readonly<Record<List, readonly string[]>> // names of members, sorted

type Names = readonly string[]
export type MembershipOperation = Interval &
  (
    | {readonly kind: 'made'; readonly name: string; readonly list?: List} // POST, to an access point with `list`
    | {readonly kind: 'present' | 'unmade'; readonly name: string} // 409 to a POST; DELETE
    | {readonly kind: 'absent' | 'seen'; readonly name: string; readonly isReferring?: boolean} // 404; GET of it
    | {
        readonly kind: 'added'
        readonly list: List
        readonly names: Names
        readonly from?: string
        readonly tag?: string
      }
    | {readonly kind: 'unknown'; readonly names: Names} // 422: some are no documents
    | {readonly kind: 'removed'; readonly list: List; readonly names: Names | 'all'; readonly from?: string}
    | {readonly kind: 'mismatch'; readonly from: string} // 412
    | {readonly kind: 'read'; readonly tag: string; readonly lists: Lists} // GET of the container document
    | {readonly kind: 'snapshot'; readonly there: Names; readonly lists: Lists; readonly referring: Names} // a query
  )

export type Membership = {
  readonly there: Names // sorted
  readonly lists: Lists
  readonly tag: string // of the container document, as in the last response
  readonly isTold: boolean // no list has changed since
}

export const membershipModel: Model<Membership, MembershipOperation> = {
  step,
  isReading: ({kind}) => ['present', 'absent', 'seen', 'unknown', 'mismatch', 'snapshot'].includes(kind),
}

function step(state: Membership, operation: MembershipOperation): Membership | undefined {
  const isThere = (name: string) => state.there.includes(name)
  switch (operation.kind) {
    case 'made': {
      if (isThere(operation.name)) return undefined
      const made = {...state, there: union(state.there, [operation.name])}
      return operation.list === undefined ? made : added(made, operation.list, [operation.name])
    }
    case 'unmade':
      return isThere(operation.name) ? unmade(state, operation.name) : undefined
    case 'present':
      return isThere(operation.name) ? state : undefined
    case 'absent':
      return isThere(operation.name) ? undefined : state
    case 'seen':
      return isThere(operation.name) && operation.isReferring === referring(state).includes(operation.name)
        ? state
        : undefined
    case 'added': {
      if (!operation.names.every(isThere) || !isAt(state, operation.from)) return undefined
      const next = added(state, operation.list, operation.names)
      return operation.tag === undefined ? next : told(next, operation.tag)
    }
    case 'unknown':
      return operation.names.every(isThere) ? undefined : state
    case 'removed':
      return isAt(state, operation.from) ? removed(state, operation.list, operation.names) : undefined
    case 'mismatch':
      return isAt(state, operation.from) ? undefined : state
    case 'read':
      return isSame(state.lists, operation.lists) ? told(state, operation.tag) : undefined
    case 'snapshot':
      return isSame(state.there, operation.there) &&
        isSame(state.lists, operation.lists) &&
        isSame(referring(state), operation.referring)
        ? state
        : undefined
  }
}

/** Whether an entity tag is the current one, which must have been in a response before. */
function isAt({tag, isTold}: Membership, from: string | undefined): boolean {
  return from === undefined || (isTold && tag === from)
}

/** The state after a response with an entity tag: the same tag if nothing has changed, otherwise a later one. */
function told(state: Membership, tag: string): Membership | undefined {
  const isRight = state.isTold ? tag === state.tag : isLater(tag, state.tag)
  return isRight ? {...state, tag, isTold: true} : undefined
}

/** The members of `a` or `b`, which have the inverse triple. */
function referring({lists}: Membership): Names {
  return union(lists.a, lists.b)
}

function added(state: Membership, list: List, names: Names): Membership {
  return withLists(state, {...state.lists, [list]: union(state.lists[list], names)})
}

function removed(state: Membership, list: List, names: Names | 'all'): Membership {
  const stays = (name: string) => names !== 'all' && !names.includes(name)
  return withLists(state, {...state.lists, [list]: state.lists[list].filter(stays)})
}

function unmade(state: Membership, name: string): Membership {
  const without = (names: Names) => names.filter(other => other !== name)
  const {a, b, own} = state.lists
  return withLists({...state, there: without(state.there)}, {a: without(a), b: without(b), own: without(own)})
}

function withLists(state: Membership, changed: Lists): Membership {
  return {...state, lists: changed, isTold: state.isTold && isSame(changed, state.lists)}
}

function union(left: Names, right: Names): Names {
  return [...new Set([...left, ...right])].sort()
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
