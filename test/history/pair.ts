/**
 * The model of two documents with one number each, which updates change together.
 *
 * An update that changes both is one operation: nobody may see half of it. Other requests change or read one of them.
 */
import type {Interval, Model} from './linearize.ts'

export type Side = 0 | 1
export type Both<Item> = readonly [Item, Item]

export type PairOperation = Interval &
  (
    | {readonly kind: 'added'; readonly by: number; readonly tags?: Both<string>} // to both numbers
    | {readonly kind: 'swapped'; readonly tags?: Both<string>}
    | {
        readonly kind: 'replaced'
        readonly at: Side
        readonly from: string
        readonly tag?: string
        readonly value: number
      }
    | {readonly kind: 'patched'; readonly at: Side; readonly tag?: string; readonly by: number} // added to one number
    | {readonly kind: 'mismatch'; readonly at: Side; readonly from: string} // 412
    | {readonly kind: 'read'; readonly at: Side; readonly tag: string; readonly value: number}
    | {readonly kind: 'snapshot'; readonly values: Both<number>} // both numbers, by one query
  )

export type Pair = {readonly values: Both<number>; readonly tags: Both<string>} // tag '?': no response had it yet

export const pairModel: Model<Pair, PairOperation> = {
  step,
  isReading: ({kind}) => kind === 'mismatch' || kind === 'read' || kind === 'snapshot',
}

const unknown: Both<string> = ['?', '?']

function step(pair: Pair, operation: PairOperation): Pair | undefined {
  const {values, tags} = pair
  const [left, right] = values
  switch (operation.kind) {
    case 'added':
      return {values: [left + operation.by, right + operation.by], tags: operation.tags ?? unknown}
    case 'swapped':
      return {values: [right, left], tags: operation.tags ?? unknown}
    case 'replaced': {
      const {at, from, tag = '?', value} = operation
      return mayBe(tags[at], from) ? withSide(pair, at, {tag, value}) : undefined
    }
    case 'patched':
      return withSide(pair, operation.at, {tag: operation.tag ?? '?', value: values[operation.at] + operation.by})
    case 'mismatch':
      return tags[operation.at] === operation.from ? undefined : pair
    case 'read': {
      const {at, tag, value} = operation
      if (!mayBe(tags[at], tag) || values[at] !== value) return undefined
      return tags[at] === tag ? pair : withSide(pair, at, {tag, value})
    }
    case 'snapshot':
      return values[0] === operation.values[0] && values[1] === operation.values[1] ? pair : undefined
  }
}

function mayBe(stored: string, tag: string): boolean {
  return stored === tag || stored === '?'
}

function withSide({values, tags}: Pair, at: Side, {tag, value}: {readonly tag: string; readonly value: number}): Pair {
  return at === 0
    ? {values: [value, values[1]], tags: [tag, tags[1]]}
    : {values: [values[0], value], tags: [tags[0], tag]}
}
