/**
 * `quadstead graphs`: lists and removes the graphs that an import with --raw has loaded.
 */
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {listRawGraphs, type RawGraph, removeRawGraphs} from '../db/bulk/raw-graphs.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, count, isOptionGiven, print} from './command.ts'
import {requireSchema} from './schema.ts'

export const graphsCommand: Command = {
  name: 'graphs',
  summary: 'graphs that were imported with --raw: list them with their size, or remove some',
  usage: '[list] [--json] | remove IRI…',
  options: {json: {type: 'boolean'}},
  operands: {least: 0, most: Number.POSITIVE_INFINITY},
  help: `list    prints quads, size with indexes (estimated) and IRI of each graph, in the order of the IRIs
remove  removes these graphs: all of them, or none if one does not exist. Triples that documents contain as well stay
        in the documents. The service may run; space is reused after VACUUM, which the command runs at the end

  --json  one JSON object

Examples:
  quadstead graphs
  quadstead graphs list --json
  quadstead graphs remove urn:example:taxonomy http://example.org/old`,
  run: graphs,
}

async function graphs(config: Config, parameters: Arguments): Promise<number> {
  const [action = 'list', ...iris] = parameters.operands
  const hasJson = isOptionGiven(parameters, 'json')
  const isValid = action === 'list' ? iris.length === 0 : action === 'remove' && iris.length > 0 && !hasJson
  if (!isValid) throw new Refusal(`Expected arguments: ${graphsCommand.usage}`, {exitCode: 2})
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const {database} = storage
    await requireSchema(database, schema)
    if (action === 'remove') {
      const quads = await removeRawGraphs(database, schema, iris)
      print(`${count(new Set(iris).size, 'graph')} with ${count(quads, 'quad')} removed`)
      return 0
    }
    const found = await listRawGraphs(database, schema)
    if (hasJson) print(JSON.stringify({schema, graphs: found}))
    else for (const graph of found) print(lineOf(graph))
    return 0
  } catch (error) {
    if (error instanceof Problem && error.status < 500)
      throw new Refusal(`${error.message}\nNothing was removed.`, {cause: error})
    throw error
  } finally {
    await storage.close()
  }
}

function lineOf({iri, quads, bytes}: RawGraph): string {
  const size = bytes === null ? '?' : `~${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `${quads.toLocaleString('en-US').padStart(14)} ${size.padStart(14)}  ${iri}`
}
