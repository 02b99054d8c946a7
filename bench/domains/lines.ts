/** Lines of N-Quads, as the generators of data sets write them. */
import type {Random} from '../../test/support/random.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'

/** The state of a generator, and the lines that it has written. */
export type Context = {readonly random: Random; readonly lines: string[]}

/** The subject is a name below the base. The object is an IRI, or a literal if it begins with a quotation mark. */
type Triple = readonly [subject: string, predicate: string, object: string]

export const literal = (text: string | number, type: string) => `"${text}"^^<${xsd}${type}>`
export const pad = (number: number) => String(number).padStart(2, '0')

/** @returns  what adds a triple to a raw graph. The graph is a name below the base. */
export function createAdd(base: string) {
  return ({lines}: Context, graph: string, [subject, predicate, object]: Triple): void => {
    lines.push(
      `<${base}${subject}> <${predicate}> ${object.startsWith('"') ? object : `<${object}>`} <${base}graph/${graph}> .`,
    )
  }
}
