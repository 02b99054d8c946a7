/**
 * JSON-LD's keywords, the shapes of its JSON, and its two ways to fail.
 *
 * Floor 2. Sources: JSON-LD 1.1 §1.7 (keywords), §9.15; JSON-LD 1.1 API §9.6 (error codes).
 */
import {Problem} from '../base/problem.ts'
import {excerpt} from './body-text.ts'

export type JsonObject = {readonly [name: string]: unknown}

const keywords = new Set([
  '@base',
  '@container',
  '@context',
  '@direction',
  '@graph',
  '@id',
  '@import',
  '@included',
  '@index',
  '@json',
  '@language',
  '@list',
  '@nest',
  '@none',
  '@prefix',
  '@propagate',
  '@protected',
  '@reverse',
  '@set',
  '@type',
  '@value',
  '@version',
  '@vocab',
])

export function isKeyword(text: unknown): boolean {
  return typeof text === 'string' && keywords.has(text)
}

/** Reserved for keywords to come: such a word is never a term. */
export function hasKeywordForm(text: string): boolean {
  return /^@[A-Za-z]+$/.test(text)
}

/** Whether a word can be an IRI: it has a scheme. What else an IRI must be is checked when terms are made. */
export function hasIriForm(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)
}

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
  const shown = excerpt(JSON.stringify(value) ?? String(value))
  return new Problem(400, 'jsonld-invalid', `JSON-LD, ${code}: ${shown}`, {members: {code}, cause})
}

/** JSON-LD that its algorithms would drop: refused, unless the caller asks to ignore it. */
export type Loss = (what: string, value: unknown) => void

export const refuseLoss: Loss = (what, value) => {
  const shown = excerpt(JSON.stringify(value) ?? String(value))
  throw new Problem(400, 'jsonld-lossless', `This part of the body would be lost: ${what}: ${shown}`)
}

export const ignoreLoss: Loss = () => {}
