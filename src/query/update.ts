/**
 * Runs SPARQL updates: parses, then plans and executes each operation in one transaction.
 *
 * An operation is planned in the transaction, because it sees the operations before it. SQL checks that the facts of
 * the plan hold in the state that WHERE sees; if they do not, the operation is planned again.
 * Sources: SPARQL 1.1 Update; docs/sparql.md, Updates.
 */
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import type {StoredFrequencies} from '../db/query/frequencies.ts'
import type {Session, WriteConditions} from '../db/store/session.ts'
import {type PlannedModify, type RunningUpdate, runUpdate, type UpdateResult} from '../db/store/updates.ts'
import type {Iri} from '../rdf/term.ts'
import {compileModify, longText, prepareModify} from '../sparql/compile.ts'
import type {ModifyOperation} from '../sparql/operation.ts'
import type {UpdateScope} from '../sparql/translate/update.ts'
import {askedFor} from './facts.ts'
import {type FrequencySource, frequenciesOf} from './frequencies.ts'
import {type LoadedTriples, loadAll} from './load.ts'
import {asQueryTimeout} from './open-rows.ts'
import {findFacts, optionsFor} from './plans.ts'
import type {ProcessState} from './state.ts'
import {type PreparedOperation, prepareUpdateText} from './thread-work.ts'

export type {UpdateResult} from '../db/store/updates.ts'

export type UpdateRequest = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly scope: UpdateScope
  readonly session: Session // of the request's caller
  readonly conditions: WriteConditions // on the document of the scope
  readonly patch?: {readonly isReturning: boolean} | undefined // see UpdateOptions
  readonly signal?: AbortSignal | undefined // aborts when the client disconnects
}

/** What of a process an update needs. */
export type UpdatingProcess = FrequencySource & Pick<ProcessState, 'timeoutMs' | 'limits' | 'threads' | 'loading'>

/**
 * Runs an update.
 *
 * @throws  what `prepareUpdate`, `loadAll` and `runUpdate` throw; Problem 403 `federation-disabled`
 */
export async function update(process: UpdatingProcess, request: UpdateRequest): Promise<UpdateResult> {
  const {session, scope, conditions, patch, signal} = request
  const {timeoutMs} = process
  const operations = await timed('parse', () => parse(process, request))
  const loaded = await loadAll(process, operations, request)
  const frequencies = await frequenciesOf(process, session.database) // before the transaction: counting takes long
  const {document} = scope
  try {
    return await runUpdate(session, {document, patch, conditions, timeoutMs, signal}, async running => {
      for (const operation of operations) await perform({process, request, running, frequencies, loaded}, operation)
    })
  } catch (error) {
    throw asQueryTimeout(error, timeoutMs)
  }
}

async function parse(
  {limits, threads}: UpdatingProcess,
  {text, base, scope, signal}: UpdateRequest,
): Promise<readonly PreparedOperation[]> {
  const input = {text, base, scope, limits}
  return text.length > longText && threads !== undefined
    ? threads.prepareUpdate(input, signal)
    : prepareUpdateText(input)
}

type Performing = {
  readonly process: UpdatingProcess
  readonly request: UpdateRequest
  readonly running: RunningUpdate
  readonly frequencies: StoredFrequencies
  readonly loaded: LoadedTriples
}

async function perform(performing: Performing, operation: PreparedOperation): Promise<void> {
  const {running, loaded} = performing
  switch (operation.type) {
    case 'modify':
      return modify(performing, operation)
    case 'insertData':
    case 'deleteData':
      return running.data(operation.type, operation.quads)
    case 'load': {
      const quads = loaded.get(operation)
      return quads === undefined ? undefined : running.data('insertData', quads)
    }
    case 'create':
      return running.create(operation.graph, operation.isSilent)
    case 'clear':
    case 'drop':
      return running[operation.type](operation.range, operation.isSilent)
    default:
      return running.copy(operation.type, operation.from, operation.to, operation.isSilent)
  }
}

const planTries = 5

/** @throws  Problem 503 `busy`: the facts of the plan kept changing */
async function modify(performing: Performing, operation: ModifyOperation): Promise<void> {
  for (let attempt = 1; attempt <= planTries; attempt += 1) {
    const planned = await planModify(performing, operation)
    if (await performing.running.modify(planned)) return
  }
  throw new Problem(503, 'busy', 'Other writers keep changing what this update depends on; try again.', {
    headers: {'Retry-After': '0'},
  })
}

async function planModify(
  {process, request, running: {transaction}, frequencies}: Performing,
  operation: ModifyOperation,
): Promise<PlannedModify> {
  const {schema, threads} = process
  const prepared = prepareModify(operation)
  const asked = askedFor(prepared, request.session.caller?.grantees)
  const facts = await findFacts(transaction, schema, asked)
  const options = optionsFor(schema, {facts, frequencies})
  const {text, parameters, isWalked, columns, localKeys} = await timed('plan', async () =>
    request.text.length > longText && threads !== undefined
      ? threads.compileModify(prepared, options, request.signal)
      : compileModify(prepared, options),
  )
  return {
    text,
    parameters,
    isWalked,
    hasKeys: columns.some(({rep}) => rep === 'key'),
    own: localKeys,
    facts: {...asked, facts},
  }
}
