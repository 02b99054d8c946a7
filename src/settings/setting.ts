/**
 * The type of a setting, and parsers that several settings share.
 *
 * Pure.
 */
import {normaliseEscapes} from '../http/percent.ts'
import type {Iri} from '../rdf/term.ts'

/** A setting and its parser. The error for an invalid value quotes `expected`, or the reason that `read` throws. */
export type Setting<Value = unknown, Initial extends string = string> = {
  readonly initial: Initial // the default as text; '' is none
  readonly about: string // one line, for --help and docs/settings.md
  readonly expected: string
  readonly read: (text: string) => Value | undefined // undefined: invalid
  readonly isSecret?: boolean // its value is never printed
}

export const setting = <Value, const Initial extends string>(value: Setting<Value, Initial>): Setting<Value, Initial> =>
  value

/** The values of a table of settings. A setting without a default is undefined if it is not given. */
export type ValuesOf<Table extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Table]:
    | NonNullable<ReturnType<Table[Name]['read']>>
    | ('' extends Table[Name]['initial'] ? undefined : never)
}

export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return text => {
    const value = Number(text)
    return /^\d{1,12}$/.test(text) && value >= least && value <= most ? value : undefined
  }
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): (text: string) => Choice | undefined {
  return text => choices.find(choice => choice === text)
}

/** A parser of a whole number, or of the word that switches a limit off, which gives Infinity. */
export function numberOrOff(least: number, most: number): (text: string) => number | undefined {
  const read = wholeNumber(least, most)
  return text => (text === 'off' ? Number.POSITIVE_INFINITY : read(text))
}

/** Any name that is valid in PostgreSQL and not reserved for it. */
export function readSchema(text: string): string | undefined {
  const isPossible = Buffer.byteLength(text) <= 63 && !text.includes('\0')
  return isPossible && !text.startsWith('pg_') && text !== 'information_schema' ? text : undefined
}

/** The URL in normal form (host in lower case, no default port), with a slash at its end. */
export function readBase(text: string): Iri | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain =
    url.username === '' && url.password === '' && url.search === '' && url.hash === '' && !/[?#]/.test(text)
  if (!/^https?:$/.test(url.protocol) || !isPlain || url.pathname.includes('//')) return undefined
  const href = normaliseEscapes(url.href) // as for request targets
  return href.endsWith('/') ? href : `${href}/`
}
