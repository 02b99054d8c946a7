/**
 * Reads expected results of the W3C SPARQL tests from any of their formats.
 *
 * Sources: SPARQL 1.1 Query Results XML, JSON, CSV and TSV formats; the result-set vocabulary of the DAWG tests.
 */
import {SaxesParser} from 'saxes'
import {blankNode, langLiteral, literal, namedNode, type Quad, type Term} from '../../src/rdf/term.ts'
import {rdf} from '../../src/rdf/vocabulary.ts'
import {parseOf} from './reader.ts'
import {extensionOf, readQuads, readText} from './sparql-tests.ts'

export type Row = Readonly<Record<string, Term>>
export type Result =
  | {readonly kind: 'boolean'; readonly value: boolean}
  | {
      readonly kind: 'bindings'
      readonly vars: readonly string[]
      readonly rows: readonly Row[]
      readonly isOrdered?: boolean
    }
  | {readonly kind: 'graph'; readonly quads: readonly Quad[]}

export async function readExpected(path: string): Promise<Result> {
  switch (extensionOf(path)) {
    case 'srx':
      return readXml(readText(path))
    case 'srj':
      return readJson(readText(path))
    case 'csv':
      return readCsv(readText(path))
    case 'tsv':
      return readTsv(readText(path))
    default:
      return readResultSet(await readQuads(path))
  }
}

function readXml(text: string): Result {
  const vars: string[] = []
  const rows: Record<string, Term>[] = []
  let characters = ''
  let name = ''
  let attributes: Readonly<Record<string, string>> = {}
  let value: boolean | undefined
  const parser = new SaxesParser()
  parser.on('opentag', tag => {
    characters = ''
    attributes = tag.attributes as Readonly<Record<string, string>>
    if (tag.name === 'variable') vars.push(attributes.name ?? '')
    if (tag.name === 'result') rows.push({})
    if (tag.name === 'binding') name = attributes.name ?? ''
  })
  const add = (more: string) => {
    characters += more
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', tag => {
    if (tag.name === 'boolean') value = characters.trim() === 'true'
    const term = termOf(tag.name, characters, attributes['xml:lang'], attributes.datatype)
    const row = rows.at(-1)
    if (term !== undefined && row !== undefined) row[name] = term
  })
  parser.write(text).close()
  return value === undefined ? {kind: 'bindings', vars, rows} : {kind: 'boolean', value}
}

function termOf(type: string, value: string, language?: string, datatype?: string): Term | undefined {
  if (type === 'uri') return namedNode(value)
  if (type === 'bnode') return blankNode(value)
  if (type !== 'literal' && type !== 'typed-literal') return undefined
  return language ? langLiteral(value, language) : literal(value, datatype)
}

type JsonTerm = {
  readonly type: string
  readonly value: string
  readonly 'xml:lang'?: string
  readonly datatype?: string
}
type JsonResult = {
  readonly head: {readonly vars?: readonly string[]}
  readonly boolean?: boolean
  readonly results?: {readonly bindings: readonly Readonly<Record<string, JsonTerm>>[]}
}

export function readJson(text: string): Result {
  const {head, boolean, results} = JSON.parse(text) as JsonResult
  if (boolean !== undefined) return {kind: 'boolean', value: boolean}
  const rows = (results?.bindings ?? []).map(row => {
    const terms = Object.entries(row).map(([name, held]) => [
      name,
      termOf(held.type, held.value, held['xml:lang'], held.datatype),
    ])
    return Object.fromEntries(terms) as Row
  })
  return {kind: 'bindings', vars: head.vars ?? [], rows}
}

/** Cells are texts only; `_:x` is a blank node. */
export function readCsv(text: string): Result {
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y
  const lines: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const [, value = '', end = ''] = cell.exec(text) ?? []
    lines.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end !== ',' && cell.lastIndex < text.length) lines.push([])
  }
  const [vars = [], ...body] = lines
  const termOfCell = (value: string) => (value.startsWith('_:') ? blankNode(value.slice(2)) : literal(value))
  const rows = body.map(cells =>
    Object.fromEntries(
      cells.flatMap((value, index) => (value === '' ? [] : [[vars[index] ?? '', termOfCell(value)] as const])),
    ),
  )
  return {kind: 'bindings', vars, rows}
}

export async function readTsv(text: string): Promise<Result> {
  const [head = '', ...body] = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const vars = head.split('\t').map(name => name.slice(1))
  const rows = body.map(async line => {
    const cells = line.split('\t')
    const turtle = cells.map((cell, index) => (cell === '' ? '' : `<urn:s> <urn:x:${index}> ${cell} .\n`)).join('')
    const quads = await parseOf('text/turtle')(new TextEncoder().encode(turtle), {base: 'urn:x'})
    return Object.fromEntries(
      quads.map(({predicate, object}) => [vars[Number(predicate.value.slice('urn:x:'.length))] ?? '', object]),
    )
  })
  return {kind: 'bindings', vars, rows: await Promise.all(rows)}
}

const resultSet = 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#'

/** A result set that is described in RDF; any other graph is itself the expected result. */
function readResultSet(quads: readonly Quad[]): Result {
  const objects = (subject: Term | undefined, name: string) =>
    quads
      .filter(quad => quad.subject.value === subject?.value && quad.predicate.value === resultSet + name)
      .map(({object}) => object)
  const set = quads.find(
    ({predicate, object}) => predicate.value === rdf.type && object.value === `${resultSet}ResultSet`,
  )?.subject
  if (set === undefined) return {kind: 'graph', quads}
  const [boolean] = objects(set, 'boolean')
  if (boolean !== undefined) return {kind: 'boolean', value: boolean.value === 'true' || boolean.value === '1'}
  const solutions = objects(set, 'solution').map(solution => {
    const bindings = objects(solution, 'binding').flatMap(binding => {
      const [[variable], [value]] = [objects(binding, 'variable'), objects(binding, 'value')]
      return variable === undefined || value === undefined ? [] : [[variable.value, value] as const]
    })
    return {index: objects(solution, 'index')[0]?.value, row: Object.fromEntries(bindings)}
  })
  const isOrdered = solutions.length > 0 && solutions.every(({index}) => index !== undefined)
  const rows = solutions.sort((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0)).map(({row}) => row)
  return {kind: 'bindings', vars: objects(set, 'resultVariable').map(({value}) => value), rows, isOrdered}
}
