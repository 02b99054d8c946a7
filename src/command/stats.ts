/**
 * `quadstead stats`: prints how much is stored, the largest documents and the most frequent predicates.
 */
import {Refusal} from '../base/refusal.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {
  type Count,
  type Frequent,
  type RawNumbers,
  readFrequent,
  readNumbers,
  readRawNumbers,
  type StoreNumbers,
} from '../db/store/statistics.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'

const shown = 10 // entries of each list: largest documents, predicates

export const statsCommand: Command = {
  name: 'stats',
  summary: 'how much is stored: documents, raw graphs, triples, terms, bytes, the largest graphs, frequent predicates',
  usage: '[--json]',
  options: {json: {type: 'boolean'}},
  operands: {least: 0, most: 0},
  help: `Triples are counted once, quads in each graph that has them. Raw graphs are those of "quadstead import --raw".

Takes no longer the more there is: above 100000 rows, and for documents and predicates, the numbers are
estimates from PostgreSQL's statistics, marked with ~. "vacuum analyze" in psql brings those up to date.

Options:
  --json  one JSON object

Examples:
  quadstead stats
  DATABASE_URL=postgres://reader:secret@db/ldp quadstead stats --json`,
  run: stats,
}

async function stats(config: Config, parameters: Arguments): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const {database} = storage
    const numbers = await readNumbers(database, schema)
    const raw = await readRawNumbers(database, schema)
    const largest = await readFrequent(database, schema, 'documents', shown)
    const largestRaw = await readFrequent(database, schema, 'raw graphs', shown)
    const predicates = await readFrequent(database, schema, 'predicates', shown)
    const ofDocuments = differenceOf(numbers.quads, raw.quads)
    if (isOptionGiven(parameters, 'json'))
      print(
        JSON.stringify({
          ...{schema, ...numbers, documentQuads: ofDocuments, rawGraphs: raw.graphs, rawQuads: raw.quads},
          ...{largest, largestRaw, predicates},
        }),
      )
    else {
      for (const line of linesOfNumbers(numbers, raw, ofDocuments)) print(line)
      for (const line of linesOfList('largest documents, in triples', largest)) print(line)
      for (const line of linesOfList('largest raw graphs, in triples', largestRaw)) print(line)
      for (const line of linesOfList('most frequent predicates', predicates)) print(line)
    }
    return 0
  } catch (error) {
    const code = databaseCodeOf(error)
    if (code !== '42883' && code !== '3F000') throw error // no such function, no such schema
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`, {cause: error})
  } finally {
    await storage.close()
  }
}

function differenceOf(whole: Count, part: Count): Count {
  return {number: Math.max(0, whole.number - part.number), isExact: whole.isExact && part.isExact}
}

function linesOfNumbers(numbers: StoreNumbers, raw: RawNumbers, ofDocuments: Count): readonly string[] {
  const {documents, triples, quads, terms, bytes} = numbers
  const row = (name: string, value: Count, size?: number) =>
    `${name.padEnd(15)} ${show(value).padStart(14)}${size === undefined ? '' : `   ${mebibytes(size)}`}`
  return [
    row('documents', documents, bytes.documents),
    row('raw graphs', raw.graphs),
    row('triples', triples),
    row('quads', quads, bytes.quads),
    row('  of documents', ofDocuments),
    row('  of raw graphs', raw.quads),
    row('terms', terms, bytes.terms),
  ]
}

function linesOfList(title: string, list: readonly Frequent[]): readonly string[] {
  if (list.length === 0) return []
  const rows = list.map(({iri, number}) => `  ${show({number, isExact: false}).padStart(14)}  ${iri}`)
  return ['', `${title}:`, ...rows]
}

function show({number, isExact}: Count): string {
  return `${isExact ? '' : '~'}${number.toLocaleString('en-US')}`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1).padStart(10)} MiB with indexes`
}
