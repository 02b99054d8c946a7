/**
 * Reads durations.
 *
 * Pure. Source: XML Schema 1.1 part 2 §3.3.6, §3.4.26, §3.4.27.
 */
import type {Literal} from './term.ts'
import {xsd} from './vocabulary.ts'

export const durationTypes: readonly string[] = [xsd.duration, xsd.dayTimeDuration, xsd.yearMonthDuration]

export type Duration = {
  readonly months: bigint
  readonly seconds: string // a decimal; negative if the months are
}

const part = (letter: string) => String.raw`(?:(\d{1,9})${letter})?`
const clock = `(?:T${part('H')}${part('M')}${String.raw`(?:(\d{1,9})(\.\d{1,12})?S)?`})?`
const form = new RegExp(`^(-?)P${part('Y')}${part('M')}${part('D')}${clock}$`)

/** @returns  undefined for other datatypes, ill-formed literals, and numbers of more than nine digits */
export function readDuration({value, datatype}: Literal): Duration | undefined {
  const [, sign, ...parts] = durationTypes.includes(datatype.value) ? (form.exec(value) ?? []) : []
  if (sign === undefined || /[PT]$/.test(value)) return undefined
  const [years, months, ...others] = parts
  if (datatype.value === xsd.dayTimeDuration && (years ?? months) !== undefined) return undefined
  if (datatype.value === xsd.yearMonthDuration && others.some(one => one !== undefined)) return undefined
  const count = BigInt(years ?? 0) * 12n + BigInt(months ?? 0)
  const whole = [86_400n, 3600n, 60n, 1n].reduce((sum, unit, index) => sum + unit * BigInt(others[index] ?? 0), 0n)
  return {months: sign === '-' ? -count : count, seconds: `${sign}${whole}${others[4] ?? ''}`}
}
