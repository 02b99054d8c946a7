/**
 * Tests on the JSON of JSON-LD, and its two errors: invalid JSON-LD and data that would be lost.
 *
 * Sources: JSON-LD 1.1 §1.7 (keywords), §9.15; JSON-LD 1.1 API §9.6 (error codes).
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

/** Whether an object has an own member of this name. '__proto__' and the like are ordinary names. */
export function has(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name)
}

/** The Problem 400 `jsonld-invalid`. Its member `code` is the error code of the specification. */
export function jsonldProblem(code: string, value: unknown, cause?: unknown): Problem {
  const message = value === undefined ? `JSON-LD, ${code}.` : `JSON-LD, ${code}: ${shown(value)}`
  return new Problem(400, 'jsonld-invalid', message, {members: {code}, cause})
}

/** Handles data that the JSON-LD algorithms would drop: throws or ignores it. */
export type LossHandler = (what: string, value: unknown) => void

/** @throws Problem 400 `jsonld-lossless` */
export const refuseLoss: LossHandler = (what, value) => {
  throw new Problem(400, 'jsonld-lossless', `This part of the body would be lost: ${what}: ${shown(value)}`)
}

export const ignoreLoss: LossHandler = () => {}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? String(value))
}
