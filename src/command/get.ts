/**
 * `quadstead get`: reads a document of a running service.
 */
import type {Config} from '../settings/config.ts'
import {type Arguments, type Command, complain, isOptionGiven, textOption} from './command.ts'
import {
  clientHelp,
  clientOptions,
  clientUsage,
  documentUrl,
  graphFormats,
  mediaTypeFor,
  readClient,
  requestService,
  writeAnswer,
} from './service-client.ts'

export const getCommand: Command = {
  name: 'get',
  summary: 'read a document of a running service',
  usage: `[--format FORMAT] [--include] ${clientUsage} DOCUMENT`,
  options: {...clientOptions, format: {type: 'string'}, include: {type: 'boolean', short: 'i'}},
  formats: [...graphFormats.keys()],
  operands: {least: 1, most: 1},
  isOfDataset: false,
  help: `DOCUMENT is a URL, or a path below the root of the service. A terminal shows colours, unless NO_COLOR is set.

  --format FORMAT  ${[...graphFormats.keys()].join(', ')},
                   or a media type (the default: turtle)
  --include, -i    write the header fields to stderr, with the entity tag that "put --if-match" takes
${clientHelp}

Examples:
  quadstead get /books/
  quadstead get -i /books/emma/ > emma.ttl
  quadstead get --url https://example.org/ --key-file key.txt --format jsonld /books/`,
  run: get,
}

async function get(config: Config, parameters: Arguments): Promise<number> {
  const client = await readClient(config, parameters)
  const [operand = '/'] = parameters.operands
  const accept = mediaTypeFor(textOption(parameters, 'format') ?? 'turtle', graphFormats)
  const response = await requestService(client, documentUrl(client, operand), {accept})
  if (isOptionGiven(parameters, 'include')) for (const [name, value] of response.headers) complain(`${name}: ${value}`)
  await writeAnswer(response)
  return 0
}
