/**
 * Values of every kind as N-Quads: each number has one subject, with one value of each kind. Kinds that are compared
 * with another value have a second one.
 */
import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {finished} from 'node:stream/promises'

const xsd = 'http://www.w3.org/2001/XMLSchema#'
const typed = (value: string, type: string) => `"${value}"^^<${xsd}${type}>`

/** The same sequence in every run, unsorted. */
const mixed = (n: number) => (n * 7919) % 100_003

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'Zeta', 'Eta', 'Theta', 'ñandú', 'kappa']
const phrase = (n: number) => `${words[mixed(n) % 10]} ${mixed(n)} ${words[mixed(n) % 7]}`
const time = (n: number) => new Date(1_500_000_000_000 + mixed(n) * 61_001).toISOString()

const perDocument = 1000

const makers = {
  integer: n => typed(String(mixed(n)), 'integer'),
  otherInteger: n => typed(n % 2 === 0 ? `0${mixed(n)}` : `${mixed(n) + 1}00000000000000000000`, 'integer'),
  decimal: n => typed((mixed(n) / 100).toFixed(2), 'decimal'),
  otherDecimal: n => typed((mixed(n) / 100).toFixed(9), 'decimal'),
  double: n => typed((mixed(n) / 10).toFixed(1), 'double'),
  otherDouble: n => typed(`${(1 + (mixed(n) % 900) / 100).toFixed(2)}E${10 + (mixed(n) % 30)}`, 'double'),
  float: n => typed((mixed(n) / 10).toFixed(1), 'float'),
  boolean: n => typed(String(mixed(n) % 2 === 0), 'boolean'),
  dateTime: n => typed(time(n), 'dateTime'),
  otherDateTime: n => typed(time(n).replace('Z', '789012Z'), 'dateTime'),
  date: n => typed(time(n).slice(0, 10), 'date'),
  string: n => JSON.stringify(phrase(n)),
  longString: n => JSON.stringify(`${phrase(n)} ${'lorem ipsum dolor sit amet '.repeat(20)}`),
  language: n => `${JSON.stringify(phrase(n))}@${['en', 'es', 'en-GB'][n % 3]}`,
  iri: n => `<http://example.org/things/${mixed(n)}>`,
  blank: n => `_:b${n}`,
} as const satisfies Readonly<Record<string, (n: number) => string>>

export type Kind = keyof typeof makers | 'mixed'

const single = Object.keys(makers) as readonly (keyof typeof makers)[]

export const kindNames: readonly string[] = [...single, 'mixed']

/** Kinds with a second value: `<kind>2`. */
export const paired: readonly Kind[] = [
  'integer',
  'decimal',
  'double',
  'dateTime',
  'string',
  'language',
  'iri',
  'mixed',
]

/** Types of PostgreSQL for the same numbers. */
export const plainTypes: readonly (readonly [Kind, string])[] = [
  ['integer', 'int8'],
  ['decimal', 'numeric'],
  ['double', 'float8'],
]

function literalOf(kind: Kind, n: number): string {
  return makers[kind === 'mixed' ? (single[n % single.length] ?? 'integer') : kind](n)
}

/** A number in the same document with a value of the same kind; a blank node belongs to one document. */
function another(kind: Kind, n: number): number {
  const step = kind === 'mixed' ? single.length : 1
  return n - (n % perDocument) + ((n + step) % perDocument)
}

export async function writeValues(file: string, base: string, count: number): Promise<void> {
  const out = createWriteStream(file)
  for (const path of ['', 'values/'])
    out.write(`<${base}${path}> <${base}values#name> "a document" <${base}${path}> .\n`)
  for (let n = 0; n < count; n += 1) {
    const graph = `<${base}values/d${Math.floor(n / perDocument)}/>`
    const line = (name: string, object: string) =>
      `${graph.slice(0, -1)}#n${n}> <${base}values#${name}> ${object} ${graph} .\n`
    const lines = [...single, 'mixed' as const].map(kind => line(kind, literalOf(kind, n)))
    const second = paired.map(kind => line(`${kind}2`, literalOf(kind, another(kind, n))))
    const group = line('group', `<http://example.org/groups/${mixed(n) % 100}>`)
    if (!out.write([...lines, ...second, group].join(''))) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}
