/**
 * What computed numbers are that are held as keys. Each key is that of a number of some datatype in canonical form, so
 * SQL reads it without a regular expression.
 *
 * Pure.
 */

/** What such numbers are likely to be: integers and decimals, floats, or doubles. */
export type LikelyNumber = 'exact' | 'float' | 'double'

/** @param rep  the form of the numbers from which the keys are made (block.ts) */
export function likelyNumber(rep: 'integer' | 'decimal' | 'float' | 'double'): LikelyNumber {
  return rep === 'float' || rep === 'double' ? rep : 'exact'
}
