/**
 * JSON-LD's keywords, the shapes of its JSON, and its two ways to fail.
 *
 * Floor 2. Sources: JSON-LD 1.1 §1.7 (keywords), §9.15; JSON-LD 1.1 API §9.6 (error codes).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'

export type JsonObject = {readonly [name: string]: unknown}

export function isBlankId(text: string): boolean {
  return text.startsWith('_:')
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Whether an object has a member of its own; '__proto__' and the like are names as any other. */
export function has(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name)
}

/** Not JSON-LD: the error codes are the specification's, in the member `code`. */
export function invalid(code: string, value: unknown, cause?: unknown): Problem {
  const message = value === undefined ? `JSON-LD, ${code}.` : `JSON-LD, ${code}: ${shown(value)}`
  return new Problem(400, 'jsonld-invalid', message, {members: {code}, cause})
}

/** JSON-LD that its algorithms would drop: refused, unless the caller asks to ignore it. */
export type Loss = (what: string, value: unknown) => void

export const refuseLoss: Loss = (what, value) => {
  throw new Problem(400, 'jsonld-lossless', `This part of the body would be lost: ${what}: ${shown(value)}`)
}

export const ignoreLoss: Loss = () => {}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? String(value))
}
