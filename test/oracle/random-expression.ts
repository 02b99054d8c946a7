/** Random expressions as texts: operators with terms of fitting and of other types. */
import fc from 'fast-check'

type Text = fc.Arbitrary<string>

export type ExpressionParts = {
  readonly depth: number
  readonly variable: Text
  readonly value: Text
  readonly group: Text // for EXISTS
}

const unary = [
  '!(A)',
  '-(A)',
  'STR(A)',
  'LANG(A)',
  'DATATYPE(A)',
  'STRLEN(A)',
  'UCASE(A)',
  'LCASE(A)',
  'isIRI(A)',
  'isBLANK(A)',
  'isLITERAL(A)',
  'isNUMERIC(A)',
  'ABS(A)',
  'ROUND(A)',
  'CEIL(A)',
  'FLOOR(A)',
  'YEAR(A)',
  'SECONDS(A)',
  'TZ(A)',
  'ENCODE_FOR_URI(A)',
  'IRI(A)',
  'SUBSTR(A, 1, 1)',
  'SUBSTR(A, 2)',
  'REGEX(A, "^A", "i")',
  'REGEX(A, "a|B")',
  'REPLACE(A, "[a-b]", "($0)")',
  'REPLACE(A, "[^/#]*$", "<$0>")',
  'STRDT(A, <http://e/unknown>)',
  'STRLANG(A, "en")',
  'LANGMATCHES(LANG(A), "en")',
  'MD5(A)',
  ...['integer', 'decimal', 'double', 'boolean', 'string', 'dateTime'].map(
    name => `<http://www.w3.org/2001/XMLSchema#${name}>(A)`,
  ),
]

const binary = [
  ...['=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/', '&&', '||'].map(sign => `((A) ${sign} (B))`),
  'sameTerm(A, B)',
  'CONTAINS(A, B)',
  'STRSTARTS(A, B)',
  'STRENDS(A, B)',
  'STRBEFORE(A, B)',
  'STRAFTER(A, B)',
  'CONCAT(A, B)',
  'COALESCE(A, B)',
  '(A IN (B, 1))',
  '(A NOT IN (B))',
]

export function randomExpression({depth, variable, value, group}: ExpressionParts): Text {
  const leaf = fc.oneof(
    {weight: 4, arbitrary: variable},
    {weight: 2, arbitrary: value},
    fc.constantFrom(':a', '1', 'true'),
  )
  const bound = variable.map(name => `BOUND(${name})`)
  if (depth === 0) return fc.oneof({weight: 6, arbitrary: leaf}, bound)
  const inner = randomExpression({depth: depth - 1, variable, value, group})
  const fill = (template: string, ...operands: readonly string[]) =>
    template.replace(/\b[ABC]\b(?=[ ,)])/g, letter => operands['ABC'.indexOf(letter)] ?? letter)
  return fc.oneof(
    leaf,
    bound,
    {weight: 4, arbitrary: fc.tuple(fc.constantFrom(...unary), inner).map(([form, a]) => fill(form, a))},
    {weight: 6, arbitrary: fc.tuple(fc.constantFrom(...binary), inner, inner).map(([form, a, b]) => fill(form, a, b))},
    fc.tuple(inner, inner, inner).map(([a, b, c]) => `IF(${a}, ${b}, ${c})`),
    fc.tuple(fc.constantFrom('', 'NOT '), group).map(([not, text]) => `${not}EXISTS ${text}`),
  )
}
