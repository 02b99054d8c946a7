/**
 * Brings answers of different engines to one form: the rows as a multiset of values.
 *
 * Engines write equal values differently. Numbers are compared by value, instants by time, booleans as 0 and 1, and
 * language tags in lower case. Labels of blank nodes are ignored. Pure.
 */
import {formatOfMediaType} from '../../src/format/registry.ts'
import {xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'

type Value = {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

/** The sorted lines of an answer. `row` joins the variables in the order of their names. */
export async function canonical(type: string, body: Buffer): Promise<readonly string[]> {
  return (type.includes('json') ? rowsOf(body.toString('utf8')) : await triplesOf(body)).sort()
}

type Results = {
  readonly boolean?: boolean // of ASK
  readonly results?: {readonly bindings: readonly Readonly<Record<string, Value>>[]}
}

function rowsOf(text: string): string[] {
  const {boolean, results} = JSON.parse(text) as Results
  if (boolean !== undefined) return [String(boolean)]
  return (results?.bindings ?? []).map(row =>
    Object.entries(row)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `${name}=${valueText(value)}`)
      .join(' '),
  )
}

/** The triples of a graph, each once. */
async function triplesOf(body: Buffer): Promise<string[]> {
  const parse = formatOfMediaType('application/n-triples')?.parse
  const quads = (await parse?.(body, {base: 'http://localhost/'})) ?? []
  const lines = quads.map(({subject, predicate, object}) => {
    const literal = object.termType === 'Literal' ? {datatype: object.datatype.value, 'xml:lang': object.language} : {}
    const type = {NamedNode: 'uri', BlankNode: 'bnode', Literal: 'literal'}[object.termType]
    return `${subject.value} ${predicate.value} ${valueText({type, value: object.value, ...literal})}`
  })
  return [...new Set(lines)]
}

const numeric = new Set(
  ['integer', 'decimal', 'double', 'float', 'int', 'long', 'nonNegativeInteger'].map(name => xsdNamespace + name),
)

function valueText({type, value, datatype = '', 'xml:lang': language = ''}: Value): string {
  if (type === 'uri') return `<${value}>`
  if (type === 'bnode') return '_'
  if (language !== '') return JSON.stringify(`${value}@${language.toLowerCase()}`)
  if (numeric.has(datatype)) return String(Number(value))
  if (datatype === xsd.boolean) return value === 'true' || value === '1' ? '1' : '0'
  if (datatype === xsd.dateTime) return new Date(value).toISOString()
  return JSON.stringify(value)
}
