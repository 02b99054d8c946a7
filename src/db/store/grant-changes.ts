/**
 * Tracks the position in the primary's log after which the current grants are in force. A replica that has not replayed
 * it may still apply a removed grant.
 *
 * The command line and other instances change grants too, so the primary is polled. The position is read after the
 * revision, so it is not before the change.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import type {PrimaryLog} from '../replicas/primary-log.ts'
import {type LogPosition, nowhere} from '../replicas/reader.ts'

export type GrantChanges = {
  /** The position that a replica must have replayed to know the grants; `nowhere` if that is unknown. */
  readonly position: () => LogPosition
  /** Polls the primary for changes. Throws if the primary does not answer, and keeps the known position. */
  readonly look: () => Promise<void>
  /** Call after a change of grants: forgets the known position and polls. Never throws. */
  readonly changed: () => Promise<void>
}

export function createGrantChanges(
  primary: Pick<Database, 'query'>,
  schema: string,
  log: Pick<PrimaryLog, 'position'>,
): GrantChanges {
  const text = `select d.grants_revision::text as revision from ${quoteIdentifier(schema)}.dataset as d`
  let known: {readonly revision: string; readonly position: LogPosition} | undefined
  let changes = 0

  async function look(): Promise<void> {
    const before = changes
    const [row] = await primary.query<{revision: string}>(text)
    if (row === undefined || row.revision === known?.revision) return
    const position = await log.position()
    if (before === changes) known = {revision: row.revision, position}
  }

  return {
    position: () => known?.position ?? nowhere,
    look,
    async changed() {
      changes += 1
      known = undefined
      await look().catch(() => undefined) // the next poll is soon, and until then replicas are not used
    },
  }
}
