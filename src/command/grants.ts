/**
 * `quadstead grants`: who may do what, from the command line.
 *
 * Floor 6. Needs nobody's leave: whoever reaches the database may.
 */
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../config.ts'
import {readVocabulary, storedBase} from '../db/dataset.ts'
import type {Grant} from '../db/grants.ts'
import {createStore, type Store} from '../db/store.ts'
import type {Iri} from '../rdf/term.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, print} from './command.ts'
import {requireSchema} from './schema.ts'

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'who may do what with a document and all below it: add, list, remove',
  usage: 'add DOCUMENT GRANTEE MODES | list [DOCUMENT] | remove DOCUMENT GRANTEE',
  options: {},
  operands: {least: 1, most: 4},
  help: `Grants count where ACCESS says so. One holds for the document and everything below it; there are no denials.

  DOCUMENT  its IRI, or its path below the root: / is the root. "list" shows the grants of it, of the documents above it
            and of those below it, so all grants without a DOCUMENT
  GRANTEE   public, authenticated, "agent IRI" or "group NAME"
  MODES     some of read, append (create children, add members), write (change and delete; includes the former two) and
            control (read and change grants), separated by commas; they take the place of what the grantee had there

The first grant of a document, and the removal of its last, rewrite the rows of all documents below.

Examples:
  quadstead grants add / "agent https://example.org/people/ada#me" write,control
  quadstead grants add /projects/ "group staff" read,append
  quadstead grants list /projects/
  quadstead grants remove /projects/ "group staff"`,
  run: grants,
}

async function grants(config: Config, parameters: Arguments): Promise<number> {
  const [action, document = '/', grantee, modes, ...others] = parameters.operands
  const given = [grantee, modes].filter(one => one !== undefined).length
  const wanted = {list: 0, remove: 1, add: 2}[action ?? '']
  if (wanted === undefined || wanted !== given || others.length > 0 || (wanted > 0 && parameters.operands.length < 3))
    throw new Refusal('It takes "add DOCUMENT GRANTEE MODES", "list [DOCUMENT]", or "remove DOCUMENT GRANTEE".', {
      exitCode: 2,
    })
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const base = await storedBase(storage.database, schema)
    if (base === undefined) throw new Refusal('The dataset has no documents yet: "quadstead serve" makes it.')
    const store = createStore(storage.database, schema, await readVocabulary(storage.database, schema))
    const iri = document.startsWith('/') ? base + document.slice(1) : document
    if (grantee === undefined) return await list(store, iri)
    await change(store, iri, grantee, modes?.split(','))
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

async function list(store: Store, iri: Iri): Promise<number> {
  for (const {document, grantee, modes} of await store.listGrants(iri))
    print(`${document}  ${grantee}  ${modes.join(',')}`)
  return 0
}

/** @param modes  undefined takes the grantee's away */
async function change(store: Store, iri: Iri, grantee: string, modes: readonly string[] | undefined): Promise<void> {
  const {own, etag} = await store.readGrants(iri)
  const others: readonly Grant[] = own.filter(grant => grant.grantee !== grantee)
  if (modes === undefined && others.length === own.length)
    throw new Refusal(`<${iri}> has no grant of its own to "${grantee}".`)
  const {checkGrant} = await import('../web/answer-grants.ts')
  const grants = modes === undefined ? others : [...others, checkGrant({grantee, modes})]
  await store.putGrants(iri, {grants, ifMatch: etag, keepsControl: false})
}
