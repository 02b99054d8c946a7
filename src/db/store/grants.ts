/**
 * Grants: who may do what with a document and the documents below it.
 *
 * The SQL functions are in sql/functions/access/grant.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {encodeValue, type SqlValue} from '../connection/value.ts'
import {ask, callAsCaller} from './call.ts'
import type {Mode} from './caller.ts'
import type {Allowed} from './graph-codec.ts'
import type {Session} from './session.ts'

export type Grant = {
  readonly grantee: string
  readonly modes: readonly Mode[]
  readonly expires?: Date | undefined // undefined: never
}

export type ListedGrant = {
  readonly grantee: string
  readonly modes: readonly Mode[]
  readonly expires: string | undefined // RFC 3339, in UTC
  readonly isExpired: boolean
}

export type PlacedGrant = ListedGrant & {readonly document: Iri}

/** A grant of a document; without `grant` it says that the document does not inherit. */
export type GrantsEntry = {readonly document: Iri; readonly grant?: ListedGrant}

export type DocumentGrants = {
  readonly own: readonly ListedGrant[]
  readonly inherits: boolean // whether grants of the documents above apply
  readonly inherited: readonly PlacedGrant[] // from the root down
  readonly withheld: number // number of inherited grants that the caller may not see
  readonly etag: string // of the document's own grants
}

type GrantRow = readonly [grantee: string, modes: Mode[], expires: string | null, isExpired: boolean]

type GrantsRow = {
  readonly own: readonly GrantRow[]
  readonly inherits: boolean
  readonly inherited: readonly (readonly [Iri, ...GrantRow])[]
  readonly withheld: number
  readonly etag: string
}

type GrantsEntryRow = {
  readonly document: Iri
  readonly grantee: string | null // null: the document does not inherit
  readonly modes: Mode[]
  readonly expires: string | null
  readonly is_expired: boolean
}

export type GrantsChange = {
  readonly grants: readonly Grant[]
  readonly inherits?: boolean | undefined // undefined: unchanged
  readonly ifMatch: string | undefined
  readonly keepsControl: boolean // refuse to leave the root, or a document that does not inherit, without `control`
}

/** Which grants of a grantee to remove: 'all', or the one with this expiry; undefined: the one that never expires. */
export type RemovedGrant = {readonly grantee: string; readonly expires: Date | undefined | 'all'}

/** Reads the grants of a document that the caller may see: Problem 404 `document-exists`. */
export async function readGrants(session: Session, iri: Iri): Promise<DocumentGrants> {
  const call = callAsCaller(session, 'read_grants', [iri])
  const [row] = await ask<GrantsRow>(session, 'read', {text: `select * from ${call.from}`, ...call})
  return {
    own: (row?.own ?? []).map(listed),
    inherits: row?.inherits ?? true,
    inherited: (row?.inherited ?? []).map(([document, ...grant]) => ({document, ...listed(grant)})),
    withheld: row?.withheld ?? 0,
    etag: row?.etag ?? '',
  }
}

/** Reads the grants of a document, those above it that apply to it, and those below it: Problem 404. */
export async function listGrants(session: Session, iri: Iri): Promise<readonly GrantsEntry[]> {
  const text = `select * from ${session.inSchema}list_grants($1)`
  const rows = await ask<GrantsEntryRow>(session, 'read', {name: 'list_grants', text, values: [iri]})
  return rows.map(entryOf)
}

/**
 * Reads the grants of documents below a document, in the order of their IRIs: those that the caller controls.
 *
 * @param after  IRI after which to begin
 * @param limit  number of documents
 * @throws       Problem 404 `document-exists`
 */
export async function readGrantsBelow(
  session: Session,
  iri: Iri,
  {after, limit}: {readonly after: Iri | undefined; readonly limit: number},
): Promise<readonly GrantsEntry[]> {
  const call = callAsCaller(session, 'read_grants_below', [iri, after ?? null, limit])
  const rows = await ask<GrantsEntryRow>(session, 'read', {text: `select * from ${call.from}`, ...call})
  return rows.map(entryOf)
}

function entryOf({document, grantee, modes, expires, is_expired: isExpired}: GrantsEntryRow): GrantsEntry {
  return grantee === null ? {document} : {document, grant: listed([grantee, modes, expires, isExpired])}
}

