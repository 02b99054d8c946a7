/** Functions that the tests of the worker pool run in a thread. */
import {threadId} from 'node:worker_threads'
import {Problem} from '../../../src/base/problem.ts'

export const thread = (): number => threadId

export const double = (value: number): number => 2 * value

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const refuse = (value: number): never => {
  throw new Problem(422, 'too-odd', `${value} is odd`, {members: {line: 3}, headers: {'Retry-After': '1'}})
}

export const fail = (): never => {
  throw new TypeError('a fault of ours')
}

export const spin = (): never => {
  for (;;);
}

export const fill = (): never => {
  const held: unknown[] = []
  for (;;) held.push({held: [held.length]})
}

export const exit = (): never => process.exit(0)
