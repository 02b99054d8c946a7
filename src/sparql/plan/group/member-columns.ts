/**
 * Names of the columns of members: an aggregate may need an argument in several forms. The number is its place.
 *
 * Pure.
 */
import type {NumberForm} from '../likely-number.ts'

/** The name of the column for the value of an argument, if it is a number of a known datatype. */
export function nameOfSummand(index: number): string {
  return `.number${index}`
}

/** The name of the column for the value of such an argument if it is scaled, or a float or a double instead. */
export function nameOfForm(index: number, form: NumberForm): string {
  return `.${form}${index}`
}

/** The name of the column for the key of an argument that is not such a number, if there are any. */
export function nameOfRest(index: number): string {
  return `.rest${index}`
}

/** The name of the column of members that keep a lexical form, for MIN and MAX. */
export function nameOfOrdered(index: number): string {
  return `.ordered${index}`
}

/** Whether an aggregate uses a column several times. */
export function isUsedTwice(name: string): boolean {
  return ['.number', '.scaled', '.stored', '.ordered'].some(start => name.startsWith(start))
}

/** The name of the column for the part of a stored term, or the computed text, that MIN and MAX compare. */
export function storedOf(index: number): string {
  return `.stored${index}`
}

/** The name of the column of values that GROUP_CONCAT concatenates. */
export function textOf(index: number): string {
  return `.text${index}`
}

/** The name of the column for a key by which members are sorted before GROUP_CONCAT. */
export function nameOfSortKey(index: number): string {
  return `.sort${index}`
}
