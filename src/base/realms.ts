/**
 * Where a caller may read: realms as the database lists them.
 *
 * Floor 0. Pure. A realm is a document with grants of its own and all below it, without the realms inside
 * (sql/functions/51_access.sql). `undefined` everywhere means that all graphs may be read.
 */

/** Ids as decimal strings, ascending: these realms only. With minus signs: all graphs but those in these realms. */
export type Realms = readonly string[]

export function readRealms(realms: Realms): {readonly isExcept: boolean; readonly ids: readonly string[]} {
  const isExcept = realms[0]?.startsWith('-') === true
  return {isExcept, ids: isExcept ? realms.map(id => id.slice(1)) : realms}
}
