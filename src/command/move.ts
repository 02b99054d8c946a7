/**
 * `quadstead move` and `quadstead copy`: give documents other URLs, or copy them, with everything below them.
 *
 * They check no permission: anyone who can connect to the database may run them.
 */
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {unlimited} from '../db/bulk/import-store.ts'
import {openSession} from '../db/store/create-session.ts'
import {storedBase} from '../db/store/dataset.ts'
import {copyDocument, type Moved, moveDocument} from '../db/store/document-moves.ts'
import {inTransaction, type Session} from '../db/store/session.ts'
import {readDestination} from '../http/destination.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'
import {requireSchema} from './schema.ts'

const operandHelp = `  FROM, TO     IRIs of documents, or their paths below the root. The parent of TO must exist
  --overwrite  delete a document at TO first, with everything below it and the references to it`

export const moveCommand: Command = {
  name: 'move',
  summary: 'give a document and all below it other URLs; references in all documents follow',
  usage: 'FROM TO [--overwrite]',
  options: {overwrite: {type: 'boolean'}},
  operands: {least: 2, most: 2},
  help: `It does what the method MOVE does, without its time limit. Meanwhile other writers wait; readers do not.

${operandHelp}

Requests for the old URLs are redirected if MOVED_REDIRECTS_SECONDS says so.

Example:
  quadstead move /drafts/emma/ /books/emma/`,
  run: (config, parameters) =>
    run(config, parameters, (session, {from, to, overwrites}) =>
      moveDocument(session, from, anyState, {iri: to, overwrites, redirectSeconds: config.redirectSeconds}),
    ),
}

export const copyCommand: Command = {
  name: 'copy',
  summary: 'copy a document with all below it',
  usage: 'FROM TO [--alone] [--overwrite]',
  options: {alone: {type: 'boolean'}, overwrite: {type: 'boolean'}},
  operands: {least: 2, most: 2},
  help: `It does what the method COPY does, without its time limit. The copies have no grants of their own.

${operandHelp}
  --alone      without what is below it

Example:
  quadstead copy /books/emma/ /archive/emma/`,
  run: (config, parameters) =>
    run(config, parameters, (session, {from, to, overwrites}) =>
      copyDocument(session, from, anyState, {iri: to, overwrites, isDeep: !isOptionGiven(parameters, 'alone')}),
    ),
}

const anyState = {ifMatch: undefined, ifNoneMatch: undefined, ifUnmodifiedSince: undefined}

type Places = {readonly from: string; readonly to: string; readonly overwrites: boolean}

async function run(
  config: Config,
  parameters: Arguments,
  work: (session: Session, places: Places) => Promise<Moved>,
): Promise<number> {
  const [from = '', to = ''] = parameters.operands
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const base = await storedBase(storage.database, schema)
    if (base === undefined) throw new Refusal('There is no dataset yet. "quadstead serve" creates it.')
    const places = {
      from: from.startsWith('/') ? base + from.slice(1) : from,
      to: to.startsWith('/') ? base + to.slice(1) : readDestination([to], base),
      overwrites: isOptionGiven(parameters, 'overwrite'),
    }
    const session = await openSession(storage.database, schema)
    const {isCreated} = await storage.database.begin('read committed', async transaction => {
      await unlimited(transaction)
      return work(inTransaction(session, transaction), places)
    })
    print(`${places.to}${isCreated ? '' : ', in place of another document'}`)
    return 0
  } catch (error) {
    throw error instanceof Problem && (error.status < 500 || error.rule === 'busy')
      ? new Refusal(error.message, {cause: error})
      : error
  } finally {
    await storage.close()
  }
}
