/**
 * A transaction of several steps. Each step succeeds or fails on its own: it is a subtransaction (SAVEPOINT).
 *
 * Inside, every statement and every transaction of a `Database` is a step, so code that was written for a pool runs in
 * the transaction unchanged. It may use the database after a statement has failed. Steps run one after the other.
 * SAVEPOINT is sent together with the first statement of its step, and RELEASE is not awaited, so a step costs no round
 * trip of its own.
 */

/** The part of the driver's reserved connection that is used here. */
type Connection = {
  readonly unsafe: (text: string) => PromiseLike<{readonly command?: string}> & {
    readonly execute: () => Promise<unknown>
  }
  readonly release: () => void
}

export type StepsMode = 'read committed' | 'repeatable read read only'

export type StepsOptions<Reserved extends Connection> = {
  readonly mode: StepsMode
  readonly reserve: () => Promise<Reserved>
}

/**
 * Runs work in one transaction: commits when it resolves, rolls back when it rejects.
 *
 * @throws  what `work` throws, and the errors of the driver for BEGIN and COMMIT
 */
export async function runInSteps<Reserved extends Connection, Result>(
  {mode, reserve}: StepsOptions<Reserved>,
  work: (connection: Reserved) => Promise<Result>,
): Promise<Result> {
  const connection = await reserve()
  try {
    await connection.unsafe(`begin isolation level ${mode}`)
    const result = await work(connection)
    const {command} = await connection.unsafe('commit')
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`) // ROLLBACK: it had failed
    return result
  } catch (error) {
    await Promise.resolve(connection.unsafe('rollback')).catch(() => undefined) // it is lost with its connection
    throw error
  } finally {
    connection.release()
  }
}

/** Runs work in a subtransaction. */
type Step = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Steps of one level. The savepoint of an inner level hides that of the outer one until it is released. */
export function createSteps(connection: Connection): Step {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(() => runStep(connection, work))
    last = next.catch(() => undefined)
    return next
  }
}

async function runStep<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  const opened = connection.unsafe('savepoint step').execute()
  opened.catch(() => undefined) // the statements after it fail as well
  try {
    const result = await work()
    connection
      .unsafe('release savepoint step')
      .execute()
      .catch(() => undefined) // COMMIT fails as well
    return result
  } catch (error) {
    await Promise.resolve(connection.unsafe('rollback to savepoint step; release savepoint step')).catch(
      () => undefined,
    )
    throw error
  }
}
