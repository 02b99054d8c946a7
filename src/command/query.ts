/**
 * `quadstead query`: sends a query to a running service and shows its results.
 */
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../settings/config.ts'
import {type Arguments, type Command, textOption} from './command.ts'
import {tableOf} from './results-table.ts'
import {
  clientHelp,
  clientOptions,
  clientUsage,
  graphFormats,
  linesOfAnswer,
  mediaTypeFor,
  readClient,
  readFileFor,
  requestService,
  writeAnswer,
  writeLines,
} from './service-client.ts'
import {paintFor} from './terminal.ts'

const tsv = 'text/tab-separated-values'

const resultFormats: ReadonlyMap<string, string> = new Map([
  ['table', tsv],
  ['tsv', tsv],
  ['csv', 'text/csv'],
  ['json', 'application/sparql-results+json'],
  ['xml', 'application/sparql-results+xml'],
  ...graphFormats,
])

export const queryCommand: Command = {
  name: 'query',
  summary: 'send a SPARQL query to a running service',
  usage: `[--format FORMAT] ${clientUsage} (FILE | --text QUERY)`,
  options: {...clientOptions, text: {type: 'string', short: 't'}, format: {type: 'string'}},
  formats: [...resultFormats.keys()],
  operands: {least: 0, most: 1},
  isOfDataset: false,
  help: `FILE holds the query; - reads it from standard input. On a terminal solutions are a table, in which long values
are cut; elsewhere they are TSV. Graphs are Turtle. Relative IRIs are resolved against the root of the service.

  --text, -t QUERY  the query itself, instead of FILE
  --format FORMAT   of solutions: table, tsv, csv, json, xml
                    of graphs: ${[...graphFormats.keys()].join(', ')}
                    or a media type
${clientHelp}

Examples:
  quadstead query query.rq
  quadstead query -t 'SELECT * { <books/> ?property ?value }'
  quadstead query --format csv query.rq > result.csv`,
  run: query,
}

async function query(config: Config, parameters: Arguments): Promise<number> {
  const [file] = parameters.operands
  const given = textOption(parameters, 'text')
  if ((file === undefined) === (given === undefined))
    throw new Refusal('Expected a FILE with the query, or --text QUERY.', {exitCode: 2})
  if (file?.includes('{'))
    throw new Refusal('Expected the name of a FILE. A query itself follows --text.', {exitCode: 2})
  const client = await readClient(config, parameters)
  const format = textOption(parameters, 'format')
  const accept = format === undefined ? `${tsv}, text/turtle` : mediaTypeFor(format, resultFormats)
  const response = await requestService(client, `${client.base}sparql`, {
    method: 'POST',
    accept,
    headers: {'Content-Type': 'application/sparql-query'},
    body: given ?? (await readFileFor(file ?? '-')),
  })
  const isTable = format === 'table' || (format === undefined && process.stdout.isTTY)
  if (!isTable || response.headers.get('content-type')?.startsWith(tsv) !== true) await writeAnswer(response)
  else {
    const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
    await writeLines(tableOf(linesOfAnswer(response), {width, paint: paintFor(process.stdout, process.env)}))
  }
  return 0
}
