/**
 * A document that only its clients write, as a register with compare-and-set: what each request makes of it.
 *
 * Its versions have names, their entity tags, which grow and never come again. The tag of a write whose answer was lost
 * is not known until somebody reads it.
 */
import type {Interval, Model} from './linearize.ts'

export type Content = {
  readonly value: string // said by many triples, all of which change at once
  readonly marks: readonly string[] // sorted
  readonly list: readonly string[]
}

/** What a patch does, whatever it meets. */
export type Change = {readonly kind: 'mark' | 'unmark' | 'append'; readonly text: string} | {readonly kind: 'empty'} // the list

export type RegisterOperation = Interval &
  (
    | {readonly kind: 'created'; readonly tag?: string; readonly value: string}
    | {readonly kind: 'replaced'; readonly from: string; readonly tag?: string; readonly value: string}
    | {readonly kind: 'exchanged'; readonly from: string; readonly tag?: string; readonly value: string} // by a patch
    | {readonly kind: 'patched'; readonly from?: string; readonly tag?: string; readonly change: Change}
    | {readonly kind: 'deleted'; readonly from: string}
    | {readonly kind: 'read'; readonly tag: string; readonly content: Content}
    | {readonly kind: 'mismatch'; readonly from: string} // 412: it was there, in another version
    | {readonly kind: 'absent'} // 404
    | {readonly kind: 'present'} // 409 to a create
  )

export type Register = Content & {
  readonly tag: string // '' while it is not there, '?' while nobody was told
  readonly last: string // the tag given last
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

/** The register, known to be of this version; undefined when it is of another. */
function at(register: Register, version: string): Register | undefined {
  if (register.tag !== '?') return register.tag !== '' && register.tag === version ? register : undefined
  return isLater(version, register.last) ? {...register, tag: version, last: version} : undefined
}

/** The next version; undefined when there is none before it, or its tag is no new one. */
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

/** Whether a tag was given after another. */
export function isLater(tag: string, other: string): boolean {
  return BigInt(tag) > BigInt(other)
}
