/**
 * The model of a document as a register with compare-and-set: the effect of each request. Only the clients write it.
 *
 * Its versions have entity tags, which increase and are never reused. If the response to a write was lost, its tag is
 * unknown until somebody reads it.
 */
import type {Interval, Model} from './linearize.ts'

export type Content = {
  readonly value: string // in many triples, all of which change together
  readonly marks: readonly string[] // sorted
  readonly list: readonly string[]
}

/** The effect of a patch, which does not depend on the state. */
export type Change = {readonly kind: 'mark' | 'unmark' | 'append'; readonly text: string} | {readonly kind: 'empty'} // the list

export type RegisterOperation = Interval &
  (
    | {readonly kind: 'created'; readonly tag?: string; readonly value: string}
    | {readonly kind: 'replaced'; readonly from: string; readonly tag?: string; readonly value: string}
    | {readonly kind: 'exchanged'; readonly from: string; readonly tag?: string; readonly value: string} // by a patch
    | {readonly kind: 'patched'; readonly from?: string; readonly tag?: string; readonly change: Change}
    | {readonly kind: 'deleted'; readonly from: string}
    | {readonly kind: 'read'; readonly tag: string; readonly content: Content}
    | {readonly kind: 'mismatch'; readonly from: string} // 412: it existed in another version
    | {readonly kind: 'absent'} // 404
    | {readonly kind: 'present'} // 409 to a create
  )

export type Register = Content & {
  readonly tag: string // '' if it does not exist, '?' if no response had it
  readonly last: string // the last entity tag
}

const nothing: Content = {value: '', marks: [], list: []}
export const noRegister: Register = {...nothing, tag: '', last: '0'}

export const registerModel: Model<Register, RegisterOperation> = {
  step,
  isReading: ({kind}) => ['read', 'mismatch', 'absent', 'present'].includes(kind),
}

function step(register: Register, operation: RegisterOperation): Register | undefined {
  const isThere = register.tag !== ''
  switch (operation.kind) {
    case 'created':
      return isThere ? undefined : written(register, operation.tag, {...nothing, value: operation.value})
    case 'replaced':
      return written(at(register, operation.from), operation.tag, {...nothing, value: operation.value})
    case 'exchanged':
      return written(at(register, operation.from), operation.tag, {...register, value: operation.value})
    case 'patched': {
      const before = operation.from === undefined ? register : at(register, operation.from)
      return isThere ? written(before, operation.tag, changed(register, operation.change)) : undefined
    }
    case 'deleted': {
      const before = at(register, operation.from)
      return before && {...nothing, tag: '', last: before.last}
    }
    case 'read':
      return isSame(register, operation.content) ? at(register, operation.tag) : undefined
    case 'mismatch':
      return isThere && register.tag !== operation.from ? register : undefined
    case 'absent':
      return isThere ? undefined : register
    case 'present':
      return isThere ? register : undefined
  }
}

/** The register at this version; undefined if it is at another one. */
function at(register: Register, version: string): Register | undefined {
  if (register.tag !== '?') return register.tag !== '' && register.tag === version ? register : undefined
  return isLater(version, register.last) ? {...register, tag: version, last: version} : undefined
}

/** The next version; undefined if the register does not exist, or if the tag is not new. */
function written(
  before: Register | undefined,
  tag: string | undefined,
  {value, marks, list}: Content,
): Register | undefined {
  if (before === undefined) return undefined
  const next = {value, marks, list}
  if (tag === undefined) return {...next, tag: '?', last: before.last}
  return isLater(tag, before.last) ? {...next, tag, last: tag} : undefined
}

function changed({value, marks, list}: Content, change: Change): Content {
  switch (change.kind) {
    case 'mark':
      return {value, marks: [...new Set([...marks, change.text])].sort(), list}
    case 'unmark':
      return {value, marks: marks.filter(mark => mark !== change.text), list}
    case 'append':
      return {value, marks, list: [...list, change.text]}
    case 'empty':
      return {value, marks, list: []}
  }
}

function isSame(left: Content, right: Content): boolean {
  const key = ({value, marks, list}: Content) => JSON.stringify([value, marks, list])
  return key(left) === key(right)
}

/** Whether a tag is later than another. */
export function isLater(tag: string, other: string): boolean {
  return BigInt(tag) > BigInt(other)
}
