/**
 * `quadstead stats`: prints how much is stored, the largest documents and the most frequent predicates.
 */
import {Refusal} from '../base/refusal.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {type Count, type Frequent, readFrequent, readNumbers, type StoreNumbers} from '../db/store/statistics.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'

const shown = 10 // entries of each list: largest documents, predicates

export const statsCommand: Command = {
  name: 'stats',
  summary: 'how much is stored: documents, triples, terms, bytes, the largest documents, the most frequent predicates',
  usage: '[--json]',
  options: {json: {type: 'boolean'}},
  operands: {least: 0, most: 0},
  help: `Takes no longer the more there is: above 100000 rows, and for documents and predicates, the numbers are
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
    const documents = await readFrequent(database, schema, 'documents', shown)
    const predicates = await readFrequent(database, schema, 'predicates', shown)
    if (isOptionGiven(parameters, 'json')) print(JSON.stringify({schema, ...numbers, largest: documents, predicates}))
    else for (const line of linesOf(numbers, documents, predicates)) print(line)
    return 0
  } catch (error) {
    const code = databaseCodeOf(error)
    if (code !== '42883' && code !== '3F000') throw error // no such function, no such schema
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`, {cause: error})
  } finally {
    await storage.close()
  }
}

function linesOf({documents, triples, quads, terms, bytes}: StoreNumbers, ...lists: readonly (readonly Frequent[])[]) {
  const row = (name: string, value: string, size?: number) =>
    `${name.padEnd(10)} ${value.padStart(14)}${size === undefined ? '' : `   ${mebibytes(size)}`}`
  const titles = ['largest documents, in triples', 'most frequent predicates']
  return [
    row('documents', show(documents), bytes.documents),
    row('triples', show(triples)),
    row('quads', show(quads), bytes.quads),
    row('terms', show(terms), bytes.terms),
    ...lists.flatMap((list, index) =>
      list.length === 0
        ? []
        : [
            '',
            `${titles[index]}:`,
            ...list.map(({iri, number}) => `  ${show({number, isExact: false}).padStart(14)}  ${iri}`),
          ],
    ),
  ]
}

function show({number, isExact}: Count): string {
  return `${isExact ? '' : '~'}${number.toLocaleString('en-US')}`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1).padStart(10)} MiB with indexes`
}
