/**
 * The set of realms that a caller may read, as the database returns it.
 *
 * Pure. A realm is a document with grants of its own and everything below it, without the realms inside it
 * (sql/functions/access/access.sql). In place of a list, `undefined` always means that the caller may read all graphs.
 */

/** Ids as decimal strings, ascending: only these realms. With minus signs: all graphs except those in these realms. */
export type Realms = readonly string[]

export function readRealms(realms: Realms): {readonly isExcept: boolean; readonly ids: readonly string[]} {
  const isExcept = realms[0]?.startsWith('-') === true
  return {isExcept, ids: isExcept ? realms.map(id => id.slice(1)) : realms}
}
