/**
 * The header WAC-Allow: what the caller and the public may do with a document, in the modes of Web Access Control.
 *
 * Pure. `append` means creating children, `write` means editing and deleting. A group without modes is left out,
 * because the syntax has no empty list.
 * Source: Solid WAC 1.0, "WAC-Allow".
 */
import type {Mode} from '../../db/store/caller.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'

const wacModes: readonly (readonly [name: string, needs: readonly Mode[]])[] = [
  ['read', ['read']],
  ['append', ['create']],
  ['write', ['edit', 'delete']],
  ['control', ['control']],
]

/** @returns  undefined if neither the caller nor the public may do anything */
export function formatWacAllow({own, everybody}: Allowed): string | undefined {
  const groups = [wacGroup('user', own), wacGroup('public', everybody)].filter(group => group !== undefined)
  return groups.length === 0 ? undefined : groups.join(', ')
}

function wacGroup(group: string, modes: readonly Mode[]): string | undefined {
  const names = wacModes.filter(([, needs]) => needs.every(mode => modes.includes(mode))).map(([name]) => name)
  return names.length === 0 ? undefined : `${group}="${names.join(' ')}"`
}
