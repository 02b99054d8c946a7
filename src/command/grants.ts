/**
 * `quadstead grants`: adds, lists and removes grants, and isolates documents from those of their parents.
 *
 * It checks no permission: anyone who can connect to the database may run it.
 */
import {readGrant} from '../authentication/grants.ts'
import {readInstant, readSpan} from '../base/instant.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {openSession} from '../db/store/create-session.ts'
import {storedBase} from '../db/store/dataset.ts'
import {
  type Grant,
  type ListedGrant,
  listGrants,
  pruneGrants,
  putGrants,
  readGrants,
  removeGrant,
} from '../db/store/grants.ts'
import type {Session} from '../db/store/session.ts'
import type {Iri} from '../rdf/term.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, count, print, textOption} from './command.ts'
import {requireSchema} from './schema.ts'

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'who may do what with a document and all below it: add, list, remove, isolate, inherit, prune',
  usage:
    'add DOCUMENT GRANTEE MODES [--expires TIME | --for SPAN] | list [DOCUMENT] | remove DOCUMENT GRANTEE | ' +
    'isolate DOCUMENT | inherit DOCUMENT | prune',
  options: {expires: {type: 'string'}, for: {type: 'string'}},
  operands: {least: 1, most: 4},
  help: `Grants count where ACCESS says so. One holds for the document and everything below it; there are no denials.

  DOCUMENT  its IRI, or its path below the root: / is the root. "list" shows the grants of it, those of the documents
            above it that count in it, and those of all below it: without a DOCUMENT all grants
  GRANTEE   public, authenticated, "agent IRI" or "group NAME"
  MODES     separated by commas: read, create (children), members (add some), edit (change; includes read and members),
            delete (with all below; includes read), query (where QUERY_ACCESS asks for it), control (of grants);
            append is create and members; write is all but query and control

  --expires TIME  until then: 2027-01-31T00:00:00Z
  --for SPAN      for so long: 90m, 12h, 30d

add      replaces the grantee's grant that never expires; with --expires or --for, the one that does
remove   removes all grants of the grantee on the document
isolate  grants above no longer count in the document and below it; somebody must have control of it for good
inherit  the opposite
prune    removes expired grants, which do not count but are listed until the document's grants change

The first grant of a document, and the removal of its last, rewrite the rows of all documents below.

Examples:
  quadstead grants add / "agent https://example.org/people/ada#me" write,control
  quadstead grants add /projects/ "group staff" read,append
  quadstead grants add /projects/ "agent https://example.org/people/bob#me" edit --for 30d
  quadstead grants list /projects/
  quadstead grants remove /projects/ "group staff"
  quadstead grants add /projects/private/ "agent https://example.org/people/ada#me" write,control
  quadstead grants isolate /projects/private/`,
  run: grants,
}

type Action = (session: Session, iri: Iri, parameters: Arguments) => Promise<void>

/** The actions, each with the least and the most operands after its name. */
const actions: Readonly<Record<string, {readonly least: number; readonly most: number; readonly run: Action}>> = {
  add: {least: 3, most: 3, run: add},
  list: {least: 0, most: 1, run: list},
  remove: {least: 2, most: 2, run: remove},
  isolate: {least: 1, most: 1, run: (session, iri) => putInherits(session, iri, false)},
  inherit: {least: 1, most: 1, run: (session, iri) => putInherits(session, iri, true)},
  prune: {least: 0, most: 0, run: prune},
}

async function grants(config: Config, parameters: Arguments): Promise<number> {
  const [name = '', document = '/', ...others] = parameters.operands
  const action = actions[name]
  const given = parameters.operands.length - 1
  const hasExpiry = Object.keys(parameters.values).some(option => option === 'expires' || option === 'for')
  if (action === undefined || given < action.least || given > action.most || (hasExpiry && name !== 'add'))
    throw new Refusal(`Expected arguments: ${grantsCommand.usage}`, {exitCode: 2})
  if (name === 'add') readGiven(others, parameters) // finds faults before it connects to the database
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const base = await storedBase(storage.database, schema)
    if (base === undefined) throw new Refusal('There is no dataset yet. "quadstead serve" creates it.')
    const session = await openSession(storage.database, schema)
    await action.run(session, document.startsWith('/') ? base + document.slice(1) : document, parameters)
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

async function list(session: Session, iri: Iri): Promise<void> {
  for (const {document, grant} of await listGrants(session, iri))
    print(`${document}  ${grant === undefined ? 'does not inherit' : lineOf(grant)}`)
}

function lineOf({grantee, modes, expires, isExpired}: ListedGrant): string {
  const until = expires === undefined ? '' : `  ${isExpired ? 'expired' : 'until'} ${expires}`
  return `${grantee}  ${modes.join(',')}${until}`
}

async function add(session: Session, iri: Iri, parameters: Arguments): Promise<void> {
  const grant = readGiven(parameters.operands.slice(2), parameters)
  const {own, etag} = await readGrants(session, iri)
  const isReplaced = ({grantee, expires}: ListedGrant) =>
    grantee === grant.grantee && (expires === undefined) === (grant.expires === undefined)
  const others = own.filter(one => !isReplaced(one)).map(grantOf)
  await putGrants(session, iri, {grants: [...others, grant], ifMatch: etag, keepsControl: false})
}

/** The grant of `add`, from GRANTEE, MODES and the options. */
function readGiven([grantee, modes = '']: readonly string[], parameters: Arguments): Grant {
  const [until, span] = [textOption(parameters, 'expires'), textOption(parameters, 'for')]
  if (until !== undefined && span !== undefined) throw new Refusal('--expires and --for exclude each other.')
  const spanMs = span === undefined ? undefined : readSpan(span)
  if (span !== undefined && spanMs === undefined)
    throw new Refusal(`--for must be a number of m, h or d, such as 90m, 12h or 30d, got "${span}".`)
  const expires = spanMs === undefined ? until && readInstant(until) : new Date(Date.now() + spanMs)
  if (until !== undefined && !(expires instanceof Date))
    throw new Refusal(`--expires must be a time with its zone, such as 2027-01-31T00:00:00Z, got "${until}".`)
  if (expires instanceof Date && expires.getTime() <= Date.now()) throw new Refusal(`--expires is over: "${until}".`)
  try {
    return {...readGrant({grantee, modes: modes.split(',')}), expires: expires instanceof Date ? expires : undefined}
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.message, {cause: error}) : error
  }
}

async function remove(session: Session, iri: Iri, {operands}: Arguments): Promise<void> {
  const removed = {grantee: operands[2] ?? '', expires: 'all'} as const
  await removeGrant(session, iri, removed, {ifMatch: undefined, keepsControl: false})
}

async function putInherits(session: Session, iri: Iri, inherits: boolean): Promise<void> {
  const {own, etag} = await readGrants(session, iri)
  await putGrants(session, iri, {grants: own.map(grantOf), inherits, ifMatch: etag, keepsControl: !inherits})
}

async function prune(session: Session): Promise<void> {
  let gone = 0
  for (;;) {
    const more = await pruneGrants(session)
    if (more === undefined) break
    gone += more
  }
  print(`${count(gone, 'expired grant')} removed`)
}

function grantOf({grantee, modes, expires}: ListedGrant): Grant {
  return {grantee, modes, expires: expires === undefined ? undefined : new Date(expires)}
}
