/**
 * `quadstead explain`: explains how a query would be answered.
 *
 * docs/sparql.md explains the output line by line.
 */
import {readFile} from 'node:fs/promises'
import {buffer} from 'node:stream/consumers'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import type {Database} from '../db/connection/pool.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {readVocabulary, storedBase} from '../db/store/dataset.ts'
import type {Explanation} from '../query/explanation.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print, textOption} from './command.ts'

export const explainCommand: Command = {
  name: 'explain',
  summary: 'show how a SPARQL query would be answered: algebra, SQL, plan and times',
  usage: '[--measured] [--json] [--base IRI] FILE',
  options: {measured: {type: 'boolean'}, json: {type: 'boolean'}, base: {type: 'string'}},
  operands: {least: 1, most: 1},
  help: `FILE holds the query; - reads it from standard input. Nothing is changed, and nothing of the answer shown.

  --measured   run the query too (EXPLAIN ANALYZE), within STATEMENT_TIMEOUT_MS
  --json       a JSON document, as application/vnd.quadstead.explain+json has it
  --base IRI   what relative IRIs resolve against; otherwise the dataset's root

Examples:
  quadstead explain query.rq
  echo 'SELECT * { ?s ?p 5 } LIMIT 10' | quadstead explain --measured -

Exit codes: 0 explained; 1 the query cannot be read or refused, with file, line, column and rule on stderr.`,
  run: explain,
}

async function explain(config: Config, parameters: Arguments): Promise<number> {
  const [file = '-'] = parameters.operands
  const isJson = isOptionGiven(parameters, 'json')
  const isMeasured = isOptionGiven(parameters, 'measured')
  const base = textOption(parameters, 'base')
  if (base !== undefined && !isAbsoluteIri(base)) throw new Refusal(`--base needs an absolute IRI, got "${base}"`)
  const text = await readQuery(file)
  const storage = await openStorage(config, 'command')
  try {
    const store = await openQueryStore(config, storage.database)
    const request = {text, base: base ?? store.base, isMeasured, planForm: isJson ? 'json' : 'text'} as const
    const {explainQuery} = await import('../query/explain.ts')
    print(await shown(await explainQuery(store, request), isJson))
    return 0
  } catch (error) {
    throw error instanceof Problem ? refusalAt(file, error) : error
  } finally {
    await storage.close()
  }
}

async function shown(explanation: Explanation, isJson: boolean): Promise<string> {
  const {explanationDocument, explanationText} = await import('../query/show-explanation.ts')
  return isJson
    ? JSON.stringify(explanationDocument(explanation), undefined, 2)
    : explanationText(explanation).trimEnd()
}

async function readQuery(file: string): Promise<string> {
  const {decodeBody} = await import('../format/registry.ts')
  try {
    return decodeBody(file === '-' ? await buffer(process.stdin) : await readFile(file))
  } catch (error) {
    if (error instanceof Problem) throw refusalAt(file, error)
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`, {cause: error})
  }
}

async function openQueryStore(config: Config, database: Database) {
  const {schema, statementTimeoutMs: timeoutMs} = config.database
  try {
    const base: Iri = (await storedBase(database, schema)) ?? config.base ?? `http://localhost:${config.port}/`
    const vocabulary = await readVocabulary(database, schema)
    const {createPlanCache} = await import('../query/plan-cache.ts')
    const {federation} = config
    const avoidsTextIndex = config.textIndex === 'off'
    const {hasSearch} = config
    return {
      database,
      schema,
      timeoutMs,
      base,
      vocabulary,
      federation,
      avoidsTextIndex,
      hasSearch,
      cache: createPlanCache(),
    }
  } catch (error) {
    const code = databaseCodeOf(error) ?? ''
    if (!missingCodes.includes(code)) throw error
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`, {cause: error})
  }
}

const missingCodes = ['42P01', '42883', '3F000'] // no such table, function, schema

/** `query.rq:3:7: Unexpected "}" (query-syntax)` */
function refusalAt(file: string, problem: Problem): Refusal {
  const {rule, message, members} = problem
  const place = [file === '-' ? 'standard input' : file, members.line, members.column].filter(
    part => part !== undefined,
  )
  return new Refusal(`${place.join(':')}: ${message} (${rule})`, {cause: problem})
}
