/**
 * `quadstead put`: creates or replaces a document of a running service.
 */
import {Refusal} from '../base/refusal.ts'
import {optionName, readableFormats} from '../format/formats.ts'
import type {Config} from '../settings/config.ts'
import {formatOf} from '../transfer/input.ts'
import {type Arguments, type Command, isOptionGiven, print, textOption} from './command.ts'
import {
  clientHelp,
  clientOptions,
  clientUsage,
  documentUrl,
  mediaTypeFor,
  readClient,
  readFileFor,
  requestService,
} from './service-client.ts'

const bodyFormats: ReadonlyMap<string, string> = new Map(
  readableFormats.map(format => [optionName(format), format.mediaTypes[0]]),
)

export const putCommand: Command = {
  name: 'put',
  summary: 'create or replace a document of a running service',
  usage: `[--create | --if-match TAG] [--format FORMAT] ${clientUsage} DOCUMENT FILE`,
  options: {
    ...clientOptions,
    create: {type: 'boolean'},
    'if-match': {type: 'string'},
    format: {type: 'string'},
  },
  formats: [...bodyFormats.keys()],
  operands: {least: 2, most: 2},
  isOfDataset: false,
  help: `DOCUMENT is a URL, or a path below the root of the service. FILE has its new graph; - is the standard input.
Prints what was done, the URL and the new entity tag, separated by tabs.

  --create         only if the document does not exist (If-None-Match: *)
  --if-match TAG   only if this is its entity tag, as "get --include" shows it; * for any. A service needs it to
                   replace a document
  --format FORMAT  ${[...bodyFormats.keys()].join(', ')}, or a media type; if the file's extension
                   does not say it
${clientHelp}

Examples:
  quadstead put --create /books/ books.ttl
  quadstead put --if-match '"7"' /books/emma/ emma.ttl
  generate | quadstead put --create --format ntriples /numbers/ -`,
  run: put,
}

async function put(config: Config, parameters: Arguments): Promise<number> {
  const [operand = '/', file = '-'] = parameters.operands
  const tag = textOption(parameters, 'if-match')
  const isNew = isOptionGiven(parameters, 'create')
  if (isNew && tag !== undefined) throw new Refusal('--create and --if-match exclude each other.', {exitCode: 2})
  const client = await readClient(config, parameters)
  const format = textOption(parameters, 'format')
  const headers = {
    'Content-Type': format === undefined ? formatOf(file).mediaTypes[0] : mediaTypeFor(format, bodyFormats),
    ...(isNew ? {'If-None-Match': '*'} : {}),
    ...(tag === undefined ? {} : {'If-Match': /^(?:\*|(?:W\/)?".*")$/.test(tag) ? tag : `"${tag}"`}),
  }
  const body = await readFileFor(file)
  const response = await requestService(client, documentUrl(client, operand), {
    accept: '*/*;q=0.1',
    method: 'PUT',
    headers,
    body,
    advice: {'document-exists': '--create creates it.', 'precondition-required': 'Say which one with --if-match.'},
  })
  const done = response.status === 201 ? 'created' : 'replaced'
  print([done, response.headers.get('location') ?? response.url, response.headers.get('etag') ?? ''].join('\t'))
  return 0
}
