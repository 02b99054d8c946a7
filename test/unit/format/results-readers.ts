/** Small readers of the results formats, for round-trip tests. */
import {readNTriples, readTurtle} from '../../../src/format/n3-read.ts'
import type {SolutionRow} from '../../../src/format/results-types.ts'
import {blankNode, langLiteral, literal, namedNode, type Term} from '../../../src/rdf/term.ts'

export type Table = {readonly variables: readonly string[]; readonly rows: readonly SolutionRow[]}

type JsonTerm = {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}
type JsonResults = {
  readonly head: {readonly vars: readonly string[]}
  readonly results: {readonly bindings: readonly Readonly<Record<string, JsonTerm>>[]}
}

export function readJson(text: string): Table {
  const {head, results}: JsonResults = JSON.parse(text)
  return {variables: head.vars, rows: results.bindings.map(row => head.vars.map(name => fromJson(row[name])))}
}

function fromJson(term: JsonTerm | undefined): Term | undefined {
  if (term === undefined) return undefined
  return makeTerm(term.type, term.value, term['xml:lang'], term.datatype)
}

function makeTerm(type: string | undefined, value: string, language?: string, datatype?: string): Term {
  if (type === 'uri') return namedNode(value)
  if (type === 'bnode') return blankNode(value)
  return language === undefined ? literal(value, datatype) : langLiteral(value, language)
}

const binding =
  /<binding name="([^"]*)"><(\w+)(?: xml:lang="([^"]*)")?(?: datatype="([^"]*)")?>([^<]*)<\/\2><\/binding>/g

export function readXml(text: string): Table {
  const variables = Array.from(text.matchAll(/<variable name="([^"]*)"\/>/g), ([, name = '']) => unescapeXml(name))
  const rows = Array.from(text.matchAll(/<result>(.*?)<\/result>/gs), ([, result = '']) => {
    const values = new Map<string, Term>()
    for (const [, name = '', type, language, datatype, value = ''] of result.matchAll(binding)) {
      const read = [language, datatype].map(field => (field === undefined ? undefined : unescapeXml(field)))
      values.set(unescapeXml(name), makeTerm(type, unescapeXml(value), read[0], read[1]))
    }
    return variables.map(name => values.get(name))
  })
  return {variables, rows}
}

/** Normalises line ends like an XML parser, before references are replaced. */
function unescapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"'}
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/&(?:#x([0-9A-F]+)|(\w+));/g, (_, hex: string | undefined, name: string) =>
      hex === undefined ? (names[name] ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
    )
}

/** Parses each cell with the Turtle reader, as the object of a statement. */
export async function readTsv(text: string): Promise<Table> {
  const [head = '', ...lines] = text.slice(0, -1).split('\n')
  const rows = lines.map(line => Promise.all(line.split('\t').map(readCell)))
  return {variables: head.split('\t').map(name => name.slice(1)), rows: await Promise.all(rows)}
}

async function readCell(cell: string): Promise<Term | undefined> {
  if (cell === '') return undefined
  const read = cell.startsWith('_:') ? readNTriples : readTurtle
  const [quad] = await read(Buffer.from(`<x:s> <x:p> ${cell} .`), {base: 'x:base'})
  return quad?.object
}

/** Records of RFC 4180. An empty field without quotes is no value. */
export function readCsv(text: string): readonly (readonly (string | undefined)[])[] {
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  const records: (string | undefined)[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(fields)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? undefined : plain))
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}
