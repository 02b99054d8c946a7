/**
 * What a setting is, and the common ways to read one.
 *
 * Pure.
 */
import {normaliseEscapes} from '../http/percent.ts'
import type {Iri} from '../rdf/term.ts'

/** How a setting's text becomes its value; what it refuses is told with `expected`, or with the reason it throws. */
export type Setting<Value> = {
  readonly initial: string // as text; '': none
  readonly about: string // one line, for --help and docs/settings.md
  readonly expected: string
  readonly read: (text: string) => Value | undefined // undefined: not what is expected
  readonly isSecret?: boolean // its value is never shown
}

export const setting = <Value>(value: Setting<Value>): Setting<Value> => value

export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return text => {
    const value = Number(text)
    return /^\d{1,12}$/.test(text) && value >= least && value <= most ? value : undefined
  }
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): (text: string) => Choice | undefined {
  return text => choices.find(choice => choice === text)
}

/** A whole number, or the word that switches it off, which is read as Infinity. */
export function numberOrOff(least: number, most: number): (text: string) => number | undefined {
  const read = wholeNumber(least, most)
  return text => (text === 'off' ? Number.POSITIVE_INFINITY : read(text))
}

/** Any name that PostgreSQL takes, except what it keeps for itself. */
export function readSchema(text: string): string | undefined {
  const isPossible = Buffer.byteLength(text) <= 63 && !text.includes('\0')
  return isPossible && !text.startsWith('pg_') && text !== 'information_schema' ? text : undefined
}

/** The URL as browsers and clients write it (host in lower case, no default port), with a slash at its end. */
export function readBase(text: string): Iri | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain =
    url.username === '' && url.password === '' && url.search === '' && url.hash === '' && !/[?#]/.test(text)
  if (!/^https?:$/.test(url.protocol) || !isPlain || url.pathname.includes('//')) return undefined
  const href = normaliseEscapes(url.href) // as request targets are read
  return href.endsWith('/') ? href : `${href}/`
}
