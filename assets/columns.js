/**
 * What the columns of an answer have in common: a datatype or language, whether they are numbers, and their order.
 *
 * Pure.
 *
 * @typedef {import('./terms.js').Term} Term
 * @typedef {readonly (Term | undefined)[]} Row
 * @typedef {{name: string, index: number, type: string | undefined, language: string | undefined, isNumeric: boolean}} Column
 *   type, language: of all its literals, if they have the same one
 */
import {xsd} from './terms.js'

const numeric = new Set(
  `integer decimal double float int long short byte nonNegativeInteger positiveInteger negativeInteger
   nonPositiveInteger unsignedInt unsignedLong unsignedShort unsignedByte`
    .split(/\s+/)
    .map(name => xsd + name),
)

/**
 * The number of a numeric literal; undefined for other terms.
 *
 * @param {Term | undefined} term
 */
export function numberOf(term) {
  if (term?.kind !== 'literal' || !numeric.has(term.datatype)) return undefined
  const number = Number(term.value.replace('INF', 'Infinity'))
  return Number.isNaN(number) ? undefined : number
}

/**
 * @param {readonly string[]} names
 * @param {readonly Row[]} rows
 * @returns {readonly Column[]}
 */
export function columnsOf(names, rows) {
  return names.map((name, index) => {
    const terms = rows.flatMap(row => row[index] ?? [])
    const literals = terms.flatMap(term => (term.kind === 'literal' ? [term] : []))
    const isWhole = literals.length > 0 && literals.length === terms.length
    const [first] = literals
    const isSame = isWhole && literals.every(one => one.datatype === first?.datatype && one.language === first.language)
    return {
      name,
      index,
      type: isSame && first?.language === '' && first.datatype !== `${xsd}string` ? first.datatype : undefined,
      language: isSame && first?.language !== '' ? first?.language : undefined,
      isNumeric: isWhole && literals.every(one => numberOf(one) !== undefined),
    }
  })
}

const collator = new Intl.Collator(undefined, {numeric: true})

/**
 * Compares two cells: unbound last, numbers by value, others as `textOf` shows them.
 *
 * @param {Term | undefined} left
 * @param {Term | undefined} right
 * @param {(term: Term) => string} textOf
 */
export function compareTerms(left, right, textOf) {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a - b
  return collator.compare(textOf(left), textOf(right))
}
