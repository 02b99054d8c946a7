/**
 * A document that only its clients write, as a register with compare-and-set: what each request makes of it.
 *
 * Its versions have names, their entity tags, which grow and never come again.
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
    | {readonly kind: 'created'; readonly tag: string; readonly value: string}
    | {readonly kind: 'replaced'; readonly from: string; readonly tag: string; readonly value: string}
    | {readonly kind: 'exchanged'; readonly from: string; readonly tag: string; readonly value: string} // by a patch
    | {readonly kind: 'patched'; readonly from?: string; readonly tag: string; readonly change: Change}
    | {readonly kind: 'deleted'; readonly from: string}
    | {readonly kind: 'read'; readonly tag: string; readonly content: Content}
    | {readonly kind: 'mismatch'; readonly from: string} // 412: it was there, in another version
    | {readonly kind: 'absent'} // 404
    | {readonly kind: 'present'} // 409 to a create
  )

export type Register = Content & {
  readonly tag: string // '' while it is not there
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
      return isAt(register, operation.from)
        ? written(register, operation.tag, {...nothing, value: operation.value})
        : undefined
    case 'exchanged':
      return isAt(register, operation.from)
        ? written(register, operation.tag, {...register, value: operation.value})
        : undefined
    case 'patched':
      return isThere && (operation.from === undefined || isAt(register, operation.from))
        ? written(register, operation.tag, changed(register, operation.change))
        : undefined
    case 'deleted':
      return isAt(register, operation.from) ? {...nothing, tag: '', last: register.last} : undefined
    case 'read':
      return isAt(register, operation.tag) && isSame(register, operation.content) ? register : undefined
    case 'mismatch':
      return isThere && !isAt(register, operation.from) ? register : undefined
    case 'absent':
      return isThere ? undefined : register
    case 'present':
      return isThere ? register : undefined
  }
}

function isAt({tag}: Register, version: string): boolean {
  return tag !== '' && tag === version
}

/** The next version; undefined when its tag is no new one. */
function written({last}: Register, tag: string, {value, marks, list}: Content): Register | undefined {
  return isLater(tag, last) ? {value, marks, list, tag, last: tag} : undefined
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
