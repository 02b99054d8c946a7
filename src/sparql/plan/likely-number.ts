/**
 * The forms of numbers in SQL, and what computed numbers are that are held as keys. Each such key is that of a number
 * in canonical form, so SQL reads it without a regular expression.
 *
 * Pure.
 */

/** What such numbers are likely to be: integers and decimals, floats, or doubles. */
export type LikelyNumber = 'exact' | 'float' | 'double'

/**
 * The forms of numbers in SQL from which keys are made: int8 or numeric for integers, numeric for decimals, float8 for
 * floats and doubles. A scaled number is numeric, too: an xsd:integer if its scale is zero, otherwise an xsd:decimal.
 * PostgreSQL's `+`, `-` and `*` give the result the scale that its datatype needs (SPARQL 1.1 §17.3).
 */
export type NumberForm = 'integer' | 'decimal' | 'scaled' | 'float' | 'double'

export function likelyNumber(form: NumberForm): LikelyNumber {
  return form === 'float' || form === 'double' ? form : 'exact'
}
