/**
 * Grants: who may do what with a document and all below it.
 *
 * Floor 3. sql/functions/53_grant.sql is the other end.
 */
import type {Iri} from '../rdf/term.ts'
import type {Mode} from './access.ts'
import {ask} from './call.ts'
import {checked, recorded} from './guard.ts'
import type {Session} from './session.ts'
import {encodeValue} from './value.ts'

export type Grant = {readonly grantee: string; readonly modes: readonly Mode[]}

export type PlacedGrant = Grant & {readonly document: Iri}

export type DocumentGrants = {
  readonly own: readonly Grant[]
  readonly inherited: readonly PlacedGrant[] // from the root down
  readonly withheld: number // inherited ones that the caller may not know
  readonly etag: string // of the own ones
}

type GrantsRow = {
  readonly own: readonly [string, Mode[]][]
  readonly inherited: readonly [Iri, string, Mode[]][]
  readonly withheld: number
  readonly etag: string
}

export type GrantsChange = {
  readonly grants: readonly Grant[]
  readonly ifMatch: string | undefined
  readonly keepsControl: boolean // refuse to leave the root document to nobody
}

/** `this` is the store that they are methods of. */
export const grants = {
  /** The grants of a document, as far as the caller may know them: Problem 404 `document-exists`. */
  async readGrants(this: Session, iri: Iri): Promise<DocumentGrants> {
    const {before, iri: place, grantees, values} = checked(this, [iri], {modes: ['control']})
    const text =
      before === ''
        ? `select g.*, 0 as withheld from ${this.inSchema}read_grants(${place}) as g`
        : `select g.* from ${before}${this.inSchema}read_grants_for(${place}, ${grantees}) as g`
    const [row] = await ask<GrantsRow>(this, 'read', {name: 'read_grants', text, values})
    return {
      own: (row?.own ?? []).map(([grantee, modes]) => ({grantee, modes})),
      inherited: (row?.inherited ?? []).map(([document, grantee, modes]) => ({document, grantee, modes})),
      withheld: row?.withheld ?? 0,
      etag: row?.etag ?? '',
    }
  },

  /** The grants of a document, of those above it and of those below it: Problem 404 `document-exists`. */
  listGrants(this: Session, iri: Iri): Promise<readonly PlacedGrant[]> {
    const text = `select * from ${this.inSchema}list_grants($1)`
    return ask<PlacedGrant>(this, 'read', {name: 'list_grants', text, values: [iri]})
  },

  /** Whether the caller may read a document, which need not exist. */
  async mayRead(this: Session, iri: Iri): Promise<boolean> {
    const grantees = this.access?.guard?.grantees
    if (grantees === undefined) return true
    const text = `select ${this.inSchema}has_access($1, '{read}', $2) as granted`
    const call = {name: 'has_access', text, values: [iri, grantees]}
    const [row] = await ask<{readonly granted: boolean}>(this, 'read', call)
    return row?.granted === true
  },

  /**
   * Replaces a document's own grants.
   *
   * @returns  their new entity tag
   * @throws   Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `control-kept`
   */
  async putGrants(this: Session, iri: Iri, change: GrantsChange): Promise<string> {
    const grantees = change.grants.map(({grantee}) => grantee)
    const modes = change.grants.map(grant => String(encodeValue(grant.modes)))
    const asked = [iri, grantees, modes, change.ifMatch ?? null, change.keepsControl]
    const call = checked(this, asked, {modes: ['control']})
    const {after, values} = recorded(this, call.values, {action: 'grant', place: 1, etag: 'w.etag'})
    const put = `${this.inSchema}put_grants(${call.iri}, $2, $3, $4, $5)`
    const text = `select w.etag from ${call.before}${put} as w (etag)${after}`
    const [row] = await ask<{readonly etag: string}>(this, 'write', {name: 'put_grants', text, values})
    return row?.etag ?? ''
  },
}
