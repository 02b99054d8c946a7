/**
 * Chooses the account that runs PostgreSQL: PostgreSQL refuses to run as root, and initdb needs a user in /etc/passwd.
 *
 *   self        our own account, if it is not root and has a name
 *   namespace   `unshare` shows the program another user number. Files stay ours, the folders that we can reach stay
 *               reachable, and no user is created. Some containers forbid it, hence a trial run
 *   other       root only: as the user postgres or nobody, which must own its folder and be able to reach it
 * Sources: user_namespaces(7), unshare(1).
 */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {Refusal} from '../../base/refusal.ts'

export type Account =
  | {readonly kind: 'self'}
  | {readonly kind: 'namespace'; readonly userId: number}
  | {readonly kind: 'other'; readonly userId: number; readonly groupId: number; readonly name: string}

type User = {readonly name: string; readonly userId: number; readonly groupId: number}

/**
 * Chooses the account.
 *
 * @param kinds  the kinds to choose from; tests use one kind
 * @throws       Refusal: we are root or a user without a name, and no kind is possible
 */
export function chooseAccount(kinds: readonly Account['kind'][] = ['self', 'namespace', 'other']): Account {
  const users = readUsers()
  const userId = process.getuid?.()
  const isKnown = userId === undefined || users.some(user => user.userId === userId)
  if (kinds.includes('self') && userId !== 0 && isKnown) return {kind: 'self'}
  const stranger = users.find(({name}) => name === 'nobody') ?? users.find(user => user.userId !== 0)
  if (kinds.includes('namespace') && stranger !== undefined && canUnshare(stranger.userId)) {
    return {kind: 'namespace', userId: stranger.userId}
  }
  const other = users.find(({name}) => name === 'postgres') ?? users.find(({name}) => name === 'nobody')
  if (kinds.includes('other') && userId === 0 && other !== undefined) return {kind: 'other', ...other}
  throw new Refusal(
    userId === 0
      ? 'PostgreSQL does not run as root, and no other account can be used here. Run Quadstead as another user, ' +
          'or set DATABASE_URL.'
      : `PostgreSQL does not run as a user without a name (number ${userId} is not in /etc/passwd). Run ` +
          'Quadstead as another user, or set DATABASE_URL.',
  )
}

/** The command line that runs a program under the account. */
export function commandAs(account: Account, program: string, parameters: readonly string[]) {
  if (account.kind === 'namespace') {
    return {file: 'unshare', parameters: [...namespaceOptions(account.userId), program, ...parameters], options: {}}
  }
  const options = account.kind === 'other' ? {uid: account.userId, gid: account.groupId} : {}
  return {file: program, parameters: [...parameters], options}
}

function namespaceOptions(userId: number): readonly string[] {
  return ['--user', `--map-user=${userId}`, `--map-group=${userId}`, '--']
}

function canUnshare(userId: number): boolean {
  return spawnSync('unshare', [...namespaceOptions(userId), 'true'], {stdio: 'ignore'}).status === 0
}

/** Reads the names and numbers of the local accounts. */
function readUsers(): readonly User[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
      .flatMap(([name = '', , userId, groupId]) =>
        userId === undefined || groupId === undefined ? [] : [{name, userId: Number(userId), groupId: Number(groupId)}],
      )
  } catch {
    return []
  }
}
