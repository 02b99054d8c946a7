/**
 * Parts of the pages about grants and keys: modes, times, and the fields to choose them.
 *
 * Pure.
 */
import type {Mode} from '../../db/store/caller.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {type Markup, markup} from './markup.ts'
import {showTime} from './values.ts'

/** What each mode allows, in a few words (docs/security.md, Grants). */
const meanings: Readonly<Record<Mode, string>> = {
  read: 'see it, also in queries',
  append: 'add documents and members',
  write: 'read, append, edit and delete',
  control: 'change who may do what',
  create: 'add documents below it',
  members: 'add members to its lists',
  edit: 'change it',
  delete: 'delete it and all below',
  query: 'send queries to it, where that needs a grant',
}

const usual: readonly Mode[] = ['read', 'append', 'write', 'control']
const rare: readonly Mode[] = ['create', 'members', 'edit', 'delete', 'query']

/** Boxes for modes, the usual ones first. */
export function modeFields(legend: string, chosen: readonly string[]): Markup {
  const box = (mode: Mode) =>
    markup`<label class="choice"><input type="checkbox" name="mode" value="${mode}"${
      chosen.includes(mode) && markup` checked`
    }> <span><b>${mode}</b> <span class="quiet">${meanings[mode]}</span></span></label>`
  const isRare = rare.some(mode => chosen.includes(mode))
  return markup`<fieldset><legend>${legend}</legend>${usual.map(box)}
    <details class="advanced"${isRare && markup` open`}><summary>Parts of these</summary>${rare.map(box)}</details>
    </fieldset>`
}

export function expiryField(chosen: string): Markup {
  return markup`<label for="page-expires">Last day (optional)</label><p class="quiet" id="page-expires-note">It ends at
    midnight, in UTC.</p><input id="page-expires" name="expires" type="date" value="${chosen}"
    aria-describedby="page-expires-note">`
}

export function showModes(modes: readonly string[]): Markup {
  return markup`<span class="modes">${modes.map(mode => markup`<span class="tag">${mode}</span> `)}</span>`
}

/** `until 31 January 2027, 00:00 UTC`; undefined if it never expires. */
export function showExpiry(expires: string | undefined, hasPassed: boolean): Markup | undefined {
  if (expires === undefined) return undefined
  return markup`<span class="quiet">${hasPassed ? 'expired' : 'until'} ${
    showTime(expires, xsd.dateTime) ?? expires
  }</span>`
}

/** The message about a form that was refused. */
export function faultNotice(fault: string | undefined): Markup | undefined {
  return fault === undefined ? undefined : markup`<p class="problem" role="alert">${fault}</p>`
}
