/**
 * From where in the primary's log on the grants are those that count now: a replica that has not come so far may still
 * know one that was taken away.
 *
 * Others change grants, too (the command line, other instances), so the primary is asked again and again. The
 * position is asked for after the revision was read, so it is behind the change.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import type {PrimaryLog} from '../replicas/primary-log.ts'
import {type LogPosition, nowhere} from '../replicas/reader.ts'

export type GrantChanges = {
  /** What a replica must have replayed to know the grants; `nowhere` while that is not known. */
  readonly position: () => LogPosition
  /** Looks whether they have changed. What was known stays when the primary does not answer, which is thrown. */
  readonly look: () => Promise<void>
  /** Forgets what was known, as there was a change, and looks; throws nothing. */
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
      await look().catch(() => undefined) // it is looked at again soon, and until then replicas are not asked
    },
  }
}
