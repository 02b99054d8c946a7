/**
 * `quadstead search`: searches the documents of a running service by their words.
 *
 * Source: docs/search.md, Answers.
 */
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../settings/config.ts'
import {type Arguments, type Command, complain, count, print, textOption} from './command.ts'
import {clientHelp, clientOptions, clientUsage, readClient, requestService, writeAnswer} from './service-client.ts'
import {type Paint, paintFor, withoutControls} from './terminal.ts'

const filters = ['type', 'property', 'under', 'lang', 'sort', 'page'] as const
const formats = ['list', 'tsv', 'json'] as const

export const searchCommand: Command = {
  name: 'search',
  summary: 'find documents of a running service by their words',
  usage: `[--type IRI] [--property IRI]… [--under IRI] [--lang TAG] [--sort ORDER] [--page N] ${clientUsage} WORD…`,
  options: {
    ...clientOptions,
    type: {type: 'string'},
    property: {type: 'string', multiple: true},
    under: {type: 'string'},
    lang: {type: 'string'},
    sort: {type: 'string'},
    page: {type: 'string'},
    format: {type: 'string'},
  },
  formats,
  operands: {least: 1, most: Number.POSITIVE_INFINITY},
  isOfDataset: false,
  help: `All WORDs must be in one literal. emm* finds words that begin with it, and '"jane austen"' a phrase. A terminal
shows a list, with the words that were found; elsewhere a line has the document, its label, the text and the score,
separated by tabs.

  --type IRI       only resources of this class
  --property IRI   only values of this property; may be repeated
  --under IRI      only documents below this one
  --lang TAG       only literals in this language
  --sort ORDER     relevance (the default) or date
  --page N         a page has 20 documents
  --format FORMAT  list, tsv, or json: the service's answer
${clientHelp}

Examples:
  quadstead search emma
  quadstead search --type http://example.org/ns#Novel '"jane austen"'
  quadstead search --format json emm*`,
  run: search,
}

type Found = {
  readonly document: string
  readonly label?: string | null
  readonly snippet: string
  readonly marks: readonly (readonly [number, number])[]
  readonly score: number
}

type SearchAnswer = {readonly total?: number; readonly isCorrected: boolean; readonly results: readonly Found[]}

async function search(config: Config, parameters: Arguments): Promise<number> {
  const format = textOption(parameters, 'format') ?? (process.stdout.isTTY ? 'list' : 'tsv')
  if (!formats.some(each => each === format))
    throw new Refusal(`--format must be one of ${formats.join(', ')}, got "${format}".`, {exitCode: 2})
  const client = await readClient(config, parameters)
  const query = new URLSearchParams({q: parameters.operands.join(' ')})
  for (const name of filters)
    for (const value of [parameters.values[name] ?? []].flat()) query.append(name, String(value))
  const response = await requestService(client, `${client.base}search?${query}`, {accept: 'application/json'})
  if (format === 'json') await writeAnswer(response)
  else show((await response.json()) as SearchAnswer, format)
  return 0
}

function show({total, isCorrected, results}: SearchAnswer, format: string): void {
  const paint = paintFor(process.stdout, process.env)
  if (isCorrected && results.length > 0)
    complain('Few documents or none have these words. Some of these have similar ones:')
  if (format === 'tsv') for (const found of results) print(lineOf(found))
  else for (const found of results) print(`${paragraphOf(found, paint)}\n`)
  if (format === 'list') complain(total === undefined ? 'Many documents' : count(total, 'document'))
}

function lineOf({document, label, snippet, score}: Found): string {
  return [document, label ?? '', snippet, score].map(cell => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')
}

function paragraphOf({document, label, snippet, marks}: Found, paint: Paint): string {
  let [text, end] = ['', 0]
  for (const [from, to] of marks) {
    text += withoutControls(snippet.slice(end, from)) + paint('keyword', withoutControls(snippet.slice(from, to)))
    end = to
  }
  const lines = [paint('strong', withoutControls(label ?? document)), `  ${paint('iri', withoutControls(document))}`]
  return [...lines, `  ${text}${withoutControls(snippet.slice(end))}`].join('\n')
}