/** The modes of the caller, and of everybody, on a document. undefined: the caller may do everything. */
export async function findModes(session: Session, iri: Iri): Promise<Allowed | undefined> {
  const grantees = session.caller?.grantees
  if (grantees === undefined) return undefined
  const text = `select own, everybody from ${session.inSchema}access_modes($1, $2)`
  const [row] = await ask<Allowed>(session, 'read', {name: 'access_modes', text, values: [iri, grantees]})
  return row
}

/** Whether the caller has modes on a document, which need not exist. */
export async function mayDo(session: Session, iri: Iri, modes: readonly Mode[]): Promise<boolean> {
  const grantees = session.caller?.grantees
  if (grantees === undefined) return true
  const text = `select ${session.inSchema}has_access($1, $2, $3) as granted`
  const call = {name: 'has_access', text, values: [iri, modes, grantees]}
  const [row] = await ask<{readonly granted: boolean}>(session, 'read', call)
  return row?.granted === true
}

/** Whether the caller may read every document. */
export async function mayReadAll(session: Session): Promise<boolean> {
  const grantees = session.caller?.grantees
  if (grantees === undefined) return true
  const text = `select r.realms is null as granted from ${session.inSchema}granted_realms($1, 'read') as r (realms)`
  const [row] = await ask<{readonly granted: boolean}>(session, 'read', {
    name: 'granted_realms',
    text,
    values: [grantees],
  })
  return row?.granted === true
}

/**
 * Replaces a document's own grants. Expired ones are dropped.
 *
 * @returns  their new entity tag
 * @throws   Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `control-kept`, 422 `isolation-place`
 */
export function putGrants(session: Session, iri: Iri, change: GrantsChange): Promise<string> {
  const {grants: given, inherits, ifMatch, keepsControl} = change
  const grantees = given.map(({grantee}) => grantee)
  const modes = given.map(grant => String(encodeValue(grant.modes)))
  const expiries = given.map(({expires}) => expires?.toISOString() ?? null)
  const asked = [iri, grantees, modes, expiries, inherits ?? null, ifMatch ?? null, keepsControl]
  return changeGrants(session, 'put_grants', asked)
}

/**
 * Adds one grant to a document.
 *
 * @returns  the new entity tag of the document's grants
 * @throws   Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `grant-free`, 422 `expiry-ahead`
 */
export function addGrant(
  session: Session,
  iri: Iri,
  {grantee, modes, expires}: Grant,
  ifMatch?: string,
): Promise<string> {
  return changeGrants(session, 'add_grant', [iri, grantee, modes, expires ?? null, ifMatch ?? null])
}

/**
 * Removes grants of one grantee.
 *
 * @returns  the new entity tag of the remaining grants
 * @throws   Problem 404 `document-exists`, `grant-exists`, 412 `etag-mismatch`, 409 `control-kept`
 */
export function removeGrant(
  session: Session,
  iri: Iri,
  {grantee, expires}: RemovedGrant,
  {ifMatch, keepsControl}: Pick<GrantsChange, 'ifMatch' | 'keepsControl'>,
): Promise<string> {
  const which = expires === 'all' ? null : (expires?.toISOString() ?? 'infinity')
  return changeGrants(session, 'remove_grant', [iri, grantee, which, ifMatch ?? null, keepsControl])
}

/** Removes the expired grants of one document. @returns how many; undefined: no document has any */
export async function pruneGrants(session: Session): Promise<number | undefined> {
  const text = `select ${session.inSchema}prune_grants() as gone`
  const [row] = await ask<{readonly gone: number | null}>(session, 'write', {name: 'prune_grants', text, values: []})
  return row?.gone ?? undefined
}

function listed([grantee, modes, expires, isExpired]: GrantRow): ListedGrant {
  return {grantee, modes, expires: expires ?? undefined, isExpired}
}

async function changeGrants(session: Session, name: string, values: readonly SqlValue[]): Promise<string> {
  const call = callAsCaller(session, name, values)
  const text = `select w.etag from ${call.from} as w (etag)`
  const [row] = await ask<{readonly etag: string}>(session, 'write', {text, ...call})
  return row?.etag ?? ''
}
